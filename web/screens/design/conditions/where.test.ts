// The condition of a document: what is read of its text, and what it becomes for several record types.
import { expect, test } from "vitest";
import { groupOf, type Leaf, readWhere, writeWhere } from "../../list/filter/condition.ts";
import { forAnyType, whereIn, writeCondition } from "./where.ts";

const leaf = (column: string): Leaf => ({ kind: "leaf", column, operator: "=", values: ["hot"] });

test("a condition is read from its text and written back; what is no condition is none", () => {
  const text = '{"where":[{"leads.rating":"hot"}]}';
  expect(writeCondition(writeWhere(readWhere(whereIn(text))))).toBe(text);
  for (const broken of ["", "{", "null", "[]", '{"q":1}']) expect(whereIn(broken)).toBeUndefined();
  expect(writeCondition(undefined)).toBe("");
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
