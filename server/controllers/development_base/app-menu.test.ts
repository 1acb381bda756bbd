import { expect, test } from "vitest";
import { inTurn } from "./app-menu.ts";

test("every module has its turn before the next type of any", () => {
  expect(inTurn([["a", "b", "c"], [], ["d"], ["e", "f"]])).toEqual(["a", "d", "e", "b", "f", "c"]);
  expect(inTurn([])).toEqual([]);
});
