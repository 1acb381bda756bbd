// Takes drafts without faults; writes them: the records, then their children, then the history of both, the log of changes,
// and what the types concerned want done along. Equal statements for one record and for many. Call within the transaction
// that read the stored rows.

import { Failure } from "../../../contract/failures.ts";
import { verb } from "../../../contract/messages.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { wall } from "../../access/visibility.ts";
import {
  type Change as LoggedChange,
  MOST_TOLD,
  type RowChange,
  recordChanges,
  writeLogged,
} from "../../database/changes.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { ident, join, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { pause } from "../../lib/turns/pause.ts";
import { uuidv7 } from "../../lib/uuid.ts";
import { refuseOldDesign } from "../../metadata/changes/refuse-old-design.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { isAmongIds } from "../../query/lock-rows.ts";
import { markDeleted, type RowUpdate, updateRows } from "../../query/update-row.ts";
import { noteChange } from "../computed/touched.ts";
import { changesText, type RevisionEntry, writeRevisions } from "../history/revisions.ts";
import { aclWork, followChange, hooksOf, type Work } from "../hooks.ts";
import { changedFields, fieldRow, putField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { type Draft, lacksRequired, ownershipOf } from "./draft.ts";
import { moveFollowers } from "./followers.ts";
import { handOverChildren } from "./hand-over.ts";
import { appendRows, insertRows } from "./insert-rows.ts";
import { columnsOfAccess } from "./recipes.ts";
import { aclsOf } from "./record-acl.ts";
import { keepUploads } from "./uploads.ts";

/** Where rows of shared types are counted. */
export const organizationOf = (work: Work, type: RecordType): string =>
  type.scope === "shared" ? "0" : work.caller.organizationId;

/** A record with those of its children that were sent. */
export interface WrittenRecord {
  readonly main: Draft;
  readonly children: readonly Draft[];
}

const none: readonly Draft[] = [];

/** A draft with the fields that it changes. */
interface Change {
  readonly draft: Draft;
  readonly fields: readonly Field[];
}

function changeOf(draft: Draft): Change {
  const fields = changedFields(draft.type, draft.before ?? {}, draft.after);
  // What is computed alone is no change of anybody's.
  return { draft, fields: fields.every(({ computed }) => computed !== undefined) ? [] : fields };
}

export interface Written {
  /** In the order of the records. */
  readonly ids: readonly string[];
  /** Those that stay as they are stored, with their children. */
  readonly unchanged: ReadonlySet<WrittenRecord>;
}

/** Records of one type. `operation` is what their history calls the change. */
export async function writeDrafts(
  work: Work,
  type: RecordType,
  records: readonly WrittenRecord[],
  operation: string,
): Promise<Written> {
  const entries: RevisionEntry[] = [];
  // Of a new row nobody asks which.
  const changes = records.map(({ main }) => (main.id === undefined ? { draft: main, fields: [] } : changeOf(main)));
  const touched = records.map(({ children }) => (children.length === 0 ? none : children.filter(isTouched)));
  const ids = new Map<Draft, string>();
  const added = changes.flatMap(({ draft }) => (draft.id === undefined ? [draft] : []));
  const newIds = await insertDrafts(work, type, added, entries);
  for (const [index, draft] of added.entries()) ids.set(draft, newIds[index] ?? "");
  const stored = changes.filter(({ draft }) => draft.id !== undefined);
  for (const { draft } of stored) ids.set(draft, draft.id ?? "");
  const edited = changes.filter(
    ({ draft, fields }, index) => draft.id !== undefined && (fields.length > 0 || (touched[index] ?? []).length > 0),
  );
  await updateDrafts(work, type, edited, operation, entries);
  for (const [index, { main }] of records.entries()) {
    const children = touched[index] ?? [];
    if (children.length > 0) await writeChildren(work, { ...main, id: ids.get(main) ?? "" }, children, entries);
  }
  await writeRevisions(work, entries);
  await refuseOldDesign(work.transaction, work.snapshot);
  for (const { draft, fields } of changes) {
    if (draft.operation !== "add" && fields.length === 0) continue;
    const following = follow(work, draft, ids.get(draft) ?? "");
    if (following) await following;
  }
  const unchanged = records.filter(
    ({ main }, index) => main.id !== undefined && changes[index]?.fields.length === 0 && !touched[index]?.length,
  );
  return { ids: records.map(({ main }) => ids.get(main) ?? ""), unchanged: new Set(unchanged) };
}

const isTouched = (child: Draft): boolean =>
  child.operation !== "edit" || child.before === undefined || changeOf(child).fields.length > 0;

const follow = (work: Work, { type, operation, before, after }: Draft, id: string) =>
  followChange(work, { type, id, operation, before, after });

/** System fields that the record's own draft fills in. */
const ofTheWorkflow = new Set(["current_stage", "stage_since", "workflow_version"]);

/** The columns of a new row: what was drafted, whose it is, and what its type fills in. */
async function newColumns(work: Work, draft: Draft): Promise<ColumnValues> {
  const columns = draftedColumns(work, draft);
  const { type } = draft;
  const { prepare } = hooksOf(work, type);
  const prepared = prepare ? { ...columns, ...(await prepare(work, columns)) } : columns;
  // Such a record is not made by filling in a form.
  if (lacksRequired(type, fieldMask(type, work.caller), prepared)) {
    throw new Failure("operation_forbidden", { with: { operation: verb("add"), type: type.plural } });
  }
  return prepared;
}

function draftedColumns({ caller }: Work, draft: Draft): ColumnValues {
  const { type, after } = draft;
  const id = draft.newId ?? (type.idKind === "uuid" ? uuidv7() : undefined);
  const columns: ColumnValues = id === undefined ? {} : { id };
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
  return columns;
}

async function insertDrafts(
  work: Work,
  type: RecordType,
  drafts: readonly Draft[],
  entries: RevisionEntry[],
): Promise<readonly string[]> {
  if (drafts.length === 0) return [];
  const rows: ColumnValues[] = [];
  for (const draft of drafts) {
    await pause();
    rows.push(await newColumns(work, draft));
  }
  const organizationId = type.scope === "shared" ? undefined : work.caller.organizationId;
  const into = [work.transaction, work.snapshot, type, organizationId, rows] as const;
  const known = rows.flatMap(({ id }) => id ?? []);
  const isKnown = known.length === rows.length;
  if (isKnown) await appendRows(...into);
  const ids = isKnown ? known : await insertRows(...into);
  for (const [index, id] of ids.entries()) {
    await pause();
    const draft = drafts[index];
    if (draft && work.uploads) await keepUploads(work, draft, id);
    const changes = changesText(type, undefined, rows[index] ?? {});
    entries.push({ type, id, number: "1", operation: "add", changes });
  }
  return ids;
}

async function updateDrafts(
  work: Work,
  type: RecordType,
  changes: readonly Change[],
  operation: string,
  entries: RevisionEntry[],
): Promise<void> {
  if (changes.length === 0) return;
  const { transaction, snapshot, caller } = work;
  const drafts = changes.map(({ draft }) => draft);
  const newAcls = await movedAcls(work, type, drafts);
  const groups = new Map<string, RowUpdate[]>();
  // What follows from the change may write to the record too.
  const isTold = hooksOf(work, type).follow === undefined && changes.length <= MOST_TOLD;
  const logged: LoggedChange[] = [];
  const told: RowChange[] = [];
  for (const { draft, fields } of changes) {
    await pause();
    const { before = {}, after, id = "" } = draft;
    const columns: ColumnValues = {};
    for (const field of fields) putField(type, field, fieldRow(type, field, after), columns);
    noteChange(
      work,
      type,
      id,
      fields.map(({ name }) => name),
      before,
    );
    const aclId = newAcls.get(id);
    const shape = `${Object.keys(columns).join()} ${aclId === undefined ? "" : "acl"}`;
    const group = groups.get(shape);
    if (group) group.push({ id, columns, aclId });
    else groups.set(shape, [{ id, columns, aclId }]);
    const old = draft.aclId ?? "0";
    const { created } = before;
    const revision = nextRevision(before);
    const event = eventOf(type, id, "edit", revision);
    logged.push({ aclId: old, delta: aclId === undefined || aclId === old ? 0 : -1, created, ...event });
    if (aclId !== undefined && aclId !== old) logged.push({ aclId, delta: 1, created, ...event });
    if (isTold) told.push({ id, before: formerTexts(draft, [...Object.keys(columns), ...stamped]) });
    entries.push({
      type,
      id,
      number: revision,
      operation,
      changes: changesText(type, before, after, fields),
    });
  }
  // What is counted is written with the last of them.
  for (const [index, rows] of [...groups.values()].entries()) {
    const update = updateRows(type, caller, rows);
    if (index < groups.size - 1) await transaction.write(update);
    else await writeLogged(transaction, update, organizationOf(work, type), type.key, logged, told);
  }
  if (work.uploads) for (const draft of drafts) await keepUploads(work, draft, draft.id ?? "");
  for (const { ids, after } of handedOver(drafts, newAcls)) await handOverChildren(work, type, ids, after);
  await moveFollowers(transaction, snapshot, caller.organizationId, type, [...newAcls.keys()]);
}

/** Columns that every change of a record writes. */
const stamped = ["revision", "modified", "modified_by"] as const;

const formerTexts = ({ before = {}, aclId }: Draft, columns: readonly string[]): ColumnValues => ({
  ...Object.fromEntries(columns.map((name) => [name, before[name] ?? null])),
  ...(aclId == null ? {} : { acl_id: aclId }),
});

const nextRevision = (before: ColumnValues): string => (BigInt(before.revision ?? "0") + 1n).toString();

/** The new access sets, by id, of those drafts that touch what a record's access depends on. */
async function movedAcls(work: Work, type: RecordType, drafts: readonly Draft[]): Promise<ReadonlyMap<string, string>> {
  if (type.scope === "shared") return new Map();
  const isKnown = drafts.every(({ knowsFacts }) => knowsFacts);
  const columns = await columnsOfAccess(work.transaction, type, work.caller.organizationId, !isKnown);
  const moved = drafts
    .filter(({ before = {}, after }) => columns.some((name) => (before[name] ?? null) !== (after[name] ?? null)))
    .map(({ id = "", after }) => ({ id, row: after }));
  if (moved.length === 0) return new Map();
  const aclIds = await aclsOf(aclWork(work), type, await filledUp(work, type, columns, moved));
  return new Map(moved.map(({ id }, index) => [id, aclIds[index] ?? ""]));
}

/** Of many records only those columns were read that seemed to matter; a policy may have come to ask for others since. */
async function filledUp(
  work: Work,
  type: RecordType,
  columns: readonly string[],
  records: readonly { readonly id: string; readonly row: ColumnValues }[],
): Promise<readonly { readonly id: string; readonly row: ColumnValues }[]> {
  const lacking = columns.filter((name) => records.some(({ row }) => !Object.hasOwn(row, name)));
  if (lacking.length === 0) return records;
  const ids = records.map(({ id }) => id);
  const rows = await work.transaction.rows(sql`
    select r.id::text as id, ${join(lacking.map((name) => sql`${ident("r", name)}::text as ${ident(name)}`))}
    from ${ident(type.table)} r where ${wall(work.caller, type, "r")} and ${isAmongIds(type, ids)}`);
  const stored = new Map(rows.map((row) => [row.id ?? "", row]));
  return records.map(({ id, row }) => ({ id, row: { ...stored.get(id), ...row } }));
}

/** Records that are somebody else's now, and with them what they own; those with the same owner and group go together. */
function handedOver(drafts: readonly Draft[], newAcls: ReadonlyMap<string, string>) {
  const groups = new Map<string, { readonly ids: string[]; readonly after: ColumnValues }>();
  for (const { id = "", before = {}, after } of drafts) {
    const isSame = (name: string): boolean => (before[name] ?? null) === (after[name] ?? null);
    if (!newAcls.has(id) || (isSame("owned_by") && isSame("primary_acl_group"))) continue;
    const key = `${after.owned_by} ${after.primary_acl_group}`;
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { ids: [id], after });
  }
  return groups.values();
}

