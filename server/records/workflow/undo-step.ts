// Undoes the last transition of a record (`step`: only if it is that entry of the stage log) if its workflow allows it:
// the record returns to its stage, the fields changed by the transition get their old values back, and records it created
// are deleted unless someone changed them. Returns what stays. Call within a transaction.

import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../../contract/failures.ts";
import { about, type Message, say } from "../../../contract/messages.ts";
import { elevate } from "../../access/elevate.ts";
import { fieldMask, seesName } from "../../access/field-mask.ts";
import { grantWithinLimits } from "../../access/grant.ts";
import { mayOperate } from "../../access/matrix.ts";
import { sql } from "../../database/sql.ts";
import { isFilledIn, type RowValue } from "../../fields/field-type.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { findForm } from "../../forms/find-form.ts";
import { instant } from "../../lib/instant.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import { sharesOfRecord } from "../../query/record-access.ts";
import { workflowOfNode } from "../../workflow/find-workflow.ts";
import type { Stage, Transition, Workflow } from "../../workflow/workflow.ts";
import { changesOfEntry, readChanges } from "../history/revisions.ts";
import { hooksOf, settle, type Work } from "../hooks.ts";
import { columnNames, fieldRow, putField, rowOf, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { checkReferences } from "../save/check-references.ts";
import { checkRules } from "../save/check-rules.ts";
import { checkUnique } from "../save/check-unique.ts";
import { deleteRecord } from "../save/delete-record.ts";
import { ownedByRecord, referringTo } from "../save/dependents.ts";
import type { Draft } from "../save/draft.ts";
import { editRefusal } from "../save/draft-records.ts";
import { insertRows } from "../save/insert-rows.ts";
import { writeDrafts } from "../save/write-drafts.ts";
import { placedDraft } from "./move-stages.ts";
import { requireTaker } from "./require-taker.ts";
import { putStageField } from "./stage-by-field.ts";
import { type MadeRecord, madeOf } from "./stage-log.ts";
import { tellFollowers } from "./tell-followers.ts";

export interface Undone {
  readonly id: string;
  readonly label: string;
  /** What was not taken back, and why. */
  readonly stays: readonly Message[];
}

interface LastStep {
  readonly workflow: Workflow;
  readonly from: Stage;
  readonly to: Stage;
  readonly transition: Transition;
  readonly revision: string | null;
  readonly made: readonly MadeRecord[];
}

export async function undoStep(work: Work, type: RecordType, sentId: string, step?: string): Promise<Undone> {
  const id = requireRecordId(type, sentId);
  const columns = columnNames(type);
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, [id], columns));
  const texts = rows[0];
  if (!texts) throw noSuchRecord(type);
  const before = rowOf(columns, texts);
  const [mayEdit, mayDelete, aclId = null, pointer = null] = texts.slice(columns.length);
  const refusal = editRefusal(type, before, mayEdit === "1", mayDelete === "1");
  if (refusal) throw refusal;
  const last = await lastStep(work, type, id, before, step);
  const { workflow, from: stage, transition } = last;
  const label = `Undo: ${transition.label}`;
  // Whoever could take the transition can take it back, if the record is theirs to change.
  await requireTaker(work, type, before, { workflow, stage, agreed: [], transition, mayEdit: true, label });
  const form = await findForm(work.transaction, work.snapshot, type, work.caller, "edit", pointer);
  const at = instant();
  const stays: Message[] = [];
  const after: ColumnValues = { ...before, current_stage: last.from.id, stage_since: at };
  const draft = placedDraft(type, before, after, aclId);
  await putBack(work, draft, form, last, stays);
  putStageField(draft, { workflow: last.workflow, stage: last.from, agreed: [] });
  Object.assign(after, hooksOf(work, type).compute?.(after));
  refuseBroken(work, draft);
  await log(work, type, id, last, at);
  await writeDrafts(work, type, [{ main: draft, children: [] }], "undo");
  for (const made of [...last.made].reverse()) await unmake(work, made, stays);
  await settle(work);
  await tellFollowers(work, type, [{ id, before, after }]);
  return { id, label: last.transition.label, stays };
}

const nothingToUndo = (): Failure => new Failure("conflict", { with: { reason: say("cannot_undo") } });

async function lastStep(
  work: Work,
  type: RecordType,
  id: string,
  row: ColumnValues,
  step: string | undefined,
): Promise<LastStep> {
  const { transaction, snapshot, caller } = work;
  const entry = await transaction.row(sql`
    select id::text as id, step, kind, action_name, from_stage::text as from_stage, to_stage::text as to_stage, version::text as version, made,
      made_revision::text as made_revision
    from core__stage_log l
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}
      and deleted = 0
    order by l.id desc limit 1`);
  if (step !== undefined && step !== entry?.id) throw new Failure("conflict", { with: { reason: say("other_step") } });
  const { from_stage: fromNode, to_stage: toNode, version } = entry ?? {};
  if (
    entry?.step !== "move" ||
    entry.kind === "undo" ||
    fromNode == null ||
    toNode !== row.current_stage ||
    version == null
  )
    throw nothingToUndo();
  const workflow = await workflowOfNode(transaction, snapshot, caller.organizationId, fromNode, version);
  const [from, to] = [workflow?.byNode.get(fromNode), workflow?.byNode.get(toNode ?? "")];
  const transition = from?.out.find((one) => one.name === entry.action_name && one.canUndo);
  if (!workflow || !from || !to || !transition) throw nothingToUndo();
  return { workflow, from, to, transition, revision: entry.made_revision ?? null, made: madeOf(entry.made) };
}

