import { expect, test } from "vitest";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { ListHeader, ListPage, ListRow } from "../../../client/lists/lists.ts";
import { formatsOf } from "../../../contract/formats.ts";
import { chartData } from "./chart-data.ts";

const schema = {
  fields: [
    {
      column_name: "leads.status",
      type: "choice",
      options: [{ value: "new", label: "New", color: "blue" }],
    },
    { column_name: "leads.amount", type: "money" },
    { column_name: "leads.created", type: "date-time" },
  ],
} as unknown as RecordTypeSchema;

const header = (name: string, more: Partial<ListHeader> = {}) => ({ name, column_name: name, label: name, ...more });
const status = header("leads.status", { type: "choice", alias: "Status" });
const month = header("month(leads.created)", { type: "date-time", period: "month" });
const count = header("Leads", { column_name: "count(leads.id)", type: "integer", aggregate: "count" });
const sum = header("Amount", { column_name: "sum(leads.amount)", type: "decimal", aggregate: "sum", currency: "EUR" });

const drawn = (headers: readonly object[], rows: readonly ListRow[], chart: Record<string, string> = {}) =>
  chartData({ header: headers, rows, chart } as unknown as ListPage, {
    schema,
    formats: formatsOf({ locale: "en-GB" }),
    words: { none: "Not set", yes: "Yes", no: "No" },
    timeZone: "UTC",
    today: "2026-03-14",
  });

test("a slice has its label, its color, its figures and the condition behind it", () => {
  const data = drawn(
    [status, count, sum],
    [
      { "leads.status": "new", Status: "New", Leads: "3", Amount: "1234567.50" },
      { "leads.status": null, Status: null, Leads: "1", Amount: null },
    ],
    { value: "Amount" },
  );
  expect(data.slices).toEqual([
    { key: "new", label: "New", color: "blue", condition: { "leads.status": "new" }, values: ["3", "1234567.50"] },
    {
      key: null,
      label: "Not set",
      color: undefined,
      condition: { "leads.status": { op: "is null" } },
      values: ["1", null],
    },
  ]);
  expect(data.drawn).toBe(1);
  expect(data.measures.map(({ text }, index) => text(data.slices[0]?.values[index] ?? null))).toEqual([
    "3",
    "€1,234,568",
  ]);
  expect(data.measures[1]?.text("12.5")).toBe("€12.50");
  expect(data.measures[1]?.text(null)).toBe("–");
});

test("months in which nothing happened are there, with nothing", () => {
  const rows = ["2025-11-01", "2026-02-01"].map((day) => ({ "month(leads.created)": day, Leads: "2" }));
  const { slices, by } = drawn([month, count], rows);
  expect(by?.period).toBe("month");
  expect(slices.map(({ label, values }) => [label, values[0]])).toEqual([
    ["Nov 2025", "2"],
    ["Dec 2025", "0"],
    ["Jan 2026", "0"],
    ["Feb 2026", "2"],
  ]);
});

test("a second group makes series, whose parts add up", () => {
  const rows = [
    { "month(leads.created)": "2026-01-01", "leads.status": "new", Status: "New", Leads: "2" },
    { "month(leads.created)": "2026-01-01", "leads.status": "old", Status: "Old", Leads: "5" },
    { "month(leads.created)": "2026-02-01", "leads.status": "new", Status: "New", Leads: "1" },
  ];
  const { slices, series } = drawn([month, status, count], rows, { category: "month(leads.created)" });
  expect(slices.map(({ values }) => values[0])).toEqual(["7", "1"]);
  expect(series?.map(({ label, points }) => [label, points.map(({ value }) => value)])).toEqual([
    ["New", ["2", "1"]],
    ["Old", ["5", null]],
  ]);
  expect(series?.[1]?.points[0]?.condition).toMatchObject({ "leads.status": "old" });
});

test("without a group there is one slice of everything", () => {
  const { by, slices } = drawn([sum], [{ Amount: "10" }]);
  expect([by, slices.length, slices[0]?.condition]).toEqual([undefined, 1, {}]);
});

test("amounts that were converted say by rates of which day; those without a rate are told by currency and not drawn", () => {
  const converted = drawn(
    [status, { ...sum, rate_date: "2026-11-13" }],
    [
      {
        "leads.status": "new",
        Amount: "112.50",
        "Amount.currency": "EUR",
        "Amount.by_currency": "EUR 10.00, USD 120.00",
      },
    ],
  );
  expect([converted.rateDate, converted.isMixed, converted.slices[0]?.texts]).toEqual(["2026-11-13", false, undefined]);
  const without = drawn(
    [status, sum],
    [{ "leads.status": "new", Amount: null, "Amount.by_currency": "EUR 10.00, KWD 5.000" }],
  );
  expect([without.isMixed, without.slices[0]?.texts]).toEqual([true, ["€10.00 + KWD\u00a05.000"]]);
});

test("groups that are each in a currency of their own show it, and are not drawn side by side", () => {
  const row = (code: string, amount: string) => ({ "leads.status": code, Amount: amount, "Amount.currency": code });
  const data = drawn([status, { ...sum, currency: null }], [row("EUR", "10.00"), row("USD", "5.00")]);
  expect([data.isMixed, data.slices.map(({ texts }) => texts)]).toEqual([true, [["€10.00"], ["US$5.00"]]]);
});

test("series of amounts add up exactly", () => {
  const rows = ["0.10", "0.20"].map((amount, index) => ({
    "month(leads.created)": "2026-01-01",
    "leads.status": String(index),
    Amount: amount,
    "Amount.currency": "EUR",
  }));
  expect(drawn([month, status, sum], rows).slices[0]?.values).toEqual(["0.30"]);
});

test("the period that today is in is not over, where it is the last one", () => {
  const runningOf = (...months: readonly string[]) =>
    drawn(
      [month, count],
      months.map((day) => ({ "month(leads.created)": day, Leads: "1" })),
    ).running;
  expect(runningOf("2026-02-01", "2026-03-01")).toBe(1);
  expect(runningOf("2026-01-01", "2026-02-01")).toBeUndefined();
  expect(runningOf("2026-03-01", "2026-04-01")).toBeUndefined();
  expect(drawn([status, count], [{ "leads.status": "new", Leads: "3" }]).running).toBeUndefined();
});
