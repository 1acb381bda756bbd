// A rule of a record type once compiled: what must be true of a record to be saved, and what is said where it is not.
import type { Checked } from "../../../contract/formula/check-formula.ts";
import type { RuleDefinition } from "../../../contract/record-type.ts";

export interface RecordRule extends RuleDefinition {
  readonly checked: Checked;
  /** Fields that the formula names, in no order; `field` first where there is one. */
  readonly places: readonly string[];
  /** All fields whose change can make it untrue: those, and what computed ones among them are worked out from. */
  readonly reads: ReadonlySet<string>;
}