/** The fields that the workflow itself wrote. */
const writtenBy = ({ transition, to }: LastStep): ReadonlySet<string> =>
  new Set(
    [...transition.effects, ...to.enter].flatMap((effect) =>
      effect.kind === "set" ? effect.values.map(([name]) => name) : [],
    ),
  );

/**
 * Fields that nobody has changed since go back to what they were: those that the workflow wrote, and those that somebody
 * changed along with it as far as the caller may change them. What cannot be had again stays.
 */
async function putBack(work: Work, draft: Draft, form: CompiledForm, last: LastStep, stays: Message[]): Promise<void> {
  const { type, id = "", before = {}, after, plan } = draft;
  const { transaction, snapshot, caller } = work;
  const entry = await transaction.row(sql`
    select ${changesOfEntry(type, "r")} as changes from core__revisions r
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}
      and number = ${last.revision}::bigint`);
  const computed = hooksOf(work, type).computes ?? [];
  const written = writtenBy(last);
  const mask = fieldMask(type, caller);
  const values = new Map<string, readonly RowValue[]>();
  const read = (name: string) => {
    const field = type.field.get(name);
    return field ? wireField(type, field, before) : null;
  };
  const mayPut = (name: string) => mask.editable.has(name) && form.permissionOf(name, read) === 2;
  for (const [name, change] of Object.entries(readChanges(type, entry?.changes).changes)) {
    const field = type.field.get(name);
    if (!field || isFilledIn(field) || computed.includes(name) || name === last.workflow.stageField) continue;
    const parsed = typeOf(field).parse(change.from, field, caller);
    if (!isDeepStrictEqual(wireField(type, field, before), change.to)) {
      if (mask.visible.has(name)) stays.push(say("stays_changed", { name: field.label }));
    } else if (!parsed.ok) {
      // An option that is gone, say.
      const reasons = parsed.errors.map((error) => about(field.label, error));
      if (mask.visible.has(name)) stays.push(say("stays_because", { name: field.label, reasons }));
    } else if (written.has(name)) {
      putField(type, field, parsed.row, after);
      draft.setByWorkflow.add(name);
    } else if (mayPut(name)) {
      putField(type, field, parsed.row, after);
      values.set(name, parsed.row);
    } else if (mask.visible.has(name)) stays.push(say("stays_forbidden", { name: field.label }));
  }
  const checked: Draft = { ...draft, plan: { path: plan.path, values, children: [] } };
  await checkReferences(transaction, snapshot, caller, [checked]);
  await checkUnique(transaction, caller, [checked]);
  for (const [key, reasons] of Object.entries(draft.errors)) {
    const field = type.field.get(key.slice(plan.path.length + 1));
    if (!field) continue;
    putField(type, field, fieldRow(type, field, before), after);
    stays.push(say("stays_because", { name: field.label, reasons }));
    delete draft.errors[key];
  }
}

/** Going back is held to the rules of the type like any other change. */
function refuseBroken(work: Work, draft: Draft): void {
  checkRules(work, [draft], () => new Set());
  const errors = Object.values(draft.errors).flat();
  if (errors.length > 0) throw new Failure("invalid", { errors, byField: draft.errors });
}

async function log(work: Work, type: RecordType, id: string, last: LastStep, at: string): Promise<void> {
  const { transaction, snapshot, caller } = work;
  await insertRows(transaction, snapshot, requireType(snapshot, "core/stage_log"), caller.organizationId, [
    {
      related_type: type.key,
      related_id: id,
      step: "move",
      kind: "undo",
      action_name: last.transition.name,
      label: `Undo: ${last.transition.label}`,
      from_stage: last.to.id,
      to_stage: last.from.id,
      version: last.workflow.version,
      created: at,
      modified: at,
      created_by: caller.userId,
      modified_by: caller.userId,
    },
  ]);
}

/** Deletes a record that the transition created, in the workflow's name as it was created; it stays restorable. */
async function unmake(work: Work, { key, id }: MadeRecord, stays: Message[]): Promise<void> {
  const type = work.snapshot.types.get(key);
  if (!type) return;
  const service: Work = { ...work, caller: elevate(work.caller, "workflow undoes") };
  const grant = grantWithinLimits(service.caller, type, "delete", work.hooks);
  const display = type.field.get(type.displayField);
  const named = (type.columns.get(type.displayField) ?? []).map((column) => column.name);
  const columns = [...new Set(["revision", "deleted", ...named])];
  const { rows } = await work.transaction.run(lockRecords(type, service.caller, [id], columns));
  const row = rowOf(columns, rows[0] ?? []);
  if (!rows[0] || row.deleted === "1") return;
  const isShown = await mayName(work, type, id);
  const name = isShown
    ? `${type.label} ${(display && wireField(type, display, row)) ?? id}`
    : say("another", { type: type.noun });
  const along = await ownedByRecord(service, type, id);
  const referring = await referringTo(service, type, id, along, { requiredOnly: false, deletedToo: false });
  // Whoever it was shared with works with it.
  const shares = await work.transaction.rows(sharesOfRecord(work.caller.organizationId, type, id));
  if (row.revision !== "1" || along.size > 0 || shares.length > 0) stays.push(say("stays_changed", { name }));
  else if (referring.length > 0) stays.push(say("stays_used", { name }));
  else
    await deleteRecord(service, grant, id, {
      confirmed: true,
      override: false,
    });
}

/** A record that the caller may not read, or whose name is hidden, is not named. */
async function mayName(work: Work, type: RecordType, id: string): Promise<boolean> {
  if (!mayOperate(work.caller, type, "view") || !seesName(type, work.caller)) return false;
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, [id], ["id"]));
  return rows.length > 0;
}
