// A program meets a database of another version: a newer one is refused in one sentence at the start and by every command, and of two
// processes that upgrade an older one, one does it while the other waits.
import { spawn } from "node:child_process";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backupCommand, restoreCommand } from "../../server/commands/backup.ts";
import { doctorCommand } from "../../server/commands/doctor.ts";
import { userCommand } from "../../server/commands/user.ts";
import { readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/database/database.ts";
import { SCHEMA_LOCK } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { compiled } from "../engine/compiled.ts";
import { temporaryFolder } from "../engine/lab.ts";
import { ask, startProcess, urlOf } from "../engine/real-process.ts";

async function databaseOf(kind: "newer" | "older"): Promise<TestDatabase> {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const { db } = database;
  if (kind === "older") {
    await db.run(sql`delete from dossier_migrations where number = 38`);
    await db.script("drop table dossier_backups");
  } else {
    await db.run(sql`insert into dossier_migrations (number, name, fingerprint) values (9999, 'later', '')`);
    await db.run(sql`update dossier_state set value = '7.8.9' where name = 'version'`);
  }
  return database;
}

const settingsOf = (database: TestDatabase) => ({
  DATABASE_URL: urlOf(database.connection),
  DATA_DIR: temporaryFolder(),
});
const newer = "This database was upgraded by a newer Dossier (7.8.9, migration 9999). Run that version or a newer one.";

test("A newer database is refused by every command in the same sentence, and stays as it is", async () => {
  const database = await databaseOf("newer");
  const settings = settingsOf(database);
  const to = { out: () => undefined, progress: { write: () => true } };
  const [config, archive] = [readConfig(settings), path.join(settings.DATA_DIR, "out.tar")];
  await expect(backupCommand(config, [archive], to)).rejects.toThrow(newer);
  await expect(restoreCommand(config, ["--cancel"], to)).rejects.toThrow(newer);
  await expect(userCommand(config, ["promote", "admin"], () => undefined)).rejects.toThrow(newer);
  const lines: string[] = [];
  expect(await doctorCommand(settings, [], (line) => void lines.push(line))).toBe(2);
  expect(lines.join("\n")).toContain(newer);
});

test("A backup from before the upgrade goes in the place of a newer database, which is the way back", async () => {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const settings = settingsOf(database);
  const [config, archive] = [readConfig(settings), path.join(settings.DATA_DIR, "before.tar")];
  const to = { out: () => undefined, progress: { write: () => true } };
  await backupCommand(config, [archive], to);
  // Not by the pool of the test, which a restore would take for a service.
  const own = openDatabase(database.connection, { connections: 1 });
  await own.run(sql`insert into dossier_migrations (number, name, fingerprint) values (9999, 'later', '')`);
  await own.close();
  await expect(restoreCommand(config, [archive], to)).rejects.toThrow("upgraded by a newer Dossier");
  await restoreCommand(config, [archive, "--replace"], to);
  await backupCommand(config, [`${archive}.again`], to);
});

test("A newer database is refused at the start with the sentence on the terminal", async () => {
  const database = await databaseOf("newer");
  const child = spawn(process.execPath, [compiled("engine/main-process")], {
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "silent", ...settingsOf(database) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
  expect(said).toContain(`Dossier cannot start: ${newer}`);
});

test("A user is not touched in an older database; the sentence says how to bring it up to date", async () => {
  const database = await databaseOf("older");
  await expect(userCommand(readConfig(settingsOf(database)), ["promote", "admin"], () => undefined)).rejects.toThrow(
    '1 migration is not applied yet. Start the service, or run "dossier upgrade", first.',
  );
});

test("Of two processes that upgrade one database, one does it while the other waits, and both serve", async () => {
  const database = await databaseOf("older");
  const { db } = database;
  const settings = { DATA_DIR: temporaryFolder() };
  const started = await db.session(async (session) => {
    // As if a third were at it: both are at the same point when it ends.
    await session.run(sql`select pg_advisory_lock(${SCHEMA_LOCK})`);
    const both = [startProcess(database.connection, settings), startProcess(database.connection, settings)];
    const waiting = () =>
      db.row(sql`
        select count(*)::text as n from pg_locks where locktype = 'advisory' and objid = ${SCHEMA_LOCK}::oid and not granted
          and database = (select oid from pg_database where datname = current_database())`);
    await expect.poll(waiting, { timeout: 60_000 }).toEqual({ n: "2" });
    await session.run(sql`select pg_advisory_unlock(${SCHEMA_LOCK})`);
    return both;
  });
  for (const { url } of await Promise.all(started)) expect((await ask(url, "/readyz", {})).status).toBe(200);
  expect(await db.rows(sql`select name from dossier_migrations where number = 38`)).toEqual([
    { name: "0038_backups.sql" },
  ]);
});
