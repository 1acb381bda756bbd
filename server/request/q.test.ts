// The syntax of q: what each key takes, what is refused and in which words, and that nothing is lost on the way back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { processorTime } from "../../test/processor-time.ts";
import { operators } from "../fields/field-type.ts";
import { aggregates, parseQ, periods, type Q, type QCondition, type QField, qLimits, qToJson } from "./q.ts";

const read = (value: unknown): Q => parseQ(typeof value === "string" ? value : JSON.stringify(value));
const leaf = (column: string, operator: string, ...values: (string | null)[]) => ({
  kind: "leaf",
  column,
  operator,
  values,
});

function failureOf(value: unknown): string {
  try {
    read(value);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error).toMatchObject({ code: "malformed_parameter", status: 400, said: { params: { name: "q" } } });
    return error.message;
  }
  throw new Error("it was accepted");
}

describe("reads", () => {
  test.each<[string, unknown, Partial<Q>]>([
    ["nothing at all", {}, { header: true }],
    ["the methods", { method: "COUNT" }, { method: "count" }],
    ["all fields by a star", { fields: "*" }, { fields: [{ kind: "all" }] }],
    ["all fields by a starred list", { fields: ["*"] }, { fields: [{ kind: "all" }] }],
    [
      "columns, aggregates, aliases and placeholders",
      { fields: ["leads.name", "COUNT( * ) as How many", "sum(leads.amount) AS total", "{{MODEL}}.{{PRIMARY_KEY}}"] },
      {
        fields: [
          { kind: "column", column: "leads.name" },
          { kind: "column", column: "*", aggregate: "count", alias: "How many" },
          { kind: "column", column: "leads.amount", aggregate: "sum", alias: "total" },
          { kind: "column", column: "{{MODEL}}.{{PRIMARY_KEY}}" },
        ],
      },
    ],
    [
      "periods of dates",
      {
        fields: ["Month( leads.created ) as When"],
        group: ["month(leads.created)"],
        order: ["MONTH(leads.created) DESC"],
      },
      {
        fields: [{ kind: "column", column: "leads.created", period: "month", alias: "When" }],
        group: ["month(leads.created)"],
        order: [{ column: "month(leads.created)", descending: true }],
      },
    ],
    [
      "orders",
      { order: ["leads.name DESC", "score", "Owned By asc", "count(leads.id) desc"] },
      {
        order: [
          { column: "leads.name", descending: true },
          { column: "score", descending: false },
          { column: "Owned By", descending: false },
          { column: "count(leads.id)", descending: true },
        ],
      },
    ],
    ["groups", { group: ["leads.status"] }, { group: ["leads.status"] }],
    ["page and limit, as numbers or texts", { page: 2, limit: "1000" }, { page: 2, limit: 1000 }],
    ["all rows", { limit: -1 }, { limit: -1 }],
    ["no header", { pheader: "0" }, { header: false }],
    ["a header", { pheader: 1 }, { header: true }],
    [
      "the words of related records",
      { related_model_class: "crm/leads", show_has_many_records: "all", search_basic: "ada" },
      { relatedModelClass: "crm/leads", showHasManyRecords: "all", search: "ada" },
    ],
    ["null for a key as its absence", { where: null, limit: null, fields: null }, { header: true }],
  ])("%s", (_, sent, expected) => {
    expect(read(sent)).toEqual({ header: true, ...expected });
  });

  test.each<[string, unknown, unknown]>([
    ["a value", { a: "x" }, leaf("a", "=", "x")],
    [
      "a number in the very digits that were sent",
      '{"where":{"a":12345678901234567890.10}}',
      leaf("a", "=", "12345678901234567890.10"),
    ],
    ["truth as 1", { a: true }, leaf("a", "=", "1")],
    ["falsehood as 0", { a: { op: "!=", value: false } }, leaf("a", "!=", "0")],
    ["null", { a: null }, leaf("a", "is null")],
    ["a list", { a: [1, "b", null] }, leaf("a", "in", "1", "b", null)],
    ["an empty list", { a: [] }, leaf("a", "in")],
    ["an operator in any encoding", { a: { op: " NOT  In ", value: [1] } }, leaf("a", "not in", "1")],
    ["between", { a: { op: "between", value: [1, 2] } }, leaf("a", "between", "1", "2")],
    ["is not null", { a: { op: "is not null" } }, leaf("a", "is not null")],
    ["equality with null", { a: { op: "=", value: null } }, leaf("a", "=", null)],
    ["an aggregate", { "Count( leads.id )": { op: ">", value: 3 } }, leaf("count(leads.id)", ">", "3")],
    ["several keys: all", { a: "1", b: "2" }, { kind: "all", of: [leaf("a", "=", "1"), leaf("b", "=", "2")] }],
    ["an array: all", [{ a: "1" }, { b: "2" }], { kind: "all", of: [leaf("a", "=", "1"), leaf("b", "=", "2")] }],
    ["an array of one", [{ a: "1" }], leaf("a", "=", "1")],
    ["nothing: all of none", {}, { kind: "all", of: [] }],
    [
      "any, in lower case",
      { or: [{ a: "1", b: "2" }, { c: "3" }] },
      { kind: "any", of: [{ kind: "all", of: [leaf("a", "=", "1"), leaf("b", "=", "2")] }, leaf("c", "=", "3")] },
    ],
    [
      "any of an object's entries",
      { OR: { a: "1", b: "2" } },
      { kind: "any", of: [leaf("a", "=", "1"), leaf("b", "=", "2")] },
    ],
    ["not", { NOT: { a: "1" } }, { kind: "not", of: leaf("a", "=", "1") }],
    [
      "not over several: not all",
      { Not: { a: "1", b: "2" } },
      { kind: "not", of: { kind: "all", of: [leaf("a", "=", "1"), leaf("b", "=", "2")] } },
    ],
  ])("in where %s", (_, sent, expected) => {
    expect(read(typeof sent === "string" ? sent : { where: sent }).where).toEqual(expected);
  });

  test("lets through the further keys that it is told of, and no others", () => {
    const more = new Set(["ui_helper"]);
    expect(parseQ('{"ui_helper":{"a":1}}', more).more).toEqual({ ui_helper: { a: "1" } });
    expect(() => parseQ('{"ui_helper":1,"x":1}', more)).toThrow('q: there is no key "x"');
  });
});

