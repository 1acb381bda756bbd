import fc from "fast-check";
import { expect, test } from "vitest";
import { sumOf } from "./exact-sum.ts";

test("adds as one adds on paper", () => {
  expect(sumOf([])).toBe("0");
  expect(sumOf(["0.1", "0.2"])).toBe("0.3");
  expect(sumOf(["-1.50", "1", "0.5"])).toBe("0.00");
  expect(sumOf(["9999999999999999999.99", "0.01"])).toBe("10000000000000000000.00");
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9_999_999, max: 9_999_999 })), (cents) => {
      const texts = cents.map((one) => (one / 100).toFixed(2));
      expect(Number(sumOf(texts))).toBe(cents.reduce((sum, one) => sum + one, 0) / 100);
    }),
  );
});
