import { expect, test } from "vitest";
import { hideColumn, lookOf, moveColumn, showColumn } from "./column-changes.ts";

const header = [
  { expression: "leads.name", column_name: "leads.name", visible: 1 },
  { expression: "leads.owned_by as Owner", column_name: "leads.owned_by", visible: 1 },
  { expression: "leads.currency_id", column_name: "leads.currency_id", visible: 0 },
  { expression: "leads.score", column_name: "leads.score", visible: 1 },
];

test("columns are moved as they were named, and those out of sight stay behind", () => {
  expect(moveColumn({}, header, "leads.score", "leads.name").fields).toEqual([
    "leads.score",
    "leads.name",
    "leads.owned_by as Owner",
    "leads.currency_id",
  ]);
  expect(moveColumn({}, header, "leads.name", undefined).fields?.slice(0, 3)).toEqual([
    "leads.owned_by as Owner",
    "leads.score",
    "leads.name",
  ]);
});

test("columns are hidden and shown, but never the last one", () => {
  expect(hideColumn({}, header, "leads.score").fields).toEqual([
    "leads.name",
    "leads.owned_by as Owner",
    "leads.currency_id",
  ]);
  expect(hideColumn({ fields: ["leads.name"] }, header.slice(0, 1), "leads.name").fields).toEqual(["leads.name"]);
  expect(showColumn({}, header, "leads.city").fields?.at(-2)).toBe("leads.city");
  const seen = showColumn({ columns: { "leads.currency_id": { is_invisible: "1" } } }, header, "leads.currency_id");
  expect(seen.fields?.at(-1)).toBe("leads.currency_id");
  expect(seen.columns).toEqual({ "leads.currency_id": { is_invisible: "0" } });
});

test("the look of a column keeps what else is said of it", () => {
  expect(lookOf({ columns: { a: { label: "A" } } }, "a", { pinned: "1" }).columns).toEqual({
    a: { label: "A", pinned: "1" },
  });
});
