import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConditionRow, readRows, rowOperators, takesMany, takesNone, writeRows } from "./condition-rows.ts";

const row: fc.Arbitrary<ConditionRow> = fc
  .record({
    field: fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/),
    operator: fc.constantFrom(...rowOperators),
    values: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ field, operator, values }) => ({
    field,
    operator,
    values: takesNone(operator) ? [] : takesMany(operator) ? values : values.slice(0, 1),
  }));

test("rows come back from the text that they were written as", () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 4 }), fc.constantFrom("and", "or"), (rows, join) => {
      expect(readRows(writeRows({ join, rows }))).toEqual({ join, rows });
    }),
  );
});

test("what rows cannot show is left to its text", () => {
  expect(readRows('a = "1" and (b = "2" or c = "3")')).toBeUndefined();
  expect(readRows("a = b")).toBeUndefined();
  expect(readRows("a =")).toBeUndefined();
  expect(readRows(undefined)).toEqual({ join: "and", rows: [] });
  expect(readRows('status = "lost" and not (amount is empty)')).toEqual({
    join: "and",
    rows: [
      { field: "status", operator: "=", values: ["lost"] },
      { field: "amount", operator: "not empty", values: [] },
    ],
  });
});

test("a comparison with an empty text is not lost where something else is changed", () => {
  const read = readRows('status = "" and amount != "" and stage = "new"');
  expect(read?.rows.map(({ field, operator }) => [field, operator])).toEqual([
    ["status", "empty"],
    ["amount", "not empty"],
    ["stage", "="],
  ]);
  expect(readRows(read && writeRows(read))).toEqual(read);
  // As rows they would be left out.
  expect([readRows('a > ""'), readRows('a in ("", "b")'), readRows('not a in ("")')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("what is not complete is not written", () => {
  expect(writeRows({ join: "and", rows: [{ field: "a", operator: "=", values: [] }] })).toBeUndefined();
});
