import { expect, test } from "vitest";
import type { FoundFile, ImportField } from "../../../client/records/imports.ts";
import {
  applySettings,
  type Choices,
  choicesOf,
  correct,
  countCorrections,
  fieldsToChoose,
  fits,
  hindrance,
  isToldWhole,
  keyFields,
  lackingFields,
  mapColumn,
  ownOf,
  requestOf,
  setDefault,
  setMissing,
  settingsOf,
  withKey,
} from "./choices.ts";

const field = (path: string, more: Partial<ImportField> = {}): ImportField => ({
  path,
  label: path,
  type: "short-text",
  required: 0,
  unique: 0,
  is_child: 0,
  references: null,
  ...more,
});

const column = (name: string, target: string | null) => ({ name, target, by: null, samples: [], new_field: null });

const found: FoundFile = {
  file: { id: "7", name: "leads.csv", size: 10 },
  dialect: {
    format: "csv",
    encoding: "utf-8",
    separator: ",",
    quote: '"',
    header_row: 1,
    sheet: "",
    sheets: [],
    date_order: "dmy",
    decimal_sign: ".",
  },
  columns: [column("Name", "last_name"), column("Mail", "email"), column("Town", null), column("Firm", "company_id")],
  rows: [],
  field_types: [],
  fields: [
    field("last_name", { required: 1 }),
    field("email", { unique: 1 }),
    field("status", { required: 1 }),
    field("company_id", { references: "crm/companies" }),
    field("billing_address.city"),
    field("addresses.1.city", { is_child: 1, label: "Addresses 1: City" }),
    field("addresses.1.zip", { is_child: 1, label: "Addresses 1: Zip" }),
  ],
  key: ["email"],
  mode: "upsert",
  grouped: 0,
};

const first = choicesOf(found);
const fieldsOf = ({ mapping }: Choices) =>
  Object.fromEntries(Object.entries(mapping).map(([name, one]) => [name, one.field]));

test("begins with what was proposed", () => {
  expect(fieldsOf(first)).toEqual({ Name: "last_name", Mail: "email", Firm: "company_id" });
  expect([first.mode, first.key]).toEqual(["upsert", ["email"]]);
});

test("a field takes one column: choosing it for another takes it from the first", () => {
  expect(fieldsOf(mapColumn(first, "Town", "email"))).toEqual({ Name: "last_name", Town: "email", Firm: "company_id" });
});

test("a column that is left out takes its field out of the key, and then something is missing", () => {
  const without = mapColumn(first, "Mail", null);
  expect(without.key).toEqual([]);
  expect(hindrance(without)).toBe("no_key");
  expect(hindrance({ ...without, mode: "add" })).toBeUndefined();
  expect(hindrance({ ...without, mode: "add", grouped: true })).toBe("no_key");
  expect(hindrance({ ...first, mapping: {} })).toBe("nothing_mapped");
});

test("records are found by fields that the file has, or that have a default", () => {
  expect(withKey(first, ["email", "status"]).key).toEqual(["email"]);
  expect(withKey(setDefault(first, "status", "new"), ["email", "status"]).key).toEqual(["email", "status"]);
  const withChild = mapColumn(first, "Town", "addresses.1.city");
  expect(keyFields(found, withChild).map(({ path }) => path)).toEqual(["last_name", "email", "company_id"]);
});

test("a column takes the place of a default", () => {
  const chosen = setDefault(first, "status", "new");
  expect(mapColumn(chosen, "Town", "status").defaults).toEqual({});
  expect(setDefault(chosen, "status", undefined).defaults).toEqual({});
});

test("required fields that no column brings are told, unless nothing is added", () => {
  expect(lackingFields(found, first).map(({ path }) => path)).toEqual(["status"]);
  expect(lackingFields(found, { ...first, mode: "update" })).toEqual([]);
  expect(lackingFields(found, mapColumn(first, "Town", "status"))).toEqual([]);
});

test("of children there is room for one more than there is", () => {
  const paths = (choices: Choices) =>
    fieldsToChoose(found, choices).flatMap(({ path, label, is_child: child }) => (child ? [[path, label]] : []));
  expect(paths(first)).toEqual([
    ["addresses.1.city", "Addresses 1: City"],
    ["addresses.1.zip", "Addresses 1: Zip"],
  ]);
  expect(paths(mapColumn(first, "Town", "addresses.1.city"))).toEqual([
    ["addresses.1.city", "Addresses 1: City"],
    ["addresses.2.city", "Addresses 2: City"],
    ["addresses.1.zip", "Addresses 1: Zip"],
    ["addresses.2.zip", "Addresses 2: Zip"],
  ]);
});

