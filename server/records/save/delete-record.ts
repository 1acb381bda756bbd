// Deletes a record softly with its own children, brings it back, or removes it for good. Call within a transaction.

import { Failure } from "../../../contract/failures.ts";
import { say, verb } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import type { Grant } from "../../access/grant.ts";
import { wall } from "../../access/visibility.ts";
import { recordChanges } from "../../database/changes.ts";
import { violated } from "../../database/errors.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { expression, ident, quote, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { referencesOf } from "../../query/computed/computed-values.ts";
import { idTypeOf, lockRecords } from "../../query/lock-rows.ts";
import { markDeleted } from "../../query/update-row.ts";
import { noteChange, noteGone, sourcesOf } from "../computed/touched.ts";
import { ALONG, type RevisionEntry, readChanges, writeRevisions } from "../history/revisions.ts";
import { followChange, hooksOf, lockForChange, type RecordChange, settle, type Work } from "../hooks.ts";
import { columnNames } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { countedRows, ownedByRecord, type RowsByType, referringTo } from "./dependents.ts";
import { forgetTraces } from "./forget-traces.ts";
import { releaseFiles } from "./uploads.ts";
import { organizationOf } from "./write-drafts.ts";

export interface Consent {
  readonly confirmed: boolean;
  /** Also past those who need the record. */
  readonly override: boolean;
}

interface Locked {
  readonly id: string;
  readonly row: ColumnValues;
}

/** The record, if it exists for the caller and is the caller's to delete. */
async function lockDeletable(work: Work, { type, operation }: Grant, sentId: string): Promise<Locked> {
  const id = requireRecordId(type, sentId);
  await lockForChange(work, type);
  const columns = columnNames(type);
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, [id], columns));
  const texts = rows[0];
  if (!texts) throw noSuchRecord(type);
  const row: ColumnValues = Object.fromEntries(columns.map((column, index) => [column, texts[index] ?? null]));
  if (texts[columns.length + 1] !== "1") {
    if (row.deleted === "1") throw noSuchRecord(type);
    throw new Failure("operation_forbidden", {
      with: { operation: verb(operation), type: say("this_record", { type: type.label }) },
    });
  }
  return { id, row };
}

export async function deleteRecord(work: Work, grant: Grant, sentId: string, consent: Consent): Promise<string> {
  const { type } = grant;
  const { id, row } = await lockDeletable(work, grant, sentId);
  if (row.deleted === "1") throw new Failure("conflict", { with: { reason: say("already_deleted") } });
  const change = { type, id, operation: "delete", before: row, after: { ...row, deleted: "1" } } as const;
  await refuseByHooks(work, change);

  const along = await ownedByRecord(work, type, id);
  const needed = await referringTo(work, type, id, along, { requiredOnly: true, deletedToo: false });
  if (!consent.confirmed && !consent.override) {
    const counted = countedRows(along);
    const errors = [
      ...(counted.length > 0 ? [say("deleted_along", { rows: counted })] : []),
      ...needed.map((one) => say("required_by", one)),
    ];
    throw new Failure("not_confirmed", { with: { reason: say("nothing_deleted") }, errors });
  }
  if (needed.length > 0 && !consent.override) {
    const errors = needed.map((one) => say("required_by", one));
    throw new Failure("conflict", { with: { reason: say("needed_by_others") }, errors });
  }
  await mark(work, type, [id], "1", along, "delete");
  await followChange(work, change);
  await settle(work);
  return id;
}

/** What its type has against it: deleting and bringing back are changes like any other. */
async function refuseByHooks(work: Work, change: RecordChange): Promise<void> {
  const refusals = Object.values((await hooksOf(work, change.type).check?.(work, change)) ?? {}).flat();
  if (refusals[0] !== undefined) throw new Failure("conflict", { with: { reason: refusals[0] } });
}

