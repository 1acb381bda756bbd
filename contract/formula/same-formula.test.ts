import { expect, test } from "vitest";
import { isSameResult } from "./same-formula.ts";

test("a result is the same as long as its type, settings and formula are", () => {
  const stored = { type: "money", settings: { currencyField: "currency_id", scale: 3 } } as const;
  const computed = { kind: "formula", formula: "price + fee" } as const;
  const turned = { scale: 3, currencyField: "currency_id" };
  expect(isSameResult({ ...stored, computed }, { ...stored, settings: turned, computed })).toBe(true);
  expect(isSameResult({ ...stored, computed }, { ...stored, type: "decimal", computed })).toBe(false);
  expect(isSameResult({ ...stored, computed }, { ...stored, settings: {}, computed })).toBe(false);
  expect(isSameResult({ ...stored, computed }, { ...stored, computed: { ...computed, formula: "fee" } })).toBe(false);
});

test("a result is the same where the fields it is made of only get other names", () => {
  const renames = new Map([
    ["fee", "charge"],
    ["currency_id", "money_id"],
  ]);
  const result = (currencyField: string, formula: string) => ({
    ...{ type: "money", settings: { currencyField } },
    computed: { kind: "formula", formula },
  });
  const before = result("currency_id", "price + fee");
  expect(isSameResult(before, result("money_id", "price + charge"), renames)).toBe(true);
  expect(isSameResult(before, result("money_id", "price + charge"))).toBe(false);
  expect(isSameResult(before, result("money_id", "price - charge"), renames)).toBe(false);
  expect(isSameResult(before, result("money_id", "price + fee"), renames)).toBe(false);
});
