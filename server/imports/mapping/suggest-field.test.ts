// Names for fields that columns become: none that saving the design would refuse.
import { expect, test } from "vitest";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { suggestField, takenNames } from "./suggest-field.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const habits = { dateOrder: "ymd", decimalSign: "." } as const;

test.each([
  ["Action", "action_2"],
  ["constructor", "constructor_2"],
  ["__proto__", "proto"],
  ["Search text", "search_text_2"],
  ["ctid", "ctid_2"],
  ["id", "id_2"],
  // Associations, and columns of a field that has several.
  ["Addresses", "addresses_2"],
  ["Billing address city", "billing_address_city_2"],
  ["Shoe size", "shoe_size"],
  ["123", "field_123"],
  ["", "field"],
  ["名前", "field"],
])("a column %j becomes %s", (column, name) => {
  const taken = takenNames(requireType(snapshot, "crm/companies"));
  expect(suggestField(column, [], habits, "", taken).name).toBe(name);
});
