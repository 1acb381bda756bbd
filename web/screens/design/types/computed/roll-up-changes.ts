// What a change of a roll-up's design changes along with it: a field that its function cannot sum up is let go of, and the result takes the
// type of what is summed up now. What nobody touched, or cannot be told yet, stays as it is stored.
import type { SchemaField } from "../../../../../client/design/record-types.ts";
import type { FieldTypeId } from "../../../../../contract/field-types.ts";
import type { ComputedDefinition, RollUpFunction } from "../../../../../contract/record-type.ts";
import { fieldTypes } from "../../../../fields/index.ts";
import type { FieldChanges } from "../type-draft.ts";

type RollUp = Extract<ComputedDefinition, { kind: "roll-up" }>;
type Summed = Pick<SchemaField, "name" | "system" | "looked_up_as">;

interface Designed {
  readonly computed: RollUp;
  readonly type: FieldTypeId;
  /** Of the records that are summed up; undefined while they are not known. */
  readonly fields: readonly Summed[] | undefined;
  /** The types that a computed field can have. */
  readonly results: readonly FieldTypeId[];
}

export function rollUpChanges({ computed, type, fields, results }: Designed, changes: Partial<RollUp>): FieldChanges {
  const { field: wanted, where, ...rest } = { ...computed, ...changes };
  const found = fields?.find(({ name }) => name === wanted);
  const isOther = changes.function !== undefined || changes.field !== undefined;
  const isLost = isOther && fields !== undefined && !(found && isSummarized(found, rest.function));
  const field = isLost ? undefined : wanted;
  const result = isOther ? resultType(rest.function, field ? found?.looked_up_as : undefined) : undefined;
  return {
    ...(result !== undefined && result !== type && results.includes(result)
      ? { type: result, settings: undefined }
      : {}),
    computed: { ...rest, ...(field ? { field } : {}), ...(where ? { where } : {}) },
  };
}

/** Numbers add up; what has an order has a smallest and a largest. */
export function isSummarized({ looked_up_as: as, system }: Summed, by: RollUpFunction): boolean {
  const adds = by === "sum" || by === "average";
  if (as == null || (system && adds)) return false;
  return by === "count" || (fieldTypes[as].figures?.includes(adds ? "avg" : by) ?? false);
}

/** What it comes to; undefined while that is open. */
function resultType(by: RollUpFunction, of: FieldTypeId | null | undefined): FieldTypeId | undefined {
  if (by === "count") return "integer";
  if (of == null) return undefined;
  const { figures, design } = fieldTypes[of];
  const hasPlaces = design.settings?.some(({ name }) => name === "scale");
  if (hasPlaces || !figures?.includes("avg")) return of;
  // Whole numbers have an average between them; everything else of them is one.
  return by === "average" ? "decimal" : "integer";
}