export async function restoreRecord(work: Work, grant: Grant, sentId: string): Promise<string> {
  const { type } = grant;
  const { id, row } = await lockDeletable(work, grant, sentId);
  if (row.deleted !== "1") throw new Failure("conflict", { with: { reason: say("not_deleted") } });
  const change = { type, id, operation: "restore", before: row, after: { ...row, deleted: "0" } } as const;
  await refuseByHooks(work, change);
  try {
    await mark(work, type, [id], "0", await deletedAlong(work, type, id), "restore");
  } catch (error) {
    if (violated(error, "23505") === undefined) throw error;
    throw new Failure("conflict", { with: { reason: say("unique_taken") } });
  }
  await followChange(work, change);
  await settle(work);
  return id;
}

/** Marks records and what goes along with the one, with history and counts. */
export async function mark(
  work: Work,
  type: RecordType,
  ids: readonly string[],
  deleted: "0" | "1",
  along: RowsByType,
  operation: "delete" | "restore",
): Promise<void> {
  const entries: RevisionEntry[] = [];
  const changes = { deleted: { from: deleted === "1" ? "0" : "1", to: deleted } };
  const alone = JSON.stringify(changes);
  const taken = Object.fromEntries([...along].map(([{ key }, some]) => [key, some]));
  const withAlong = JSON.stringify({ ...changes, [ALONG]: taken });
  for (const [one, all] of new Map([...along, [type, [...(along.get(type) ?? []), ...ids]]])) {
    const marked = await work.transaction.run(markDeleted(one, work.caller, all, deleted));
    await recordChanges(
      work.transaction,
      organizationOf(work, one),
      one.key,
      marked.rows.map(([id, aclId, number, created]) => ({
        aclId: aclId ?? "0",
        delta: deleted === "1" ? -1 : 1,
        created,
        ...eventOf(one, id, operation, number ?? undefined),
      })),
    );
    for (const [rowId, , number] of marked.rows) {
      if (rowId == null || number == null) continue;
      noteChange(work, one, rowId, ["deleted"]);
      const main = along.size > 0 && one === type && ids.includes(rowId);
      entries.push({ type: one, id: rowId, number, operation, changes: main ? withAlong : alone });
      const access = hooksOf(work, one).changesAccess;
      if (access) work.accessChanges.add(access);
    }
  }
  await writeRevisions(work, entries);
}

/** What the last deletion took along, as its entry in the history says. */
async function deletedAlong(work: Work, type: RecordType, id: string): Promise<RowsByType> {
  const entry = await work.transaction.row(sql`
    select changes from core__revisions
    where organization_id = ${work.caller.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}
      and operation = 'delete' order by number desc, id desc limit 1`);
  const found = new Map<RecordType, readonly string[]>();
  for (const [key, ids] of Object.entries(readChanges(type, entry?.changes).along)) {
    const child = work.snapshot.types.get(key);
    if (child) found.set(child, ids);
  }
  return found;
}

export async function purgeRecord(work: Work, grant: Grant, sentId: string, confirmed: boolean): Promise<string> {
  const { type } = grant;
  if (!work.caller.isAdministrator) {
    throw new Failure("administrator_required", { with: { operation: verb("purge"), type: type.plural } });
  }
  const { id, row } = await lockDeletable(work, grant, sentId);
  if (row.deleted !== "1") {
    throw new Failure("conflict", { with: { reason: say("delete_first") } });
  }
  const along = await ownedByRecord(work, type, id, true);
  const counted = countedRows(along);
  if (!confirmed) {
    const errors = counted.length > 0 ? [say("purged_along", { rows: counted })] : [];
    throw new Failure("not_confirmed", { with: { reason: say("nothing_purged") }, errors });
  }
  const referring = await referringTo(work, type, id, along, { requiredOnly: false, deletedToo: true });
  if (referring.length > 0) {
    const errors = referring.map((one) => say("referred_by", one));
    throw new Failure("conflict", { with: { reason: say("referred_by_others") }, errors });
  }
  await followChange(work, { type, id, operation: "purge", before: row, after: undefined });
  // The deepest first: what refers goes before what it refers to.
  for (const [one, ids] of [...along].reverse()) await removeRows(work, one, ids);
  await removeRows(work, type, [id]);
  const number = (BigInt(row.revision ?? "0") + 1n).toString();
  await writeRevisions(work, [{ type, id, number, operation: "purge", changes: "{}" }]);
  // What it was called is gone with it.
  await audit(work.transaction, work.snapshot, {
    organizationId: work.caller.organizationId,
    event: "record_purged",
    userId: work.caller.userId,
    userName: work.caller.userName,
    subject: { type: type.key, id },
  });
  await settle(work);
  return id;
}

