// Takes drafts without faults; writes them: the record, then its children, then the history of both, the log of changes,
// and what the types concerned want done along. Call within the transaction that read the stored rows.
import { Failure } from "../../../contract/failures.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { type Change, recordChanges } from "../../database/changes.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { markDeleted, updateRow } from "../../query/update-row.ts";
import { changesOf, type RevisionEntry, writeRevisions } from "../history/revisions.ts";
import { followChange, hooksOf, type Work } from "../hooks.ts";
import { changedFields, fieldRow, isUnset } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import type { Draft } from "./draft.ts";
import { moveFollowers } from "./followers.ts";
import { handOverChildren } from "./hand-over.ts";
import { insertRows } from "./insert-rows.ts";
import { accessColumns } from "./recipes.ts";
import { aclOf } from "./record-acl.ts";
import { keepUploads } from "./uploads.ts";

/** Where rows of shared types are counted. */
export const organizationOf = (work: Work, type: RecordType): string =>
  type.scope === "shared" ? "0" : work.caller.organizationId;

/** Gives the record's id. `operation` is what its history calls the change. */
export async function writeDrafts(
  work: Work,
  main: Draft,
  children: readonly Draft[],
  operation: string,
): Promise<string> {
  const touched = children.filter((child) => child.operation !== "edit" || isChanged(child));
  const entries: RevisionEntry[] = [];
  const id = main.id ?? (await insertOne(work, main, entries));
  if (main.id !== undefined && (isChanged(main) || touched.length > 0)) {
    await updateOne(work, main, main.id, entries, operation);
  }
  await writeChildren(work, { ...main, id }, touched, entries);
  await writeRevisions(work, entries);
  if (main.operation === "add" || isChanged(main)) await follow(work, main, id);
  return id;
}

export const isChanged = (draft: Draft): boolean =>
  draft.before === undefined || changedFields(draft.type, draft.before, draft.after).length > 0;

const follow = (work: Work, { type, operation, before, after }: Draft, id: string) =>
  followChange(work, { type, id, operation, before, after });

/** System fields that the record's own draft fills in. */
const ofTheWorkflow = new Set(["current_stage", "stage_since", "workflow_version"]);

/** The columns of a new row: what was drafted, whose it is, and what its type fills in. */
export async function newColumns(work: Work, draft: Draft): Promise<ColumnValues> {
  const { type, after } = draft;
  const { caller } = work;
  const columns: ColumnValues = {};
  for (const field of type.fields) {
    if (field.system && !ofTheWorkflow.has(field.name)) continue;
    for (const column of type.columns.get(field.name) ?? []) {
      const text = after[column.name] ?? null;
      if (text !== null) columns[column.name] = text;
    }
  }
  if (type.scope === "organization") {
    columns.created_by = caller.userId;
    columns.modified_by = caller.userId;
  }
  const prepared = { ...columns, ...(await hooksOf(work, type).prepare?.(work, columns)) };
  const mask = fieldMask(type, caller);
  const lacks = type.fields.some(
    (field) => field.required && !mask.editable.has(field.name) && isUnset(fieldRow(type, field, prepared)),
  );
  // Something that the service itself must know first: such a record is not made by filling in a form.
  if (lacks) throw new Failure("operation_forbidden", { with: { operation: "add", type: type.key } });
  return prepared;
}

async function insertOne(work: Work, draft: Draft, entries: RevisionEntry[]): Promise<string> {
  const { type } = draft;
  const columns = await newColumns(work, draft);
  const organizationId = type.scope === "shared" ? undefined : work.caller.organizationId;
  const [id = ""] = await insertRows(work.transaction, work.snapshot, type, organizationId, [columns]);
  await keepUploads(work, draft, id);
  entries.push({ type, id, number: "1", operation: "add", changes: changesOf(type, undefined, columns) });
  return id;
}

