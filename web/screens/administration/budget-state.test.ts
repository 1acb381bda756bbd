// What the page of response times may claim about all views.
import { expect, test } from "vitest";
import { budgetState } from "./budget-state.ts";

test("claims that all views are within the budget only if they are", () => {
  expect(budgetState([{ is_over: 0, p95_ms: 500 }], 500)).toBe("all_within");
  expect(budgetState([{ is_over: 0, p95_ms: 1024 }], 500)).toBe("none_rated_over");
  expect(
    budgetState(
      [
        { is_over: 1, p95_ms: 724 },
        { is_over: 0, p95_ms: 1024 },
      ],
      500,
    ),
  ).toBe("some_over");
});
