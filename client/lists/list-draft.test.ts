import { expect, test } from "vitest";
import { allOf, readDraft, writeDraft } from "./list-draft.ts";

test("a draft is read as it was written, and says nothing where there is nothing to say", () => {
  const draft = { where: { "leads.status": "new" }, ui_helper: "pie", chart: { value: "Leads" } } as const;
  expect(readDraft(writeDraft(draft))).toEqual(draft);
  expect(writeDraft({})).toBeUndefined();
  expect(readDraft(undefined)).toEqual({});
});

test("what is no draft is left for the service to refuse", () => {
  expect(readDraft("{nonsense")).toEqual({});
  expect(readDraft("[1]")).toEqual({});
});

test("conditions add up, however they are written", () => {
  expect(allOf({ a: "1" }, undefined, [{ b: null }, { c: "2" }])).toEqual([{ a: "1" }, { b: null }, { c: "2" }]);
});
