import { expect, test } from "vitest";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { checkForm } from "./check-form.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

test("what a form names is there, in the conditions of its tabs and the columns of its grids too", () => {
  const placesOf = (form: object) => {
    const checked = checkForm(JSON.stringify(form), leads, snapshot);
    return checked.ok ? [] : checked.faults.map(({ at }) => at);
  };
  const sections = (columns: readonly string[]) => [{ section: "S", elements: [{ grid: "addresses", columns }] }];
  const tab = (condition: string) => ({ tabs: [{ tab: "T", if_condition: condition, sections: sections(["city"]) }] });
  expect(placesOf({ sections: sections(["city"]) })).toEqual([]);
  expect(placesOf({ sections: sections(["city", "nothing"]) })).toEqual(["addresses"]);
  expect(placesOf({ sections: sections(["related_id"]) })).toEqual(["addresses"]);
  expect(placesOf(tab('city = "Riga"'))).toEqual([]);
  expect(placesOf(tab('nothing = "Riga"'))).toEqual(["T"]);
});

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
