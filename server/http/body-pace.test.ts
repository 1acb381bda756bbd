// Bodies that come slowly, and those that only seem to.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { inPace } from "./body-pace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pace = { idleMs: 1_000, graceMs: 5_000, bytesPerSecond: 100 };

/** Pieces of a size, one after each pause; gives how many were taken before it was over. */
async function taken(size: number, pauseMs: number, count: number, workMs = 0): Promise<number | string> {
  const pieces = async function* () {
    for (let at = 0; at < count; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      yield new Uint8Array(size);
    }
  };
  let seen = 0;
  const reading = (async () => {
    for await (const _ of inPace(pieces(), pace)) {
      seen += 1;
      if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
    }
    return seen;
  })().catch((error: unknown) => (error instanceof Failure ? `${error.code} after ${seen}` : Promise.reject(error)));
  await vi.advanceTimersByTimeAsync(1_000_000);
  return reading;
}

test.each([
  ["one that is fast", 100, 10, 50, 0, 50],
  ["one that is as fast as it must be, for long", 100, 900, 100, 0, 100],
  ["one whose pieces are worked on for long", 1, 10, 20, 10_000, 20],
  ["one that stops", 100, 2_000, 3, 0, "malformed_body after 0"],
  ["one that trickles", 1, 500, 1_000, 0, "malformed_body after 10"],
])("%s", async (_, size, pauseMs, count, workMs, result) => {
  expect(await taken(size, pauseMs, count, workMs)).toBe(result);
});
