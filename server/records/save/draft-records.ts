// Takes the plans of records; locks the stored ones and returns each as it would be saved, with its children and its workflow
// step, or why it cannot be saved. Reads and decides; writes nothing. Call within a transaction.

import { Failure } from "../../../contract/failures.ts";
import { say, verb } from "../../../contract/messages.ts";
import { readRecordFacts } from "../../access/facts/record-facts.ts";
import type { Grant } from "../../access/grant.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { recordIdOf } from "../../fields/record-id.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { findForm } from "../../forms/find-form.ts";
import { pause } from "../../lib/turns/pause.ts";
import type { OwnedAssociation } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord } from "../../plan/plan-read.ts";
import type { SavePlan, WritePlan } from "../../plan/plan-write.ts";
import { formPointer } from "../../query/form-pointer.ts";
import { childTie, lockChildren, lockRecords } from "../../query/lock-rows.ts";
import { workflowPointer } from "../../query/workflow-pointer.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { columnNames, rowOf, rowsOf } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { setFields } from "../workflow/run-effects.ts";
import { type KnownOfMany, mayStep, planStep, type SaveAction, type WorkflowStep } from "../workflow/workflow-step.ts";
import { claimsOf, needsOwnLook, stepsAlone } from "./batch.ts";
import { type Draft, draftRow, initialRow, lacksRequired, ownershipOf, type Stored } from "./draft.ts";
import { lookAhead } from "./look-ahead.ts";
import { nothingReserved, type ReservedIds, readReserving } from "./reserve-ids.ts";
import { staleRevision } from "./stale-revision.ts";
import { takenOver } from "./taken-over.ts";

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
  /** Nothing else is written after it in its transaction. */
  readonly isLast?: boolean;
  /** Takes the ids of stored records that were saved as they were. */
  readonly unchanged?: Set<string>;
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
  readonly reserved: ReservedIds;
  /** Of many records: what was looked up for all of them. */
  readonly known?: KnownOfMany | undefined;
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
  const groundOf =
    saving.operation === "add" ? await newGround(work, type, plans) : await lockStored(work, saving, plans);
  // Undefined for one record, which is looked at in every way.
  const claimed = plans.length > 1 ? new Set<string>() : undefined;
  const drafted = new Map<SavePlan, DraftedRecord | Failure>();
  for (const plan of plans) {
    await pause();
    try {
      const ground = groundOf(plan);
      if (ground === "apart") continue;
      const record = await draftRecord(work, saving, plan, ground, claimed);
      if (record) drafted.set(plan, record);
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      drafted.set(plan, error);
    }
  }
  return drafted;
}

async function newGround(
  work: Work,
  type: RecordType,
  plans: readonly SavePlan[],
): Promise<(plan: SavePlan) => Ground> {
  const { transaction, snapshot, caller } = work;
  const [only] = plans;
  const pointers = sql`select ${formPointer(caller, type)} as form, ${workflowPointer(caller, type)} as workflow`;
  const read = (statement: Sql) => alongWithFacts(work, type, statement);
  const { row, reserved } =
    only && plans.length === 1
      ? await readReserving(transaction, only.write, [pointers, 2], read)
      : { row: (await read(pointers))[0] ?? [], reserved: nothingReserved };
  const [pointer = null, workflow = null] = row;
  const form = await findForm(transaction, snapshot, type, caller, "add", pointer);
  const initial = initialRow(type, work.caller, form.defaults);
  if (type.field.has("owned_by")) initial.owned_by = work.caller.userId;
  const ground = { stored: undefined, initial, form, workflow, mayEdit: true, mayDelete: false, reserved };
  if (type.startsFrom.size === 0) return () => ground;
  const writes = plans.map(({ write }) => write);
  const startOf = await takenOver(work, type, writes, initial, { kept: form.defaults });
  return ({ write }) => ({ ...ground, initial: startOf(write) });
}

/** Undefined where there is no such record; "apart" where one of many must be looked at by itself. */
type GroundOf = (plan: SavePlan) => Ground | "apart" | undefined;