const nested = (depth: number, word: string): unknown =>
  depth === 0 ? { a: 1 } : { [word]: word === "NOT" ? nested(depth - 1, word) : [nested(depth - 1, word)] };

describe("refuses", () => {
  test.each<[string, unknown, string]>([
    ["what is no JSON", "{", "could not be read: a key in quotes is missing at character 2"],
    ["an array", "[]", "must be a JSON object, not an array"],
    ["a text", '"find"', 'must be a JSON object, not "find"'],
    ["an unknown key", { filds: [] }, 'there is no key "filds"; there are method, fields, where'],
    ["a key twice", '{"page":1,"page":2}', "the key page appears twice"],
    ["a key that could reach a prototype", '{"where":{"__proto__":1}}', "__proto__: is not a valid name"],
    ["an inherited name as a key", { toString: 1 }, 'there is no key "toString"'],
    ["NUL", { search_basic: "\0" }, "must not contain NUL characters"],
    ["another method", { method: "delete" }, 'method: must be one of find, count, not "delete"'],
    ["a method that is a list", { method: ["find"] }, "method: must be text, not an array"],
    ["fields that are no list", { fields: "leads.id" }, 'fields: must be an array, not "leads.id"'],
    ["a field that is an object", { fields: [{}] }, "fields: must contain column names, not an object"],
    [
      "SQL for a field",
      { fields: ["(select 1)"] },
      'fields: "(select 1)" must be *, <column> or count|sum|avg|min|max',
    ],
    ["an unknown function", { fields: ["pg_sleep(1)"] }, 'fields: "pg_sleep(1)" must be'],
    ["the sum of everything", { fields: ["sum(*)"] }, 'fields: "sum(*)" must be'],
    ["quotes in an alias", { fields: ['a as x"y'] }, 'fields: the alias "x"y" must have 1 to 64 letters'],
    ["a long alias", { fields: [`a as ${"x".repeat(65)}`] }, "must have 1 to 64 letters, digits, spaces"],
    ["an alias that could reach a prototype", { fields: ["a as __proto__"] }, 'the alias "__proto__" must have'],
    ["an alias twice", { fields: ["a as x", "b as x"] }, 'fields: the alias "x" appears twice'],
    ["101 fields", { fields: Array(101).fill("a") }, "fields: at most 100, not 101"],
    ["21 orders", { order: Array(21).fill("a") }, "order: at most 20, not 21"],
    ["a wild order", { order: ["a; drop table x"] }, 'order: "a; drop table x" is not a column name'],
    ["an order that is null", { order: [null] }, 'order: must contain "<column> ASC" or "<column> DESC", not null'],
    ["a group that is no text", { group: [["a"]] }, "group: must be text, not an array"],
    ["page 0", { page: 0 }, 'page: must be a whole number from 1 to 1,000,000,000, not "0"'],
    ["half a page", { page: 1.5 }, 'page: must be a whole number from 1 to 1,000,000,000, not "1.5"'],
    ["limit 1001", { limit: 1001 }, 'limit: must be a whole number from 1 to 1,000, or -1 for all, not "1001"'],
    ["limit -2", { limit: -2 }, 'or -1 for all, not "-2"'],
    ["another pheader", { pheader: "no" }, 'pheader: must be one of 0, 1, not "no"'],
    ["where as a text", { where: "a = 1" }, 'where: must be an object or an array of objects, not "a = 1"'],
    ["texts in where's array", { where: ["a"] }, 'where: must be an object or an array of objects, not "a"'],
    ["arrays in where's array", { where: [[{}]] }, "where: must be an object or an array of objects, not an array"],
    ["a wild column", { where: { 'a" or 1=1': 1 } }, 'where: "a" or 1=1" is not a column name'],
    ["an unknown operator", { where: { a: { op: "like", value: 1 } } }, "where: a: op must be one of =, !=, <"],
    ["a leaf without op", { where: { a: { value: 1 } } }, "not nothing"],
    ["an unknown key in a leaf", { where: { a: { op: "=", value: 1, x: 1 } } }, 'where: a: unknown key "x"'],
    ["no value", { where: { a: { op: "<" } } }, "where: a: < takes one value, not nothing"],
    ["a list for one value", { where: { a: { op: "=", value: [1] } } }, "where: a: = takes one value, not an array"],
    [
      "one value for a list",
      { where: { a: { op: "in", value: 1 } } },
      'where: a: in takes an array of values, not "1"',
    ],
    ["lists in a list", { where: { a: [[1]] } }, "where: a: must be a single value, not an array"],
    ["between three", { where: { a: { op: "between", value: [1, 2, 3] } } }, "between takes two values, not 3"],
    ["a value for is null", { where: { a: { op: "is null", value: 1 } } }, 'is null takes no value, not "1"'],
    ["10001 values", { where: { a: Array(10001).fill(1) } }, "where: a: in takes at most 10,000 values, not 10,001"],
    ["9 levels of OR", { where: nested(9, "OR") }, "where: AND, OR and NOT nest at most 8 deep"],
    ["9 levels of NOT in having", { having: nested(9, "NOT") }, "having: AND, OR and NOT nest at most 8 deep"],
    ["201 conditions", { where: Array(201).fill({ a: 1 }) }, "where: at most 200 conditions, not 201"],
    [
      "33 conditions that look into texts",
      {
        where: {
          OR: ["contains", "starts with", "ends with"].flatMap((op) => Array(11).fill({ a: { op, value: "x" } })),
        },
      },
      "where: at most 32 conditions with contains, starts with, ends with; use search_basic",
    ],
    ["33 KiB", { search_basic: "ä".repeat(16_500) }, "must have at most 32,768 bytes (32 KiB), not 33,019"],
  ])("%s", (_, sent, words) => {
    expect(failureOf(sent)).toContain(words);
  });

  test.each([
    ["16,000 values", `{"where":{"a":[${Array(16_000).fill("1").join()}]}}`],
    ["15,000 levels of arrays", `{"where":${"[".repeat(15_000)}${"]".repeat(15_000)}}`],
    ["30,000 quotes", `{"fields":["${'\\"'.repeat(15_000)}"]}`],
    ["a long nearly-name", `{"fields":["${"a".repeat(32_000)}!"]}`],
    ["a long nearly-alias", `{"fields":["a as ${"x ".repeat(16_000)}"]}`],
    ["a long nearly-function", `{"fields":["sum(${" ".repeat(32_000)}"]}`],
    ["spaces for a field", `{"fields":["a${" ".repeat(32_000)}b"]}`],
    ["spaces for an order", `{"order":["a${" ".repeat(32_000)}b"]}`],
    ["spaces for an aggregate", `{"where":{"sum(a${" ".repeat(32_000)}b":1}}`],
    ["a long nearly-order", `{"order":["${" a".repeat(16_000)}"]}`],
  ])("%s, and cheaply", async (_, text) => {
    expect(await processorTime(() => failureOf(text))).toBeLessThan(250);
  });

  test("nothing with an error of its own, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `{"where":{${text}}}`),
        ),
        (text) => {
          try {
            parseQ(text);
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
          }
        },
      ),
    );
  });

  test("takes eight levels, ten thousand values and a hundred fields", () => {
    expect(read({ where: nested(8, "OR") }).where).toBeDefined();
    expect(read({ where: nested(8, "NOT") }).where).toBeDefined();
    expect(read({ where: { a: Array(10000).fill(1) }, fields: Array(100).fill("a") }).fields).toHaveLength(100);
  });
});

