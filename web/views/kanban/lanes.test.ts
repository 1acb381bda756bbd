import { expect, test } from "vitest";
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { ListPage } from "../../../client/lists/lists.ts";
import { type LanePages, lanesOf, recounted, withCard, withoutCard } from "./lanes.ts";

const field = {
  column_name: "leads.status",
  options: [
    { value: "new", label: "New", color: "blue" },
    { value: "won", label: "Won" },
  ],
} as unknown as SchemaField;

const counts = {
  header: [{ alias: "Status" }],
  rows: [
    { "leads.status": "new", Status: "New", cards: "3", worth: "12.50" },
    { "leads.status": "gone", Status: "Gone", cards: "1", worth: null },
    { "leads.status": null, Status: null, cards: "2", worth: null },
  ],
} as unknown as ListPage;

test("lanes follow the choices; what is empty stands first, what is no choice any more last", () => {
  expect(lanesOf(field, counts, "Not set").map(({ label, count, sum }) => [label, count, sum])).toEqual([
    ["Not set", 2, null],
    ["New", 3, "12.50"],
    ["Won", 0, null],
    ["Gone", 1, null],
  ]);
});

test("a card that moves takes its count along, into an empty lane too", () => {
  const after = recounted(counts, "leads.status", "new", "won");
  expect(after && lanesOf(field, after, "Not set").map(({ count }) => count)).toEqual([2, 2, 1, 1]);
});

test("a card leaves one lane and stands first in the other", () => {
  const page = (...ids: string[]) => ({ rows: ids.map((id) => ({ "leads.id": id })) }) as unknown as ListPage;
  const pages = { pages: [page("1", "2"), page("3")], pageParams: [1, 2] };
  const idsOf = (all: LanePages | undefined) => all?.pages.map(({ rows }) => rows.map((row) => row["leads.id"]));
  expect(idsOf(withoutCard(pages, "leads.id", "3"))).toEqual([["1", "2"], []]);
  expect(idsOf(withCard(pages, { "leads.id": "9" }))).toEqual([["9", "1", "2"], ["3"]]);
});
