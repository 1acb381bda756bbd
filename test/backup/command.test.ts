// `dossier backup` and `dossier restore` on the embedded database: beside a service that runs it, and without one.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { backupCommand, restoreCommand } from "../../server/commands/backup.ts";
import { readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/database/database.ts";
import { migrate, readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { secretFile } from "../../server/lib/secrets/secret-file.ts";
import { madeBefore, runningEngine, temporaryFolder } from "../engine/lab.ts";

const dataFolder = madeBefore();

/** What the command said. */
async function run(command: typeof backupCommand, dataDir: string, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const to = { out: (line: string) => void lines.push(line), progress: { write: () => true } };
  await command(readConfig({ DATA_DIR: dataDir }), words, to);
  return lines.join("\n");
}

test("A backup beside a running database is restored into another, which is then backed up without a service", async () => {
  const [from, to, out] = [dataFolder(), dataFolder(), temporaryFolder()];
  const [first, second] = [path.join(out, "first.tar"), path.join(out, "second.tar")];
  const secret = secretFile(from, "token-secret");
  secretFile(to, "token-secret");
  const engine = await runningEngine(from);
  const database = openDatabase(engine.connection);
  await migrate(database, await readMigrations());
  await database.run(sql`insert into core__loose_files values (1, ${"f".repeat(40)}, '2030-01-01')`);

  expect(await run(backupCommand, from, first)).toMatch(/first\.tar is written and checked: \d+ rows, 0 files, /);
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(await database.rows(sql`select kind, failure from dossier_backups`)).toEqual([
    { kind: "manual", failure: null },
  ]);
  await database.close();
  await expect(run(restoreCommand, from, first)).rejects.toThrow(/is in use by process \d+ .*; stop it/);

  const said = await run(restoreCommand, to, first);
  expect(said).toMatch(/first\.tar is restored: \d+ rows, 0 files, .* Start the service now\./);
  expect(said).toContain("The earlier token secret is kept in");
  expect(readFileSync(path.join(to, "secrets", "token-secret"), "utf8")).toBe(secret);
  await expect(run(restoreCommand, to, first)).rejects.toThrow("already holds Dossier data");
  expect(await run(restoreCommand, to, "--cancel")).toBe("No restore was cut off.");

  expect(await run(backupCommand, to, second)).toContain("is written and checked");
  expect(await run(backupCommand, to, "--check", second)).toContain("is whole");
});

test("What a command cannot do is said before anything is made", async () => {
  const [empty, out] = [temporaryFolder(), temporaryFolder()];
  const letter = path.join(out, "letter.txt");
  writeFileSync(letter, "a letter");
  await expect(run(backupCommand, empty, letter.replace("letter.txt", "new.tar"))).rejects.toThrow(
    "There is no database in",
  );
  await expect(run(backupCommand, empty)).rejects.toThrow(/Name one file\.\nUsage: dossier backup FILE/);
  await expect(run(backupCommand, empty, "--wrong", "x")).rejects.toThrow("Usage: dossier backup FILE");
  await expect(run(restoreCommand, empty, letter)).rejects.toThrow("is not a Dossier backup");
  await expect(run(restoreCommand, empty, "a", "b")).rejects.toThrow("Usage: dossier restore FILE");
  expect(readdirSync(empty)).toEqual([]);
});
