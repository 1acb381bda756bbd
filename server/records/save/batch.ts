// Decides what of many records can be saved in one pass, and what must be saved by itself: whatever an ordinary save asks
// of a single record between the others stands in the way. The one place that says what that is. Pure.
import type { Field } from "../../fields/field-type.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { SavePlan } from "../../plan/plan-write.ts";
import type { RecordHooks } from "../hooks.ts";
import { columnNames } from "../read/record-row.ts";
import { uniqueSets } from "./check-unique.ts";
import { type Draft, isChangedField } from "./draft.ts";
import { accessColumns } from "./recipes.ts";
import { fileFields } from "./uploads.ts";

/** A type with checks or consequences of its own, or that takes its access from other records, is saved one by one. */
export const canBatch = (type: RecordType, hooks: RecordHooks, operation: string): boolean =>
  !(hooks.check || hooks.follow || hooks.changesAccess || type.follows !== undefined) &&
  !(operation === "add" && hooks.prepare);

/** The fields that are compared with other records, or that hold files. */
export function fieldsToLookAt(type: RecordType, looksForDuplicates: boolean): readonly Field[] {
  const names = new Set([...uniqueSets(type).flat(), ...(looksForDuplicates ? type.duplicates.flat() : [])]);
  return [...fileFields(type), ...[...names].flatMap((name) => type.field.get(name) ?? [])];
}

/** Whether a record brings children, or something of its own that others of the batch could bring too. */
export const needsOwnLook = (draft: Draft, fields: readonly Field[]): boolean =>
  draft.plan.children.length > 0 || fields.some((field) => isChangedField(draft, field));

const alwaysRead = ["id", "revision", "deleted", "current_stage", "workflow_version"];

/** What a draft can depend on, and no more: casting sixty columns to text costs more than the rest of the save. */
export function columnsToRead(
  type: RecordType,
  plans: readonly SavePlan[],
  { reads }: CompiledForm,
  { compute, computes = [], computesFrom }: RecordHooks,
): readonly string[] {
  if (compute && computesFrom === undefined) return columnNames(type);
  const names = new Set([...alwaysRead, ...accessColumns(type), ...reads, ...computes]);
  for (const values of new Set(plans.map(({ write }) => write.values)))
    for (const name of values.keys()) names.add(name);
  const fields = type.fields.filter((field) => field.required || names.has(field.name));
  const columns = fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));
  return [...new Set([...columns, ...(computesFrom ?? [])])];
}
