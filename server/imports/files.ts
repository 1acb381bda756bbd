// Files that were uploaded to be imported: each belongs to whoever sent it, and goes by itself when its time is over.

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { type FileStore, newStorageKey } from "../files/file-store.ts";
import type { Dialect } from "./reading/unreadable.ts";
import { dialectSchema } from "./spec.ts";

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

/** Known before it is there: whatever happens from here on, somebody will find it and remove it. */
export async function holdFiles(
  db: Queryable,
  organizationId: string,
  keys: readonly string[],
  time: "waits" | "stays",
) {
  await db.run(sql`
    insert into core__loose_files (organization_id, storage_key, removable)
    select ${organizationId}::bigint, given, (now() at time zone 'utc') + ${time === "waits" ? WAITS : STAYS}::interval
    from unnest(${keys}::text[]) as given
    on conflict (organization_id, storage_key) do update set removable = excluded.removable`);
}

export async function keepImportFile(
  db: Queryable,
  store: FileStore,
  caller: Caller,
  file: { readonly path: string; readonly name: string; readonly size: number },
  dialect: Dialect,
): Promise<ImportFile> {
  const { organizationId, userId } = caller;
  const storageKey = newStorageKey();
  await holdFiles(db, organizationId, [storageKey], "waits");
  await store.put(storageKey, file.path, file.size);
  const id = newStorageKey();
  const organization = sql`${organizationId}::bigint`;
  await db.run(sql`
    delete from core__import_files where organization_id = ${organization} and created < (now() at time zone 'utc') - ${STAYS}::interval`);
  await db.run(sql`
    insert into core__import_files (organization_id, id, user_id, file_name, size, storage_key, dialect)
    values (${organization}, ${id}, ${userId}::bigint, ${file.name}, ${file.size}, ${storageKey}, ${JSON.stringify(dialect)}::json)`);
  return { id, name: file.name, size: file.size, storageKey, dialect };
}

/** One's own: of somebody else's there is none. */
export async function findImportFile(db: Queryable, caller: Caller, id: string): Promise<ImportFile> {
  const row = await db.row(sql`
    select f.id, f.file_name, f.size::text as size, f.storage_key, f.dialect::text as dialect from core__import_files f
    join core__loose_files l on l.organization_id = f.organization_id and l.storage_key = f.storage_key
    where f.organization_id = ${caller.organizationId}::bigint and f.user_id = ${caller.userId}::bigint and f.id = ${id.slice(0, 100)}`);
  if (!row) throw new Failure("malformed_parameter", { with: { name: "file", reason: say("import_file_gone") } });
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
  const stream = await store.get(key);
  if (!stream) return undefined;
  const own = path.join(folder, randomUUID());
  await mkdir(own, { recursive: true, mode: 0o700 });
  try {
    const file = path.join(own, "file");
    await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
    return await run(file);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
