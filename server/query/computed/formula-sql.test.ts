// Formulas worked out by PostgreSQL and by the evaluator that server and browser share: the same result for every formula and every
// value, empty ones, huge ones and divisions by zero included.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkFormula, type ValueKind } from "../../../contract/formula/check-formula.ts";
import { evaluateFormula, type ResultShape, resultText } from "../../../contract/formula/evaluate-formula.ts";
import { parseFormula } from "../../../contract/formula/parse-formula.ts";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { runs } from "../../../test/runs.ts";
import { ident, join, sql, typeName } from "../../database/sql.ts";
import { formulaSql, resultSql } from "./formula-sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const kinds = {
  n1: "number",
  n2: "number",
  t1: "text",
  t2: "text",
  d1: "date",
  d2: "date",
  i1: "instant",
  f1: "truth",
} as const;
const columnTypes: Readonly<Record<ValueKind, string>> = {
  number: "numeric",
  text: "text",
  date: "date",
  instant: "timestamp(0) without time zone",
  truth: "smallint",
};
type Name = keyof typeof kinds;
const kindOf = (name: string): ValueKind | undefined => kinds[name as Name];

const numbers = fc.oneof(
  fc.constantFrom(
    "0",
    "0.00",
    "1",
    "-1",
    "3",
    "0.1",
    "99999999999999999.99",
    "-0.5",
    "2.5",
    "12345678901234567890123456.789012",
  ),
  fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 0, max: 99 })).map(([a, b]) => `${a}.${b}`),
);
const texts = fc.constantFrom(
  "",
  "a",
  "A",
  "abc",
  "é",
  "e\u0301",
  "😀",
  "\uffee",
  "😀😀x",
  "10",
  "9",
  "O'Brien",
  'say "hi"',
  "back\\slash",
  "漢字",
);
const days = fc.constantFrom("0001-01-01", "1999-12-31", "2024-02-29", "2026-11-16", "9999-12-31", "0050-06-07");
const instants = fc.constantFrom("2026-11-16 00:00:00", "1970-01-01 23:59:59", "2024-02-29 12:30:00");
const values = fc.record({
  n1: fc.option(numbers),
  n2: fc.option(numbers),
  t1: fc.option(texts),
  t2: fc.option(texts),
  d1: fc.option(days),
  d2: fc.option(days),
  i1: fc.option(instants),
  f1: fc.option(fc.constantFrom("0", "1")),
});

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Texts of formulas by what they give. */
const formulas = fc.letrec<Record<ValueKind, string>>((tie) => {
  const call = (name: string, ...of: fc.Arbitrary<string>[]) =>
    fc.tuple(...of).map((given) => `${name}(${given.join(", ")})`);
  const infix = (marks: readonly string[], left: fc.Arbitrary<string>, right = left) =>
    fc.tuple(left, fc.constantFrom(...marks), right).map(([a, mark, b]) => `(${a} ${mark} ${b})`);
  const [number, text, date, instant, truth] = (["number", "text", "date", "instant", "truth"] as const).map((kind) =>
    tie(kind),
  ) as [fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>];
  const either = (one: fc.Arbitrary<string>) => [call("if", truth, one, one), call("coalesce", one, one)];
  const extreme = (one: fc.Arbitrary<string>) => [call("min", one, one), call("max", one, one, one)];
  const orders = ["=", "!=", "<", "<=", ">", ">="];
  const deep = { maxDepth: 5, depthSize: "medium" } as const;
  return {
    number: fc.oneof(
      deep,
      fc.constantFrom("n1", "[n2]", "0", "1", "2", "0.25", "1000000000000"),
      infix(["+", "-", "*", "/"], number),
      infix(["-"], date),
      fc.tuple(number, fc.integer({ min: 0, max: 12 })).map(([one, places]) => `round(${one}, ${places})`),
      call("abs", number),
      call("floor", number),
      call("ceiling", number),
      call("length", text),
      call("year", date),
      call("month", date),
      call("day", date),
      number.map((one) => `-${one}`),
      ...either(number),
      ...extreme(number),
    ),
    text: fc.oneof(
      deep,
      fc.constantFrom("t1", "t2"),
      texts.map(quoted),
      infix(["&"], fc.oneof(text, number, date, instant), text),
      ...either(text),
    ),
    date: fc.oneof(
      deep,
      fc.constantFrom("d1", "d2"),
      infix(["+", "-"], date, number),
      call("date", instant),
      ...either(date),
      ...extreme(date),
    ),
    instant: fc.oneof(deep, fc.constant("i1"), ...either(instant), ...extreme(instant)),
    truth: fc.oneof(
      deep,
      fc.constant("f1"),
      infix(orders, number),
      infix(orders, text),
      infix(orders, date),
      infix(orders, instant),
      infix(["=", "!="], truth),
      infix(["and", "or"], truth),
      truth.map((one) => `(not ${one})`),
      fc.oneof(number, text, date).map((one) => `(${one} is empty)`),
      text.map((one) => `(${one} in ("a", "😀"))`),
      number.map((one) => `(${one} not in (1, 2.50))`),
      fc.tuple(text, text).map(([one, other]) => `(${one} in ("", ${other}))`),
      fc.tuple(truth, truth).map(([one, other]) => `(${one} in (${other}, "0"))`),
      call("contains", text, text),
      date.map((one) => `(${one} >= "2024-02-29")`),
      ...either(truth),
    ),
  };
});

