import { expect, test } from "vitest";
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { ListPage } from "../../../client/lists/lists.ts";
import { type LanePages, lanesOf, recounted, withCard, withoutCard, worthsOf } from "./lanes.ts";

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
    { "leads.status": "new", Status: "New", cards: "3", worth0: "12.50", "worth0.currency": "EUR", worth1: "7" },
    { "leads.status": "gone", Status: "Gone", cards: "1", worth0: null },
    { "leads.status": null, Status: null, cards: "2", worth0: null },
  ],
} as unknown as ListPage;

test("lanes follow the choices; what is empty stands first, what is no choice any more last", () => {
  const lanes = lanesOf(field, counts, "Not set", ["leads.amount", "leads.seats"]);
  expect(lanes.map(({ label, count, totals }) => [label, count, ...totals.map(({ sum }) => sum)])).toEqual([
    ["Not set", 2, null, null],
    ["New", 3, "12.50", "7"],
    ["Won", 0, null, null],
    ["Gone", 1, null, null],
  ]);
  expect(lanes[1]?.totals[0]?.currency).toBe("EUR");
});

test("lanes add up what the view says, else the first amount; never what is hidden or has no sum", () => {
  const one = (column_name: string, type: string, permission = 2) => ({ column_name, type, permission });
  const fields = [
    one("d.name", "short-text"),
    one("d.secret", "money", 1),
    one("d.amount", "money"),
    one("d.seats", "integer"),
  ];
  const of = (chart: Record<string, string>) =>
    worthsOf({ fields } as unknown as Parameters<typeof worthsOf>[0], chart);
  expect(of({})).toEqual(["d.amount"]);
  expect(of({ value: "d.seats", also: "d.amount" })).toEqual(["d.seats", "d.amount"]);
  expect(of({ value: "d.amount", also: "d.amount" })).toEqual(["d.amount"]);
  expect(of({ value: "d.secret", also: "d.name" })).toEqual([]);
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
