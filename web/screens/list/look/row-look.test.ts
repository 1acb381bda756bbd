import { expect, test } from "vitest";
import type { ColorRule } from "../../../../client/lists/list-draft.ts";
import type { Column } from "../columns/columns.ts";
import { holds, isOverdue, paintOf } from "./row-look.ts";

const now = { today: "2026-11-16", userId: "7" };
const leaf = (operator: string, ...values: string[]) =>
  ({ kind: "leaf", column: "leads.x", operator, values }) as Parameters<typeof holds>[0];

test.each([
  ["=", ["new"], "new", "choice", true],
  ["!=", ["new"], "new", "choice", false],
  ["in", ["new", "lost"], "lost", "choice", true],
  ["not in", ["new", "lost"], "won", "choice", true],
  ["contains", ["TARN"], "Old tarn mills", "short-text", true],
  ["starts with", ["tarn"], "Old tarn", "short-text", false],
  ["ends with", ["Tarn"], "Old tarn", "short-text", true],
  [">=", ["9"], "10", "integer", true],
  ["=", ["10.0"], "10", "decimal", true],
  ["<", ["9"], "10", "integer", false],
  ["between", ["5", "10"], "10.00", "money", true],
  ["<", ["{{TODAY}}"], "2026-11-15", "date", true],
  ["<=", ["{{TODAY}}-7d"], "2026-11-09 12:00:00", "date-time", true],
  [">", ["{{TODAY}}+1M"], "2026-12-17", "date", true],
  ["=", ["{{CURRENT_USER}}"], "7", "reference", true],
  ["=", ["{{SOMETHING}}"], "7", "reference", false],
  ["is null", [], undefined, "date", true],
  ["is not null", [], undefined, "date", false],
  ["=", [""], undefined, "short-text", false],
] as const)("%s %j of %j (%s) is %s", (operator, values, value, type, expected) => {
  expect(holds(leaf(operator, ...values), value, type, now)).toBe(expected);
});

const column = (name: string, type: string, more: object = {}) =>
  ({
    name,
    field: { type },
    own: more,
    shown: (row: Record<string, string>) => row[name] && { value: row[name] },
  }) as unknown as Column;

test("the first rule that holds colors the row, and each cell has its own; what is not shown colors nothing", () => {
  const columns = [column("leads.score", "integer"), column("leads.status", "choice")];
  const rule = (where: ColorRule["where"], color: ColorRule["color"], paint: ColorRule["paint"]): ColorRule => ({
    where,
    color,
    paint,
  });
  const rules = [
    rule({ "leads.status": "lost" }, "gray", "row"),
    rule({ "leads.score": { op: ">=", value: "50" } }, "green", "row"),
    rule({ "leads.score": { op: ">=", value: "80" } }, "red", "cell"),
    rule({ "leads.city": "Ulm" }, "blue", "row"),
  ];
  const painted = (row: Record<string, string>) => paintOf(rules, columns, row, now);
  expect(painted({ "leads.score": "90", "leads.status": "lost" })).toEqual({
    row: "gray",
    cells: { "leads.score": "red" },
  });
  expect(painted({ "leads.score": "60" })).toEqual({ row: "green", cells: {} });
  expect(painted({ "leads.score": "10", "leads.city": "Ulm" })).toBeUndefined();
});

test("a due day is overdue once it has passed, while the record is open", () => {
  const due = column("leads.next_follow_up", "date", { settings: { due: 1 } });
  expect(isOverdue(due, "2026-11-15", false, now.today)).toBe(true);
  expect(isOverdue(due, "2026-11-16", false, now.today)).toBe(false);
  expect(isOverdue(due, "2026-11-15", true, now.today)).toBe(false);
  expect(isOverdue(due, undefined, false, now.today)).toBe(false);
  expect(isOverdue(column("leads.birthday", "date"), "2020-01-01", false, now.today)).toBe(false);
});
