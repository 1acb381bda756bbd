import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalOf, decimalText, divide, round } from "../../lib/exact-math.ts";
import { conversionsTo, type Pair, type Rates } from "./exchange-rates.ts";
import { sumMoney } from "./money-sum.ts";

const codes: Readonly<Record<string, [code: string, digits: number]>> = {
  "1": ["EUR", 2],
  "2": ["USD", 2],
  "3": ["JPY", 0],
  "4": ["KWD", 3],
};
const currencies = new Map(Object.entries(codes).map(([id, [code, digits]]) => [id, { id, code, digits }]));
const ratesWith = (own: string, pairs: readonly Pair[]): Rates => ({
  own: currencies.get(own),
  currencies,
  conversions: conversionsTo(own, [...currencies.keys()], pairs),
});
const pair = (base: string, quote: string, rate: string, date = "2026-01-01"): Pair => ({
  base,
  quote,
  date,
  rate: decimalOf(rate),
});

/** A fraction of whole numbers: nothing is rounded before the end. */
type Ratio = readonly [bigint, bigint];
const ratio = (text: string): Ratio => {
  const { units, scale } = decimalOf(text);
  return [units, 10n ** BigInt(scale)];
};
const times = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * c, b * d];
const over = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * d, b * c];
const plus = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * d + c * b, b * d];
const rounded = ([a, b]: Ratio, digits: number): string => {
  const [top, bottom] = [(a < 0n ? -a : a) * 10n ** BigInt(digits), b < 0n ? -b : b];
  const units = (2n * top + bottom) / (2n * bottom);
  return decimalText({ units: a < 0n !== b < 0n ? -units : units, scale: digits });
};

const cents = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }).map((units) => decimalText({ units, scale: 2 }));
const rate = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => decimalText({ units, scale: 6 }));

test("converts as exact fractions do, rounded once to the digits of the target", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("1", "2", "3", "4"),
      fc.record({ "2": rate, "3": rate, "4": rate }),
      fc.record({ "1": cents, "2": cents, "3": cents, "4": cents }),
      (own, euro, amounts) => {
        const pairs = Object.entries(euro).map(([quote, value]) => pair("1", quote, value));
        const worth = (id: string): Ratio => ratio(id === "1" ? "1" : (euro[id as "2" | "3" | "4"] ?? "1"));
        const exact = Object.entries(amounts).reduce<Ratio>(
          (sum, [id, amount]) => plus(sum, over(times(ratio(amount), worth(own)), worth(id))),
          [0n, 1n],
        );
        const digits = currencies.get(own)?.digits ?? 2;
        const { text, currency } = sumMoney(new Map(Object.entries(amounts)), ratesWith(own, pairs));
        expect(currency).toBe(codes[own]?.[0]);
        // Factors have 30 digits: only what lies within that of a half can be rounded the other way.
        const doubled = rounded(times(exact, [2n, 1n]), digits + 6);
        if (!/[05]0{6}$/u.test(doubled) && !/[49]9{6}$/u.test(doubled)) expect(text).toBe(rounded(exact, digits));
      },
    ),
  );
});

describe("a conversion", () => {
  const factor = (own: string, from: string, pairs: readonly Pair[]) =>
    conversionsTo(own, [...currencies.keys()], pairs).get(from);

  test("takes a rate in either direction, the newer one, else goes by way of one other currency", () => {
    expect(factor("1", "2", [pair("2", "1", "0.8")])).toEqual({
      factor: expect.stringMatching(/^0\.80*$/),
      date: "2026-01-01",
    });
    expect(factor("1", "2", [pair("1", "2", "1.25")])?.factor).toMatch(/^0\.80*$/);
    const both = [pair("2", "1", "0.8", "2026-01-01"), pair("1", "2", "2", "2026-02-01")];
    expect(factor("1", "2", both)).toMatchObject({ factor: expect.stringMatching(/^0\.50*$/), date: "2026-02-01" });
    const through = [pair("1", "2", "2", "2026-02-01"), pair("1", "3", "100", "2026-01-15")];
    expect(factor("2", "3", through)).toMatchObject({ factor: expect.stringMatching(/^0\.020*$/), date: "2026-01-15" });
    expect(factor("4", "3", through)).toBeUndefined();
  });

  test("that is missing leaves no sum", () => {
    const sum = sumMoney(
      new Map([
        ["1", "1.00"],
        ["4", "2.000"],
      ]),
      ratesWith("1", []),
    );
    expect(sum).toEqual({ text: null, currency: null, rateDate: null, byCurrency: "EUR 1.00, KWD 2.000" });
  });

  test("is as old as the oldest of its rates", () => {
    const sum = (dollar: string, yen: string) =>
      sumMoney(
        new Map([
          ["1", "1.00"],
          ["2", "1.00"],
          ["3", "100"],
        ]),
        ratesWith("1", [pair("2", "1", "0.5", dollar), pair("3", "1", "0.01", yen)]),
      );
    expect(sum("2026-02-01", "2026-01-01")).toMatchObject({ text: "2.50", rateDate: "2026-01-01" });
    expect(sum("2026-01-01", "2026-02-01").rateDate).toBe("2026-01-01");
  });

  test("is not needed for one currency, whichever it is, nor for none", () => {
    expect(sumMoney(new Map([["4", "2.00"]]), ratesWith("1", []))).toMatchObject({ text: "2.00", currency: "KWD" });
    expect(sumMoney(new Map([["", "2.00"]]), ratesWith("1", []))).toMatchObject({ text: "2.00", currency: null });
    expect(sumMoney(new Map(), ratesWith("1", []))).toMatchObject({ text: "0", currency: "EUR" });
  });
});

test.each([
  ["0.5", 0, "1"],
  ["-0.5", 0, "-1"],
  ["2.345", 2, "2.35"],
  ["-2.345", 2, "-2.35"],
  ["2.344999", 2, "2.34"],
  ["7", 3, "7.000"],
])("%s rounded to %i decimals is %s, as PostgreSQL rounds", (text, digits, expected) => {
  expect(decimalText(round(decimalOf(text), digits))).toBe(expected);
});

test("a quotient has as many significant digits as it is asked for", () => {
  expect(decimalText(divide(decimalOf("1"), decimalOf("3"), 30))).toMatch(/^0\.3{29,31}$/);
  expect(
    decimalText(divide(decimalOf("1"), decimalOf("999999999999"), 30)).replace(/^0\.0*/, "").length,
  ).toBeGreaterThan(28);
});
