// What can go wrong with a restore: each time a sentence, and what was there is as it was.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { makeBackup } from "../../server/backup/make-backup.ts";
import { type RestoreOptions, removeMark, restoreBackup } from "../../server/backup/restore-backup.ts";
import { migrate, readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import type { ByteRange, FileStore } from "../../server/files/file-store.ts";
import { localStore } from "../../server/files/local-store.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { compiled } from "../engine/compiled.ts";

const folder = mkdtempSync(path.join(tmpdir(), "dossier-restore-"));
const archive = path.join(folder, "backup.tar");
const [lost, kept] = ["0".repeat(40), "1".repeat(40)];
const sourceFiles = localStore(path.join(folder, "source"));
const targetFiles = localStore(path.join(folder, "target"));

let source: TestDatabase;
let target: TestDatabase;
let migrations: Awaited<ReturnType<typeof readMigrations>>;

const addFile = (key: string) => sql`
  insert into core__files (organization_id, storage_key, file_name, mime_type, size, related_type, related_id, field)
  values (1, ${key}, 'scan.txt', 'text/plain', 5, 'crm/leads', '1', 'photo')`;
const put = async (store: FileStore, key: string, text: string): Promise<void> => {
  writeFileSync(path.join(folder, "aside"), text);
  await store.put(key, path.join(folder, "aside"), text.length);
};
const restore = (more: Partial<RestoreOptions> = {}, files: FileStore = targetFiles, file = archive) =>
  restoreBackup({ connection: target.connection, files }, file, { replace: true, migrations, ...more });

/** On a connection that no restore takes for a service. */
async function ask(text: string): Promise<Record<string, string | null>[]> {
  const client = new pg.Client(target.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** What the organization is called, and whether the next start would go on with it. */
const state = async () => {
  const [row] = await ask(`
    select name, to_regclass('public.dossier_restore') is null as starts from access_controls__organizations where id = 1`);
  return row;
};
const untouched = { name: "Test organization", starts: true };

beforeAll(async () => {
  migrations = await readMigrations();
  source = await testDatabase("prepared");
  await source.db.run(sql`update access_controls__organizations set name = 'From the backup'`);
  await source.db.run(addFile(kept));
  await source.db.run(addFile(lost));
  await put(sourceFiles, kept, "bytes");
  const contents = await makeBackup({ connection: source.connection, files: sourceFiles, secret: undefined }, archive);
  expect(contents.missingFiles).toEqual([lost]);
});
beforeEach(async () => {
  target = await testDatabase("prepared");
});
afterEach(() => target.close());
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

test("A backup reads a file on where the connection to the file store broke", async () => {
  const asked: (ByteRange | undefined)[] = [];
  const breaking: FileStore = {
    ...sourceFiles,
    get: async (_key, range) => {
      asked.push(range);
      return Readable.from(range ? [Buffer.from("tes")] : brokenAfter("by"));
    },
  };
  const file = path.join(folder, "broken.tar");
  await makeBackup({ connection: source.connection, files: breaking, secret: undefined }, file);
  expect(asked).toEqual([undefined, { start: 2, end: 4 }]);
  expect(readFileSync(file).includes("bytes")).toBe(true);
});

async function* brokenAfter(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
  throw new Error("socket hang up");
}

describe("A restore", () => {
  test("refuses a database that holds data, and replaces it when told to", async () => {
    await expect(restore({ replace: false })).rejects.toThrow("already holds Dossier data");
    expect(await state()).toEqual(untouched);
    const mine = "2".repeat(40);
    await put(targetFiles, mine, "old");
    await ask(
      `insert into core__files (organization_id, storage_key, file_name, mime_type, size, related_type, related_id, field)
       values (1, '${mine}', 'x', 'text/plain', 3, 'crm/leads', '1', 'photo')`,
    );
    expect((await restore()).missingFiles).toEqual([lost]);
    expect(await state()).toEqual({ name: "From the backup", starts: true });
    expect(await targetFiles.stat(kept)).toBe(5);
    // What only the replaced records named is removed by the service when it sweeps.
    expect(await ask("select storage_key from core__loose_files")).toEqual([{ storage_key: mine }]);
  });

  test("never drops what somebody else has made of our tables", async () => {
    await ask("create view report as select id, last_name from crm__leads");
    await expect(restore()).rejects.toThrow(/cannot be replaced .*view public.report depends on table/);
    expect(await state()).toEqual(untouched);
  });

  test("is refused while a service runs, and while a backup does", async () => {
    const service = new pg.Client({ ...target.connection, application_name: "dossier" });
    await service.connect();
    await expect(restore()).rejects.toThrow("A service is running on this database. Stop every service");
    await service.query("set application_name = 'other'; select pg_advisory_lock(7361031)");
    await expect(restore()).rejects.toThrow("Another backup or restore");
    await service.end();
    expect(await state()).toEqual(untouched);
  });

  test.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), "is cut off after"],
    [
      "changed by a byte",
      (bytes: Buffer) => bytes.fill(0x21, bytes.length - 3_000, bytes.length - 2_999),
      "is damaged",
    ],
    ["no archive at all", () => Buffer.from("a letter".repeat(100)), "is not a Dossier backup"],
  ])("of an archive that is %s changes nothing", async (_, spoil, sentence) => {
    const spoiled = path.join(folder, "spoiled.tar");
    writeFileSync(spoiled, spoil(readFileSync(archive)));
    await expect(restore({}, targetFiles, spoiled)).rejects.toThrow(sentence);
    expect(await state()).toEqual(untouched);
  });

  test("of a newer version changes nothing and says which", async () => {
    const known = migrations.slice(0, -1);
    await expect(restore({ migrations: known })).rejects.toThrow(/was made by a newer Dossier \(\d+\.\d+\.\d+\)/);
    expect(await state()).toEqual(untouched);
  });

  test("that finds a disk full changes nothing: the file store's, and the database's", async () => {
    const noRoom = { ...targetFiles, put: () => Promise.reject(Object.assign(new Error("put"), { code: "ENOSPC" })) };
    await expect(restore({}, noRoom)).rejects.toThrow("there is no space left on the disk");
    expect(await state()).toEqual(untouched);
    const full = path.join(folder, "full.tar");
    await source.db.script(`create function dossier_no_room() returns boolean language plpgsql as $$ begin
        if current_setting('application_name') = 'dossier restore' then raise 'could not extend file' using errcode = 'disk_full'; end if;
        return true; end $$;
      alter table core__files add constraint no_room check (dossier_no_room())`);
    await makeBackup({ connection: source.connection, files: sourceFiles, secret: undefined }, full);
    await source.db.script("alter table core__files drop constraint no_room; drop function dossier_no_room");
    await expect(restore({}, targetFiles, full)).rejects.toThrow("the disk of the database is full");
    expect(await state()).toEqual(untouched);
  });

  test("that is stopped changes nothing", async () => {
    const stopping = new AbortController();
    const onProgress = ({ stage }: { stage: string }) => stage === "Making indexes" && stopping.abort();
    await expect(restore({ onProgress, signal: stopping.signal })).rejects.toThrow("Stopped");
    expect(await state()).toEqual(untouched);
  });

  test("of an older version is brought up to date by the next start", async () => {
    const older = await testDatabase("prepared");
    onTestFinished(() => older.close());
    await older.db.script("drop table dossier_backups; delete from dossier_migrations where number = 38");
    const file = path.join(folder, "older.tar");
    await makeBackup({ connection: older.connection, files: sourceFiles, secret: undefined }, file);
    await restore({}, targetFiles, file);
    expect(await migrate(target.db, migrations)).toEqual(["0038_backups.sql"]);
  });

  test("killed in the middle leaves what was there; the next start says what to do", async () => {
    const child = spawn(
      process.execPath,
      [compiled("backup/restore-process"), JSON.stringify(target.connection), archive],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(createInterface(child.stdout), "line");
    child.kill("SIGKILL");
    await once(child, "close");
    await expect.poll(state).toEqual({ ...untouched, starts: false });
    await expect(migrate(target.db, migrations)).rejects.toThrow(
      /A restore of .*backup\.tar .* was cut off.*"dossier restore --cancel"/,
    );
    expect(await removeMark(target.connection)).toBe(true);
    expect(await migrate(target.db, migrations)).toEqual([]);
  });
});
