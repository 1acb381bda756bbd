// Takes what was sent for a record; saves it with its children, or fails with every fault at once and nothing written.
// Call within a transaction.
import { Failure } from "../../../contract/failures.ts";
import { elevate } from "../../access/elevate.ts";
import { sql } from "../../database/sql.ts";
import type { FormMode } from "../../forms/actions.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { findForm } from "../../forms/find-form.ts";
import type { OwnedAssociation } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { planWrite, type WritePlan } from "../../plan/plan-write.ts";
import { formPointer } from "../../query/form-pointer.ts";
import { childTie, lockChildren, lockRecord } from "../../query/lock-rows.ts";
import { workflowPointer } from "../../query/workflow-pointer.ts";
import type { Tree } from "../../request/tree.ts";
import { hooksOf, lockForChange, requireWritable, settleAccess, type Work } from "../hooks.ts";
import { changedFields, columnNames, rowOf } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { checkChildStages } from "../workflow/child-stages.ts";
import { notifyActors } from "../workflow/notify-actors.ts";
import { logStep, type Makers, makeRecords, setFields, settleStep } from "../workflow/run-effects.ts";
import { planStep, type SaveAction, sentStage } from "../workflow/workflow-step.ts";
import { refuseDuplicates } from "./check-duplicates.ts";
import { checkReferences } from "./check-references.ts";
import { checkUnique, explainViolation } from "./check-unique.ts";
import { type Draft, draftRow, initialRow, type Stored } from "./draft.ts";
import { echo } from "./echo.ts";
import { staleRevision } from "./stale-revision.ts";
import { checkFiles } from "./uploads.ts";
import { writeDrafts } from "./write-drafts.ts";

export interface SaveRequest {
  readonly type: RecordType;
  /** Undefined for a new record. */
  readonly id: string | undefined;
  /** Values by field, children by association. */
  readonly sent: Tree;
  /** What a failure returns, where it is not `sent`. */
  readonly asSent?: Tree;
  /** What history calls it; `edit`, `revert` or `undo` for a stored record. */
  readonly operation: "add" | "edit" | "revert" | "undo";
  /** Records that look like one already there are saved all the same. */
  readonly overrideDuplicates?: boolean;
  /** Plain saving unless said. */
  readonly action?: SaveAction;
  /** A workflow makes the record: its definition says in which stage. */
  readonly isMadeByWorkflow?: boolean;
}

interface FormInForce {
  readonly form: CompiledForm;
  /** The workflow that the record starts in, if it is in none yet. */
  readonly workflow: string | null;
}

interface LockedRecord extends Stored, FormInForce {
  readonly mayEdit: boolean;
}

const justSave: SaveAction = { kind: "save" };

/** Gives the id of the saved record. */
export async function saveRecord(work: Work, request: SaveRequest): Promise<string> {
  const { type, sent, action = justSave } = request;
  const asSent = request.asSent ?? sent;
  const { stage, rest } = sentStage(sent);
  const mode: FormMode = request.operation === "add" ? "add" : "edit";
  requireWritable(work, type, mode);
  const id = request.id === undefined ? undefined : requireRecordId(type, request.id);
  const plan: WritePlan = { ...planWrite(work.snapshot, type, work.caller, rest), id };
  await lockForChange(work, type, rest);
  const stored = id === undefined ? undefined : await lockStored(work, type, id, action);
  if (stored && plan.revision !== undefined && plan.revision !== stored.row.revision) {
    throw await staleRevision(work, plan, stored.row, asSent);
  }
  const { form, workflow } = stored ?? (await newForm(work, type));
  const initial = stored ? {} : initialRow(type, work.caller, form.defaults);
  if (!stored && type.field.has("owned_by")) initial.owned_by = work.caller.userId;
  const hooks = hooksOf(work, type);
  const main = draftRow({ plan, caller: work.caller, hooks, association: undefined, stored, initial, form });
  const mayEdit = stored?.mayEdit ?? true;
  const { isMadeByWorkflow = false } = request;
  const source = { draft: main, pointer: workflow, action, stage, mayEdit, sent: asSent, isMadeByWorkflow };
  const step = await planStep(work, source);
  if (step) setFields(work, main, step);
  const drafts = [main];
  for (const { association, rows } of plan.children)
    drafts.push(...(await draftChildren(work, main, association, rows)));
  await checkChildStages(work, drafts);

  await checkFiles(work, drafts);
  await checkReferences(work.transaction, work.snapshot, work.caller, drafts);
  const taken = await checkUnique(work.transaction, work.caller, drafts);
  for (const draft of drafts) await checkByHooks(work, draft);
  refuseFaults(drafts, taken, asSent);
  const goesBack = request.operation === "revert" || request.operation === "undo";
  if (!request.overrideDuplicates && !goesBack) await refuseDuplicates(work, main, drafts, asSent);
  try {
    if (step) await makeRecords(work, main, step, makersOf(work));
    if (step && id !== undefined) await logStep(work, type, id, step);
    const saved = await writeDrafts(work, main, drafts.slice(1), request.operation);
    if (step && id === undefined) await logStep(work, type, saved, step);
    if (step) {
      await settleStep(work, type, saved, step);
      await notifyActors(work, { ...main, id: saved }, step);
    }
    await settleAccess(work);
    return saved;
  } catch (error) {
    if (!explainViolation(error, drafts)) throw error;
    refuseFaults(drafts, 1, asSent);
    throw error;
  }
}

