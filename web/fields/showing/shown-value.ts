// What is needed to show a value: its field, the value with what belongs to it, and the words for yes and no.
import type { FieldSettings, FieldTypeId } from "../../../contract/field-types.ts";

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly color?: string | null;
}

export interface ShownField {
  readonly type: FieldTypeId;
  readonly options?: readonly ChoiceOption[] | null | undefined;
  readonly settings?: FieldSettings | undefined;
  readonly scale?: number | null | undefined;
}

export interface ShownValue {
  readonly value: string;
  /** What a reference is called. */
  readonly text?: string | null | undefined;
  /** Where a reference leads. */
  readonly href?: string | undefined;
  readonly currency?: string | undefined;
  /** Of amounts that cannot be added up: each currency's, such as `EUR 12.00, USD 3.50`. */
  readonly byCurrency?: string | undefined;
}

export interface ValueWords {
  readonly yes: string;
  readonly no: string;
}

/** What an option is called; undefined where it is none of the field's. */
export const labelOf = ({ options }: ShownField, value: string): string | undefined =>
  options?.find((option) => option.value === value)?.label;