test("what is sent has only what was chosen, and reads days and numbers as the preview does", () => {
  expect(requestOf({ file: found.file, choices: first, dialect: {} }, found, true)).toEqual({
    file: "7",
    date_order: "dmy",
    decimal_sign: ".",
    mapping: { Name: "last_name", Mail: "email", Firm: "company_id" },
    mode: "upsert",
    key: "email",
    empty: "leave",
    defaults: {},
    corrections: {},
    dry_run: "1",
  });
  const chosen = {
    ...setDefault(
      setDefault(mapColumn(setMissing(first, "Firm", "create"), "Town", "addresses.1.city"), "status", ""),
      "x",
      "1",
    ),
    grouped: true,
    allowsDuplicates: true,
  };
  expect(settingsOf(chosen, { separator: ";", quote: "" })).toEqual({
    separator: ";",
    quote: "none",
    mapping: {
      Name: "last_name",
      Mail: "email",
      Firm: { field: "company_id", missing: "create" },
      Town: "addresses.city",
    },
    mode: "upsert",
    key: "email",
    empty: "leave",
    defaults: { x: "1" },
    grouped: "1",
    override_duplicates: "1",
  });
});

test("empty cells clear only where that can be chosen: a new record keeps what it starts with", () => {
  const clearing = { ...first, empty: "clear" } as const;
  const sent = (["add", "update", "upsert", "skip"] as const).map(
    (mode) => settingsOf({ ...clearing, mode }, {}).empty,
  );
  expect(sent).toEqual(["leave", "clear", "clear", "leave"]);
});

test("a saved mapping brings back what was saved, without columns and fields that are gone", () => {
  const chosen = {
    ...mapColumn(setMissing(first, "Firm", "empty"), "Town", "addresses.1.city"),
    grouped: true,
    empty: "clear" as const,
  };
  const settings = settingsOf(chosen, {});
  expect(applySettings(found, first, settings)).toEqual(chosen);
  const other = { ...found, columns: found.columns.slice(0, 1), fields: found.fields.slice(0, 1) };
  expect(fieldsOf(applySettings(other, choicesOf(other), settings))).toEqual({ Name: "last_name" });
  const defaults = { last_name: "Unknown", bonus: "500" };
  expect(applySettings(other, choicesOf(other), { ...settings, defaults }).defaults).toEqual({ last_name: "Unknown" });
});

test("a saved mapping finds fields by what they were called before", () => {
  const named = {
    ...found,
    fields: [
      { ...field("label_code"), aliases: ["sticker"] },
      { ...field("addresses.1.town", { is_child: 1 }), aliases: ["addresses.1.place"] },
    ],
    columns: [column("Code", null), column("Town 2", null)],
  };
  const settings = {
    mapping: { Code: "sticker", "Town 2": "addresses.2.place" },
    mode: "upsert" as const,
    key: "sticker",
    defaults: {},
  };
  const chosen = applySettings(named, choicesOf(named), settings);
  expect(fieldsOf(chosen)).toEqual({ Code: "label_code", "Town 2": "addresses.2.town" });
  expect(chosen.key).toEqual(["label_code"]);
});

test("an export with children is taken up as rows that belong together", () => {
  const columns = [column("Addresses: City", "addresses.city"), column("Mail", "email")];
  const chosen = choicesOf({ ...found, columns, grouped: 1 });
  expect(fieldsOf(chosen)).toEqual({ "Addresses: City": "addresses.1.city", Mail: "email" });
  expect(settingsOf(chosen, {})).toMatchObject({ grouped: "1", mapping: { "Addresses: City": "addresses.city" } });
  const labels = fieldsToChoose(found, chosen).map(({ label }) => label);
  expect(labels).toContain("Addresses: Zip");
  expect(labels).not.toContain("Addresses 1: Zip");
});

test("choices fit a file that has all of their columns", () => {
  expect(fits(first, found)).toBe(true);
  expect(fits(first, { columns: found.columns.slice(1) })).toBe(false);
});

test("corrections are kept by row and column, until the cell says what the file says", () => {
  const one = correct({}, 4, "price", "7");
  const two = correct(one, 4, "state", "ok");
  expect(two).toEqual({ 4: { price: "7", state: "ok" } });
  expect(countCorrections(two)).toBe(2);
  expect(correct(correct(two, 4, "price", undefined), 4, "state", undefined)).toEqual({});
  expect(one).toEqual({ 4: { price: "7" } });
});

test.each(["constructor", "__proto__", "toString"])("a column called %s has only what was chosen for it", (name) => {
  expect(ownOf(first.mapping, name)).toBeUndefined();
  expect(setMissing(first, name, "create")).toBe(first);
  expect(ownOf(mapColumn(first, name, "email").mapping, name)).toEqual({ field: "email", missing: "report" });
  expect(ownOf(correct({}, 4, "price", "7")[4], name)).toBeUndefined();
  expect(ownOf(correct({}, 4, name, "7")[4], name)).toBe("7");
});

test("a cell of which only the beginning is told is not corrected in its place: the rest would be lost", () => {
  expect([null, "", "x".repeat(199), "x".repeat(200)].map(isToldWhole)).toEqual([true, true, true, false]);
});
