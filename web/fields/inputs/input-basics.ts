// What the inputs of Mantine are given alike, whatever the field's type.
import type { FormElement } from "../../../client/records/records.ts";
import type { FieldInputProps } from "./field-input-props.ts";

export const base = ({ element, id, name, error, describedBy }: FieldInputProps) => ({
  id,
  "aria-label": name,
  error,
  required: element.not_empty === "1",
  "aria-describedby": describedBy,
});

export const orNull = (text: string): string | null => (text === "" ? null : text);

/** The options of a field as Mantine's lists take them. */
export const optionsOf = ({ options = [] }: FormElement) => options.map(({ value, text }) => ({ value, label: text }));
