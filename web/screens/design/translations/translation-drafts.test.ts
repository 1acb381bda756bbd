import { expect, test } from "vitest";
import { batchesOf, noDrafts, readDrafts, withDraft, withoutSent, writeDrafts } from "./translation-drafts.ts";

const typed = (language: string, label: string, text: string, drafts = noDrafts) =>
  withDraft(drafts, language, label, text);

test("a language whose last draft is taken away is not sent", () => {
  const drafts = typed("fr", "Van", "Camion", withDraft(typed("de", "Van", "x"), "de", "Van", undefined));
  expect(batchesOf(drafts)).toEqual([{ language: "fr", labels: new Map([["Van", "Camion"]]) }]);
});

test("an empty text is sent: it takes a translation away", () => {
  expect(batchesOf(typed("de", "Van", ""))).toEqual([{ language: "de", labels: new Map([["Van", ""]]) }]);
});

test("at most 500 are sent at once, each once", () => {
  let drafts = noDrafts;
  for (let index = 0; index < 1001; index += 1) drafts = typed("de", `Label ${index}`, "x", drafts);
  const batches = batchesOf(drafts);
  expect(batches.map(({ labels }) => labels.size)).toEqual([500, 500, 1]);
  expect(new Set(batches.flatMap(({ labels }) => [...labels.keys()])).size).toBe(1001);
});

test("what is typed while others are sent is kept", () => {
  const before = typed("de", "Plate", "Schild", typed("de", "Van", "Bus"));
  const later = typed("fr", "Van", "Camion", typed("de", "Plate", "Kennzeichen", before));
  expect(withoutSent(later, batchesOf(before))).toEqual(
    new Map([
      ["de", new Map([["Plate", "Kennzeichen"]])],
      ["fr", new Map([["Van", "Camion"]])],
    ]),
  );
  expect(withoutSent(before, batchesOf(before)).size).toBe(0);
});

test("drafts are read as they were written, and what is none is no draft", () => {
  const drafts = typed("fr", "__proto__", "x", typed("de", "Van", "Bus"));
  expect(readDrafts(writeDrafts(drafts))).toEqual(drafts);
  for (const text of [null, "", "{}", "[1]"]) expect(readDrafts(text)).toBe(noDrafts);
});
