import { expect, test } from "vitest";
import { withName } from "./formula-text.ts";

test.each([
  ["", 0, 0, "amount|"],
  ["round()", 6, 6, "round(amount|)"],
  ["1 + * 2", 4, 4, "1 + amount| * 2"],
  ["1 +", 3, 3, "1 + amount|"],
  ["old + 1", 0, 3, "amount| + 1"],
])("a name in %j goes where the caret is", (formula, start, end, expected) => {
  const { text, caret } = withName(formula, [start, end], "amount");
  expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(expected);
});
