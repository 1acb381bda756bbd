// A name that was sent is shown as far as a sentence has room for it, and read no further.
import { expect, test } from "vitest";
import { processorTime } from "../../test/processor-time.ts";
import { shown } from "./tree.ts";

test.each([
  ["a name", "a name"],
  ["a\u200bb\nc", "a\ufffdb\ufffdc"],
  ["x".repeat(100), "x".repeat(100)],
  ["x".repeat(101), `${"x".repeat(100)}…`],
  ["\ud83d\ude00".repeat(50), "\ud83d\ude00".repeat(50)],
  ["\ud83d\ude00".repeat(1_000), `${"\ud83d\ude00".repeat(50)}…`],
  [`x${"\ud83d\ude00".repeat(50)}`, `x${"\ud83d\ude00".repeat(49)}\ufffd…`],
  ["\u{e0041}".repeat(100), "\ufffd".repeat(100)],
  ["\u{e0041}".repeat(1_000), `${"\ufffd".repeat(100)}…`],
  ["\ud83d", "\ufffd"],
])("%j", (name, expected) => {
  expect(shown(name)).toBe(expected);
});

test("megabytes of signs that can't be shown take no time", async () => {
  expect(await processorTime(() => shown("\u200b".repeat(5_000_000)))).toBeLessThan(200);
});
