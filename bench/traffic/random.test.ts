import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom, normal, seedOf, weighted, zipf } from "./random.ts";

const draw = <T>(count: number, seed: number, one: (random: ReturnType<typeof createRandom>) => T): T[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => one(random));
};
const share = <T>(values: readonly T[], is: (value: T) => boolean): number => values.filter(is).length / values.length;

describe("random numbers", () => {
  test("are the same for the same seed, and others for another", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, other) => {
        expect(draw(20, seed, (random) => random.next())).toEqual(draw(20, seed, (random) => random.next()));
        if (seed !== other)
          expect(draw(20, seed, (random) => random.next())).not.toEqual(draw(20, other, (random) => random.next()));
      }),
    );
  });

  test("do not change with the release: these are the first of seed 1", () => {
    expect(draw(3, 1, (random) => random.integer(1, 1_000_000))).toMatchInlineSnapshot(`
      [
        870712,
        634543,
        913600,
      ]
    `);
  });

  test("are spread evenly", () => {
    const values = draw(100_000, 7, (random) => random.integer(1, 10));
    for (let value = 1; value <= 10; value += 1) {
      expect(share(values, (one) => one === value)).toBeCloseTo(0.1, 2);
    }
  });

  test("stay within their bounds", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, low, width) => {
        for (const value of draw(50, seed, (random) => random.integer(low, low + width))) {
          expect(value).toBeGreaterThanOrEqual(low);
          expect(value).toBeLessThanOrEqual(low + width);
        }
      }),
    );
  });

  test("have a middle of 0 and a spread of 1 where they are normal", () => {
    const values = draw(50_000, 3, normal);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(variance).toBeCloseTo(1, 1);
  });
});

test("seeds differ with every part of their name", () => {
  const seeds = ["list", "search"].flatMap((name) => [1, 2, 3].map((round) => seedOf(name, round)));
  expect(new Set(seeds).size).toBe(6);
  expect(seedOf("a", "bc")).not.toBe(seedOf("ab", "c"));
});

test("weights are kept to", () => {
  const values = draw(
    100_000,
    5,
    weighted([
      ["often", 70],
      ["sometimes", 25],
      ["seldom", 5],
    ]),
  );
  expect(share(values, (one) => one === "often")).toBeCloseTo(0.7, 2);
  expect(share(values, (one) => one === "seldom")).toBeCloseTo(0.05, 2);
});

describe("popularity (Zipf)", () => {
  test.each([0.7, 1, 1.05, 1.5])("has the weights of its definition, exponent %f", (exponent) => {
    const size = 50;
    const values = draw(200_000, 11, zipf(size, exponent));
    const total = Array.from({ length: size }, (_, index) => (index + 1) ** -exponent).reduce((a, b) => a + b, 0);
    for (const rank of [1, 2, 5, 20, 50]) {
      const expected = rank ** -exponent / total;
      expect(share(values, (one) => one === rank) / expected).toBeCloseTo(1, 0);
      expect(Math.abs(share(values, (one) => one === rank) - expected)).toBeLessThan(0.005);
    }
  });

  test("stays within its ranks, whatever their number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.nat(), (size, seed) => {
        for (const rank of draw(30, seed, zipf(size))) {
          expect(Number.isInteger(rank) && rank >= 1 && rank <= size).toBe(true);
        }
      }),
    );
  });
});
