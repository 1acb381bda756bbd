// Takes an archive and a database that no service uses; makes the database what the archive holds, all of it or nothing:
// the archive is checked whole first, and everything happens in one transaction. Never drops what is not the service's.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { BACKUP_LOCK } from "../database/locks.ts";
import { type Migration, RESTORE_MARK, SCHEMA_LOCK } from "../database/migrate.ts";
import { quote } from "../database/sql.ts";
import type { FileStore } from "../files/file-store.ts";
import { addRows, type Contents, keyOf, TOKEN_SECRET, tableOf } from "./archive.ts";
import { type DatabaseSchema, ownFunctions, ownSequences, ownTables } from "./catalog.ts";
import { checkArchive, unpacked } from "./check-archive.ts";
import { requireKnownVersion } from "./check-version.ts";
import { openConnection, tryLock } from "./connection.ts";
import { copyIn } from "./copy.ts";
import { BackupFault, BackupRunning, databaseFault, fileFault } from "./faults.ts";
import { type OnProgress, untilAborted } from "./progress.ts";
import { type ReadMember, readArchive } from "./read-archive.ts";
import { fileSink } from "./write-archive.ts";

export interface RestoreTarget {
  readonly connection: pg.ClientConfig;
  readonly files: FileStore;
}

export interface RestoreOptions {
  /** What is there goes. */
  readonly replace: boolean;
  /** Of this program. */
  readonly migrations: readonly Migration[];
  readonly onProgress?: OnProgress;
  /** Ends it; nothing is changed then. */
  readonly signal?: AbortSignal;
  /** Where a file stays for the moment; by default the machine's temporary folder. */
  readonly temporary?: string;
}

export interface Restored extends Contents {
  /** The secret that came with the archive. */
  readonly tokenSecret: string | undefined;
}

const UNKNOWN_OUTCOME =
  "The database did not answer at the very end, so that the backup is restored or nothing is changed; start the service to see, or restore again";

export async function restoreBackup(target: RestoreTarget, file: string, options: RestoreOptions): Promise<Restored> {
  const onProgress = untilAborted(options);
  await requireKnownVersion(file, options.migrations);
  const { schema, ...contents } = await checkArchive(file, onProgress);
  const { client, close, drop } = await openConnection(target.connection, "dossier restore");
  let isMarked = false;
  let isCommitting = false;
  let isWhole = false;
  try {
    await requireQuiet(client);
    await requireRoom(client, options.replace);
    await client.query(`create table if not exists public.${RESTORE_MARK} (archive text not null, began timestamp(0) not null);
      truncate public.${RESTORE_MARK}`);
    isMarked = true;
    await client.query(`insert into public.${RESTORE_MARK} values ($1, now() at time zone 'utc')`, [
      path.resolve(file),
    ]);
    await client.query(
      "begin; set local search_path = ''; set local maintenance_work_mem = '128MB'; set local check_function_bodies = off",
    );
    await rememberFiles(client);
    await dropOwn(client);
    await run(client, schema.before, () => onProgress({ stage: "Making tables", done: 0, total: 0 }));
    const tokenSecret = await readMembers(client, target.files, file, schema, { ...options, onProgress });
    await setSequences(client, schema);
    await run(client, schema.after, (done, total) => onProgress({ stage: "Making indexes", done, total }));
    await settle(client);
    await requireNoService(client);
    isCommitting = true;
    await client.query("commit");
    isWhole = true;
    onProgress({ stage: "Gathering statistics", done: 0, total: 0 });
    await client.query("analyze");
    return { ...contents, tokenSecret };
  } catch (error) {
    if (isWhole) throw error;
    throw databaseFault(
      error,
      isCommitting ? UNKNOWN_OUTCOME : "Nothing was restored, and what was there is unchanged",
    );
  } finally {
    if (isWhole) await close();
    else {
      await drop();
      if (isMarked) await removeMark(target.connection);
    }
  }
}

/** Who is at work here keeps a restore away; while it runs, a service that starts waits. */
async function requireQuiet(client: pg.Client): Promise<void> {
  if (!(await tryLock(client, BACKUP_LOCK))) throw new BackupRunning();
  await requireNoService(client);
  if (!(await tryLock(client, SCHEMA_LOCK))) throw serviceRunning();
}

const serviceRunning = (): BackupFault =>
  new BackupFault("A service is running on this database. Stop every service that uses it, then restore.");

/** PostgreSQL may take this long to let go of the connections of a service that was just stopped. */
const STOPPING_MS = 3_000;
const ASK_EVERY_MS = 100;

async function requireNoService(client: pg.Client): Promise<void> {
  for (let waited = 0; await isServed(client); waited += ASK_EVERY_MS) {
    if (waited >= STOPPING_MS) throw serviceRunning();
    await delay(ASK_EVERY_MS);
  }
}

/** One that waits for the schema lock has only just been started, and goes on with what was restored. */
async function isServed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`
    select from pg_stat_activity a where a.datname = current_database() and a.application_name = 'dossier'
      and a.pid <> pg_backend_pid()
      and not exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and not l.granted) limit 1`);
  return rows.length > 0;
}

