import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

/** How many turns others had while steps were taken that each keep the process for so long. */
async function turnsBeside(steps: number, milliseconds: number): Promise<number> {
  let now = 1_000;
  vi.resetModules();
  const { pause } = await import("./pause.ts");
  vi.spyOn(performance, "now").mockImplementation(() => now);
  await pause();
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(take);
  };
  setImmediate(take);
  for (let step = 0; step < steps; step += 1) {
    now += milliseconds;
    await pause();
  }
  isOver = true;
  return turns;
}

test("long work lets others have a turn after some milliseconds, short work keeps the process", async () => {
  expect(await turnsBeside(100, 0.01)).toBe(0);
  expect(await turnsBeside(100, 1)).toBeGreaterThan(20);
  expect(await turnsBeside(100, 5)).toBeGreaterThanOrEqual(99);
});
