import { expect, test } from "vitest";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { GroupBy } from "../group/grouping.ts";
import { fitsSections } from "./sections.ts";

const field = (name: string, type: string, operators: readonly string[] = ["="]) =>
  ({ column_name: `leads.${name}`, type, operators }) as unknown as SchemaField;
const schema = {
  fields: [field("status", "choice"), field("due", "date"), field("notes", "long-text", ["contains"])],
};

test.each<[string, GroupBy, boolean]>([
  ["a choice", { column: "leads.status" }, true],
  ["a day by its month", { column: "leads.due", period: "month" }, true],
  ["a choice that was a day", { column: "leads.status", period: "month" }, false],
  ["a field without equal values", { column: "leads.notes" }, false],
  ["a field that is gone", { column: "leads.gone" }, false],
])("tells whether %s makes sections", (_, by, expected) => {
  expect(fitsSections(by, schema)).toBe(expected);
});
