import { expect, test } from "vitest";
import { indexWatch } from "./index-watch.ts";

test("whoever waits for an index asks how far it is, or for the list where they may not design", () => {
  expect(indexWatch({ state: "building", may_design: 1 }, false)).toMatchObject({
    progressEvery: 1_500,
    listEvery: false,
  });
  expect(indexWatch({ state: "building", may_design: 0 }, false)).toMatchObject({
    progressEvery: false,
    listEvery: 30_000,
  });
  expect(indexWatch({ state: null, may_design: 1 }, true).progressEvery).toBe(1_500);
  const none = { isAwaited: false, progressEvery: false, listEvery: false };
  for (const may_design of [0, 1] as const) expect(indexWatch({ state: null, may_design }, false)).toEqual(none);
});
