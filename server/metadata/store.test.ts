import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { sql } from "../database/sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("prepared");
});
afterAll(() => database.close());

test("a prepared database has a table per record type", async () => {
  const rows = await database.db.rows(sql`select count(*)::text as n from crm__leads`);
  expect(rows).toEqual([{ n: "0" }]);
  expect(await database.db.rows(sql`select count(*)::text as n from masters__countries`)).toEqual([{ n: "249" }]);
});
