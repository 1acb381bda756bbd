import { expect, test } from "vitest";
import { readGrouping, ungroup, writeGrouping } from "./grouping.ts";

const draft = {
  fields: ["month(leads.created) as Month", "count(leads.id) as Leads", "sum(leads.amount)"],
  group: ["month(leads.created)"],
  order: ["month(leads.created) DESC", "leads.name ASC"],
  where: { "leads.status": "new" },
};

test("a grouping is read from a query, and written back with the names that were given", () => {
  const grouping = readGrouping(draft);
  expect(grouping).toEqual({
    by: [{ column: "leads.created", period: "month" }],
    figures: [
      { aggregate: "count", column: "leads.id" },
      { aggregate: "sum", column: "leads.amount" },
    ],
  });
  expect(writeGrouping(draft, grouping)).toEqual({ ...draft, order: ["month(leads.created) DESC"] });
  const more = writeGrouping(draft, { ...grouping, by: [...grouping.by, { column: "leads.status" }] });
  expect(more.group).toEqual(["month(leads.created)", "leads.status"]);
  expect(more.fields).toEqual([
    "month(leads.created) as Month",
    "leads.status",
    "count(leads.id) as Leads",
    "sum(leads.amount)",
  ]);
});

test("back to records the conditions stay, the groups go", () => {
  expect(ungroup({ ...draft, ui_helper: "bar", having: {} }, { fields: ["leads.name"] })).toEqual({
    where: draft.where,
    fields: ["leads.name"],
  });
});
