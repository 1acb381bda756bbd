import { expect, test } from "vitest";
import { hideColumn, showColumn } from "./column-changes.ts";
import { expectedHeader } from "./expected-header.ts";

const told = [
  { expression: "leads.name", column_name: "leads.name", visible: 1, pinned: "0", label: "Name" },
  { expression: "leads.owned_by as Owner", column_name: "leads.owned_by", visible: 1, pinned: "0", label: "Owner" },
  { expression: "leads.score", column_name: "leads.score", visible: 1, pinned: "0", label: "Score" },
] as const;

test("changes one after the other go together, though the service has answered none of them", () => {
  let draft = hideColumn({ fields: told.map(({ expression }) => expression) }, told, "leads.score");
  draft = hideColumn(draft, expectedHeader(draft, told), "leads.owned_by as Owner");
  draft = showColumn(draft, expectedHeader(draft, told), "leads.city");
  expect(draft.fields).toEqual(["leads.name", "leads.city"]);
  expect(expectedHeader(draft, told)).toMatchObject([
    { label: "Name" },
    { column_name: "leads.city", label: undefined },
  ]);
});

test("a view that names its columns in a way of its own is taken as it was told", () => {
  expect(expectedHeader({ fields: ["*"] }, told)).toBe(told);
  expect(expectedHeader({}, told)).toBe(told);
});
