// Files that were uploaded to be imported: each belongs to whoever sent it, and goes by itself when its time is over.

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import type { Database, Queryable } from "../database/database.ts";
import { untimed } from "../database/scope.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { type FileStore, newStorageKey } from "../files/file-store.ts";
import type { Dialect } from "./reading/unreadable.ts";
import { dialectSchema } from "./spec.ts";
import { countingAlone, makeRoom } from "./storage.ts";

export interface ImportFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly storageKey: string;
  readonly dialect: Dialect;
}

/** How long an upload waits to be imported, and how long what an import reads stays. */
const WAITS = "1 day";
const STAYS = "30 days";

const now = sql`(now() at time zone 'utc')`;

/** Known before it is there: whatever happens from here on, somebody will find it and remove it. */
export async function holdFiles(
  db: Queryable,
  organizationId: string,
  keys: readonly string[],
  time: "waits" | "stays",
) {
  await db.run(sql`
    insert into core__loose_files (organization_id, storage_key, removable)
    select ${organizationId}::bigint, given, ${now} + ${time === "waits" ? WAITS : STAYS}::interval
    from unnest(${keys}::text[]) as given
    on conflict (organization_id, storage_key) do update set removable = excluded.removable`);
}

const gone = () => new Failure("malformed_parameter", { with: { name: "file", reason: say("import_file_gone") } });

/** Of an import that begins: its upload no longer waits, and what is staged of it is known before it is there. */
export const holdForImport = (database: Database, organizationId: string, source: string, staged: string) =>
  countingAlone(database, organizationId, async (transaction) => {
    const isSource = sql`organization_id = ${organizationId}::bigint and storage_key = ${source}`;
    // What has to make room is not taken back.
    const held = await transaction.run(sql`
      update core__loose_files set removable = ${now} + ${STAYS}::interval where ${isSource} and removable > ${now}`);
    if (held.count === 0) throw gone();
    await holdFiles(transaction, organizationId, [staged], "stays");
    await transaction.run(sql`update core__import_files set used = ${now} where ${isSource}`);
  });

export async function keepImportFile(
  database: Database,
  store: FileStore,
  caller: Caller,
  file: { readonly path: string; readonly name: string; readonly size: number },
  dialect: Dialect,
  /** It is imported at once. */
  isUsed = false,
): Promise<ImportFile> {
  const storageKey = newStorageKey();
  const kept = { id: newStorageKey(), name: file.name, size: file.size, storageKey, dialect };
  await makeRoom(database, store, caller, { storageKey, size: file.size, isWaiting: !isUsed }, async (transaction) => {
    await holdFiles(transaction, caller.organizationId, [storageKey], "waits");
    await note(transaction, caller, kept, "upload", isUsed);
  });
  await store.put(storageKey, file.path, file.size);
  return kept;
}

/** What was read from an upload, line by line. */
export async function keepStaged(
  database: Database,
  store: FileStore,
  caller: Caller,
  file: { readonly path: string; readonly name: string; readonly size: number },
  storageKey: string,
): Promise<void> {
  await makeRoom(database, store, caller, { storageKey, size: file.size, isWaiting: false }, (transaction) =>
    note(transaction, caller, { ...file, id: storageKey, storageKey, dialect: undefined }, "staged"),
  );
  await store.put(storageKey, file.path, file.size);
}

type Noted = Omit<ImportFile, "dialect"> & { readonly dialect: Dialect | undefined };

async function note(
  db: Queryable,
  caller: Caller,
  file: Noted,
  kind: "upload" | "staged",
  isUsed = false,
): Promise<void> {
  const { organizationId, userId } = caller;
  await db.run(sql`
    insert into core__import_files (organization_id, id, user_id, file_name, size, storage_key, dialect, kind, used)
    values (${organizationId}::bigint, ${file.id}, ${userId}::bigint, ${file.name}, ${file.size}, ${file.storageKey},
      ${JSON.stringify(file.dialect ?? {})}::json, ${kind}, ${isUsed ? now : sql`null`})
    on conflict (organization_id, id) do update set size = excluded.size`);
}

/** One's own: of somebody else's there is none. */
export async function findImportFile(db: Queryable, caller: Caller, id: string): Promise<ImportFile> {
  const row = await db.row(sql`
    select f.id, f.file_name, f.size::text as size, f.storage_key, f.dialect::text as dialect from core__import_files f
    join core__loose_files l on l.organization_id = f.organization_id and l.storage_key = f.storage_key and l.removable > ${now}
    where f.organization_id = ${caller.organizationId}::bigint and f.user_id = ${caller.userId}::bigint and f.id = ${id.slice(0, 100)}
      and f.kind = 'upload'`);
  if (!row) throw gone();
  return {
    id: row.id ?? "",
    name: row.file_name ?? "",
    size: Number(row.size),
    storageKey: row.storage_key ?? "",
    dialect: storedJson(dialectSchema, row.dialect, "core__import_files.dialect"),
  };
}

/** Runs with a copy of a stored file on this machine, which is gone afterwards. Undefined: it is no longer there. */
export async function withLocalCopy<T>(
  store: FileStore,
  key: string,
  folder: string,
  run: (file: string) => Promise<T>,
): Promise<T | undefined> {
  const own = path.join(folder, randomUUID());
  const file = path.join(own, "file");
  try {
    const isThere = await untimed(async () => {
      const stream = await store.get(key);
      if (!stream) return false;
      await mkdir(own, { recursive: true, mode: 0o700 });
      await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
      return true;
    });
    return isThere ? await run(file) : undefined;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
