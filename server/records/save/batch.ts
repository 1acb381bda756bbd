// Decides what of many records can be saved in one pass, and what must be saved by itself: whatever an ordinary save asks
// of a single record between the others stands in the way. The one place that says what that is. Pure.
import type { Field } from "../../fields/field-type.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { SavePlan } from "../../plan/plan-write.ts";
import type { RecordHooks } from "../hooks.ts";
import { columnNames } from "../read/record-row.ts";
import { effectsOf } from "../workflow/run-effects.ts";
import type { WorkflowStep } from "../workflow/workflow-step.ts";
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

/** A step that makes records, or that is a vote among others, is a matter of this record alone. */
export const stepsAlone = (step: WorkflowStep): boolean =>
  step.taken !== undefined && (!step.taken.moved || effectsOf(step).some(({ kind }) => kind === "create"));

const alwaysRead = [
  "id",
  "revision",
  "deleted",
  "modified",
  "modified_by",
  "current_stage",
  "stage_since",
  "workflow_version",
];

/** What a draft can depend on, and no more: casting sixty columns to text costs more than the rest of the save. */
export function columnsToRead(
  type: RecordType,
  plans: readonly SavePlan[],
  { reads }: CompiledForm,
  { compute, computes = [], computesFrom }: RecordHooks,
  ofWorkflows: Iterable<string>,
): readonly string[] {
  if (compute && computesFrom === undefined) return columnNames(type);
  const names = new Set([...alwaysRead, ...accessColumns(type), ...reads, ...computes, ...ofWorkflows]);
  for (const values of new Set(plans.map(({ write }) => write.values)))
    for (const name of values.keys()) names.add(name);
  const fields = type.fields.filter((field) => field.required || names.has(field.name));
  const columns = fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));
  return [...new Set([...columns, ...(computesFrom ?? [])])];
}
