import { expect, test } from "vitest";
import { nextIndex } from "./line-keys.ts";

test.each([
  ["ArrowDown", 0, 1],
  ["ArrowDown", 2, 2],
  ["ArrowUp", 1, 0],
  ["ArrowUp", 0, 0],
  ["Home", 2, 0],
  ["End", 0, 2],
  ["Enter", 1, undefined],
])("%s on line %i of three leads to %s", (key, index, next) => {
  expect(nextIndex(key, index, 3)).toBe(next);
});
