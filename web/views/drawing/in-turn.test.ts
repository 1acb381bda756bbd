import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inTurn } from "./in-turn.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("each is drawn in a task of its own, in order, and what is taken back is not", () => {
  const drawn: string[] = [];
  inTurn(() => drawn.push("one"));
  const takeBack = inTurn(() => drawn.push("two"));
  inTurn(() => drawn.push("three"));
  expect(drawn).toEqual([]);
  takeBack();
  vi.advanceTimersToNextTimer();
  expect(drawn).toEqual(["one"]);
  vi.advanceTimersToNextTimer();
  expect(drawn).toEqual(["one", "three"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("one that fails does not keep the others back, and what comes later is drawn as well", () => {
  const drawn: string[] = [];
  inTurn(() => {
    throw new Error("no room");
  });
  inTurn(() => drawn.push("next"));
  expect(() => vi.advanceTimersToNextTimer()).toThrow("no room");
  vi.runAllTimers();
  expect(drawn).toEqual(["next"]);
  const takeBack = inTurn(() => drawn.push("gone"));
  takeBack();
  inTurn(() => drawn.push("later"));
  vi.runAllTimers();
  expect(drawn).toEqual(["next", "later"]);
});
