// What is kept by version: when it holds, how often it is worked out, what goes first; and by whose time those wait who share it.
import { describe, expect, test } from "vitest";
import type { Database } from "../../database/database.ts";
import { currentScope, giveTime, isLate, openScope, tookTooLong, within } from "../../database/scope.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import { createLiveCounts } from "./live-counts.ts";
import { createVersionedCache } from "./versioned-cache.ts";

describe("what is kept by version", () => {
  test("holds for its version, and is known as the last one after it", async () => {
    const kept = createVersionedCache<number>(2, "test");
    await kept.make("a", async () => ({ version: "1", value: 10 }));
    expect(kept.find("a", "1")).toBe(10);
    expect(kept.find("a", "2")).toBeUndefined();
    expect(kept.last("a")).toMatchObject({ value: 10, tookMs: expect.any(Number) });
  });

  test("is worked out once for all who ask meanwhile", async () => {
    const kept = createVersionedCache<number>(2, "test");
    let runs = 0;
    const work = async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { version: "1", value: runs };
    };
    const made = await Promise.all([kept.make("a", work), kept.make("a", work), kept.make("a", work)]);
    expect(made.map(({ value }) => value)).toEqual([1, 1, 1]);
    expect((await kept.make("a", work)).value).toBe(2);
  });

  test("goes when others are used more, and leaves nothing of what failed", async () => {
    const kept = createVersionedCache<number>(2, "test");
    const value = (number: number) => async () => ({ version: "1", value: number });
    await kept.make("a", value(1));
    await kept.make("b", value(2));
    kept.find("a", "1");
    await kept.make("c", value(3));
    expect([kept.find("a", "1"), kept.find("b", "1"), kept.find("c", "1")]).toEqual([1, undefined, 3]);
    const failing = kept.make("d", async () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect((await kept.make("d", value(4))).value).toBe(4);
  });
});

const plan = {
  scope: { type: { key: "crm/leads", scope: "organization" }, caller: { organizationId: "1" } },
  access: { view: { readable: undefined } },
} as unknown as ReadablePlan;

/** A database that answers when it is told to, and refuses whoever has no time left. */
function slowDatabase() {
  const answers: (() => void)[] = [];
  const prepared = () =>
    new Promise((resolve, reject) => {
      if (isLate(currentScope())) reject(tookTooLong());
      else answers.push(() => resolve([["7", "1 2", "3 4"]]));
    });
  return { db: { prepared } as unknown as Database, answers };
}

const request = (milliseconds: number, signal?: AbortSignal) => {
  const scope = { ...openScope("1"), signal };
  giveTime(scope, milliseconds);
  return scope;
};

test("a count that several share is made for the others when the first who asked has no time left, or goes away", async () => {
  const { db, answers } = slowDatabase();
  const counts = createLiveCounts(db);
  const late = { ...request(60_000), deadline: performance.now() - 1 };
  const client = new AbortController();
  const first = within(late, () => counts.count(plan, "7"));
  const gone = within(request(60_000, client.signal), () => counts.count(plan, "7"));
  const other = within(request(60_000), () => counts.count(plan, "7"));
  await expect(first).rejects.toMatchObject({ code: "took_too_long" });
  expect(answers).toHaveLength(1);
  answers.shift()?.();
  await expect.poll(() => answers.length).toBe(1);
  client.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  answers.shift()?.();
  expect(await other).toEqual({ all: 7, mine: 7 });
});
