// Decides which of many records can be saved in one pass and which must be saved alone: those for which an ordinary save
// has to check something between the others. The only place that decides this. Pure.
import type { CompiledForm } from "../../forms/compile-form.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { SavePlan } from "../../plan/plan-write.ts";
import type { RecordHooks } from "../hooks.ts";
import { columnNames } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
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

/** Whether a record brings children or files. */
export const needsOwnLook = (draft: Draft): boolean =>
  draft.plan.children.length > 0 || fileFields(draft.type).some((field) => isChangedField(draft, field));

/**
 * What of a record is compared with other records: values that must be unique, and those that make two look like one, as
 * far as this save changes them. `before`: what it lets go of. Two records that share one are saved one after the other.
 */
export function claimsOf(
  draft: Draft,
  looksForDuplicates: boolean,
): { readonly after: string[]; readonly before: string[] } {
  const { type, before } = draft;
  const changed = (name: string): boolean => {
    const field = type.field.get(name);
    return field !== undefined && isChangedField(draft, field);
  };
  const textsIn = (row: ColumnValues, names: readonly string[]): (string | null)[] =>
    names.flatMap((name) => (type.columns.get(name) ?? []).map((column) => row[column.name] ?? null));
  const unique = uniqueSets(type).filter((names) => names.some(changed));
  const alike = looksForDuplicates ? type.duplicates.map((names) => names.filter(changed)) : [];
  const of = (row: ColumnValues): string[] => [
    ...unique.flatMap((names) => {
      const texts = textsIn(row, names);
      return texts.includes(null) ? [] : [JSON.stringify([names, texts])];
    }),
    ...alike.flatMap((names, list) =>
      textsIn(row, names).flatMap((text) => (text === null ? [] : likenesses(text).map((one) => `${list} ${one}`))),
    ),
  ];
  return { after: of(draft.after), before: before ? of(before) : [] };
}

/** Values that the database takes for alike have one of these in common: texts in any case, telephone numbers by their digits. */
function likenesses(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const extension = lower.indexOf("x");
  const number =
    extension === -1 ? lower : lower.slice(0, lower.startsWith("e", extension - 1) ? extension - 1 : extension);
  const digits = number.replace(/\D/gu, "").replace(/^00/u, "");
  return digits.length < 3 ? [lower] : [lower, digits];
}

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
  const ofRules = type.rules.flatMap((rule) => [...rule.reads]);
  const ofChoices = [...type.choices].flatMap(([name, { own }]) => [name, ...own]);
  const ofType = [...accessColumns(type), ...ofRules, ...ofChoices];
  const names = new Set([...alwaysRead, ...ofType, ...reads, ...computes, ...ofWorkflows]);
  for (const values of new Set(plans.map(({ write }) => write.values)))
    for (const name of values.keys()) names.add(name);
  const fields = type.fields.filter((field) => field.required || names.has(field.name));
  const columns = fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));
  return [...new Set([...columns, ...(computesFrom ?? [])])];
}
