import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Condition,
  type Group,
  groupOf,
  leavesOf,
  operators,
  readWhere,
  replaceAt,
  takesMany,
  takesNone,
  writeWhere,
} from "./condition.ts";

const leaf = fc
  .record({
    column: fc.constantFrom("leads.name", "leads.score", "leads.owned_by.name"),
    operator: fc.constantFrom(...operators),
    values: fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 4 }),
  })
  .map(({ column, operator, values }): Condition => {
    const count = takesNone(operator) ? 0 : operator === "between" ? 2 : takesMany(operator) ? values.length : 1;
    return { kind: "leaf", column, operator, values: values.slice(0, count) };
  });

const { condition } = fc.letrec<{ condition: Condition; group: Group }>((tie) => ({
  condition: fc.oneof({ depthSize: "small" }, leaf, tie("group")),
  group: fc
    .record({
      join: fc.constantFrom("and" as const, "or" as const),
      not: fc.boolean(),
      of: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
    })
    .map(({ join, not, of }) => groupOf(of, join, not)),
}));

test("whatever is built is read back as it was", () => {
  fc.assert(
    fc.property(fc.array(condition, { minLength: 2, maxLength: 4 }), fc.boolean(), (of, not) => {
      const built = groupOf(of, not ? "or" : "and", not);
      expect(readWhere(JSON.parse(JSON.stringify(writeWhere(built))))).toEqual(built);
    }),
  );
});

test("every way to write a condition is read", () => {
  expect(readWhere({ "leads.score": 5, "leads.city": null, "leads.status": ["new", "won"] })).toEqual(
    groupOf([
      { kind: "leaf", column: "leads.score", operator: "=", values: ["5"] },
      { kind: "leaf", column: "leads.city", operator: "is null", values: [] },
      { kind: "leaf", column: "leads.status", operator: "in", values: ["new", "won"] },
    ]),
  );
  expect(readWhere([{ NOT: { "leads.score": { op: ">=", value: 5 } } }])).toMatchObject({ not: true, join: "and" });
  expect(readWhere(undefined)).toEqual(groupOf([]));
});

test("what is not complete is not written, nor a group of nothing", () => {
  const open: Condition = { kind: "leaf", column: "leads.name", operator: "contains", values: [""] };
  const half: Condition = { kind: "leaf", column: "leads.score", operator: "between", values: ["1", ""] };
  expect(writeWhere(groupOf([open, half, groupOf([open], "or", true)]))).toBeUndefined();
});

test("a condition is changed or taken out where it stands", () => {
  const one: Condition = { kind: "leaf", column: "a", operator: "is null", values: [] };
  const tree = groupOf([one, groupOf([one, { ...one, column: "b" }], "or")]);
  expect(leavesOf(replaceAt(tree, [1, 0], { ...one, column: "c" })).map(({ column }) => column)).toEqual([
    "a",
    "c",
    "b",
  ]);
  expect(leavesOf(replaceAt(tree, [1], undefined))).toEqual([one]);
});
