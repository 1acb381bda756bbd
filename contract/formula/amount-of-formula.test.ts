// Which currency a formula's result is in, and what is told of amounts that do not go together.
import { expect, test } from "vitest";
import { write } from "../texts/write.ts";
import { type Amount, amountOfFormula } from "./amount-of-formula.ts";
import { parseFormula } from "./parse-formula.ts";

const fields: Readonly<Record<string, Amount | "number">> = {
  price: { currency: "currency_id" },
  cost: { currency: "currency_id" },
  fee: { currency: null },
  quantity: "number",
};

const read = (source: string): string => {
  const parsed = parseFormula(source);
  if (!parsed.ok) throw new Error(source);
  const found = amountOfFormula(parsed.formula, (name) => fields[name]);
  if (!found.ok) return write(found.error, "en");
  return found.amount === undefined ? "no amount" : (found.amount.currency ?? "organization");
};

test.each([
  ["quantity * price", "currency_id"],
  ["price * quantity * 1.19", "currency_id"],
  ["price / quantity - 5", "currency_id"],
  ["round(coalesce(price, 0) * quantity, 2)", "currency_id"],
  ["if(quantity > 3, price * 0.9, cost)", "currency_id"],
  ["max(fee, 10)", "organization"],
  ["quantity * 2", "no amount"],
  ["(price - cost) / price", "no amount"],
  ["quantity / price", "no amount"],
  ["price + price / cost", "currency_id"],
  ["price - (price - cost) / price", "currency_id"],
  ["price > cost and name = 'x'", "no amount"],
  ["name & price", "no amount"],
  ["price in (1, 2)", "no amount"],
])("%s gives %s", (source, wanted) => expect(read(source)).toBe(wanted));

test.each([
  ["price + fee", "different currencies"],
  ["if(quantity > 1, price, fee)", "different currencies"],
  ["price / fee", "different currencies"],
  ["price > fee", "different currencies"],
  ["price + quantity", "price is an amount of money and quantity a plain number"],
  ["quantity - price", "price is an amount of money and quantity a plain number"],
  ["coalesce(price, quantity)", "price is an amount of money and quantity a plain number"],
  ["price * cost", "can't be multiplied"],
])("%s is refused: %s", (source, wanted) => expect(read(source)).toContain(wanted));
