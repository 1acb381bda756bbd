import { expect, test } from "vitest";
import { allOf, readDraft, rowsOnly, spellDraft, withoutLook, writeDraft } from "./list-draft.ts";

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

test("how rows look makes no other list", () => {
  const rows = { where: { "leads.status": "new" }, fields: ["leads.name"] };
  const look = {
    row_height: "tall",
    colors: [{ where: { "leads.status": "new" }, color: "red", paint: "row" }],
  } as const;
  expect(rowsOnly(JSON.stringify({ ...rows, ...look }))).toBe(JSON.stringify(rows));
  expect(spellDraft(withoutLook({ ...look, ...rows }))).toBe(spellDraft(rows));
  // What the service will refuse is still sent.
  for (const text of ["{nonsense", '{"colors":5}', JSON.stringify(rows)]) expect(rowsOnly(text)).toBe(text);
});

test("conditions add up, however they are written", () => {
  expect(allOf({ a: "1" }, undefined, [{ b: null }, { c: "2" }])).toEqual([{ a: "1" }, { b: null }, { c: "2" }]);
});
