import { expect, test } from "vitest";
import type { ListPage } from "../../../../client/lists/lists.ts";
import { patchPage } from "./patch-rows.ts";

const page = {
  idColumn: "leads.id",
  header: [{ column_name: "leads.owned_by", alias: "Owned By" }, { column_name: "leads.score" }],
  rows: [
    { "leads.id": "1", "leads.score": "5" },
    { "leads.id": "2", "leads.owned_by": "7", "Owned By": "Ada" },
  ],
} as unknown as ListPage;

test("a value is put into its row, a reference with what it is called, and nothing else changes", () => {
  const next = patchPage(page, "2", "leads.owned_by", { value: "8", text: "Bea" });
  expect(next.rows[1]).toEqual({ "leads.id": "2", "leads.owned_by": "8", "Owned By": "Bea" });
  expect(next.rows[0]).toBe(page.rows[0]);
  expect(patchPage(page, "3", "leads.score", { value: "1" })).toBe(page);
  expect(patchPage(page, "1", "leads.city", { value: "1" })).toBe(page);
});
