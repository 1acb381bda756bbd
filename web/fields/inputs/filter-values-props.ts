// What the input of values to compare with is given: one value or several of the same field.
import type { FieldInputProps } from "./field-input-props.ts";

export interface FilterValuesProps extends Omit<FieldInputProps, "value" | "text" | "onChange"> {
  readonly values: readonly string[];
  readonly many: boolean;
  readonly onValues: (values: readonly string[]) => void;
}
