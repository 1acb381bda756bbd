import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { readRowLiteral } from "./row-literal.ts";
import { join, sql } from "./sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const odd = fc.constantFrom(
  "",
  '"',
  '""',
  "\\",
  ",",
  "(",
  ")",
  "{}",
  " ",
  "a,b",
  '\\"',
  "null",
  "\n",
  "\u0007",
  '"x"',
  "é漢😀",
  "\u2028",
);
const text = fc.oneof(
  odd,
  fc.array(odd, { maxLength: 4 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme" }),
);
const value = fc.option(text.filter((one) => !one.includes("\u0000") && one.isWellFormed()));

test("reads whatever PostgreSQL writes for a row of texts and NULLs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 2, maxLength: 6 }), async (values) => {
      const columns = join(values.map((one) => sql`${one}::text`));
      const row = await database.db.row(sql`select row(${columns})::text as literal`);
      expect(readRowLiteral(row?.literal ?? "")).toEqual(values);
    }),
    { numRuns: 300 },
  );
});

test("an array of texts and NULLs arrives as it was sent", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 6 }), async (values) => {
      const { rows } = await database.db.run(
        sql`select given.one from unnest(${values}::text[]) with ordinality as given(one, at) order by given.at`,
      );
      expect(rows.map(([one]) => one)).toEqual(values);
    }),
    { numRuns: 300 },
  );
});
