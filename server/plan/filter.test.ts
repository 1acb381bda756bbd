// Filters: which operators and values a column takes, what they become, and the words for what it does not take.
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { parseQ } from "../request/q.ts";
import { planAggregate } from "./aggregate.ts";
import { resolveColumn, type Scope } from "./column.ts";
import { testCaller } from "./column-fixture.ts";
import { type FilterPlan, planFilter, planHaving, shapeOf } from "./filter.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");

const scopeOf = (type: string): Scope => ({
  snapshot,
  type: requireType(snapshot, type),
  caller: testCaller({ timeZone: "Europe/Berlin" }),
  now: new Date("2026-02-28T12:00:00Z"),
});

function plan(type: string, where: unknown): FilterPlan {
  const { where: condition } = parseQ(JSON.stringify({ where }));
  if (!condition) throw new Error("there is no where");
  return planFilter(scopeOf(type), condition);
}

/** The plan without what its columns are. */
function outline(tree: FilterPlan): unknown {
  if (tree.kind === "not") return { not: outline(tree.of) };
  if (tree.kind === "exists") return { exists: tree.association.name, of: outline(tree.of) };
  if (tree.kind === "turn") return { turn: tree.users, orNobody: tree.orNobody };
  if (tree.kind === "formula") return { formula: tree.checked };
  if (!("operand" in tree)) return { [tree.kind]: tree.of.map(outline) };
  const { operand, kind, ...rest } = tree;
  const name = operand.kind === "aggregate" ? operand.aggregate.name : operand.ref.name;
  return { [kind]: name, as: operand.sqlType, ...rest };
}

describe("plans", () => {
  test.each<[string, string, unknown, unknown]>([
    ["a number", "crm/leads", { score: "+007" }, { compare: "leads.score", as: "bigint", operator: "=", value: "7" }],
    [
      "money as people write it",
      "crm/leads",
      { amount: { op: ">", value: "1,234.5" } },
      { compare: "leads.amount", as: "numeric", operator: ">", value: "1234.5" },
    ],
    ["null", "crm/leads", { score: null }, { null: "leads.score", as: "bigint" }],
    ["an empty text as null", "crm/leads", { city: "" }, { null: "leads.city", as: "text" }],
    ["not null", "crm/leads", { score: { op: "!=", value: null } }, { not: { null: "leads.score", as: "bigint" } }],
    [
      "a list, each value once",
      "crm/leads",
      { score: [3, "03", null] },
      { among: "leads.score", as: "bigint", values: ["3"], orNull: true },
    ],
    [
      "a list of none",
      "crm/leads",
      { score: { op: "not in", value: [] } },
      { not: { among: "leads.score", as: "bigint", values: [], orNull: false } },
    ],
    [
      "a choice by its label",
      "crm/leads",
      { status: "Contacted" },
      { compare: "leads.status", as: "text", operator: "=", value: "contacted" },
    ],
    [
      "a flag in words",
      "crm/leads",
      { do_not_call: "yes" },
      { compare: "leads.do_not_call", as: "smallint", operator: "=", value: "1" },
    ],
    [
      "between",
      "crm/leads",
      { next_follow_up: { op: "between", value: ["02/03/2026", "{{TODAY}}+1M"] } },
      { between: "leads.next_follow_up", as: "date", from: "2026-02-03", to: "2026-03-28" },
    ],
    [
      "the caller's day for an instant",
      "crm/leads",
      { created: { op: ">=", value: "{{TODAY}}" } },
      { compare: "leads.created", as: "timestamp(0) without time zone", operator: ">=", value: "2026-02-27 23:00:00" },
    ],
    [
      "the caller",
      "crm/leads",
      { owned_by: "{{CURRENT_USER}}" },
      { compare: "leads.owned_by", as: "bigint", operator: "=", value: "7" },
    ],
    [
      "its organization",
      "crm/leads",
      { organization_id: "{{CURRENT_ORGANIZATION}}" },
      { compare: "leads.organization_id", as: "bigint", operator: "=", value: "3" },
    ],
    [
      "text operators with plain text",
      "crm/leads",
      { email: { op: "contains", value: "{{TODAY}}" } },
      { text: "leads.email", as: "text", operator: "contains", value: "{{TODAY}}" },
    ],
    [
      "an id that is a UUID",
      "core/listviews",
      { id: "0198C5A0-7A3C-7CC2-8B1E-3F6D2C4E5A60" },
      { compare: "listviews.id", as: "uuid", operator: "=", value: "0198c5a0-7a3c-7cc2-8b1e-3f6d2c4e5a60" },
    ],
    [
      "a revision beyond its column",
      "crm/leads",
      { revision: { op: "<", value: "9999999999" } },
      { compare: "leads.revision", as: "bigint", operator: "<", value: "9999999999" },
    ],
    [
      "an address by its line",
      "crm/companies",
      { billing_address: " 12  Baker Street " },
      { compare: "companies.billing_address", as: "text", operator: "=", value: "12 Baker Street" },
    ],
    [
      "a part of an address",
      "crm/companies",
      { billing_address_city: { op: "<", value: "M" } },
      { compare: "companies.billing_address_city", as: "text", operator: "<", value: "M" },
    ],
    [
      "a place",
      "crm/leads",
      { location: "52.5,13.4" },
      { compare: "leads.location", as: "text", operator: "=", value: "52.500000,13.400000" },
    ],
    [
      "a list of places",
      "crm/leads",
      { location: ["52.5,13.4"] },
      { among: "leads.location", as: "text", values: ["52.500000,13.400000"], orNull: false },
    ],
    [
      "half a place",
      "crm/leads",
      { location_lon: { op: ">", value: 13 } },
      { compare: "leads.location_lon", as: "numeric", operator: ">", value: "13" },
    ],
    [
      "several choices in their order",
      "crm/leads",
      { tags: "Newsletter;Key account" },
      { compare: "leads.tags", as: "text", operator: "=", value: "key_account;newsletter" },
    ],
    [
      "a path",
      "crm/leads",
      { "owned_by_user.name": "Ada" },
      { compare: "leads.owned_by.name", as: "text", operator: "=", value: "Ada" },
    ],
    [
      "some of many",
      "crm/leads",
      { "addresses.city": "Ulm" },
      { exists: "addresses", of: { compare: "addresses.city", as: "text", operator: "=", value: "Ulm" } },
    ],
    [
      "a tree",
      "crm/leads",
      { NOT: { OR: [{ score: 1 }, { AND: [] }] } },
      { not: { or: [{ compare: "leads.score", as: "bigint", operator: "=", value: "1" }, { and: [] }] } },
    ],
  ])("%s", (_, type, where, expected) => {
    expect(outline(plan(type, where))).toEqual(expected);
  });
});

