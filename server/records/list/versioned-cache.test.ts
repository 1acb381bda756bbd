// What is kept by version: when it holds, how often it is worked out, what goes first.
import { describe, expect, test } from "vitest";
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
