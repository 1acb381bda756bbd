import { expect, test } from "vitest";
import { rateLimiter } from "./rate-limiter.ts";

test("allows the whole minute's allowance at once, then says how long to wait", () => {
  const limiter = rateLimiter(60);
  for (let index = 0; index < 60; index += 1) expect(limiter.take("a", 0)).toBe(0);
  expect(limiter.take("a", 0)).toBe(1);
  expect(limiter.peek("a", 0)).toBe(1);
  expect(limiter.take("b", 0)).toBe(0);
});

test("refills steadily and does not punish refused attempts", () => {
  const limiter = rateLimiter(6);
  for (let index = 0; index < 6; index += 1) limiter.take("a", 0);
  for (let index = 0; index < 100; index += 1) expect(limiter.take("a", 5_000)).toBe(5);
  expect(limiter.take("a", 10_000)).toBe(0);
  expect(limiter.take("a", 10_000)).toBe(10);
});

test("is whole again after a quiet minute, whatever the allowance", () => {
  const limiter = rateLimiter(7);
  for (const start of [0, 60_000, 120_001]) {
    for (let index = 0; index < 7; index += 1) expect(limiter.take("a", start)).toBe(0);
    expect(limiter.take("a", start)).toBeGreaterThan(0);
  }
});

test("forgets the oldest keys rather than growing past its capacity", () => {
  const limiter = rateLimiter(1, 100);
  for (let index = 0; index < 1_000; index += 1) limiter.take(`key ${index}`, index);
  expect(limiter.peek("key 0", 1_000)).toBe(0);
  expect(limiter.peek("key 999", 1_000)).toBeGreaterThan(0);
});