/** What they are rolled up into is worked out without them. */
async function notePurge({ transaction, snapshot, caller }: Work, type: RecordType, ids: readonly string[]) {
  const vias = [...(sourcesOf(snapshot).vias.get(type.key) ?? [])];
  if (vias.length === 0) return;
  const rows = { organizationId: caller.organizationId, ids };
  for (const row of (await transaction.run(referencesOf(type, vias, rows))).rows) {
    for (const [index, via] of vias.entries()) {
      const former = row[index];
      if (former != null) noteGone(transaction, type, via, former);
    }
  }
}

/** With their history: what was purged is to be found nowhere. */
async function removeRows(work: Work, type: RecordType, ids: readonly string[]): Promise<void> {
  const { transaction, caller } = work;
  const aclId = type.scope === "shared" ? sql`'0'` : sql`r.acl_id::text`;
  await notePurge(work, type, ids);
  let removed: { readonly rows: (string | null)[][] };
  try {
    removed = await transaction.run(sql`
      delete from ${expression(quote(type.table))} r
      where ${wall(caller, type, "r")} and r.id = any(${ids}::${idTypeOf(type)}[]) returning ${aclId}, r.deleted::text, r.id::text`);
  } catch (error) {
    if (violated(error, "23503") === undefined) throw error;
    throw new Failure("conflict", { with: { reason: say("referred_by_others") } });
  }
  await releaseFiles(work, type, ids);
  await transaction.run(sql`
    delete from core__follows where organization_id = ${caller.organizationId}::bigint
      and record_type = ${type.key} and record_id = any(${ids}::text[])`);
  const gone = removed.rows.map(([acl, deleted, id]) => ({
    aclId: acl ?? "0",
    delta: deleted === "0" ? -1 : 0,
    ...eventOf(type, id, "purge"),
  }));
  await recordChanges(transaction, organizationOf(work, type), type.key, gone);
  await forgetTraces(work, type, ids);
  const history = await transaction.run(sql`
    delete from core__revisions
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key} and related_id = any(${ids}::text[])
    returning acl_id::text`);
  const forgotten = history.rows.map(([id]) => ({ aclId: id ?? "0", delta: -1 }));
  await recordChanges(transaction, caller.organizationId, "core/revisions", forgotten);
  for (const key of saidOfRecords) await forget(work, key, type, ids);
  await transaction.run(sql`
    delete from core__row_changes
    where organization_id = ${organizationOf(work, type)}::bigint and record_type = ${type.key} and record_id = any(${ids}::text[])`);
  await transaction.run(sql`
    delete from metadata__discarded_values
    where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key} and record_id = any(${ids}::text[])`);
}

/** What else names a record and tells of it. */
const saidOfRecords = ["core/stage_log", "core/notifications", "access_controls/shares"] as const;

async function forget({ transaction, caller, snapshot }: Work, key: string, type: RecordType, ids: readonly string[]) {
  const gone = await transaction.run(sql`
    delete from ${ident(requireType(snapshot, key).table)}
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key} and related_id = any(${ids}::text[])
    returning acl_id::text, deleted::text, id::text`);
  const changes = gone.rows.map(([acl, deleted, id]) => ({
    aclId: acl ?? "0",
    delta: deleted === "0" ? -1 : 0,
    ...eventOf(requireType(snapshot, key), id, "purge"),
  }));
  await recordChanges(transaction, caller.organizationId, key, changes);
}
