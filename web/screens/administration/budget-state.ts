// Takes response times of views; says whether any is over the budget, whether all are within it, or whether some were slow in too
// few requests to be rated. Pure.
import type { ViewBudget } from "../../../client/lists/budgets.ts";

export type BudgetState = "some_over" | "all_within" | "none_rated_over";

export function budgetState(views: readonly Pick<ViewBudget, "is_over" | "p95_ms">[], budget: number): BudgetState {
  if (views.some((view) => view.is_over === 1)) return "some_over";
  return views.every((view) => view.p95_ms <= budget) ? "all_within" : "none_rated_over";
}
