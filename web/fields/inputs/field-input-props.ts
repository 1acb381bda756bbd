// What every input of a form is given, whatever its type.
import type { FormElement, WireValue } from "../../../client/records/records.ts";

export interface FieldInputProps {
  readonly element: FormElement;
  /** Of the input itself; its label points there. */
  readonly id: string;
  /** What it is called where no label points to it. */
  readonly name?: string | undefined;
  readonly value: WireValue;
  /** What a reference is called. */
  readonly text?: string | null | undefined;
  readonly error: string | undefined;
  /** The same, sentence by sentence. */
  readonly errors?: readonly string[] | undefined;
  readonly describedBy: string | undefined;
  readonly onChange: (value: WireValue, text?: string | null) => void;
}

/** The text of a value that has no parts. */
export const plainText = (value: WireValue): string => (typeof value === "string" ? value : "");
