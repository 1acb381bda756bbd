// Takes the plans of records; locks those that are stored, and gives each as it would be with its children and its step in
// its workflow, or why it is not to be. Reads and decides; writes nothing. Call within a transaction.

import { Failure } from "../../../contract/failures.ts";
import { say, verb } from "../../../contract/messages.ts";
import type { Grant } from "../../access/grant.ts";
import { sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { recordIdOf } from "../../fields/record-id.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { findForm } from "../../forms/find-form.ts";
import type { OwnedAssociation } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord } from "../../plan/plan-read.ts";
import type { SavePlan, WritePlan } from "../../plan/plan-write.ts";
import { formPointer } from "../../query/form-pointer.ts";
import { childTie, lockChildren, lockRecords } from "../../query/lock-rows.ts";
import { workflowPointer } from "../../query/workflow-pointer.ts";
import { workflowOfNode } from "../../workflow/find-workflow.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { columnNames, rowOf } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { setFields } from "../workflow/run-effects.ts";
import { planStep, type SaveAction, type WorkflowStep } from "../workflow/workflow-step.ts";
import { columnsToRead, fieldsToLookAt, needsOwnLook } from "./batch.ts";
import { type Draft, draftRow, initialRow, lacksRequired, type Stored } from "./draft.ts";
import { staleRevision } from "./stale-revision.ts";

/** What is the same for all records of a save. */
export interface Saving {
  readonly grant: Grant;
  /** What history calls it; `edit`, `revert` or `undo` for stored records. */
  readonly operation: "add" | "edit" | "revert" | "undo";
  /** Records that look like one already there are saved all the same. */
  readonly overrideDuplicates?: boolean | undefined;
  /** Plain saving unless said. */
  readonly action?: SaveAction;
  /** A workflow makes the record: its definition says in which stage. */
  readonly isMadeByWorkflow?: boolean;
}

/** A record that can be checked and written. */
export interface DraftedRecord {
  readonly plan: SavePlan;
  readonly main: Draft;
  readonly children: readonly Draft[];
  readonly step: WorkflowStep | undefined;
}

/** What a record is drafted from. */
interface Ground {
  readonly stored: Stored | undefined;
  /** What a new record starts with. */
  readonly initial: ColumnValues;
  readonly form: CompiledForm;
  /** The workflow that the record starts in, if it is in none yet. */
  readonly workflow: string | null;
  readonly mayEdit: boolean;
  readonly mayDelete: boolean;
}

/** Who goes back does not bring anything new. */
export const looksForDuplicates = ({ operation, overrideDuplicates }: Saving): boolean =>
  !overrideDuplicates && operation !== "revert" && operation !== "undo";

const justSave: SaveAction = { kind: "save" };

/** Of many, those that must be looked at by themselves are left out. */
export async function draftRecords(
  work: Work,
  saving: Saving,
  plans: readonly SavePlan[],
): Promise<ReadonlyMap<SavePlan, DraftedRecord | Failure>> {
  const { type } = saving.grant;
  const groundOf = saving.operation === "add" ? await newGround(work, type) : await lockStored(work, saving, plans);
  // Undefined for one record, which is looked at in every way.
  const looks = plans.length > 1 ? fieldsToLookAt(type, looksForDuplicates(saving)) : undefined;
  const drafted = new Map<SavePlan, DraftedRecord | Failure>();
  for (const plan of plans) {
    try {
      const record = await draftRecord(work, saving, plan, groundOf(plan), looks);
      if (record) drafted.set(plan, record);
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      drafted.set(plan, error);
    }
  }
  return drafted;
}

async function formInForce(work: Work, type: RecordType, mode: "add" | "edit") {
  const rows = await work.transaction.prepared(
    sql`select ${formPointer(work.caller, type)}, ${workflowPointer(work.caller, type)}`,
  );
  const form = await findForm(work.transaction, work.snapshot, type, work.caller, mode, rows[0]?.[0] ?? null);
  return { form, workflow: rows[0]?.[1] ?? null };
}

async function newGround(work: Work, type: RecordType): Promise<() => Ground> {
  const { form, workflow } = await formInForce(work, type, "add");
  const initial = initialRow(type, work.caller, form.defaults);
  if (type.field.has("owned_by")) initial.owned_by = work.caller.userId;
  const ground = { stored: undefined, initial, form, workflow, mayEdit: true, mayDelete: false };
  return () => ground;
}