async function lockStored(work: Work, saving: Saving, plans: readonly SavePlan[]): Promise<GroundOf> {
  const { type } = saving.grant;
  const { transaction, snapshot, caller } = work;
  const idOf = ({ id = "" }: SavePlan): string | undefined => recordIdOf(id, type.idKind);
  const ids = plans.flatMap((plan) => idOf(plan) ?? []);
  const takesTransition = (saving.action ?? justSave).kind !== "save";
  const outlook = plans.length > 1 ? await lookAhead(work, type, { plans, ids, takesTransition }) : undefined;
  const columns = outlook?.columns ?? columnNames(type);
  const lock = lockRecords(type, caller, ids, columns);
  const locked = outlook ? (await transaction.run(lock)).rows : await alongWithFacts(work, type, lock);
  const rows = rowsOf(columns, locked);
  const known = await outlook?.known(rows);
  const found = new Map<string, Ground | "apart">();
  for (const [index, row] of rows.entries()) {
    const more = locked[index]?.slice(columns.length) ?? [];
    const [mayEdit, mayDelete, aclId = null, pointer = null, workflow = null, followed] = more;
    const form = outlook?.form ?? (await findForm(transaction, snapshot, type, caller, "edit", pointer));
    const rights = { mayEdit: mayEdit === "1", mayDelete: mayDelete === "1" };
    const isForeseen = outlook?.isForeseen(row, workflow) ?? true;
    const stored = { row, aclId, isFollowed: followed === "1", knowsFacts: outlook === undefined };
    const ground = { stored, initial: {}, form, workflow, known, reserved: nothingReserved, ...rights };
    found.set(row.id ?? "", isForeseen ? ground : "apart");
  }
  return (plan) => found.get(idOf(plan) ?? "");
}

/** What its access depends on is asked for behind it, as one with it: a policy that changed while a lock was waited for is seen. */
async function alongWithFacts(
  { transaction, caller }: Work,
  type: RecordType,
  statement: Sql,
): Promise<(string | null)[][]> {
  if (type.scope === "shared") return transaction.prepared(statement);
  const asking = transaction.prepared(statement, true);
  const [rows] = await Promise.all([asking, readRecordFacts(transaction, caller.organizationId, true)]);
  return rows;
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
  saving: Saving,
  plan: SavePlan,
  ground: Ground | undefined,
  claimed: Set<string> | undefined,
): Promise<DraftedRecord | undefined> {
  const { grant, action = justSave, isMadeByWorkflow = false } = saving;
  const { type } = grant;
  const { write, stage, sent } = plan;
  if (!ground) throw noSuchRecord(type);
  const { stored, workflow, form, initial, mayEdit, mayDelete, reserved, known } = ground;
  if (stored) {
    // Who acts in a workflow need not be one who may edit: the transition itself decides.
    const refusal = editRefusal(type, stored.row, mayEdit || action.kind === "transition", mayDelete);
    if (refusal) throw refusal;
    if (write.revision !== undefined && write.revision !== stored.row.revision) {
      throw await staleRevision(work, write, stored.row, sent);
    }
  }
  const newId = stored ? undefined : reserved.take(type);
  const hooks = hooksOf(work, type);
  const own = { plan: write, hooks, association: undefined };
  const main = draftRow({ ...own, stored, newId, initial, form });
  if (stored) Object.assign(main.after, hooks.carry?.(work, stored.row, main.after));
  const source = { draft: main, pointer: workflow, action, stage, mayEdit, sent, isMadeByWorkflow, known };
  const step = mayStep(source) ? await planStep(work, source) : undefined;
  if (step) setFields(work, main, step);
  if (claimed) {
    // Both go first: whoever saves it by itself, those after it that want the same must not come before it.
    const isClaimed = claims(main, looksForDuplicates(saving), claimed);
    if (isClaimed || needsOwnLook(main) || lacksRequired(type, grant.fields, main.after)) return undefined;
    if (step && stepsAlone(step)) return undefined;
  }
  const children: Draft[] = [];
  for (const { association, rows } of write.children)
    children.push(...(await draftChildren(work, main, association, rows, reserved)));
  return { plan, main, children, step };
}

/** Whether a record before it brings, or lets go of, one of the values that this one brings. Those of this one are added. */
function claims(main: Draft, looksForDuplicates: boolean, claimed: Set<string>): boolean {
  const { after, before } = claimsOf(main, looksForDuplicates);
  const isClaimed = after.some((claim) => claimed.has(claim));
  for (const claim of [...after, ...before]) claimed.add(claim);
  return isClaimed;
}

async function draftChildren(
  work: Work,
  parent: Draft,
  association: OwnedAssociation,
  rows: readonly WritePlan[],
  reserved: ReservedIds,
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
  const tie = association.kind === "has-many" ? association.via : undefined;
  const above = tie === undefined ? undefined : { via: tie, type: parent.type, row: parent.after };
  const { owned_by: owner = null } = ownershipOf(type, work.caller, parent.after);
  const startOf = await takenOver(work, type, rows, initialRow(type, work.caller), { parent: above, owner });
  const hooks = hooksOf(work, type);
  return rows.map((plan) => {
    const own = { plan, hooks, association, stored: stored.get(plan.id ?? "") };
    const newId = plan.id === undefined ? reserved.take(type) : undefined;
    return draftRow({ ...own, newId, initial: startOf(plan), form: undefined });
  });
}
