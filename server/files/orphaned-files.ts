// Files that no record keeps: those of a save that failed go at once, those of purged records and of crashes when they are
// swept. A row of core__loose_files is the right to remove; a save that commits takes it away.
import { forAllOrganizations } from "../database/citus/places.ts";
import type { Database, Queryable } from "../database/database.ts";
import { mayRemoveFiles } from "../database/locks.ts";
import { apartFromClient } from "../database/scope.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { FileStore } from "./file-store.ts";

/** Takes files out of the loose ones, for a record that is about to be committed. False: one of them is gone already. */
export async function keepFiles(
  transaction: Queryable,
  organizationId: string,
  keys: readonly string[],
): Promise<boolean> {
  const kept = await transaction.run(sql`
    delete from core__loose_files where organization_id = ${organizationId}::bigint and storage_key = any(${keys}::text[])`);
  return kept.count === keys.length;
}

/** Lets go of files whose record is going for good: removed once that is committed. */
export async function orphanedFiles(
  transaction: Queryable,
  organizationId: string,
  keys: readonly string[],
): Promise<void> {
  await transaction.run(sql`
    insert into core__loose_files (organization_id, storage_key, removable)
    select ${organizationId}::bigint, given, now() at time zone 'utc' from unnest(${keys}::text[]) as given`);
}

const isDue = sql`removable <= now() at time zone 'utc'`;

/** Of these files, removes those that no record keeps. */
export const discardFiles = (
  db: Database,
  store: FileStore,
  organizationId: string,
  keys: readonly string[],
  which: Sql = sql`true`,
): Promise<number> =>
  keys.length === 0
    ? Promise.resolve(0)
    : apartFromClient(() =>
        removeLoose(db, store, organizationId, sql`storage_key = any(${keys}::text[]) and ${which}`),
      );

/** Of these files, removes those whose time has come: not one that was taken meanwhile. */
export const discardDue = (db: Database, store: FileStore, organizationId: string, keys: readonly string[]) =>
  discardFiles(db, store, organizationId, keys, isDue);

/** Removes what no record keeps and whose time has come. */
export async function sweepFiles(db: Database, store: FileStore): Promise<number> {
  const due = await forAllOrganizations(db, (which) =>
    db.rows(sql`select distinct organization_id::text as id from core__loose_files where ${which} and ${isDue}`),
  );
  let removed = 0;
  for (const { id } of due.flat()) removed += await removeLoose(db, store, id ?? "", isDue);
  return removed;
}

const BATCH = 100;

/** The rows stay locked until the files are gone: a save that would keep one waits, and then learns that it is too late. */
function removeLoose(db: Database, store: FileStore, organizationId: string, which: Sql): Promise<number> {
  const organization = sql`organization_id = ${organizationId}::bigint`;
  return db.transaction(async (transaction) => {
    // What a backup still has to read stays until it has.
    if (!(await mayRemoveFiles(transaction))) return 0;
    const found = await transaction.rows(sql`
      select storage_key as key from core__loose_files
      where ${organization} and ${which} order by storage_key limit ${BATCH} for update skip locked`);
    for (const { key } of found) await store.remove(key ?? "");
    await transaction.run(sql`
      delete from core__loose_files where ${organization} and storage_key = any(${found.map(({ key }) => key ?? "")}::text[])`);
    return found.length;
  });
}