async function requireRoom(client: pg.Client, replace: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select name from (${ownTables}) own limit 1`);
  if (rows.length > 0 && !replace) {
    throw new BackupFault(
      "This database already holds Dossier data. Restore into an empty one, or add --replace to put the backup in its place: " +
        "everything that is there now will be gone.",
    );
  }
}

/** What the present records name in the file store, so that it can be removed once they are gone. */
async function rememberFiles(client: pg.Client): Promise<void> {
  await client.query("create temporary table files_before (organization_id bigint, storage_key text) on commit drop");
  const { rows } = await client.query<{ here: string | null }>(
    "select to_regclass('public.core__loose_files')::text as here",
  );
  if (!rows[0]?.here) return;
  await client.query(`insert into pg_temp.files_before
    select organization_id, storage_key from public.core__files
    union select organization_id, thumbnail_key from public.core__files where thumbnail_key is not null
    union select organization_id, storage_key from public.core__loose_files`);
}

/** Without `cascade`: what somebody else made of our tables is not ours to drop. */
async function dropOwn(client: pg.Client): Promise<void> {
  const named = async (text: string): Promise<string[]> =>
    (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
  const tables = await named(`select 'public.' || quote_ident(name) as name from (${ownTables}) own`);
  const sequences = await named(`select 'public.' || quote_ident(name) as name from (${ownSequences}) own`);
  const functions = await named(ownFunctions);
  try {
    if (tables.length > 0) await client.query(`drop table ${tables.join(", ")}`);
    if (sequences.length > 0) await client.query(`drop sequence ${sequences.join(", ")}`);
    if (functions.length > 0) await client.query(`drop routine ${functions.join(", ")}`);
  } catch (error) {
    const detail = error instanceof Error && "detail" in error ? ` (${String(error.detail)})` : "";
    throw databaseFault(error, `What is in this database cannot be replaced${detail}`);
  }
}

async function run(
  client: pg.Client,
  statements: readonly string[],
  tell: (done: number, total: number) => void,
): Promise<void> {
  let done = 0;
  for (const statement of statements) {
    tell(done, statements.length);
    await client.query(statement).catch((error: unknown) => {
      throw databaseFault(error, `This PostgreSQL refuses a part of the backup (${statement.slice(0, 120)})`);
    });
    done += 1;
  }
}

/** Rows into their tables and files into the store, as they come. Gives the secret of the service, where there is one. */
async function readMembers(
  client: pg.Client,
  store: FileStore,
  file: string,
  schema: DatabaseSchema,
  { onProgress, temporary }: RestoreOptions,
): Promise<string | undefined> {
  const columns = new Map(schema.tables.map((table) => [table.name, table.columns]));
  const reader = await readArchive(file);
  const folder = await mkdtemp(path.join(temporary ?? tmpdir(), "dossier-restore-"));
  let secret: string | undefined;
  try {
    for await (const member of reader.members()) {
      onProgress?.({ stage: "Restoring", done: reader.tally.bytes, total: reader.size, at: member.name });
      const table = tableOf(member.name);
      const key = keyOf(member.name);
      if (table !== undefined) {
        const into = `copy public.${quote(table)} (${(columns.get(table) ?? []).map(quote).join(", ")}) from stdin`;
        const rows = await copyIn(client, into, unpacked(file, member));
        addRows(reader.tally, table, rows);
      } else if (key !== undefined) await putFile(store, key, member, path.join(folder, key));
      else if (member.name === TOKEN_SECRET) secret = await textOf(member);
    }
    return secret;
  } finally {
    await reader.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The store takes files of this machine. */
async function putFile(store: FileStore, key: string, member: ReadMember, aside: string): Promise<void> {
  try {
    const sink = await fileSink(aside);
    try {
      for await (const piece of member.body) await sink.write(piece);
    } finally {
      await sink.close();
    }
    await store.put(key, aside, member.size);
    await rm(aside);
  } catch (error) {
    throw fileFault(error, "A file of the backup cannot be put into the file store");
  }
}

async function textOf({ body }: ReadMember): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

export async function setSequences(client: pg.Client, { sequences }: DatabaseSchema): Promise<void> {
  for (const { name, value, isCalled } of sequences) {
    await client.query("select setval($1::regclass, $2::bigint, $3::boolean)", [
      `public.${quote(name)}`,
      value,
      isCalled,
    ]);
  }
}

/** The last steps within the transaction: what other programs keep must not be taken for the restored state, and files that no record names go. */
async function settle(client: pg.Client): Promise<void> {
  // Every list has another version than it ever had before, however the numbers go on from here.
  await client.query(
    "update public.metadata__state set version = version + 1000000000 + floor(random() * 1000000000)::bigint",
  );
  await client.query(`insert into public.core__loose_files (organization_id, storage_key, removable)
    select b.organization_id, b.storage_key, now() at time zone 'utc' from pg_temp.files_before b
    where not exists (select from public.core__files f where f.storage_key = b.storage_key)
      and not exists (select from public.core__files f where f.thumbnail_key = b.storage_key)
    on conflict do nothing`);
  // What happened after the backup is not what happens from here on: whoever followed it begins again.
  await client.query(`do $$ begin
    if to_regclass('public.core__event_heads') is not null then
      delete from public.core__pending_events; delete from public.core__events; delete from public.core__event_heads;
    end if;
  end $$`);
  // Where the files are kept is where they were put just now.
  await client.query(`do $$ begin
    if to_regclass('public.dossier_state') is not null then delete from public.dossier_state where name = 'files'; end if;
  end $$`);
  await client.query(`drop table public.${RESTORE_MARK}`);
}

/** A restore that was cut off is forgotten. False where there was none. */
export async function removeMark(connection: pg.ClientConfig): Promise<boolean> {
  const { client, close } = await openConnection(connection, "dossier restore");
  try {
    const { rows } = await client.query<{ here: string | null }>(
      `select to_regclass('public.${RESTORE_MARK}')::text as here`,
    );
    await client.query(`drop table if exists public.${RESTORE_MARK}`);
    return rows[0]?.here != null;
  } finally {
    await close();
  }
}
