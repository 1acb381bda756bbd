import { expect, test } from "vitest";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { checkForm } from "./check-form.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

test("a form whose options are gone is saved as it is, and with other changes", () => {
  const form = (...conditions: string[]) =>
    JSON.stringify({ sections: conditions.map((one) => ({ section: one, if_condition: one, elements: [] })) });
  const gone = 'rating = "gone"';
  const isRefused = (text: string, stored?: string | null) => !checkForm(text, leads, snapshot, stored).ok;
  expect(isRefused(form(gone))).toBe(false);
  expect(isRefused(form(gone, 'rating = "hot"'), form(gone))).toBe(false);
  expect(isRefused(form(gone, 'rating = "icy"'), form(gone))).toBe(true);
  expect(isRefused(form(gone), null)).toBe(true);
});
