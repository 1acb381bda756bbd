// Which records a reference can name, once compiled: a formula about each of them, and about the record that names it.
import type { Checked } from "../../../contract/formula/check-formula.ts";

/** Before the name of a field of the record that names another. */
export const OWN = "record.";

export interface RecordChoices {
  readonly formula: string;
  readonly checked: Checked;
  /** The record type to choose from. */
  readonly target: string;
  /** Its fields that the formula names. */
  readonly theirs: ReadonlySet<string>;
  /** Fields of the record itself that it names. */
  readonly own: ReadonlySet<string>;
}
