// What an import and its undo tell: every row counted once, and what is left with what to do about it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Importing, startImporting } from "./importing.ts";

let at: Importing;

beforeAll(async () => {
  at = await startImporting();
});
afterAll(() => at.service.stop());

const resultOf = async (id: string) => JSON.parse((await at.over(id)).result);
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** Rows without a name, which is required; `serials` of good ones before them. */
const file = (bad: number, ...serials: string[]) =>
  `name,serial\n${serials.map((serial) => `n,${serial}\n`).join("")}${Array.from({ length: bad }, (_, index) => `,BAD${index}\n`).join("")}`;

describe("a summary", () => {
  test.each([
    ["all failed, at once", () => file(3), {}, { added: 0, failed: 3 }],
    ["all failed, checked at once", () => file(3), { dry_run: "1" }, { added: 0, failed: 3 }],
    ["all failed, as a job", () => file(1_100), {}, { added: 0, failed: 1_100 }],
    ["all failed, checked as a job", () => file(1_100), { dry_run: "1" }, { added: 0, failed: 1_100 }],
    ["some failed", () => file(2, "SUM1", "SUM2"), {}, { added: 2, failed: 2 }],
    [
      "known ones are skipped",
      () => file(1, "SUM1", "SUM3"),
      { mode: "skip", key: "serial" },
      { added: 1, skipped: 1, failed: 1 },
    ],
    [
      "known ones stay as they are",
      () => file(0, "SUM1"),
      { mode: "upsert", key: "serial" },
      { unchanged: 1, failed: 0 },
    ],
  ] as const)("counts every row where %s", async (_, content, more, expected) => {
    const { body } = await at.run(content(), { mode: "add", ...more });
    const { counts, dry_run: dry } = await resultOf(body.job_id);
    expect(counts).toMatchObject(expected);
    const rows = content().trimEnd().split("\n").length - 1;
    expect(sum(counts)).toBe(rows);
    if (body.data) expect(body.data.counts).toEqual(counts);
    expect(dry).toBe("dry_run" in more ? 1 : undefined);
  });

  test("of an import that was all or nothing counts what stood in its way", async () => {
    const { body } = await at.run(file(1_100, "SUM9"), { mode: "add", atomic: "1" });
    const { status, failed, result } = await at.over(body.job_id);
    expect([status, failed]).toEqual(["failed", "1100"]);
    expect(JSON.parse(result).counts).toEqual({ added: 0, changed: 0, unchanged: 0, skipped: 0, failed: 1_100 });
  });
});
