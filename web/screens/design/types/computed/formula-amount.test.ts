// What the designer proposes for a formula of amounts.
import { expect, test } from "vitest";
import { formulaAmount } from "./formula-amount.ts";

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

test("a number that is looked up may be an amount: it goes with anything", () => {
  const looked = {
    ...{ name: "rate", label: "Rate", type: "decimal" as const },
    computed: { kind: "lookup" as const, through: ["customer_id"], field: "rate" },
  };
  expect(formulaAmount("fee + rate", [...fields, looked], total, "money").fault).toBeUndefined();
});