const names = fc.constantFrom("a", "leads.a", "leads.owned_by_user.name", "{{MODEL}}.a", "{{MODEL}}.{{PRIMARY_KEY}}");
const expressions = fc.oneof(
  fc.record({ column: names }),
  fc.record({ column: names, aggregate: fc.constantFrom(...aggregates) }),
  fc.record({ column: names, period: fc.constantFrom(...periods) }),
  fc.constant({ column: "*", aggregate: "count" as const }),
);
const aliasTexts = fc.stringMatching(/^[A-Za-zäß0-9_][A-Za-z0-9 _.-]{0,20}[A-Za-z0-9]$/u);
const fields: fc.Arbitrary<QField> = fc.oneof(
  fc.constant({ kind: "all" as const }),
  fc.tuple(expressions, fc.option(aliasTexts, { nil: undefined })).map(([expression, alias]) => ({
    kind: "column" as const,
    ...expression,
    ...(alias === undefined ? {} : { alias }),
  })),
);
const texts = fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed() && !text.includes("\0"));
const leaves: fc.Arbitrary<QCondition> = fc
  .tuple(fc.oneof(names, aliasTexts), fc.constantFrom(...operators), fc.array(fc.option(texts), { minLength: 2 }))
  .filter(([column]) => !/^(?:and|or|not)$/iu.test(column))
  .map(([column, operator, some]) => {
    const count = /null$/u.test(operator) ? 0 : /in$/u.test(operator) ? some.length : operator === "between" ? 2 : 1;
    return { kind: "leaf", column, operator, values: some.slice(0, count) };
  });