const shapes: Readonly<Record<ValueKind, readonly [ResultShape, string][]>> = {
  number: [
    [{ digits: 18, places: 0 }, "bigint"],
    [{ digits: 19, places: 2 }, "numeric(19,2)"],
    [{ digits: 38, places: 12 }, "numeric(38,12)"],
  ],
  text: [
    [{ longest: 3 }, "text"],
    [{ longest: 255 }, "text"],
  ],
  date: [[{}, "date"]],
  instant: [[{}, columnTypes.instant]],
  truth: [[{}, "smallint"]],
};

const cases = fc
  .constantFrom<ValueKind>("number", "text", "date", "instant", "truth")
  .chain((kind) =>
    fc.record({ kind: fc.constant(kind), source: formulas[kind], values, shape: fc.constantFrom(...shapes[kind]) }),
  );

test("formulas give the same in PostgreSQL as where people see them", { timeout: 120_000 }, async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ kind, source, values: row, shape: [shape, columnType] }) => {
      const parsed = parseFormula(source);
      // Some grow larger than what a designer may write.
      fc.pre(parsed.ok);
      if (!parsed.ok) return;
      const checked = checkFormula(parsed.formula, kindOf, kind);
      expect(checked).toMatchObject({ ok: true });
      if (!checked.ok) return;
      tried += 1;
      const own = resultText(
        evaluateFormula(checked.checked, (name) => row[name as Name]),
        shape,
      );
      const columns = Object.entries(kinds).map(
        ([name, is]) => sql`${row[name as Name]}::${typeName(columnTypes[is])} as ${ident(name)}`,
      );
      const value = formulaSql(checked.checked, (name) => ident("r", name));
      const found = await database.db.row(
        sql`select (${resultSql(kind, value, shape, columnType)})::text as value from (select ${join(columns)}) as r`,
      );
      expect(found?.value ?? null).toBe(own);
    }),
    { numRuns: runs(300) },
  );
  expect(tried).toBeGreaterThan(100);
});

test.each([
  ["1 / 0", "number", null],
  ["2 / 3", "number", "0.67"],
  ["-2 / 3", "number", "-0.67"],
  ["n1 * 10000000000000000", "number", null],
  ['"" & n2 & "%"', "text", "2.5%"],
  ["n1 + nothing_there", "number", undefined],
])("%s gives %s: %s", (source, kind, expected) => {
  const parsed = parseFormula(source);
  const checked = parsed.ok ? checkFormula(parsed.formula, kindOf, kind as ValueKind) : parsed;
  const given = checked.ok
    ? resultText(
        evaluateFormula(checked.checked, (name) => ({ n1: "99", n2: "2.50" })[name]),
        kind === "number" ? { digits: 18, places: 2 } : { longest: 20 },
      )
    : undefined;
  expect(given).toBe(expected);
});

const within = (levels: number, wrap: (inner: string) => string): string =>
  Array.from({ length: levels }).reduce<string>((inner) => wrap(inner), "n1");

test.each([
  ["in", within(12, (inner) => `if(${inner} in (1, 2, 3, 4), 1, 2)`)],
  ["not in", within(12, (inner) => `if((${inner}) not in (1, 2, 3), n1, 2)`)],
  ["coalesce", within(30, (inner) => `coalesce(${inner}, 1)`)],
  ["min", within(30, (inner) => `min(${inner}, 1)`)],
  ["a sign", within(30, (inner) => `-${inner}`)],
  ["a division", within(30, (inner) => `(1 / ${inner})`)],
])("what a formula costs grows with its length, however deep it goes: %s", (_, source) => {
  const parsed = parseFormula(source);
  const checked = parsed.ok ? checkFormula(parsed.formula, kindOf, "number") : parsed;
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  let [columns, reads] = [0, 0];
  formulaSql(checked.checked, (name) => {
    columns += 1;
    return ident("r", name);
  });
  evaluateFormula(checked.checked, () => {
    reads += 1;
    return "3";
  });
  const named = source.split("n1").length - 1;
  expect(columns).toBe(named);
  expect(reads).toBeLessThanOrEqual(named);
});