/** A record that is there is filled in with the caller's own rights. */
const makersOf = (work: Work): Makers => ({
  make: (type, values) => makeRecord(work, type, values),
  fill: (type, id, sent) => saveRecord(work, { type, id, sent, operation: "edit", overrideDuplicates: true }),
});

/** What the workflow makes is made in its name: its definition says which fields, not the caller's rights. */
function makeRecord(work: Work, type: RecordType, values: Readonly<Record<string, unknown>>): Promise<string> {
  const caller = elevate(work.caller, "workflow creates");
  // Worked out by the workflow: texts, nulls, and the values of fields with parts, which are trees.
  const sent = values as Tree;
  return saveRecord(
    { ...work, caller },
    { type, id: undefined, sent, operation: "add", overrideDuplicates: true, isMadeByWorkflow: true },
  );
}

async function lockStored(work: Work, type: RecordType, id: string, action: SaveAction): Promise<LockedRecord> {
  const columns = columnNames(type);
  const { rows } = await work.transaction.run(lockRecord(type, work.caller, id, columns));
  const texts = rows[0];
  if (!texts) throw noSuchRecord(type);
  const row = rowOf(columns, texts);
  const [mayEdit, mayDelete, aclId = null, pointer = null, workflow = null] = texts.slice(columns.length);
  // Who acts in a workflow need not be one who may edit: the transition itself decides.
  const refusal = editRefusal(type, row, mayEdit === "1" || action.kind === "transition", mayDelete === "1");
  if (refusal) throw refusal;
  const form = await findForm(work.transaction, work.snapshot, type, work.caller, "edit", pointer);
  return { row, aclId, form, workflow, mayEdit: mayEdit === "1" };
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
    return new Failure("conflict", { with: { reason: "This record is deleted; restore it before you change it" } });
  }
  if (mayEdit) return undefined;
  return new Failure("operation_forbidden", { with: { operation: "edit", type: `this record of ${type.key}` } });
}

export async function newForm(work: Work, type: RecordType): Promise<FormInForce> {
  const rows = await work.transaction.prepared(
    sql`select ${formPointer(work.caller, type)}, ${workflowPointer(work.caller, type)}`,
  );
  const form = await findForm(work.transaction, work.snapshot, type, work.caller, "add", rows[0]?.[0] ?? null);
  return { form, workflow: rows[0]?.[1] ?? null };
}

async function draftChildren(
  work: Work,
  parent: Draft,
  association: OwnedAssociation,
  rows: readonly WritePlan[],
): Promise<Draft[]> {
  const [first] = rows;
  if (!first) return [];
  const { type } = first;
  const ids = rows.flatMap((row) => row.id ?? []);
  const stored = new Map<string, Stored>();
  if (parent.id !== undefined && ids.length > 0) {
    const columns = columnNames(type);
    const tie = childTie(association, parent.type, [parent.id]);
    const found = await work.transaction.run(lockChildren(type, work.caller, tie, ids, columns));
    for (const texts of found.rows) {
      const row = rowOf(columns, texts);
      stored.set(row.id ?? "", { row, aclId: texts[columns.length] ?? null });
    }
  }
  const initial = initialRow(type, work.caller);
  return rows.map((plan) => {
    const own = plan.id === undefined ? undefined : stored.get(plan.id);
    // A row of another record is a row that is not there.
    if (plan.id !== undefined && !own) plan.errors[`${plan.path}.id`] = [`${type.label} does not exist`];
    const hooks = hooksOf(work, type);
    const draft = draftRow({ plan, caller: work.caller, hooks, association, stored: own, initial, form: undefined });
    requireWritable(work, type, draft.operation);
    return draft;
  });
}

async function checkByHooks(work: Work, draft: Draft): Promise<void> {
  const { type, id, operation, before, after, association } = draft;
  // Who sends a record as it was shown sends its children too: what does not change is not judged.
  if (association && operation === "edit" && before && after && changedFields(type, before, after).length === 0) return;
  const found = await hooksOf(work, type).check?.(work, { type, id, operation, before, after });
  for (const [name, sentences] of Object.entries(found ?? {})) {
    draft.errors[`${draft.plan.path}.${name}`] ??= [...sentences];
  }
}

/** `taken`: how many of the faults say that another record has the value already. */
function refuseFaults(drafts: readonly Draft[], taken: number, sent: Tree): void {
  const byField = Object.assign({}, ...drafts.map((draft) => draft.errors));
  const faults = Object.values<string[]>(byField).flat();
  if (faults.length === 0) return;
  const body = { data: { [drafts[0]?.type.alias ?? ""]: echo(sent) } };
  if (faults.length === taken) {
    throw new Failure("conflict", { with: { reason: faults[0] ?? "" }, errors: faults.slice(1), byField, body });
  }
  throw new Failure("invalid", { errors: faults, byField, body });
}
