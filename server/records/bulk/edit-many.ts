// Takes many records of a type and new values for each; saves them as the ordinary save would, a whole chunk in a handful
// of statements where nothing asks to see the records one by one. Call within a transaction.
import { sql } from "../../database/sql.ts";
import { recordIdOf } from "../../fields/record-id.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { findForm } from "../../forms/find-form.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord } from "../../plan/plan-read.ts";
import { planWrite, type WritePlan } from "../../plan/plan-write.ts";
import { formPointer } from "../../query/form-pointer.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import type { Tree } from "../../request/tree.ts";
import { workflowOfNode } from "../../workflow/find-workflow.ts";
import { hooksOf, lockForChange, type RecordHooks, requireWritable, type Work } from "../hooks.ts";
import { columnNames, rowOf } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { checkReferences } from "../save/check-references.ts";
import { type Draft, draftRow } from "../save/draft.ts";
import { accessColumns } from "../save/recipes.ts";
import { editRefusal, saveRecord } from "../save/save-record.ts";
import { staleRevision } from "../save/stale-revision.ts";
import { canGoTogether } from "./can-batch.ts";
import { type ManyOutcome, reasonsOf, withSavepoints } from "./with-savepoints.ts";
import { writeEdits } from "./write-edits.ts";

const alwaysRead = ["id", "revision", "deleted", "current_stage", "workflow_version"];

export interface RowEdit {
  readonly id: string;
  readonly sent: Tree;
}

