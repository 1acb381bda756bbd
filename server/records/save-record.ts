// Takes what was sent for a record; saves it with its children, or fails with every fault at once and nothing written.
// Call within a transaction.
import { Failure } from "../../contract/failures.ts";
import { sql } from "../database/sql.ts";
import type { FormMode } from "../forms/actions.ts";
import type { CompiledForm } from "../forms/compile-form.ts";
import { findForm } from "../forms/find-form.ts";
import type { OwnedAssociation } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { planWrite, type WritePlan } from "../plan/plan-write.ts";
import { formPointer } from "../query/form-pointer.ts";
import { childTie, lockChildren, lockRecord } from "../query/lock-rows.ts";
import type { Tree } from "../request/tree.ts";
import { refuseDuplicates } from "./check-duplicates.ts";
import { checkReferences } from "./check-references.ts";
import { checkUnique, explainViolation } from "./check-unique.ts";
import { type Draft, draftRow, initialRow, type Stored } from "./draft.ts";
import { echo } from "./echo.ts";
import { hooksOf, lockForChange, requireWritable, settleAccess, type Work } from "./hooks.ts";
import { columnNames } from "./record-row.ts";
import type { ColumnValues } from "./row-values.ts";
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
}

interface LockedRecord extends Stored {
  readonly form: CompiledForm;
}

/** Gives the id of the saved record. */
export async function saveRecord(work: Work, request: SaveRequest): Promise<string> {
  const { type, sent } = request;
  const asSent = request.asSent ?? sent;
  const mode: FormMode = request.operation === "add" ? "add" : "edit";
  requireWritable(work, type, mode);
  const id = request.id === undefined ? undefined : requireRecordId(type, request.id);
  const plan: WritePlan = { ...planWrite(work.snapshot, type, work.caller, sent), id };
  await lockForChange(work, type);
  const stored = id === undefined ? undefined : await lockStored(work, type, id);
  if (stored && plan.revision !== undefined && plan.revision !== stored.row.revision) {
    throw await staleRevision(work, plan, stored.row, asSent);
  }
  const form = stored?.form ?? (await newForm(work, type));
  const initial = stored ? {} : initialRow(type, work.caller, form.defaults);
  if (!stored && type.field.has("owned_by")) initial.owned_by = work.caller.userId;
  const hooks = hooksOf(work, type);
  const main = draftRow({ plan, caller: work.caller, hooks, association: undefined, stored, initial, form });
  const drafts = [main];
  for (const { association, rows } of plan.children)
    drafts.push(...(await draftChildren(work, main, association, rows)));

  await checkFiles(work, drafts);
  await checkReferences(work.transaction, work.snapshot, work.caller, drafts);
  const taken = await checkUnique(work.transaction, work.caller, drafts);
  for (const draft of drafts) await checkByHooks(work, draft);
  refuseFaults(drafts, taken, asSent);
  const goesBack = request.operation === "revert" || request.operation === "undo";
  if (!request.overrideDuplicates && !goesBack) await refuseDuplicates(work, main, drafts, asSent);
  try {
    const saved = await writeDrafts(work, main, drafts.slice(1), request.operation);
    await settleAccess(work);
    return saved;
  } catch (error) {
    if (!explainViolation(error, drafts)) throw error;
    refuseFaults(drafts, 1, asSent);
    throw error;
  }
}

async function lockStored(work: Work, type: RecordType, id: string): Promise<LockedRecord> {
  const columns = columnNames(type);
  const { rows } = await work.transaction.run(lockRecord(type, work.caller, id, columns));
  const texts = rows[0];
  if (!texts) throw noSuchRecord(type);
  const row = rowOf(columns, texts);
  const [mayEdit, mayDelete, aclId = null, pointer = null] = texts.slice(columns.length);
  const refusal = editRefusal(type, row, mayEdit === "1", mayDelete === "1");
  if (refusal) throw refusal;
  return { row, aclId, form: await findForm(work.transaction, work.snapshot, type, work.caller, "edit", pointer) };
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

export const rowOf = (columns: readonly string[], texts: readonly (string | null)[]): ColumnValues =>
  Object.fromEntries(columns.map((column, index) => [column, texts[index] ?? null]));

export async function newForm(work: Work, type: RecordType): Promise<CompiledForm> {
  const { rows } = await work.transaction.run(sql`select ${formPointer(work.caller, type)}`);
  return findForm(work.transaction, work.snapshot, type, work.caller, "add", rows[0]?.[0] ?? null);
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
  const { type, id, operation, before, after } = draft;
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