describe("refuses", () => {
  test.each<[string, string, unknown, string]>([
    ["an unknown column", "crm/leads", { nothing: 1 }, "q: nothing is not a column of crm/leads"],
    [
      "an unknown column deep within",
      "crm/leads",
      { NOT: [{ OR: [{ "a.b": 1 }] }] },
      "q: a.b is not a column of crm/leads",
    ],
    ["an aggregate", "crm/leads", { "count(leads.id)": 1 }, "q: count(leads.id) is not a column of crm/leads"],
    [
      "an operator that the type has not",
      "crm/leads",
      { score: { op: "contains", value: 1 } },
      "q: leads.score: contains doesn't work with Whole number. Use one of <, <=, >, >=, between, =, !=, in, not in, is null, is not null",
    ],
    [
      "order among choices",
      "crm/leads",
      { status: { op: "<", value: "new" } },
      "leads.status: < doesn't work with Choice",
    ],
    ["equality of JSON", "core/listviews", { query: "{}" }, "listviews.query: = doesn't work with JSON"],
    ["a list of JSON", "core/listviews", { query: ["{}"] }, "listviews.query: in doesn't work with JSON"],
    [
      "contains in a UUID",
      "core/listviews",
      { id: { op: "contains", value: "a" } },
      "listviews.id: contains doesn't work",
    ],
    ["a text for a number", "crm/leads", { "leads.score": "many" }, 'q: leads.score: "many" must be a whole number'],
    ["one bad value of a list", "crm/leads", { score: [1, "x"] }, 'leads.score: "x" must be a whole number'],
    ["an unknown choice", "crm/leads", { status: "lost" }, 'leads.status: "lost" must be one of New, Contacted'],
    ["no date", "crm/leads", { next_follow_up: "2026-02-30" }, 'leads.next_follow_up: "2026-02-30" must be a date'],
    ["no UUID", "core/listviews", { id: "7" }, 'listviews.id: "7" must be the id of a record (a UUID)'],
    ["no id", "crm/leads", { owned_by: "me" }, 'leads.owned_by: "me" must be the id of a record'],
    [
      "a day for an id",
      "crm/leads",
      { owned_by: "{{TODAY}}" },
      'leads.owned_by: "{{TODAY}}" must be the id of a record',
    ],
    [
      "an unknown placeholder",
      "crm/leads",
      { city: "{{TOMORROW}}" },
      'leads.city: "{{TOMORROW}}" is not a placeholder',
    ],
    ["order with null", "crm/leads", { score: { op: "<", value: null } }, "leads.score: < needs a value"],
    [
      "between with null",
      "crm/leads",
      { score: { op: "between", value: [1, null] } },
      "leads.score: between needs a value",
    ],
    ["contains nothing", "crm/leads", { city: { op: "contains", value: "" } }, "leads.city: contains needs a value"],
    ["a long value, in short", "crm/leads", { score: "x".repeat(5000) }, `"${"x".repeat(100)}…" must be`],
  ])("%s", (_, type, where, words) => {
    expect(() => plan(type, where)).toThrow(words);
    expect(() => plan(type, where)).toThrow(Failure);
  });
});