const conditions = fc.letrec<{ node: QCondition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    leaves,
    fc.record({ kind: fc.constantFrom("all" as const, "any" as const), of: fc.array(tie("node"), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("not" as const), of: tie("node") }),
  ),
})).node;
const columnNames = expressions.map(({ column, ...rest }) =>
  "aggregate" in rest ? `${rest.aggregate}(${column})` : column,
);
const qs: fc.Arbitrary<Q> = fc
  .record(
    {
      header: fc.boolean(),
      method: fc.constantFrom("find" as const, "count" as const),
      fields: fc.uniqueArray(fields, { selector: (field) => ("alias" in field ? field.alias : {}) }),
      where: conditions,
      having: conditions,
      group: fc.array(columnNames, { maxLength: 5 }),
      order: fc.array(fc.record({ column: columnNames, descending: fc.boolean() }), { maxLength: 5 }),
      page: fc.integer({ min: 1, max: qLimits.page }),
      limit: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 1000 })),
      search: texts,
      relatedModelClass: texts,
      showHasManyRecords: texts,
    },
    { requiredKeys: ["header"] },
  )
  .filter((q) => Buffer.byteLength(qToJson(q)) <= qLimits.bytes);

test("every q survives the way to JSON and back", () => {
  fc.assert(
    fc.property(qs, (q) => {
      expect(parseQ(qToJson(q))).toEqual(q);
    }),
    { numRuns: 300 },
  );
});
