import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { addRows } from "../../../test/http/people.ts";
import { expression, sql } from "../sql.ts";
import { tidyBetweenWrites, tidyTextIndexes } from "./tidy-indexes.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("prepared");
});
afterAll(() => database.close());

/** Pages beside the index, wherever its parts are. */
const waiting = async (): Promise<number> => {
  const index = "crm__leads__search_text__index";
  const pages = `select coalesce(sum(gin_clean_pending_list(oid::regclass)), 0) from pg_class where relkind = 'i' and relname like '${index}%'`;
  const row = (await database.db.isDistributed())
    ? await database.db.row(sql`select sum(result::bigint)::text as pages from run_command_on_workers(${pages})`)
    : await database.db.row(sql`select (${expression(pages)})::text as pages`);
  return Number(row?.pages);
};
/** PostgreSQL by itself leaves that much: 4 MB. */
const USUAL_PAGES = 512;
/** With as many different trigrams as it has signs. */
const text = (seed: number): string =>
  Array.from({ length: 4_000 }, (_, at) => ((seed * 7_919 + at * 104_729) % 1_679_616).toString(36)).join(" ");
const write = (rows: number) =>
  addRows(
    database,
    "crm/leads",
    Array.from({ length: rows }, (_, row) => ({ name: "Zoë Stone", last_name: "Stone", description: text(row) })),
  );

const save = () => addRows(database, "crm/leads", [{ name: "Zoë Stone", last_name: "Stone" }]);

test("what saves have left beside the index of texts is put in place, and found", async () => {
  await save();
  expect(await waiting()).toBeGreaterThan(0);
  await save();
  await tidyTextIndexes(database.db);
  expect(await waiting()).toBe(0);
});

test("no save puts in place what others have left, however much it is", async () => {
  await tidyTextIndexes(database.db);
  await write(100);
  expect(await waiting()).toBeGreaterThan(2 * USUAL_PAGES);
});

test("who writes many rows puts those of its table in place after some thousands, and not before", async () => {
  await tidyTextIndexes(database.db);
  const tidyAfter = tidyBetweenWrites(database.db);
  await save();
  await tidyAfter("crm__leads", 3_000);
  expect(await waiting()).toBeGreaterThan(0);
  await save();
  await tidyAfter("crm__companies", 6_000);
  await tidyAfter("crm__leads", 1_000);
  expect(await waiting()).toBeGreaterThan(0);
  await save();
  await tidyAfter("crm__leads", 1_000);
  expect(await waiting()).toBe(0);
});
