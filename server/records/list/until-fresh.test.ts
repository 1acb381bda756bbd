// A list whose memory is old is made again: as often as it takes, but not for ever, and never as a fault of the service.
import { expect, test } from "vitest";
import { openScope, within } from "../../database/scope.ts";
import { untilFresh } from "./until-fresh.ts";

const changing = (times: number) => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return runs > times ? "made" : undefined;
  };
  return { run, runs: () => runs };
};

test.each([0, 3, 4, 15])("what changes %i times meanwhile is made all the same", async (times) => {
  const list = changing(times);
  expect(await untilFresh(list.run)).toBe("made");
  expect(list.runs()).toBe(times + 1);
});

test("what never stays the same is refused with a word on when to ask again", async () => {
  await expect(untilFresh(changing(Number.POSITIVE_INFINITY).run)).rejects.toMatchObject({
    code: "too_much_at_once",
    status: 429,
  });
});

test("past the time of its request nothing is begun", async () => {
  const list = changing(0);
  const scope = { ...openScope("1"), deadline: performance.now() - 1 };
  await expect(within(scope, () => untilFresh(list.run))).rejects.toMatchObject({ code: "too_much_at_once" });
  expect(list.runs()).toBe(0);
});
