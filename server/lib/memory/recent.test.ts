import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("what was asked for or set last stays, the rest gives way", () => {
  const some = new Recent<string, number>(3);
  for (const [at, key] of ["a", "b", "c"].entries()) some.set(key, at);
  expect(some.get("a")).toBe(0);
  some.set("b", 11);
  some.set("d", 3);
  expect([...some]).toEqual([
    ["a", 0],
    ["b", 11],
    ["d", 3],
  ]);
  expect(some.get("c")).toBeUndefined();
  expect(some.size).toBe(3);
});
