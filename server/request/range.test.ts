import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRange } from "./range.ts";

test.each([
  [undefined, 10, undefined],
  ["bytes=0-", 10, { start: 0, end: 9 }],
  ["bytes=3-3", 10, { start: 3, end: 3 }],
  ["bytes=-4", 10, { start: 6, end: 9 }],
  ["bytes=-40", 10, { start: 0, end: 9 }],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=5-3", 10, undefined],
  ["bytes=-", 10, undefined],
  ["bytes=a-b", 10, undefined],
  ["bytes=0-1,2-3", 10, undefined],
  ["bytes=0-", 0, "unsatisfiable"],
] as const)("%s of %i bytes is %j", (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});

test("a range lies within the file, whatever was asked", () => {
  const number = fc.option(fc.nat(1_000), { nil: "" });
  fc.assert(
    fc.property(number, number, fc.nat(500), (from, to, size) => {
      const range = parseRange(`bytes=${from}-${to}`, size);
      if (typeof range !== "object") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
    }),
  );
});
