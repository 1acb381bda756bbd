import { expect, test } from "vitest";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import type { ListHeader, ListPage } from "../../../../client/lists/lists.ts";
import { columnsOf } from "./columns.ts";

const header = (more: Partial<ListHeader>): ListHeader => ({
  column_name: "leads.name",
  expression: "leads.name",
  pinned: "0",
  name: "name",
  label: "Name",
  type: "short-text",
  field_type: "Data-Field",
  sortable: true,
  visible: 1,
  clickable_link: "0",
  compute_column_total: "0",
  column_total_text: null,
  width: null,
  ...more,
});

const field = (name: string, to?: string): SchemaField => ({
  name,
  column_name: `leads.${name}`,
  label: name,
  type: to === undefined ? "short-text" : "reference",
  data_type: "VAR_STRING",
  operators: [],
  sortable: true,
  searchable: true,
  required: false,
  permission: 2,
  to: to ?? null,
});

const schema = {
  recordType: { icon: "user-plus", display_field: "leads.name" },
  fields: [field("name"), field("owned_by", "access_controls/users"), field("currency_id", "masters/currencies")],
  belongsTo: [],
  hasMany: [],
} as unknown as RecordTypeSchema;

const columnsFor = (headers: readonly ListHeader[]) =>
  columnsOf({ header: headers, group: [] as readonly string[] } as ListPage, schema);

test("hidden columns are left out, and the first one leads to the record", () => {
  const columns = columnsFor([header({ visible: 0 }), header({ label: "A" }), header({ label: "B", width: "20" })]);
  expect(columns.map(({ label, opens }) => [label, opens])).toEqual([
    ["A", true],
    ["B", false],
  ]);
  expect(columns[1]?.width).toBe(64);
});

test("only what a person or company is called has a face beside it", () => {
  const face = (icon: string, group: readonly string[] = []) => {
    const headers = [header({ column_name: "leads.name" }), header({ column_name: "leads.city" })];
    const page = { header: headers, group, rows: [], total: 1 } as unknown as ListPage;
    return columnsOf(page, { ...schema, recordType: { ...schema.recordType, icon } }).map((column) => column.face);
  };
  expect(face("user-plus")).toEqual(["round", undefined]);
  expect(face("building")).toEqual(["square", undefined]);
  expect(face("target")).toEqual([undefined, undefined]);
  expect(face("user-plus", ["leads.name"])).toEqual([undefined, undefined]);
});

test("a reference shows its text and leads to its record", () => {
  const [column] = columnsFor([header({ column_name: "leads.owned_by", alias: "Owned By", type: "reference" })]);
  expect(column?.shown({ "leads.owned_by": "10", "Owned By": "Oliver" })).toMatchObject({
    value: "10",
    text: "Oliver",
    href: "/access_controls/users/view?id=10",
  });
  expect(column?.shown({ "leads.owned_by": null, "Owned By": null })).toBeUndefined();
});

test("an amount takes its currency from the row", () => {
  const [amount, aliased] = columnsFor([
    header({ column_name: "leads.amount", type: "money" }),
    header({ column_name: "leads.amount", alias: "worth", type: "money" }),
  ]);
  expect(amount?.shown({ "leads.amount": "5.00", "leads.amount.currency": "EUR" })?.currency).toBe("EUR");
  expect(aliased?.shown({ worth: "5.00", "worth.currency": "JPY" })?.currency).toBe("JPY");
  expect(amount?.shown({ "leads.amount": "5.00" })?.currency).toBeUndefined();
});

test("sums of groups are amounts, told by currency where a rate is missing, and then without a total", () => {
  const headers = [
    header({ column_name: "leads.status" }),
    header({
      column_name: "sum(leads.amount)",
      name: "Sum",
      alias: "Sum",
      aggregate: "sum",
      type: "decimal",
      currency: "EUR",
    }),
  ];
  const rows = [
    { "leads.status": "new", Sum: "1.00", "Sum.currency": "EUR", "Sum.by_currency": null },
    { "leads.status": "won", Sum: null, "Sum.currency": null, "Sum.by_currency": "EUR 1.00, KWD 2.000" },
  ];
  const [, sum] = columnsOf(
    { header: headers, group: ["leads.status"], rows, total: 2 } as unknown as ListPage,
    schema,
  );
  expect(sum?.field.type).toBe("money");
  expect(rows.map((row) => sum?.shown(row))).toMatchObject([
    { value: "1.00", currency: "EUR" },
    { value: "", byCurrency: "EUR 1.00, KWD 2.000" },
  ]);
  expect(sum?.total).toBeUndefined();
});

test("pinned columns come first and stay; where none is, the first one does", () => {
  const look = (headers: readonly ListHeader[]) => columnsFor(headers).map(({ label, pinned }) => [label, pinned]);
  expect(look([header({ label: "A" }), header({ label: "B", pinned: "1" })])).toEqual([
    ["B", true],
    ["A", false],
  ]);
  expect(look([header({ label: "A" }), header({ label: "B" })])).toEqual([
    ["A", true],
    ["B", false],
  ]);
});

test("numbers and sums of groups have a total, means have none, nor where not all groups are here", () => {
  const rows = [
    { "leads.status": "new", Count: "2", Sum: "0.10", Mean: "1" },
    { "leads.status": "won", Count: "3", Sum: "0.20", Mean: "3" },
  ];
  const headers = [
    header({ column_name: "leads.status" }),
    header({ column_name: "count(leads.id)", alias: "Count", aggregate: "count", type: "integer" }),
    header({ column_name: "sum(leads.amount)", alias: "Sum", aggregate: "sum", type: "decimal" }),
    header({ column_name: "avg(leads.score)", alias: "Mean", aggregate: "avg", type: "decimal" }),
  ];
  const totals = (total: number) =>
    columnsOf({ header: headers, group: ["leads.status"], rows, total } as unknown as ListPage, schema).map(
      (column) => column.total?.text,
    );
  expect(totals(2)).toEqual([undefined, "5", "0.30", undefined]);
  expect(totals(900)).toEqual([undefined, undefined, undefined, undefined]);
});