async function updateOne(
  work: Work,
  draft: Draft,
  id: string,
  entries: RevisionEntry[],
  operation: string,
): Promise<void> {
  const { type, before = {}, after, aclId } = draft;
  const changed = changedFields(type, before, after);
  const columns: ColumnValues = {};
  for (const field of changed) {
    for (const column of type.columns.get(field.name) ?? []) columns[column.name] = after[column.name] ?? null;
  }
  const newAclId = await movedAcl(work, type, id, before, after);
  await work.transaction.run(updateRow(type, work.caller, id, columns, newAclId));
  await keepUploads(work, draft, id);
  const changes: Change[] =
    newAclId === undefined || newAclId === aclId
      ? [{ aclId: aclId ?? "0", delta: 0 }]
      : [
          { aclId: aclId ?? "0", delta: -1 },
          { aclId: newAclId, delta: 1 },
        ];
  await recordChanges(work.transaction, organizationOf(work, type), type.key, changes);
  if (newAclId !== undefined) {
    if (isHandedOver(before, after)) await handOverChildren(work, type, [id], after);
    await moveFollowers(work.transaction, work.snapshot, work.caller.organizationId, type, [id]);
  }
  entries.push({ type, id, number: nextRevision(before), operation, changes: changesOf(type, before, after) });
}

export const nextRevision = (before: ColumnValues): string => (BigInt(before.revision ?? "0") + 1n).toString();

/** The new access set, where what it depends on changed. */
async function movedAcl(
  work: Work,
  type: RecordType,
  id: string,
  before: ColumnValues,
  after: ColumnValues,
): Promise<string | undefined> {
  return changesHands(type, before, after) ? aclOf(work, type, id, after) : undefined;
}

/** Whether it is somebody else's now, and with it what it owns. */
export const isHandedOver = (before: ColumnValues, after: ColumnValues): boolean =>
  ["owned_by", "primary_acl_group"].some((name) => (before[name] ?? null) !== (after[name] ?? null));

/** Whether a change touches what a record's access depends on. */
export function changesHands(type: RecordType, before: ColumnValues, after: ColumnValues): boolean {
  if (type.scope === "shared") return false;
  return accessColumns(type).some((name) => (before[name] ?? null) !== (after[name] ?? null));
}

async function writeChildren(
  work: Work,
  parent: Draft & { readonly id: string },
  children: readonly Draft[],
  entries: RevisionEntry[],
): Promise<void> {
  for (const child of children) {
    if (child.operation === "add") {
      const tied: Draft = { ...child, after: { ...child.after, ...tie(work, parent, child) } };
      await follow(work, tied, await insertOne(work, tied, entries));
    } else if (child.operation === "edit" && child.id !== undefined) {
      await updateOne(work, child, child.id, entries, "edit");
      await follow(work, child, child.id);
    }
  }
  await removeChildren(
    work,
    children.filter((child) => child.operation === "delete"),
    entries,
  );
}

function tie(work: Work, parent: Draft & { readonly id: string }, { association, type }: Draft): ColumnValues {
  const inherited: ColumnValues =
    type.follows === undefined
      ? { owned_by: parent.after.owned_by ?? null, primary_acl_group: parent.after.primary_acl_group ?? null }
      : { owned_by: work.caller.userId };
  if (association?.kind === "has-many") return { ...inherited, [association.via]: parent.id };
  return { ...inherited, related_type: parent.type.key, related_id: parent.id };
}

async function removeChildren(work: Work, children: readonly Draft[], entries: RevisionEntry[]): Promise<void> {
  for (const type of new Set(children.map((child) => child.type))) {
    const ofType = children.filter((child) => child.type === type);
    const ids = ofType.flatMap((child) => child.id ?? []);
    const gone = await work.transaction.run(markDeleted(type, work.caller, ids, "1"));
    const changes = gone.rows.map(([, aclId]) => ({ aclId: aclId ?? "0", delta: -1 }));
    await recordChanges(work.transaction, organizationOf(work, type), type.key, changes);
    for (const [id, , number] of gone.rows) {
      if (id == null || number == null) continue;
      entries.push({ type, id, number, operation: "delete", changes: { deleted: { from: "0", to: "1" } } });
    }
    for (const child of ofType) if (child.id !== undefined) await follow(work, child, child.id);
  }
}
