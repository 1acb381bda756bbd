// `dossier upgrade` and its dry run: what it says, that a copy is changed and nothing else, and that nothing is left behind however it ends.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { BackupStopped } from "../../server/backup/faults.ts";
import { restoreBackup } from "../../server/backup/restore-backup.ts";
import { requireRoom } from "../../server/backup/scratch-database.ts";
import { upgradeCommand } from "../../server/commands/upgrade.ts";
import { readConfig } from "../../server/config.ts";
import { chooseAccount } from "../../server/database/embedded/account.ts";
import { findInstalledBinaries, provideBinaries } from "../../server/database/embedded/binaries.ts";
import { runSingleUser } from "../../server/database/embedded/single-user.ts";
import { clusterFolder } from "../../server/database/embedded/site.ts";
import { readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { localStore } from "../../server/files/local-store.ts";
import { root } from "../../server/lib/root.ts";
import { describeCatalog } from "../backup/catalog.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { madeBefore, temporaryFolder } from "../engine/lab.ts";
import { urlOf } from "../engine/real-process.ts";

const dataFolder = madeBefore();

async function run(environment: Record<string, string>, ...words: string[]) {
  const lines: string[] = [];
  const code = await upgradeCommand(
    readConfig(environment),
    words,
    terminalOf((line) => lines.push(line)),
  );
  return { code, said: lines.join("\n") };
}

const terminalOf = (said: (line: string) => void) => ({ out: said, progress: { write: () => true } });

const leftBehind = async ({ db }: TestDatabase) =>
  db.rows(sql`
    select datname from pg_database
    where datname = 'dossier_upgrade_check_' || (select oid from pg_database where datname = current_database())`);

test("A check says what an upgrade would do, finds what is in its way, and changes nothing", async () => {
  const folder = temporaryFolder();
  const archive = path.join(folder, "older.tar");
  writeFileSync(archive, gunzipSync(readFileSync(path.join(root, "test/upgrade/fixtures/2026-11-15.tar.gz"))));
  const database = await testDatabase("empty");
  onTestFinished(() => database.close());
  const settings = { DATABASE_URL: urlOf(database.connection), DATA_DIR: folder };
  await expect(run(settings, "--check")).rejects.toThrow("This database holds no Dossier data.");
  const migrations = await readMigrations();
  const target = { connection: database.connection, files: localStore(path.join(folder, "files")) };
  await restoreBackup(target, archive, { replace: false, migrations });
  const applied = () => database.db.rows(sql`select number, name, applied from dossier_migrations order by number`);
  const [before, shape] = [await applied(), await describeCatalog(database.db)];

  // Something is in the way of a migration: the check finds it.
  await database.db.script("create table dossier_backups (id integer)");
  await expect(run(settings, "--check")).rejects.toThrow(/0038_backups\.sql failed .* already exists/);
  await database.db.script("drop table dossier_backups");
  expect(await leftBehind(database)).toEqual([]);

  // Ended by a person, while tables are copied or while the copy is upgraded.
  for (const moment of ["Copying", "Copied "]) {
    const pressed: string[] = [];
    const press = (text: string): void => {
      if (!text.includes(moment) || pressed.length > 0) return;
      pressed.push(text);
      // As Ctrl+C would, to the command alone.
      process.listeners("SIGINT").at(-1)?.("SIGINT");
    };
    const to = { out: press, progress: { isTTY: true, write: press } };
    await expect(upgradeCommand(readConfig(settings), ["--check"], to)).rejects.toThrow(BackupStopped);
    expect([moment, pressed.length, await leftBehind(database)]).toEqual([moment, 1, []]);
  }

  const { code, said } = await run(settings, "--check");
  expect(said).toMatch(/^Copied \d+ tables with 9,\d+ rows in /);
  for (const { name } of migrations.filter(({ number }) => number > 11))
    expect(said).toMatch(new RegExp(`^ {2}${name} +\\d+\\.\\d s`, "mu"));
  expect(said).toMatch(/^ {2}crm__leads +\d+\.\d s$/mu);
  expect(said).toMatch(
    /The upgrade will work: .* until the service is ready, and 0\.0 s of work while it runs\. The copy is removed\.$/,
  );
  expect(code).toBe(0);
  expect([await applied(), await describeCatalog(database.db)]).toEqual([before, shape]);
  expect(await leftBehind(database)).toEqual([]);

  await expect(run(settings, "--wrong")).rejects.toThrow("Usage: dossier upgrade");
});

/** On a database that nobody has started. */
async function asSuperuser(dataDir: string, statement: string): Promise<void> {
  const folder = clusterFolder(dataDir);
  const account = chooseAccount(folder);
  const binaries = provideBinaries({ native: findInstalledBinaries(), dataDir, account, log: () => undefined });
  await runSingleUser({ folder, account, binaries }, [statement]);
}

test("The embedded database is checked the same way; who may not make a copy is told what to do", async () => {
  const dataDir = dataFolder();
  expect((await run({ DATA_DIR: dataDir })).said).toContain("The database is up to date.");
  expect((await run({ DATA_DIR: dataDir }, "--check")).said).toContain("The upgrade will work");
  await asSuperuser(dataDir, "alter role dossier nocreatedb");
  await expect(run({ DATA_DIR: dataDir }, "--check")).rejects.toThrow(
    /the user dossier may not create one\. Run "alter role "dossier" createdb" as a superuser, or restore a backup/,
  );
});

test("A disk that has no room for a copy is told before anything is copied", () => {
  expect(() => requireRoom(2 ** 60, temporaryFolder())).toThrow(
    /needs \d+\.\d GiB at .*; \d+\.\d GiB are free\. Free some space/,
  );
  expect(() => requireRoom(1_000_000, temporaryFolder())).not.toThrow();
  expect(() => requireRoom(2 ** 60, undefined)).not.toThrow();
});