export interface ManyEdits {
  readonly type: RecordType;
  readonly rows: readonly RowEdit[];
  /** What history calls it. */
  readonly operation: "edit" | "undo";
  readonly overrideDuplicates?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function editMany(work: Work, edits: ManyEdits): Promise<ManyOutcome> {
  const { type, rows, operation, overrideDuplicates = false } = edits;
  requireWritable(work, type, "edit");
  await lockForChange(work, type);
  // One value for all is read once: equal rows carry the same object.
  const plans = new Map<Tree, WritePlan>();
  for (const { sent } of rows) {
    if (!plans.has(sent)) plans.set(sent, planWrite(work.snapshot, type, work.caller, sent));
  }
  const going = { operation, plans: [...plans.values()], overrideDuplicates };
  if (canGoTogether(work, type, going)) return editTogether(work, edits, plans);
  return editOneByOne(work, edits, rows);
}

function editOneByOne(work: Work, edits: ManyEdits, rows: readonly RowEdit[]): Promise<ManyOutcome> {
  const { type, operation, overrideDuplicates = false, signal } = edits;
  const sentTo = new Map(rows.map(({ id, sent }) => [id, sent]));
  return withSavepoints(
    work.transaction,
    [...sentTo.keys()],
    (id) => saveRecord(work, { type, id, sent: sentTo.get(id) ?? {}, operation, overrideDuplicates }),
    signal,
  );
}

async function editTogether(work: Work, edits: ManyEdits, plans: ReadonlyMap<Tree, WritePlan>): Promise<ManyOutcome> {
  const { type, rows, operation } = edits;
  const failed: Record<string, readonly string[]> = {};
  const { drafts, single: apart } = await draftMany(work, type, rows, plans, failed);
  await checkReferences(work.transaction, work.snapshot, work.caller, drafts);
  const sound: Draft[] = [];
  for (const draft of drafts) {
    const faults = Object.values(draft.errors).flat();
    if (faults.length > 0) failed[draft.id ?? ""] = faults;
    else sound.push(draft);
  }
  await writeEdits(work, type, sound, operation);
  const single = await editOneByOne(work, edits, apart);
  const changed = new Set([...sound.map((draft) => draft.id ?? ""), ...single.changed]);
  return { changed: rows.map(({ id }) => id).filter((id) => changed.has(id)), failed: { ...failed, ...single.failed } };
}

interface ManyDrafts {
  readonly drafts: readonly Draft[];
  /** Records that begin their workflow with this save, are to change their stage, or are in one that fixes what is to change. */
  readonly single: readonly RowEdit[];
}

/** A draft of each record that is the caller's to change; the reasons of the others go into `failed`. */
async function draftMany(
  work: Work,
  type: RecordType,
  rows: readonly RowEdit[],
  plans: ReadonlyMap<Tree, WritePlan>,
  failed: Record<string, readonly string[]>,
): Promise<ManyDrafts> {
  const planOf = new Map<string, { readonly plan: WritePlan; readonly row: RowEdit }>();
  for (const row of rows) {
    const id = recordIdOf(row.id, type.idKind);
    const plan = plans.get(row.sent);
    if (id !== undefined && plan) planOf.set(id, { plan, row });
    else failed[row.id] = [noSuchRecord(type).message];
  }
  const hooks = hooksOf(work, type);
  const form = await currentForm(work, type);
  const columns = columnsToRead(type, [...plans.values()], form.reads, hooks);
  const found = await work.transaction.run(lockRecords(type, work.caller, [...planOf.keys()], columns));
  const drafts: Draft[] = [];
  const single: RowEdit[] = [];
  for (const texts of found.rows) {
    const row = rowOf(columns, texts);
    const id = row.id ?? "";
    const asked = planOf.get(id);
    planOf.delete(id);
    if (!asked) continue;
    const [mayEdit, mayDelete, aclId = null, , workflow = null] = texts.slice(columns.length);
    const refusal = editRefusal(type, row, mayEdit === "1", mayDelete === "1");
    const { revision } = asked.plan;
    if (refusal) failed[id] = reasonsOf(refusal);
    else if (revision !== undefined && revision !== row.revision) {
      failed[id] = reasonsOf(await staleRevision(work, { ...asked.plan, id }, row, asked.row.sent));
    } else if (workflow !== null || (await concernsStage(work, row, asked.plan))) single.push(asked.row);
    else {
      const stored = { row, aclId };
      const source = {
        plan: { ...asked.plan, id },
        caller: work.caller,
        hooks,
        association: undefined,
        initial: {},
        form,
      };
      drafts.push(draftRow({ ...source, stored }));
    }
  }
  for (const id of planOf.keys()) failed[id] = [noSuchRecord(type).message];
  return { drafts, single };
}

/** Whether what was sent is, or is fixed by, the record's stage; the ordinary save says what comes of it. */
async function concernsStage(
  { transaction, snapshot, caller }: Work,
  { current_stage: node, workflow_version: version }: ColumnValues,
  plan: WritePlan,
): Promise<boolean> {
  if (node == null) return false;
  const workflow = await workflowOfNode(transaction, snapshot, caller.organizationId, node, version ?? "");
  const fixed = workflow?.byNode.get(node)?.fixed;
  return [...plan.values.keys()].some((name) => name === workflow?.stageField || fixed?.has(name));
}

/** The form in force, as the ordinary save finds it. */
async function currentForm(work: Work, type: RecordType): Promise<CompiledForm> {
  const { rows } = await work.transaction.run(sql`select ${formPointer(work.caller, type)}`);
  return findForm(work.transaction, work.snapshot, type, work.caller, "edit", rows[0]?.[0] ?? null);
}

/** What a draft can depend on, and no more: casting sixty columns to text costs more than the rest of the save. */
function columnsToRead(
  type: RecordType,
  plans: readonly WritePlan[],
  read: ReadonlySet<string>,
  { compute, computes = [], computesFrom }: RecordHooks,
): readonly string[] {
  if (compute && computesFrom === undefined) return columnNames(type);
  const names = new Set([
    ...alwaysRead,
    ...accessColumns(type),
    ...read,
    ...computes,
    ...plans.flatMap((plan) => [...plan.values.keys()]),
  ]);
  const fields = type.fields.filter((field) => field.required || names.has(field.name));
  const columns = fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));
  return [...new Set([...columns, ...(computesFrom ?? [])])];
}
