import { expect, test } from "vitest";
import { nextRow } from "./use-row-focus.ts";

test.each([
  ["the one that took its place", [true, true], 1, 1],
  ["the next one, where its own row stays without an action", [true, false, true], 1, 2],
  ["the last one, where it was the last", [true, true], 2, 1],
  ["the one before, where none after it has an action", [true, false, false], 1, 0],
  ["none, where no row has an action", [false, false], 0, -1],
  ["none, where no row is left", [], 0, -1],
])("the focus moves to %s", (_, hasAction, index, next) => {
  expect(nextRow(hasAction, index)).toBe(next);
});
