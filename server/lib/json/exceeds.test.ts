// What is too much is found without reading the JSON itself; what stands in texts does not count.
import fc from "fast-check";
import { expect, test } from "vitest";
import { exceeds } from "./exceeds.ts";

const nested = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);
const most = { levels: 3, marks: 8 };

test.each([
  ["arrays that are nested as deeply as they may be", nested(3), undefined],
  ["arrays that are nested one level deeper", nested(4), "levels"],
  ["objects that are nested too deeply", nested(4, '{"a":', "}"), "levels"],
  ["brackets without an end", "[".repeat(4), "levels"],
  ["as many marks as there may be", "[1,2,3,4,5,6,7]", undefined],
  ["one mark more", "[1,2,3,4,5,6,7,8]", "marks"],
  ["members", '{"a":1,"b":2,"c":3,"d":4}', "marks"],
  ["brackets in a text", `["${"[".repeat(20)}","\\"[[[[[[[[[[","\\\\"]`, undefined],
  ["brackets after a text that ends with a backslash", `["\\\\",[[[1]]]]`, "levels"],
  ["a text without an end", `["[[[[[[[[[[[[`, undefined],
  ["a backslash at the end", '"\\', undefined],
  ["nothing", "", undefined],
])("%s", (_, text, expected) => {
  expect(exceeds(text, most)).toBe(expected);
});

test("no JSON within the bounds has more levels or values than they allow", () => {
  const levelsOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const levels = levelsOf(value);
      const text = JSON.stringify(value);
      expect(exceeds(text, { levels, marks: text.length })).toBeUndefined();
      if (levels > 0) expect(exceeds(text, { levels: levels - 1, marks: text.length })).toBe("levels");
    }),
  );
});
