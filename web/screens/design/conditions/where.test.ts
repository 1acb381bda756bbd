// The condition of a document: what is read of its text, and what it becomes for several record types.
import { expect, test } from "vitest";
import { groupOf, type Leaf, readWhere, writeWhere } from "../../list/filter/condition.ts";
import { forAnyType, isShownWhole, textForAnyType, whereIn, writeCondition } from "./where.ts";

const leaf = (column: string): Leaf => ({ kind: "leaf", column, operator: "=", values: ["hot"] });

test("a condition is read from its text and written back; what is no condition is none", () => {
  const text = '{"where":[{"leads.rating":"hot"}]}';
  expect(writeCondition(writeWhere(readWhere(whereIn(text))))).toBe(text);
  for (const broken of ["", "{", "null", "[]", '{"q":1}']) expect(whereIn(broken)).toBeUndefined();
  expect(writeCondition(undefined)).toBe("");
});

test.each([
  "",
  "null",
  "{}",
  '{"where":[]}',
  '{"where":{"leads.rating":"hot","leads.score":5,"leads.city":null,"leads.is_open":true}}',
  '{"where":{"leads.rating":["hot","cold"],"leads.score":{"op":"BETWEEN","value":[1,9.5]}}}',
  '{"where":[{"leads.rating":{"op":"not  in","value":["hot"]}},{"leads.city":{"op":"!=","value":null}}]}',
  '{"where":{"or":[{"leads.a":"1","leads.b":"2"},{"NOT":{"NOT":[{"leads.c":{"op":"is null","value":null}}]}}]}}',
])("all of %s can be built", (text) => {
  expect(isShownWhole(text)).toBe(true);
  expect(isShownWhole(writeCondition(writeWhere(readWhere(whereIn(text)))))).toBe(true);
});

test.each([
  '{"where":{"leads.rating":["hot",null]}}',
  '{"where":{"leads.rating":["hot",""]}}',
  '{"where":{"leads.rating":[]}}',
  '{"where":{"leads.rating":{"op":"in","value":[]},"leads.city":"Bonn"}}',
  '{"where":{"leads.rating":{"op":"not in","value":[null]},"leads.city":"Bonn"}}',
  '{"where":{"leads.rating":"","leads.city":"Bonn"}}',
  '{"where":{"leads.rating":{"op":"!=","value":""}}}',
  '{"where":[{"leads.city":"Bonn"},{"OR":[]}]}',
  '{"where":{"OR":[]}}',
  '{"where":{"NOT":{}}}',
  '{"where":{"OR":[{"leads.city":"Bonn"},{}]}}',
  '{"where":{"leads.rating":{"op":"like","value":"h"}}}',
  '{"where":{"leads.rating":{"op":"=","value":["hot","cold"]}}}',
  '{"where":{"leads.rating":{"op":"=","value":"hot","more":1}}}',
  '{"where":{"leads.amount":12345678901234567890}}',
  '{"where":["leads.city"]}',
  '{"where":"leads.city"}',
  '{"where":{"leads.city":"Bonn"},"search_basic":"x"}',
  '{"where":',
  "[]",
])("not all of %s can be built, so it stays a text", (text) => {
  expect(isShownWhole(text)).toBe(false);
});

test("for several record types, columns are called by a name that all of them understand", () => {
  const group = groupOf([leaf("leads.rating"), groupOf([leaf("{{MODEL}}.status"), leaf("leads.owned_by.name")], "or")]);
  const columns = JSON.stringify(writeWhere(forAnyType(group, "leads")));
  expect(columns).not.toContain("leads.");
  expect(columns).toContain("{{MODEL}}.owned_by.name");
  const common = forAnyType(group, "leads");
  expect(forAnyType(common, "leads")).toBe(common);
  expect(forAnyType(group, "lead")).toBe(group);
});

test.each([
  ['{ "where": [{ "leads.rating" : "hot" }] }', '{ "where": [{ "{{MODEL}}.rating" : "hot" }] }'],
  ['{"where":{"leads.amount":12345678901234567890}}', '{"where":{"{{MODEL}}.amount":12345678901234567890}}'],
  ['{"where":{"leads_old.city":"leads.city"}}', '{"where":{"leads_old.city":"leads.city"}}'],
  ['{"where":{"leads.city":"\\"leads.city\\": x"', '{"where":{"{{MODEL}}.city":"\\"leads.city\\": x"'],
  ["", ""],
])("in the text %s, too", (text, common) => {
  expect(textForAnyType(text, "leads")).toBe(common);
});
