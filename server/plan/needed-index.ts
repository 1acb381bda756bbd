// Takes the plan of a list, how many rows it has to look at and how long that took; gives the field that an index is wanted
// for, where that is what makes the list slow. Pure.
import type { Field } from "../fields/field-type.ts";
import { notIndexable } from "../metadata/indexes.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { ColumnRef } from "./column.ts";
import type { FilterPlan } from "./filter-plan.ts";
import type { ListPlan } from "./plan-list.ts";

export interface ListEffort {
  /** Live rows that the caller may read. */
  readonly rows: number;
  /** From so many on a list is large. */
  readonly large: number;
  readonly tookMs: number;
}

/** Longer than this is slow. */
const SLOW_MS = 1_000;

export function neededIndex(plan: ListPlan, { rows, large, tookMs }: ListEffort): Field | undefined {
  if (rows <= large) return undefined;
  const { type } = plan.scope;
  const [order] = plan.order;
  const sorted = order && plan.order.length === 1 ? unindexed(type, order.ref) : undefined;
  const isWhole = plan.filter === undefined && plan.words.length === 0 && plan.live;
  // Every row is read and sorted, however long that took this time.
  if (sorted && isWhole) return sorted;
  if (tookMs < SLOW_MS) return undefined;
  // A word that is a number is looked for in columns of numbers as well.
  const filters = [...(plan.filter ? [plan.filter] : []), ...plan.shown];
  return sorted ?? filters.map((one) => compared(type, one)).find((one) => one !== undefined);
}

/** A field of the record's own that could have an index and has none. */
function unindexed(type: RecordType, { steps, part, field }: ColumnRef): Field | undefined {
  const isIndexed =
    field.indexed ||
    field.unique ||
    field.name === "id" ||
    [...type.indexes, ...type.unique].some(([first]) => first === field.name) ||
    type.associations.some((one) => one.kind === "belongs-to" && one.via === field.name);
  if (steps.length > 0 || part !== undefined || isIndexed || notIndexable(type, field)) return undefined;
  return field;
}

/** The first field that a row's value is compared of. Texts that are searched within have an index of words. */
function compared(type: RecordType, filter: FilterPlan): Field | undefined {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.map((one) => compared(type, one)).find((one) => one !== undefined);
    case "compare":
    case "between":
    case "among":
      return filter.operand.kind === "column" ? unindexed(type, filter.operand.ref) : undefined;
    default:
      return undefined;
  }
}
