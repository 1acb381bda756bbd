import { expect, test } from "vitest";
import { wireRule } from "../../../contract/rules.ts";
import { fieldTypes } from "../../../server/fields/index.ts";
import { checkValue } from "./check-value.ts";

test.each(Object.entries(fieldTypes))("refuses nothing that the service takes: %s", (id, type) => {
  const settings = type.settings.parse(type.examples.settings);
  // biome-ignore lint/suspicious/noExplicitAny: every type has a field of its own settings, which only the registry knows.
  const rules = (type as any).rules?.({ name: "field", label: "Field", type: id, settings }) ?? [];
  for (const { sent } of type.examples.good) {
    if (typeof sent === "string" && sent !== "" && sent !== "null") {
      expect([sent, checkValue(rules, sent, undefined)]).toEqual([sent, []]);
    }
  }
});

test("says what is wrong in the words of the rule", () => {
  const whole = [{ rule: wireRule.integer, params: [], message: "Score must be a whole number" }];
  expect(checkValue(whole, "many", undefined)).toEqual(["Score must be a whole number"]);
  expect(checkValue([{ rule: "max", params: [100], message: "at most 100" }], "101", undefined)).toEqual([
    "at most 100",
  ]);
  expect(checkValue([{ rule: "decimal", params: [19, 2], message: "two decimals" }], "1.005", undefined)).toEqual([
    "two decimals",
  ]);
  expect(checkValue([{ rule: wireRule.email, params: [274], message: "no address" }], "tove@", undefined)).toEqual([
    "no address",
  ]);
  expect(checkValue([], "  ", "Name is required")).toEqual(["Name is required"]);
  expect(checkValue([], null, undefined)).toEqual([]);
});
