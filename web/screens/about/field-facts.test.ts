import { expect, test } from "vitest";
import type { SchemaField } from "../../../client/design/record-types.ts";
import { fieldProperties, matchesText } from "./field-facts.ts";

test("finds by every word, in any place, without regard to case and accents", () => {
  expect(matchesText("", ["Name"])).toBe(true);
  expect(matchesText("NAM ref", ["Name", "Reference"])).toBe(true);
  expect(matchesText("prenom", ["Prénom"])).toBe(true);
  expect(matchesText("name date", ["Name", "Text"])).toBe(false);
});

test("names the properties that hold", () => {
  const field: SchemaField = {
    name: "created",
    column_name: "leads.created",
    label: "Created",
    type: "date-time",
    operators: [],
    data_type: "DATETIME",
    sortable: true,
    searchable: false,
    required: false,
    permission: 4,
  };
  expect(fieldProperties(field)).toEqual(["read_only", "sortable"]);
  expect(fieldProperties({ ...field, permission: 2, required: true, sortable: false })).toEqual(["required"]);
});
