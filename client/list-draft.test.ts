import { expect, test } from "vitest";
import { allOf, readDraft, wireQuery, writeDraft } from "./list-draft.ts";

test("how a list is drawn stays in the app, the rest goes over the wire", () => {
  const text = writeDraft({ where: { "leads.status": "new" }, ui_helper: "pie", chart: { value: "Leads" } });
  expect(readDraft(text)).toMatchObject({ ui_helper: "pie", chart: { value: "Leads" } });
  expect(wireQuery(text)).toBe('{"where":{"leads.status":"new"}}');
  expect(wireQuery(writeDraft({ ui_helper: "pie" }))).toBeUndefined();
});

test("what is no draft is left for the service to refuse", () => {
  expect(wireQuery("{nonsense")).toBe("{nonsense");
  expect(readDraft("[1]")).toEqual({});
  expect(wireQuery(undefined)).toBeUndefined();
  expect(writeDraft({})).toBeUndefined();
});

test("conditions add up, however they are written", () => {
  expect(allOf({ a: "1" }, undefined, [{ b: null }, { c: "2" }])).toEqual([{ a: "1" }, { b: null }, { c: "2" }]);
});
