// Deletes what was removed for good: the columns of a field, or the table of a type with everything that was said about its records. Within
// the transaction of a design; whoever calls it says so in the audit log. What has expired is deleted by itself.
import { audit } from "../../../access/audit.ts";
import { recordChanges } from "../../../database/changes.ts";
import type { Database, Queryable } from "../../../database/database.ts";
import { tellAllToListAgain } from "../../../database/events/write-events.ts";
import { tryLockTables } from "../../../database/locks.ts";
import { ident, quote, sql } from "../../../database/sql.ts";
import { orphanedFiles } from "../../../files/orphaned-files.ts";
import { readTable } from "../../../metadata/catalog.ts";
import { type Removed, readExpired, readReferring } from "../../../metadata/changes/removed.ts";
import { takeTables } from "../../../metadata/changes/take-tables.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import type { Snapshot } from "../../../metadata/snapshot.ts";
import type { MetadataStore } from "../../../metadata/store.ts";
import { finishPurges } from "./finish-purges.ts";
import { written, writtenBy } from "./written-by.ts";

const tableOfKey = (key: string): string => key.replace("/", "__");

/** What is said about records comes first: nobody waits for that. Then the tables are locked, for a moment. */
export async function purgeRemoved(transaction: Queryable, snapshot: Snapshot, one: Removed): Promise<void> {
  const isType = one.field === null;
  if (isType) await forgetType(transaction, snapshot, one.type);
  // Removed fields that referred to its records refer to nothing.
  const fields = isType ? await readReferring(transaction, one.type) : [one];
  for (const field of fields) await forgetField(transaction, field);
  const table = isType ? tableOfKey(one.type) : undefined;
  const tables = new Set(table === undefined ? [] : await tiedTo(transaction, table));
  const drops: string[] = [];
  for (const { type, columns } of fields) {
    const own = tableOfKey(type);
    if (columns.length === 0 || !(await readTable(transaction, own))) continue;
    tables.add(own);
    const names = columns.map(({ name }) => `drop column if exists ${quote(name)}`);
    drops.push(`alter table ${quote(own)} ${names.join(", ")}`);
  }
  await takeTables(transaction, [...tables]);
  // No type that is there refers to it: at most another that was removed.
  if (table !== undefined) drops.push(`drop table if exists ${quote(table)} cascade`);
  for (const drop of drops) await transaction.script(drop);
}

/** The table, and those that PostgreSQL locks when it goes: references between them go too. */
async function tiedTo(transaction: Queryable, table: string): Promise<readonly string[]> {
  const rows = await transaction.rows(sql`
    with own as (select to_regclass(${quote(table)})::oid as oid)
    select c.relname as name from own join pg_class c on c.oid = own.oid
    union
    select c.relname from own join pg_constraint k on k.contype = 'f' and own.oid in (k.conrelid, k.confrelid)
    join pg_class c on c.oid in (k.conrelid, k.confrelid)`);
  return rows.map(({ name }) => name ?? "");
}

/** What its name is found under in the history is left to `finish-purges.ts`. */
async function forgetField(transaction: Queryable, { id, type: key, field }: Removed): Promise<void> {
  const [files, values] = [
    await writtenBy(transaction, id, [field ?? ""], written.files),
    await writtenBy(transaction, id, [field ?? ""], written.values),
  ];
  await releaseFiles(
    transaction,
    await transaction.rows(sql`
      delete from core__files given where related_type = ${key} and field = ${field} and ${files}
      returning organization_id::text as organization, storage_key, thumbnail_key`),
  );
  await transaction.run(sql`
    delete from metadata__discarded_values given
    where record_type = ${key} and field = ${field} and ${values}`);
  await transaction.run(sql`
    update metadata__removed set state = 'purged', columns = '[]' where id = ${id}::bigint`);
}

async function releaseFiles(transaction: Queryable, rows: readonly Readonly<Record<string, string | null>>[]) {
  for (const organization of new Set(rows.map((row) => row.organization ?? ""))) {
    const keys = rows
      .filter((row) => row.organization === organization)
      .flatMap(({ storage_key, thumbnail_key }) => [storage_key, thumbnail_key])
      .filter((key) => key != null);
    if (keys.length > 0) await orphanedFiles(transaction, organization, keys);
  }
}

