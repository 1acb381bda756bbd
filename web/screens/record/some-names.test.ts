import { expect, test } from "vitest";
import { someNames } from "./some-names.ts";

test("three names are told, the others counted", () => {
  const told = (...names: string[]) => someNames(names, (count) => `${count} more`).join(" ");
  expect(told()).toBe("");
  expect(told("a", "b", "c")).toBe("a b c");
  expect(told("a", "b", "c", "d", "e")).toBe("a b c 2 more");
});
