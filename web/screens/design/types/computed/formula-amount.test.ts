// What the designer proposes for a formula of amounts.
import { expect, test } from "vitest";
import { formulaAmount, isSameResult } from "./formula-amount.ts";

const fields = [
  { name: "price", label: "Price", type: "money", settings: { currencyField: "currency_id" } },
  { name: "fee", label: "Fee", type: "money" },
  { name: "quantity", label: "Quantity", type: "integer" },
  { name: "currency_id", label: "Currency", type: "reference", settings: { to: "masters/currencies" } },
] as const;
const total = { name: "total", label: "Total", type: "decimal" } as const;

test("an amount by a number is proposed as money in the currency of the amount", () => {
  expect(formulaAmount("quantity * price", fields, total, "money")).toEqual({
    proposal: { label: "Currency", changes: { type: "money", settings: { currencyField: "currency_id" } } },
  });
  expect(formulaAmount("quantity * fee", fields, total, "money").proposal).toEqual({
    label: undefined,
    changes: { type: "money", settings: {} },
  });
});

test("what is money in that currency already, or no amount, is left as it is", () => {
  const settings = { currencyField: "currency_id", scale: 3 };
  expect(formulaAmount("quantity * price", fields, { ...total, type: "money", settings }, "money")).toEqual({});
  expect(formulaAmount("quantity * 2", fields, total, "money")).toEqual({});
  expect(formulaAmount("quantity *", fields, total, "money")).toEqual({});
  // The other settings stay.
  expect(formulaAmount("fee * 2", fields, { ...total, type: "money", settings }, "money").proposal?.changes).toEqual({
    type: "money",
    settings: { scale: 3 },
  });
});

test("amounts that do not go together are told", () => {
  expect(formulaAmount("price + fee", fields, total, "money").fault).toBeDefined();
  expect(formulaAmount("price + quantity", fields, total, "money").fault).toBeDefined();
});

test("a result is the same as long as its type, settings and formula are", () => {
  const stored = { type: "money", settings: { currencyField: "currency_id", scale: 3 } } as const;
  const computed = { kind: "formula", formula: "price + fee" } as const;
  const turned = { scale: 3, currencyField: "currency_id" };
  expect(isSameResult({ ...stored, computed }, { ...stored, settings: turned, computed })).toBe(true);
  expect(isSameResult({ ...stored, computed }, { ...stored, type: "decimal", computed })).toBe(false);
  expect(isSameResult({ ...stored, computed }, { ...stored, settings: {}, computed })).toBe(false);
  expect(isSameResult({ ...stored, computed }, { ...stored, computed: { ...computed, formula: "fee" } })).toBe(false);
});
