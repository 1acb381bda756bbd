// Takes the condition of a saved view that cannot be planned; gives what is left of it without comparisons that a change of design
// has made impossible: with a field that is gone, or with a value or a figure that its new type does not
// have. A field that is only hidden from the caller still refuses the view.
import { Failure } from "../../contract/failures.ts";
import { fieldsOnPath } from "../metadata/uses/field-path.ts";
import type { QCondition } from "../request/q.ts";
import { namesActors } from "./actors-column.ts";
import { resolveFilterColumn, type Scope, unlessRefused } from "./column.ts";
import { planFilter } from "./filter.ts";

/** How a comparison is planned, and which column it is with: of groups, it is one with a figure or a group, by its name or its alias. */
export interface Compared {
  readonly plan: (comparison: QCondition) => unknown;
  readonly columnOf: (name: string) => string;
}

export function standingCondition(
  scope: Scope,
  condition: QCondition,
  how: Compared = { plan: (one) => planFilter(scope, one), columnOf: (name) => name },
): QCondition | undefined {
  if (condition.kind === "not") {
    const of = standingCondition(scope, condition.of, how);
    return of && { kind: "not", of };
  }
  if (condition.kind !== "leaf") {
    const of = condition.of.flatMap((one) => standingCondition(scope, one, how) ?? []);
    return of.length === 0 ? undefined : { kind: condition.kind, of };
  }
  try {
    how.plan(condition);
    return condition;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return isGone(scope, how.columnOf(condition.column)) ? undefined : condition;
  }
}

/** Not there by design, or there and not usable like that; never what is only hidden from the caller. */
export function isGone(scope: Scope, column: string): boolean {
  if (namesActors(column, scope.type)) return false;
  if (fieldsOnPath(scope.snapshot, scope.type, column) === undefined) return true;
  return unlessRefused(() => resolveFilterColumn(scope, column)) !== undefined;
}
