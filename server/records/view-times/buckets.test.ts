// Percentiles from buckets are those of the durations themselves, to within a bucket, however they were added up.
import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf, percentile } from "./buckets.ts";

const countsOf = (durations: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const ms of durations) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
  return counts;
};

test("a percentile is off by less than a bucket", () => {
  const ms = fc.double({ min: 1, max: 30_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1, maxLength: 300 }), fc.constantFrom(0.5, 0.95, 1), (durations, part) => {
      const sorted = [...durations].sort((one, other) => one - other);
      const exact = sorted[Math.max(1, Math.ceil(sorted.length * part)) - 1] ?? 0;
      const told = percentile(countsOf(durations), part) ?? 0;
      expect(told / exact).toBeGreaterThan(1 / Math.SQRT2 - 0.001);
      expect(told / exact).toBeLessThan(Math.SQRT2 + 0.001);
    }),
  );
});

test.each([
  [0, 0],
  [0.2, 0],
  [1, 0],
  [1.1, 1],
  [500, 18],
  [60_000, 30],
  [Number.POSITIVE_INFINITY, 30],
])("%d ms fall into bucket %d", (ms, bucket) => {
  expect(bucketOf(ms)).toBe(bucket);
});

test("of nothing there is no percentile", () => {
  expect(percentile(new Map(), 0.5)).toBeUndefined();
  expect(percentile(new Map([[3, 0]]), 0.5)).toBeUndefined();
});
