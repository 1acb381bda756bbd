// Takes a database and a file store that may be in use; writes one archive of how both were at one moment, reads it again,
// and gives it its name. Never writes into either.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type pg from "pg";
import { BACKUP_LOCK, FILE_REMOVAL_LOCK, TABLE_SHAPE_LOCK } from "../database/locks.ts";
import { quote } from "../database/sql.ts";
import type { FileStore } from "../files/file-store.ts";
import { programVersion } from "../lib/version.ts";
import {
  type About,
  addRows,
  type Contents,
  dataName,
  FIRST,
  FORMAT,
  fileName,
  MISSING_FILES,
  SCHEMA,
  TOKEN_SECRET,
} from "./archive.ts";
import { type DumpedTable, readSchema } from "./catalog.ts";
import { checkArchive } from "./check-archive.ts";
import { openConnection, tryLock } from "./connection.ts";
import { copyOut } from "./copy.ts";
import { BackupFault, BackupRunning, BackupStopped, databaseFault } from "./faults.ts";
import { type OnProgress, untilAborted } from "./progress.ts";
import { type ArchiveWriter, intoNewFile, type Sink, writeArchive } from "./write-archive.ts";

export interface BackupSource {
  readonly connection: pg.ClientConfig;
  readonly files: FileStore;
  /** Undefined where nobody told it. */
  readonly secret: KnownSecret | undefined;
}

/** What the service signs and seals with. */
export interface KnownSecret {
  readonly value: string;
  /** Made by the service itself: nobody else keeps it, so the archive does. */
  readonly isGenerated: boolean;
}

export interface BackupOptions {
  readonly onProgress?: OnProgress;
  /** Ends it; nothing is left behind. */
  readonly signal?: AbortSignal;
  /** Once no other backup is running: what it throws ends this one before anything is written. */
  readonly afterLock?: (client: pg.Client) => Promise<void>;
  /** In place of a file. */
  readonly openSink?: (draft: string) => Promise<Sink>;
  /** Rows are read by pieces of so many bytes. */
  readonly pieceBytes?: number;
}

/** Fast: a backup is written more often than it is read, and beside the service. */
const compress = promisify<Buffer, { level: number }, Buffer>(gzip);
const LEVEL = 3;
const FILES_AT_ONCE = 500;
const ATTEMPTS = 3;

export const secretPrint = (secret: string): string =>
  createHash("sha256").update(`dossier backup\0${secret}`).digest("hex").slice(0, 16);

export async function makeBackup(source: BackupSource, file: string, options: BackupOptions = {}): Promise<Contents> {
  const onProgress = untilAborted(options);
  if (existsSync(file)) throw new BackupFault(`${file} exists already. Choose another name, or remove it first.`);
  const { client, close, drop } = await openConnection(source.connection, "dossier backup");
  const abort = (): void => void drop();
  options.signal?.addEventListener("abort", abort);
  let isIdle = true;
  try {
    await takeLocks(client);
    await options.afterLock?.(client);
    isIdle = false;
    const contents = await intoNewFile(
      file,
      async (sink, draft) => {
        const writer = writeArchive(sink);
        await writeDatabase(client, writer, source.secret, options, onProgress);
        await writeFiles(client, writer, source.files, onProgress);
        if (source.secret?.isGenerated) await writer.add(TOKEN_SECRET, source.secret.value);
        await writer.end();
        return checkArchive(draft, onProgress, "Checking what was written");
      },
      options.openSink,
    );
    isIdle = true;
    return contents;
  } catch (error) {
    if (options.signal?.aborted) throw new BackupStopped();
    throw databaseFault(error, "The backup failed");
  } finally {
    options.signal?.removeEventListener("abort", abort);
    await (isIdle ? close() : drop());
  }
}

async function takeLocks(client: pg.Client): Promise<void> {
  if (!(await tryLock(client, BACKUP_LOCK))) {
    throw new BackupRunning();
  }
  await client.query("select pg_advisory_lock($1)", [FILE_REMOVAL_LOCK]);
  await client.query("select pg_advisory_lock_shared($1)", [TABLE_SHAPE_LOCK]);
}

