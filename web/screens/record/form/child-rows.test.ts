import { expect, test } from "vitest";
import type { FormElement } from "../../../../client/records/records.ts";
import { emptyRow, isRemoved, rowKey, sentRows, withCell, withoutRow, withRowBack } from "./child-rows.ts";

const column = (name: string, more: Partial<FormElement> = {}): FormElement => ({
  name: ["leads", "addresses", "{n}", name],
  __name: `leads.addresses.{n}.${name}`,
  label: name,
  template: "input",
  method: "text",
  permission: 2,
  not_empty: "0",
  ...more,
});
const columns = [column("type", { default: "work" }), column("city"), column("secret", { permission: 4 })];
const grid = { ...column("addresses"), template: "grid", children: columns };
const stored = [
  { id: "1", type: "work", city: "Umeå", secret: "x", deleted: "0" },
  { id: "2", type: "home", city: "Luleå", secret: "y", deleted: "0" },
];

test("only rows that differ are sent, with what differs", () => {
  const [first, second] = stored;
  const changed = withCell(first ?? {}, "city", "Kiruna");
  expect(sentRows(grid, [changed, second ?? {}], stored).map(({ values }) => values)).toEqual([
    { id: "1", city: "Kiruna" },
  ]);
});

test("a new row is sent once something was entered, and never with its key", () => {
  const fresh = emptyRow(columns);
  expect(sentRows(grid, [...stored, fresh], stored)).toEqual([]);
  const filled = withCell(fresh, "city", "Kiruna");
  expect(sentRows(grid, [...stored, filled], stored)).toEqual([
    { key: rowKey(fresh), values: { type: "work", city: "Kiruna" } },
  ]);
});

test("a stored row is removed by the save and can be put back before; a new one just goes", () => {
  const removed = withoutRow(stored, "2");
  expect(removed.map(isRemoved)).toEqual([false, true]);
  expect(sentRows(grid, removed, stored).map(({ values }) => values)).toEqual([{ id: "2", deleted: "1" }]);
  expect(withRowBack(removed, "2")).toEqual(stored);
  const fresh = emptyRow(columns);
  expect(withoutRow([...stored, fresh], rowKey(fresh))).toEqual(stored);
});
