import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { addRows } from "../../../test/http/people.ts";
import { sql } from "../../database/sql.ts";
import { tidyTextIndexes } from "./tidy-indexes.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("prepared");
});
afterAll(() => database.close());

const waiting = async (): Promise<number> => {
  const row = await database.db.row(sql`
    select gin_clean_pending_list('crm__leads__search_text__index'::regclass)::text as pages`);
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