async function writeChildren(
  work: Work,
  parent: Draft & { readonly id: string },
  children: readonly Draft[],
  entries: RevisionEntry[],
): Promise<void> {
  for (const [type, drafts] of byType(children)) {
    const added = drafts
      .filter((child) => child.operation === "add")
      .map((child) => ({ ...child, after: { ...child.after, ...tie(work, parent, child) } }));
    const ids = await insertDrafts(work, type, added, entries);
    for (const [index, child] of added.entries()) await follow(work, child, ids[index] ?? "");
    const edited = drafts.filter((child) => child.operation === "edit");
    await updateDrafts(work, type, edited.map(changeOf), "edit", entries);
    for (const child of edited) await follow(work, child, child.id ?? "");
  }
  for (const [type, drafts] of byType(children.filter((child) => child.operation === "delete"))) {
    await removeChildren(work, type, drafts, entries);
  }
}

function byType(drafts: readonly Draft[]): ReadonlyMap<RecordType, readonly Draft[]> {
  const groups = new Map<RecordType, Draft[]>();
  for (const draft of drafts) groups.set(draft.type, [...(groups.get(draft.type) ?? []), draft]);
  return groups;
}

function tie(work: Work, parent: Draft & { readonly id: string }, { association, type }: Draft): ColumnValues {
  const inherited = ownershipOf(type, work.caller, parent.after);
  if (association?.kind === "has-many") return { ...inherited, [association.via]: parent.id };
  return { ...inherited, related_type: parent.type.key, related_id: parent.id };
}

async function removeChildren(
  work: Work,
  type: RecordType,
  children: readonly Draft[],
  entries: RevisionEntry[],
): Promise<void> {
  const ids = children.flatMap((child) => child.id ?? []);
  const gone = await work.transaction.run(markDeleted(type, work.caller, ids, "1"));
  const changes = gone.rows.map(([id, aclId, number, created]) => ({
    aclId: aclId ?? "0",
    delta: -1,
    created,
    ...eventOf(type, id, "delete", number ?? undefined),
  }));
  await recordChanges(work.transaction, organizationOf(work, type), type.key, changes);
  for (const [id, , number] of gone.rows) {
    if (id == null || number == null) continue;
    noteChange(work, type, id, ["deleted"]);
    entries.push({ type, id, number, operation: "delete", changes: '{"deleted":{"from":"0","to":"1"}}' });
  }
  for (const child of children) if (child.id !== undefined) await follow(work, child, child.id);
}