/** What the service keeps by record type, and nobody lists. */
const keptByType = [
  "core__row_changes",
  "core__follows",
  "core__auto_numbers",
  "core__computed_work",
  "core__access_facts",
  "core__counters",
  "core__changes",
  "metadata__discarded_values",
  "metadata__index_wishes",
  "metadata__indexes",
] as const;

async function forgetType(transaction: Queryable, snapshot: Snapshot, key: string): Promise<void> {
  const table = tableOfKey(key);
  await transaction.run(sql`
    delete from metadata__synced_tables where table_name = ${table} or table_name = ${`access of ${key}`}`);
  await transaction.run(sql`delete from metadata__table_work where table_name = ${table}`);
  await forgetSaid(transaction, snapshot, key, undefined, 0);
  for (const one of keptByType) await transaction.run(sql`delete from ${ident(one)} where record_type = ${key}`);
  await transaction.run(sql`delete from metadata__removed where record_type = ${key}`);
}

/** What is attached to what is attached: comments have files. */
const DEEPEST = 3;

const isAttached = (type: RecordType): boolean =>
  type.scope === "organization" && !type.appendOnly && type.field.has("related_type") && type.field.has("related_id");

/** Everything that names the records of a type, or these of them. */
async function forgetSaid(
  transaction: Queryable,
  snapshot: Snapshot,
  key: string,
  ids: readonly string[] | undefined,
  depth: number,
): Promise<void> {
  const which = ids === undefined ? sql`true` : sql`related_id = any(${ids}::text[])`;
  await releaseFiles(
    transaction,
    await transaction.rows(sql`
      delete from core__files where related_type = ${key} and ${which}
      returning organization_id::text as organization, storage_key, thumbnail_key`),
  );
  for (const type of [...snapshot.types.values()].filter(isAttached)) {
    const gone = await transaction.rows(sql`
      delete from ${ident(type.table)} where related_type = ${key} and ${which}
      returning organization_id::text as organization, id::text as id, acl_id::text as acl, deleted::text as deleted`);
    if (gone.length === 0) continue;
    for (const organization of new Set(gone.map((row) => row.organization ?? ""))) {
      const changes = gone
        .filter((row) => row.organization === organization)
        .map(({ acl, deleted }) => ({ aclId: acl ?? "0", delta: deleted === "0" ? -1 : 0 }));
      await recordChanges(transaction, organization, type.key, changes);
    }
    await tellAllToListAgain(transaction, type.key);
    const more = gone.map(({ id }) => id ?? "");
    if (depth < DEEPEST) await forgetSaid(transaction, snapshot, type.key, more, depth + 1);
  }
}

/** Each in a transaction of its own; a backup that reads the tables goes first. Gives how many there were. */
export async function purgeExpired(metadata: MetadataStore, database: Database): Promise<number> {
  const expired = await readExpired(database);
  const faults: unknown[] = [];
  for (const one of expired) {
    const purged = metadata.design(async ({ transaction, snapshot }) => {
      if (!(await tryLockTables(transaction))) return;
      // Somebody may have brought it back, or another process was faster.
      const there = await transaction.row(sql`
        select 1 as found from metadata__removed where id = ${one.id}::bigint and state = 'removed' for update`);
      if (!there) return;
      await purgeRemoved(transaction, await snapshot(), one);
      if (one.organizationId === null) return;
      await audit(transaction, metadata.current(), {
        organizationId: one.organizationId,
        userId: null,
        event: "record_type_changed",
        subject: { type: "metadata/record_types", id: one.type, name: one.label },
        detail: { operation: "purge", ...(one.field === null ? {} : { field: one.field }), reason: "expired" },
      });
    });
    // What holds up one of them holds up no other.
    await purged.catch((error: unknown) => faults.push(error));
  }
  await finishPurges(database);
  if (faults.length > 0) throw faults[0];
  return expired.length;
}