/** One snapshot for all tables: it begins once nobody changes their shape or removes files. */
async function writeDatabase(
  client: pg.Client,
  writer: ArchiveWriter,
  secret: KnownSecret | undefined,
  { pieceBytes }: BackupOptions,
  onProgress: OnProgress,
): Promise<void> {
  await client.query("begin isolation level repeatable read, read only");
  const about = await describe(client, secret);
  await writer.add(FIRST, `${JSON.stringify(about, undefined, 2)}\n`);
  const schema = await readSchema(client);
  await writer.add(SCHEMA, `${JSON.stringify(schema, undefined, 2)}\n`);
  let done = 0;
  for (const table of schema.tables) {
    const tell = (): void =>
      onProgress({ stage: "Reading the database", done, total: schema.tables.length, at: table.name });
    tell();
    await writeTable(client, writer, table, pieceBytes, tell);
    done += 1;
  }
  // Kept by PostgreSQL when the transaction is over: from here on nobody waits for the backup.
  await client.query(`declare backup_files no scroll cursor with hold for
    select storage_key as key from public.core__files
    union select thumbnail_key from public.core__files where thumbnail_key is not null order by 1`);
  await client.query("commit");
  await client.query("select pg_advisory_unlock_shared($1)", [TABLE_SHAPE_LOCK]);
}

async function describe(client: pg.Client, secret: KnownSecret | undefined): Promise<About> {
  const { rows: found } = await client.query<{ here: string | null; version: string }>(
    "select to_regclass('public.dossier_migrations')::text as here, current_setting('server_version') as version",
  );
  if (!found[0]?.here) throw new BackupFault("There is nothing to back up: this database holds no Dossier data.");
  const { rows } = await client.query<{ number: string; name: string; fingerprint: string }>(
    "select number, name, fingerprint from public.dossier_migrations order by number",
  );
  return {
    format: FORMAT,
    dossier: programVersion,
    created: new Date().toISOString(),
    postgres: found[0].version,
    migrations: rows.map((row) => ({ ...row, number: Number(row.number) })),
    tokenSecretPrint: secret ? secretPrint(secret.value) : null,
  };
}

async function writeTable(
  client: pg.Client,
  writer: ArchiveWriter,
  { name, columns }: DumpedTable,
  pieceBytes: number | undefined,
  tell: () => void,
): Promise<void> {
  let part = 0;
  const text = `copy public.${quote(name)} (${columns.map(quote).join(", ")}) to stdout`;
  for await (const piece of copyOut(client, text, pieceBytes)) {
    part += 1;
    await writer.add(dataName(name, part), await compress(piece.text, { level: LEVEL }));
    addRows(writer.tally, name, piece.rows);
    tell();
  }
}

/** A file that the store has lost before is told of; it must not keep everything else from being kept. */
async function writeFiles(
  client: pg.Client,
  writer: ArchiveWriter,
  store: FileStore,
  onProgress: OnProgress,
): Promise<void> {
  const { rows: counted } = await client.query<{ count: string }>("select count(*) from public.core__files");
  const total = Number(counted[0]?.count ?? 0);
  const missing: string[] = [];
  for (let done = 0; ; ) {
    const { rows } = await client.query<{ key: string }>(`fetch ${FILES_AT_ONCE} from backup_files`);
    if (rows.length === 0) break;
    for (const { key } of rows) {
      const size = await store.stat(key);
      if (size === undefined) missing.push(key);
      else await writer.addStream(fileName(key), size, bytesOf(store, key, size));
      done += 1;
      onProgress({ stage: "Reading files", done: Math.min(done, total), total });
    }
  }
  await writer.add(MISSING_FILES, `${JSON.stringify(missing)}\n`);
}

/** A connection to a bucket that breaks is taken up where it broke. */
async function* bytesOf(store: FileStore, key: string, size: number): AsyncGenerator<Buffer, void, undefined> {
  let got = 0;
  for (let attempt = 1; got < size; attempt += 1) {
    try {
      const stream = await store.get(key, got === 0 ? undefined : { start: got, end: size - 1 });
      for await (const chunk of stream ?? []) {
        got += chunk.length;
        yield chunk;
      }
      if (got < size) throw new Error(`file ${key} ended after ${got} of ${size} bytes`);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
