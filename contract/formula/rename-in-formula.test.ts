import { expect, test } from "vitest";
import { renameInFormula } from "./rename-in-formula.ts";

test("a formula calls a field by its new name and is the same otherwise", () => {
  const renames = new Map([
    ["hours", "run_time"],
    ["min", "least"],
  ]);
  const renamed = (formula: string) => renameInFormula(formula, renames);
  expect(renamed('if(hours > 3 and [hours] < 4, "hours", hours_total)')).toBe(
    'if(run_time > 3 and [run_time] < 4, "hours", hours_total)',
  );
  expect(renamed("min(hours, min) + min (1)")).toBe("min(run_time, least) + min (1)");
  expect(renamed("'it\\'s hours' & hours")).toBe("'it\\'s hours' & run_time");
  expect(renamed("'hours")).toBe("'hours");
});
