import { afterAll, beforeAll, expect, test } from "vitest";
import { testConfig } from "../../test/config.ts";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { localTables } from "../database/distribution.ts";
import { prepareDatabase } from "../prepare.ts";
import { distributeCommand } from "./distribute.ts";

let database: TestDatabase;
let url: string;

beforeAll(async () => {
  // Not a copy of the template, which may be a distributed one.
  database = await testDatabase("empty");
  await prepareDatabase(database.db);
  const { host, port, user, password, database: name } = database.connection;
  const parts = { host, port, user, password: typeof password === "string" ? password : "", name };
  url = `postgresql://${parts.user}:${encodeURIComponent(parts.password)}@${encodeURIComponent(parts.host ?? "")}:${parts.port}/${parts.name}`;
});
afterAll(() => database.close());

async function run(...words: string[]) {
  const lines: string[] = [];
  const failed = await distributeCommand(testConfig("/nowhere", { DATABASE_URL: url }), words, (line) =>
    lines.push(line),
  ).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { text: lines.join("\n"), failed };
}

test("says what becomes of each table before it says that there is no Citus", async () => {
  const { text, failed } = await run("--plan");
  expect(text).toContain("Workers: none");
  for (const table of [...localTables, "crm__leads", "masters__countries"]) expect(text).toContain(`  ${table}`);
  expect(failed).toContain("This database has no citus extension.");
  expect((await run()).failed).toBe(failed);
});

test.each([
  [["--shards", "0"], "--shards takes a number from 1 to 1024."],
  [["--shards", "many"], "--shards takes a number from 1 to 1024."],
  [["--quickly"], "Usage: dossier distribute"],
  [["--move", "1"], 'This database is not distributed. Run "dossier distribute" first.'],
])("refuses %j", async (words, sentence) => {
  expect((await run(...words)).failed).toContain(sentence);
});

test("needs a database of its own", async () => {
  const config = { ...testConfig("/nowhere"), databaseUrl: undefined };
  await expect(distributeCommand(config, [], () => undefined)).rejects.toThrow(
    "Set DATABASE_URL to a database on a Citus coordinator.",
  );
});

test("a database that is half distributed is not started on", async () => {
  await database.db.script("create table dossier_distribution (table_name text, name text, definition text)");
  await expect(prepareDatabase(database.db)).rejects.toThrow('run "dossier distribute" again to finish it');
  await database.db.script("drop table dossier_distribution");
});
