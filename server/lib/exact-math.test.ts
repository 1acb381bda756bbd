import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalSum } from "./exact-math.ts";

test.each([
  [[], "0"],
  [["1.10", "2"], "3.10"],
  [["0.1", "0.2"], "0.3"],
  [["-0.05", "0.05"], "0.00"],
  [["-1.5", "0.25"], "-1.25"],
  [["99999999999999999999.99", "0.01"], "100000000000000000000.00"],
])("%j is %s", (texts, sum) => {
  expect(decimalSum(texts)).toBe(sum);
});

test("is what whole cents add up to, in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), { minLength: 1 }), (cents) => {
      const text = (value: bigint) => {
        const digits = (value < 0n ? -value : value).toString().padStart(3, "0");
        return `${value < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
      };
      expect(decimalSum(cents.map(text).reverse())).toBe(text(cents.reduce((sum, one) => sum + one, 0n)));
    }),
  );
});

test("refuses what is no number", () => {
  expect(() => decimalSum(["NaN"])).toThrow("not a decimal number");
});
