// Takes the columns and conditions of a plan; gives the record types beside the root whose rows they read. What is kept
// or confirmed by version must name them all.
import type { RecordType } from "../metadata/record-type.ts";
import type { ColumnRef, Step } from "./column.ts";
import type { FilterPlan, Operand } from "./filter-plan.ts";

export function tablesRead(
  refs: readonly ColumnRef[],
  filters: readonly (FilterPlan | undefined)[],
): ReadonlySet<RecordType> {
  const types = new Set<RecordType>();
  const along = (steps: readonly Step[]) => {
    for (const step of steps) types.add(step.type);
  };
  const operand = (one: Operand) => {
    const ref = one.kind === "column" ? one.ref : one.aggregate.ref;
    if (ref) along(ref.steps);
  };
  const walk = (filter: FilterPlan): void => {
    switch (filter.kind) {
      case "and":
      case "or":
        for (const part of filter.of) walk(part);
        return;
      case "not":
        walk(filter.of);
        return;
      case "exists":
        along(filter.steps);
        types.add(filter.far);
        if (filter.through) types.add(filter.through);
        walk(filter.of);
        return;
      case "turn":
        for (const type of filter.deciding) types.add(type);
        return;
      case "formula":
        return;
      case "named":
        types.add(filter.target);
        operand(filter.operand);
        return;
      default:
        operand(filter.operand);
    }
  };
  for (const ref of refs) along(ref.steps);
  for (const filter of filters) if (filter) walk(filter);
  return types;
}
