import { expect, test } from "vitest";
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { SavedView } from "../../client/lists/saved-views.ts";
import { generatedViewId } from "../../contract/generated-view.ts";
import { recordsHref } from "./records-href.ts";

const schema = {
  recordType: { key: "crm/leads", display_field: "leads.name" },
  fields: [{ column_name: "leads.name" }, { column_name: "leads.status" }, { column_name: "leads.id", system: true }],
} as unknown as RecordTypeSchema;

type Known = Pick<SavedView, "id" | "kind" | "isDefault" | "query">;

const view = (id: string, more: Partial<Known>): Known => ({
  id,
  isDefault: false,
  kind: "table",
  query: { fields: ["leads.name"] },
  ...more,
});

const parametersOf = (href: string) => Object.fromEntries(new URL(href, "http://a").searchParams);

test("records are listed in the whole table that people know, narrowed by every condition", () => {
  const views = [
    view("mine", { query: { where: { "leads.owned_by": "1" } }, isDefault: true }),
    view("chart", { kind: "pie" }),
    view("all", {}),
  ];
  const conditions = [{ "leads.status": { op: "in", value: ["new"] } }, {}, { "leads.source": "web" }];
  const { view: chosen, q, search } = parametersOf(recordsHref({ schema, views, conditions, search: "ada" }));
  expect([chosen, search]).toEqual(["all", "ada"]);
  expect(JSON.parse(q ?? "")).toEqual({
    fields: ["leads.name"],
    where: [{ "leads.status": { op: "in", value: ["new"] } }, { "leads.source": "web" }],
  });
});

test("without such a table the record type's own columns make one", () => {
  const { view: chosen, q } = parametersOf(
    recordsHref({ schema, views: [], conditions: [{ "leads.source": "web" }], search: undefined }),
  );
  expect(chosen).toBe(generatedViewId("crm/leads"));
  expect(JSON.parse(q ?? "").fields).toEqual(["leads.name", "leads.status"]);
});
