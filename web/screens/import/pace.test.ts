import { expect, test } from "vitest";
import { lengthOf, paceOf, type Seen, see } from "./pace.ts";

const after = (...seen: readonly (readonly [number, number])[]) =>
  seen.reduce<readonly Seen[]>((all, [seconds, done]) => see(all, { at: 1000 * seconds, done }), []);

test("the pace and the time left come from what was seen lately", () => {
  expect(paceOf(after([0, 0], [2, 200]), 1000)).toEqual({ rate: 100, secondsLeft: 8 });
  // It was slow at first: that no longer counts.
  expect(paceOf(after([0, 0], [20, 10], [30, 1010]), 2010)).toEqual({ rate: 100, secondsLeft: 10 });
});

test.each([
  ["nothing was seen", after()],
  ["once", after([0, 5])],
  ["too short a time", after([0, 0], [0.5, 50])],
  ["nothing was done", after([0, 5], [3, 5])],
  ["it began again", after([0, 50], [3, 10])],
])("nothing is told where %s", (_, seen) => {
  expect(paceOf(seen, 100)).toBeUndefined();
});

test.each([
  [0.2, 1, "second"],
  [42.1, 43, "second"],
  [61, 2, "minute"],
  [5_399, 90, "minute"],
  [5_401, 2, "hour"],
])("%d seconds are said as %d %s", (seconds, value, unit) => {
  expect(lengthOf(seconds)).toEqual({ value, unit });
});
