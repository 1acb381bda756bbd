import { expect, test } from "vitest";
import { planText } from "../commands/design.ts";
import { usesTold } from "./affected-uses.ts";
import type { AffectedUse } from "./plan-design.ts";

const use = (kind: string, more: Partial<AffectedUse> = {}): AffectedUse => ({
  ...{ type: "lab/tests", field: "x", kind, controller: "lab/tests", name: "Some", id: null },
  ...{ becomes: "left_out", loses: [] },
  ...more,
});
const all = (...found: readonly AffectedUse[]) => ({ found, isComplete: true });
const none = { items: [], losses: [], missing: [], fingerprint: "" };
const lines = (told: ReturnType<typeof usesTold>): readonly string[] =>
  planText({ ...none, ...told })
    .split("\n")
    .filter((line) => line.startsWith("!"));

test("what is only counted is one number for each field", () => {
  const own = all(use("other", { count: 1 }), use("view"));
  const others = all(use("other", { count: 2 }), use("other", { field: "y", count: 1 }));
  const told = usesTold(own, others);
  expect(told).toMatchObject({ uses_left_out: 0, uses_complete: 1 });
  expect(lines(told)).toEqual([
    "! lab/tests.x: 3 private views or items of other organizations continue without this field",
    "! lab/tests.x: view Some continues without this field",
    "! lab/tests.y: 1 private view or item of another organization continues without this field",
  ]);
});

test("what views that are only counted lose is told of all of them together", () => {
  const losing = (count: number, loses: AffectedUse["loses"]) =>
    all(use("other", { count, loses, becomes: "may_ignore_parts" }));
  expect(lines(usesTold(losing(2, ["sort"]), losing(1, ["filter", "sort"])))).toEqual([
    "! lab/tests.x: 3 private views or items of other organizations ignore what no longer fits: filter, sort",
  ]);
});

test("how many are left out is told, and where not all was looked into", () => {
  const many = all(...Array.from({ length: 503 }, () => use("view")));
  const told = usesTold(many, all());
  expect(told).toMatchObject({ uses_left_out: 3, uses_complete: 0 });
  expect(told.uses?.length).toBe(500);
  expect(lines(told).at(-1)).toBe("! 3 more uses of these fields not shown");
  const late = usesTold(all(use("view")), { found: [], isComplete: false });
  expect(late).toMatchObject({ uses_left_out: 0, uses_complete: 0 });
  expect(lines(late).at(-1)).toBe("! Not everything was checked for uses of these fields");
});
