// What fails again and again is left alone for longer, and forgiven once it has worked for a while.
import fc from "fast-check";
import { expect, test } from "vitest";
import { pauseAfter } from "./backoff.ts";

const rule = { firstMs: 1_000, mostMs: 60_000, steadyMs: 120_000 };

test("pauses double up to the longest, and begin anew after a steady time", () => {
  const pauses: number[] = [];
  for (let turn = 0; turn < 9; turn += 1) pauses.push(pauseAfter(rule, pauses.at(-1) ?? 0, 5));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(pauseAfter(rule, 60_000, 120_000)).toBe(1_000);
});

test("whatever it does, it is left and taken back at most some eighty times in an hour", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 200, maxLength: 400 }), (worked) => {
      let [clock, pause, left] = [0, 0, 0];
      for (const ms of worked) {
        clock += ms;
        if (clock > 3_600_000) break;
        left += 1;
        pause = pauseAfter(rule, pause, ms);
        clock += pause;
      }
      expect(left).toBeLessThan(80);
    }),
  );
});