describe("having", () => {
  const scope = scopeOf("crm/leads");
  const groups = [resolveColumn(scope, "leads.status")];
  const selected = [
    planAggregate(scope, { kind: "column", column: "leads.status", alias: "Stage" }, groups),
    planAggregate(scope, { kind: "column", column: "*", aggregate: "count", alias: "How many" }, groups),
  ];
  const having = (condition: unknown): FilterPlan => {
    const q = parseQ(JSON.stringify({ having: condition }));
    return planHaving(scope, q.having ?? { kind: "all", of: [] }, selected, groups);
  };

  test.each<[string, unknown, unknown]>([
    [
      "an alias",
      { "How many": { op: ">", value: 3 } },
      { compare: "count(*)", as: "bigint", operator: ">", value: "3" },
    ],
    [
      "an aggregate",
      { "avg(amount)": { op: "<", value: "1.005" } },
      { compare: "avg(leads.amount)", as: "numeric", operator: "<", value: "1.005" },
    ],
    [
      "the least of dates",
      { "min(next_follow_up)": "{{TODAY}}" },
      { compare: "min(leads.next_follow_up)", as: "date", operator: "=", value: "2026-02-28" },
    ],
    [
      "a group column by its alias",
      { Stage: "new" },
      { compare: "leads.status", as: "text", operator: "=", value: "new" },
    ],
    ["a group column", { status: ["new"] }, { among: "leads.status", as: "text", values: ["new"], orNull: false }],
  ])("%s", (_, condition, expected) => {
    expect(outline(having(condition))).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ["a column that is not grouped", { score: 1 }, "having: leads.score must be in group"],
    ["an unknown column", { "sum(x)": 1 }, "x is not a column of crm/leads"],
    ["a sum of texts", { "sum(city)": 1 }, "sum(leads.city): Short text can't be summed"],
    ["a value that is no number", { "How many": "few" }, 'count(*): "few" must be a whole number'],
  ])("refuses %s", (_, condition, words) => {
    expect(() => having(condition)).toThrow(words);
  });
});

describe("the shape", () => {
  const shape = (where: unknown, type = "crm/leads"): string => shapeOf(plan(type, where));

  test.each<[string, unknown, unknown]>([
    [
      "of other values",
      { score: 1, city: { op: "contains", value: "x" } },
      { score: 2, city: { op: "contains", value: "y" } },
    ],
    ["of more values", { score: [1] }, { score: [1, 2, 3] }],
    ["of another spelling", { "leads.owned_by_user.name": "a" }, { "owned_by.name": "b" }],
  ])("%s is the same", (_, one, other) => {
    expect(shape(one)).toBe(shape(other));
  });

  test("of anything else is another", () => {
    const shapes = [
      { score: 1 },
      { score: { op: "!=", value: 1 } },
      { score: [1] },
      { score: [1, null] },
      { score: { op: "not in", value: [1] } },
      { score: null },
      { score: { op: "between", value: [1, 2] } },
      { employees: 1 },
      { id: 1 },
      { "owned_by.id": 1 },
      { "created_by.id": 1 },
      { "referred_by.owned_by.id": 1 },
      { "addresses.id": 1 },
      { "addresses.deleted": 1 },
      { "comments.id": 1 },
      { location: null },
      { location_lon: null },
      { NOT: { score: 1 } },
      { OR: [{ score: 1 }] },
      { AND: [{ score: 1 }] },
      {},
    ].map((where) => shape(where));
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(shape({ name: "x" }, "crm/companies")).not.toBe(shape({ name: "x" }));
  });
});
