// The numbers of our advisory locks, and the locks between backups and what must not happen beside them. A number has one
// meaning: locks of one and of two numbers are told apart by PostgreSQL, but not by who reads them. A process that dies lets
// go of its own.
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** With an organization: who-is-who is changed, or access sets are made. */
export const ACCESS_LOCK = 7_361_002;
/** The change log is being folded. */
export const FOLD_LOCK = 7_361_003;
/** With an organization: its events are being given their positions. */
export const EVENTS_LOCK = 7_361_004;
/** With an organization: its old events are being forgotten. */
export const FORGET_LOCK = 7_361_005;
/** With a fingerprint, held by every process that lives: of its token secret, and of the place of its files. */
export const SECRET_LOCK = 7_361_041;
export const FILES_LOCK = 7_361_042;
/** One backup or restore of a database at a time. */
export const BACKUP_LOCK = 7_361_031;
/** Shared by whoever removes files from the store; a backup has it alone, so that no file goes before it was read. */
export const FILE_REMOVAL_LOCK = 7_361_032;
/** Shared by a backup that reads tables; whoever changes their shape has it alone. */
export const TABLE_SHAPE_LOCK = 7_361_033;

/** A change of the design is rehearsed, by whichever process: the next one waits for its turn. */
export const PREVIEW_LOCK = 7_361_034;

/** With a fingerprint of a record type, shared, then of a key: records are found by it, or made. Alone: by any key of the type. */
export const UPSERT_LOCK = 7_361_051;
export const UPSERT_ROW_LOCK = 7_361_052;

/** With an organization: what its imports keep is counted. */
export const IMPORT_FILES_LOCK = 7_361_053;

/** With an organization and a record type: which workflow of theirs is active is changed. */
export const WORKFLOWS_LOCK = 7_361_054;

/** With an organization: who of its administrators can still come in is changed. */
export const ADMINISTRATORS_LOCK = 7_361_055;

/** Until the transaction ends. False while a backup reads the files: they are removed later. */
export async function mayRemoveFiles(transaction: Queryable): Promise<boolean> {
  const row = await transaction.row(sql`select pg_try_advisory_xact_lock_shared(${FILE_REMOVAL_LOCK})::text as held`);
  return row?.held === "true";
}

/** Until the transaction ends, no backup reads tables; waits for one that does. */
export async function lockTables(transaction: Queryable): Promise<void> {
  await transaction.run(sql`select pg_advisory_xact_lock(${TABLE_SHAPE_LOCK})`);
}

/** The same without waiting: false while a backup reads. */
export async function tryLockTables(transaction: Queryable): Promise<boolean> {
  const row = await transaction.row(sql`select pg_try_advisory_xact_lock(${TABLE_SHAPE_LOCK})::text as held`);
  return row?.held === "true";
}