async function lockStored(
  work: Work,
  { grant }: Saving,
  plans: readonly SavePlan[],
): Promise<(plan: SavePlan) => Ground | undefined> {
  const { type } = grant;
  const many = plans.length > 1 ? await formInForce(work, type, "edit") : undefined;
  const columns = many ? columnsToRead(type, plans, many.form, hooksOf(work, type)) : columnNames(type);
  const idOf = ({ id = "" }: SavePlan): string | undefined => recordIdOf(id, type.idKind);
  const ids = plans.flatMap((plan) => idOf(plan) ?? []);
  const lock = lockRecords(type, work.caller, ids, columns);
  const rows = many ? (await work.transaction.run(lock)).rows : await work.transaction.prepared(lock);
  const found = new Map<string, Ground>();
  for (const texts of rows) {
    const row = rowOf(columns, texts);
    const [mayEdit, mayDelete, aclId = null, pointer = null, workflow = null] = texts.slice(columns.length);
    const form = many?.form ?? (await findForm(work.transaction, work.snapshot, type, work.caller, "edit", pointer));
    const rights = { mayEdit: mayEdit === "1", mayDelete: mayDelete === "1" };
    found.set(row.id ?? "", { stored: { row, aclId }, initial: {}, form, workflow, ...rights });
  }
  return (plan) => found.get(idOf(plan) ?? "");
}

/** Why a record that the caller may read is not the caller's to change. */
export function editRefusal(
  type: RecordType,
  row: ColumnValues,
  mayEdit: boolean,
  mayDelete: boolean,
): Failure | undefined {
  if (row.deleted === "1") {
    if (!mayDelete) return noSuchRecord(type);
    return new Failure("conflict", { with: { reason: say("record_deleted") } });
  }
  if (mayEdit) return undefined;
  return new Failure("operation_forbidden", {
    with: { operation: verb("edit"), type: say("this_record", { type: type.label }) },
  });
}

async function draftRecord(
  work: Work,
  { grant, action = justSave, isMadeByWorkflow = false }: Saving,
  plan: SavePlan,
  ground: Ground | undefined,
  looks: readonly Field[] | undefined,
): Promise<DraftedRecord | undefined> {
  const { type } = grant;
  const { write, stage, sent } = plan;
  if (!ground) throw noSuchRecord(type);
  const { stored, workflow, form, initial, mayEdit, mayDelete } = ground;
  if (stored) {
    // Who acts in a workflow need not be one who may edit: the transition itself decides.
    const refusal = editRefusal(type, stored.row, mayEdit || action.kind === "transition", mayDelete);
    if (refusal) throw refusal;
    if (write.revision !== undefined && write.revision !== stored.row.revision) {
      throw await staleRevision(work, write, stored.row, sent);
    }
    if (looks && (workflow !== null || (await concernsStage(work, stored.row, plan)))) return undefined;
  }
  const main = draftRow({ plan: write, hooks: hooksOf(work, type), association: undefined, stored, initial, form });
  // Of many stored records, the plain ones are left: nothing becomes of them in their workflow.
  const isPlain = looks !== undefined && stored !== undefined;
  const source = { draft: main, pointer: workflow, action, stage, mayEdit, sent, isMadeByWorkflow };
  const step = isPlain ? undefined : await planStep(work, source);
  if (step) setFields(work, main, step);
  if (looks && (needsOwnLook(main, looks) || lacksRequired(type, grant.fields, main.after))) return undefined;
  const children: Draft[] = [];
  for (const { association, rows } of write.children)
    children.push(...(await draftChildren(work, main, association, rows)));
  return { plan, main, children, step };
}

/** Whether what was sent is about the record's stage, or is fixed by it. */
async function concernsStage(
  { transaction, snapshot, caller }: Work,
  { current_stage: node, workflow_version: version }: ColumnValues,
  { write, stage }: SavePlan,
): Promise<boolean> {
  if (node == null) return false;
  if (stage.expected !== undefined) return true;
  const workflow = await workflowOfNode(transaction, snapshot, caller.organizationId, node, version ?? "");
  const fixed = workflow?.byNode.get(node)?.fixed;
  return [...write.values.keys()].some((name) => name === workflow?.stageField || fixed?.has(name));
}

async function draftChildren(
  work: Work,
  parent: Draft,
  association: OwnedAssociation,
  rows: readonly WritePlan[],
): Promise<Draft[]> {
  const type = rows[0]?.grant.type;
  if (!type) return [];
  const ids = rows.flatMap((row) => row.id ?? []);
  const stored = new Map<string, Stored>();
  if (parent.id !== undefined && ids.length > 0) {
    const columns = columnNames(type);
    const tie = childTie(association, parent.type, [parent.id]);
    for (const texts of await work.transaction.prepared(lockChildren(type, work.caller, tie, ids, columns))) {
      const row = rowOf(columns, texts);
      stored.set(row.id ?? "", { row, aclId: texts[columns.length] ?? null });
    }
  }
  const initial = initialRow(type, work.caller);
  const hooks = hooksOf(work, type);
  return rows.map((plan) =>
    draftRow({ plan, hooks, association, stored: stored.get(plan.id ?? ""), initial, form: undefined }),
  );
}
