// Decides whether many records can be written in a few statements, or must be saved one by one: whatever an ordinary save
// asks of each single record between the others stands in the way. The one place that says what that is.
import type { RecordType } from "../../metadata/record-type.ts";
import type { WritePlan } from "../../plan/plan-write.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { uniqueSets } from "../save/check-unique.ts";
import { fileFields } from "../save/uploads.ts";

export interface BatchRules {
  readonly operation: "add" | "edit" | "undo";
  readonly plans: readonly WritePlan[];
  /** Records that look like one already there are saved all the same. */
  readonly overrideDuplicates: boolean;
}

export function canGoTogether(work: Work, type: RecordType, change: BatchRules): boolean {
  const { operation, plans } = change;
  const hooks = hooksOf(work, type);
  // Checks and consequences of the type's own, and what takes its access from another record.
  if (hooks.check || hooks.follow || hooks.changesAccess || type.follows !== undefined) return false;
  if (operation === "add" && hooks.prepare) return false;
  if (plans.some((plan) => plan.children.length > 0)) return false;
  const touched = new Set([...(hooks.computes ?? []), ...plans.flatMap((plan) => [...plan.values.keys()])]);
  const single = new Set([
    ...fileFields(type).map((field) => field.name),
    ...uniqueSets(type).flat(),
    ...(change.overrideDuplicates || operation === "undo" ? [] : type.duplicates.flat()),
  ]);
  return ![...single].some((name) => touched.has(name));
}
