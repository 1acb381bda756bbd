import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { throttle } from "./throttle.ts";

const LIMIT = 100;
const user = { organizationId: "1", userId: "7" };

/** How many of so many calls were let in. */
const calls = (process: ReturnType<typeof throttle>, count: number, userId: string): number => {
  let admitted = 0;
  for (let at = 0; at < count; at += 1) {
    try {
      process.admit({ organizationId: "1", userId });
      admitted += 1;
    } catch {
      // Refused.
    }
  }
  return admitted;
};

test("a caller has one allowance, however its calls are spread over processes that tell each other", () => {
  const spread = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 30 })), { minLength: 20, maxLength: 40 });
  fc.assert(
    fc.property(spread, (turns) => {
      const processes = [throttle(LIMIT), throttle(LIMIT), throttle(LIMIT)];
      let admitted = 0;
      for (const [at, count] of turns) {
        const process = processes[at];
        if (!process) continue;
        admitted += calls(process, count, "7");
        const news = process.news();
        if (news !== undefined) for (const each of processes) each.hear(news);
      }
      // What was not told yet is less than a twentieth, in each of them; the minute goes on meanwhile.
      expect(admitted).toBeLessThanOrEqual(LIMIT + 3 * (LIMIT / 20) + 2);
      const asked = turns.reduce((sum, [, count]) => sum + count, 0);
      expect(admitted).toBeGreaterThanOrEqual(Math.min(asked, LIMIT - 30));
    }),
    { numRuns: 20 },
  );
});

afterEach(() => {
  vi.useRealTimers();
});

test("every answer says how much of the allowance is left, and when all of it is again", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const one = throttle(60);
  expect(one.admit(user)).toEqual({
    "ratelimit-policy": '"caller";q=60;w=60',
    ratelimit: '"caller";r=59;t=1',
  });
  vi.advanceTimersByTime(500);
  expect(one.admit(user).ratelimit).toBe('"caller";r=58;t=2');
  calls(one, 58, "7");
  expect(() => one.admit(user)).toThrowError(
    expect.objectContaining({
      detail: expect.objectContaining({ headers: expect.objectContaining({ ratelimit: '"caller";r=0;t=60' }) }),
    }),
  );
  expect(throttle(0).admit(user)).toEqual({});
});

test("who is refused here tells nobody about it, and others' calls use up an allowance, never more", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const [here, there] = [throttle(LIMIT), throttle(LIMIT)];
  calls(here, 10 * LIMIT, "7");
  const news = here.news() ?? "";
  expect(JSON.parse(news).calls).toEqual([[expect.any(String), LIMIT]]);
  expect(here.news()).toBeUndefined();
  for (let at = 0; at < 50; at += 1) there.hear(news);
  expect(() => there.admit(user)).toThrowError(
    expect.objectContaining({ detail: { headers: expect.objectContaining({ "retry-after": "1" }) } }),
  );
  there.admit({ organizationId: "1", userId: "8" });
  there.admit({ organizationId: "2", userId: "7" });
});

test("bad tokens are counted against their address in every process", () => {
  const [here, there] = [throttle(LIMIT), throttle(LIMIT)];
  for (let at = 0; at < LIMIT; at += 1) here.badToken("192.0.2.1");
  there.hear(here.news() ?? "");
  expect(() => there.badToken("192.0.2.1")).toThrow();
  there.badToken("192.0.2.2");
  expect(throttle(0).news()).toBeUndefined();
});
