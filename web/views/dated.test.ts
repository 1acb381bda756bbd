import { expect, test } from "vitest";
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import { byDays, dateColumnOf, spanCondition } from "./dated.ts";

test("a view is about the date that it names, or whose periods it shows", () => {
  expect(dateColumnOf("number", { chart: { date: "leads.created" } })).toBe("leads.created");
  expect(dateColumnOf("line", { group: ["leads.status", "month(leads.closed)"] })).toBe("leads.closed");
  expect(dateColumnOf("pie", { group: ["leads.source"] })).toBeUndefined();
  expect(dateColumnOf("calendar", { chart: { date: "leads.due" } })).toBeUndefined();
});

test("a date that is hidden from the reader, or is none, narrows nothing", () => {
  const field = { column_name: "leads.closed", type: "date", permission: 2 };
  const schema = (more: object) => ({ fields: [{ ...field, ...more }] }) as unknown as RecordTypeSchema;
  const span = { from: "2026-11-01", to: "2026-11-16" };
  expect(spanCondition(schema({}), "leads.closed", span, "UTC")).toEqual({
    "leads.closed": { op: "between", value: ["2026-11-01", "2026-11-16"] },
  });
  expect(spanCondition(schema({ permission: 1 }), "leads.closed", span, "UTC")).toBeUndefined();
  expect(spanCondition(schema({ type: "short-text" }), "leads.closed", span, "UTC")).toBeUndefined();
  expect(spanCondition(schema({}), "leads.other", span, "UTC")).toBeUndefined();
});

test("within a month a chart by months is one by days, everywhere it says so", () => {
  const query = {
    fields: ["month(leads.created)", "count(leads.id) as Leads"],
    group: ["month(leads.created)"],
    order: ["month(leads.created) ASC"],
    chart: { category: "month(leads.created)", value: "Leads" },
  };
  expect(byDays(query, { from: "2026-11-01", to: "2026-11-30" })).toEqual({
    fields: ["day(leads.created)", "count(leads.id) as Leads"],
    group: ["day(leads.created)"],
    order: ["day(leads.created) ASC"],
    chart: { category: "day(leads.created)", value: "Leads" },
  });
  expect(byDays(query, { from: "2026-01-01", to: "2026-11-30" })).toBeUndefined();
  expect(byDays({ group: ["leads.source"] }, { from: "2026-11-01", to: "2026-11-30" })).toBeUndefined();
});
