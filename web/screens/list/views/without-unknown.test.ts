import { expect, test } from "vitest";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { withoutUnknown } from "./without-unknown.ts";

const schema = {
  recordType: { display_field: "deals.name" },
  fields: [{ name: "name" }, { name: "stage" }],
} as unknown as RecordTypeSchema;

test("what is not there for the reader is left out wherever it stands, and the rest stays as it is", () => {
  const draft = {
    fields: ["deals.name", "deals.amount", "deals.owned_by.name", "deals.stage as Stage"],
    where: [{ "deals.stage": "won" }, { OR: [{ "deals.amount": { op: ">", value: 5 } }] }],
    order: ["deals.amount DESC", "deals.name ASC"],
    columns: { "deals.amount": { pinned: "1" as const }, "deals.name": { pinned: "1" as const } },
  };
  expect(withoutUnknown(draft, schema)).toEqual({
    fields: ["deals.name", "deals.owned_by.name", "deals.stage as Stage"],
    where: [{ "deals.stage": "won" }],
    order: ["deals.name ASC"],
    columns: { "deals.name": { pinned: "1" } },
  });
});

test("figures of it go too, and a picture of it becomes a table", () => {
  const draft = {
    fields: ["deals.stage", "sum(deals.amount)", "count(deals.id)"],
    group: ["deals.stage"],
    ui_helper: "pie" as const,
    chart: { category: "deals.stage", value: "sum(deals.amount)" },
  };
  const withId = { ...schema, fields: [...schema.fields, { name: "id" }] } as unknown as RecordTypeSchema;
  expect(withoutUnknown(draft, withId)).toEqual({ fields: ["deals.stage", "count(deals.id)"], group: ["deals.stage"] });
});

test("where everything is there, nothing is left out", () => {
  expect(withoutUnknown({ fields: ["deals.name"], where: { "deals.stage": "won" } }, schema)).toBeUndefined();
});
