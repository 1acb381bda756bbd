import { expect, test } from "vitest";
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import { type Aggregate, datesOf, isPossible, numbersOf, readShowAs, writeShowAs } from "./show-as-draft.ts";

const field = (name: string, type: string, more: object = {}) => ({
  name,
  column_name: `leads.${name}`,
  label: name,
  type,
  permission: 2,
  ...more,
});

const schema = {
  recordType: { key: "crm/leads", display_field: "leads.name" },
  fields: [
    field("name", "short-text"),
    field("status", "choice"),
    field("amount", "money"),
    field("country_id", "reference", { to: "masters/countries" }),
    field("created", "date-time", { system: true }),
  ],
} as unknown as RecordTypeSchema;

const table = { fields: ["leads.name", "leads.status"], where: { "leads.status": "new" }, order: ["leads.name ASC"] };

test("a table becomes a chart of what it was about, and the same table again", () => {
  const start = readShowAs("bar", table, schema);
  expect(start).toMatchObject({ by: "leads.status", aggregate: "count" });
  const bar = writeShowAs({ ...start, aggregate: "sum", of: "leads.amount" }, table, table, schema);
  expect(bar).toEqual({
    where: { "leads.status": "new" },
    fields: ["leads.status", "sum(leads.amount)"],
    group: ["leads.status"],
    ui_helper: "bar",
    chart: { category: "leads.status", value: "sum(leads.amount)" },
  });
  expect(readShowAs("bar", bar, schema)).toMatchObject({ by: "leads.status", aggregate: "sum", of: "leads.amount" });
  expect(writeShowAs(readShowAs("table", bar, schema), bar, table, schema)).toEqual({ ...table, ui_helper: "table" });
});

test("a figure is compared by a date, says which way is good, and a chart keeps the date beside its groups", () => {
  const start = readShowAs("number", table, schema);
  const figure = writeShowAs({ ...start, date: "leads.created", better: "lower" }, table, table, schema);
  expect(figure.chart).toEqual({ value: "count(leads.id)", date: "leads.created", better: "lower" });
  expect(readShowAs("number", figure, schema)).toMatchObject({ date: "leads.created", better: "lower" });
  expect(writeShowAs({ ...start, better: "lower" }, table, table, schema).chart).toEqual({ value: "count(leads.id)" });
  expect(readShowAs("kanban", figure, schema).of).toBeUndefined();
  const bar = writeShowAs({ ...readShowAs("bar", table, schema), date: "leads.created" }, table, table, schema);
  expect(readShowAs("bar", bar, schema)).toMatchObject({ by: "leads.status", date: "leads.created" });
  expect(datesOf(schema).map(({ name }) => name)).toEqual(["created"]);
});

test("dates are grouped by their period, references by how much they come to", () => {
  const line = writeShowAs({ ...readShowAs("line", table, schema), period: "week" }, table, table, schema);
  expect(line.group).toEqual(["week(leads.created)"]);
  expect(readShowAs("line", line, schema)).toMatchObject({ by: "leads.created", period: "week" });
  const map = writeShowAs(readShowAs("geo", table, schema), table, table, schema);
  expect(map).toMatchObject({ order: ["count(leads.id) DESC"], chart: { region: "leads.country_id" } });
});

test("what shipped views say is understood, with their aliases", () => {
  const saved = {
    fields: ["month(leads.created)", "sum(leads.amount) as Amount"],
    group: ["month(leads.created)"],
    chart: { category: "month(leads.created)", value: "Amount" },
  };
  expect(readShowAs("line", saved, schema)).toEqual({
    kind: "line",
    by: "leads.created",
    period: "month",
    aggregate: "sum",
    of: "leads.amount",
  });
});

test("boards and figures need no more than they need", () => {
  expect(writeShowAs(readShowAs("kanban", table, schema), table, table, schema)).toEqual({
    ...table,
    ui_helper: "kanban",
    chart: { lanes: "leads.status" },
  });
  expect(writeShowAs(readShowAs("number", table, schema), table, table, schema)).toEqual({
    where: table.where,
    fields: ["count(leads.id)"],
    ui_helper: "number",
    chart: { value: "count(leads.id)" },
  });
  const bare = { ...schema, fields: schema.fields.slice(0, 1) };
  expect([isPossible("kanban", bare), isPossible("number", bare), isPossible("calendar", bare)]).toEqual([
    false,
    true,
    false,
  ]);
});

test("a measure offers the fields that it can be worked out of", () => {
  const fields = [
    field("amount", "money"),
    field("stars", "rating"),
    field("due", "date"),
    field("name", "short-text"),
  ];
  const namesOf = (aggregate: Aggregate) =>
    numbersOf({ ...schema, fields } as unknown as RecordTypeSchema, aggregate).map(({ name }) => name);
  expect([namesOf("sum"), namesOf("avg"), namesOf("count")]).toEqual([["amount"], ["amount", "stars"], []]);
});
