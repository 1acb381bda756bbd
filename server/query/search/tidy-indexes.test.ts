import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { addRows } from "../../../test/http/people.ts";
import { expression, sql } from "../../database/sql.ts";
import { tidyTextIndexes } from "./tidy-indexes.ts";

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
const save = () => addRows(database, "crm/leads", [{ name: "Zoë Stone", last_name: "Stone" }]);

test("what saves have left beside the index of texts is put in place, and found", async () => {
  await save();
  expect(await waiting()).toBeGreaterThan(0);
  await save();
  await tidyTextIndexes(database.db);
  expect(await waiting()).toBe(0);
});
