import v8 from "node:v8";
import vm from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of its own for each case: what ran before must not count. */
const fresh = async () => (await import("./tight-heap.ts")).withTightHeap;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.resetModules();
});

const LARGE = 2 * 1024 ** 3;
const LINGER = 2_000;
const grown = ["--heap-growing-percent=70", "--heap-growing-percent=0"];
const swept = ["--heap-growing-percent=70", "--expose-gc", "--no-expose-gc", "--heap-growing-percent=0"];

test.each([
  ["as large as the engine lets grow fourfold", LARGE, true, undefined, swept],
  ["large, for a few rows", LARGE, false, undefined, grown],
  ["large, and swept a moment ago", LARGE, true, 60_000, [...swept, ...grown]],
  ["large, and rested", LARGE, true, 60_001, [...swept, ...swept]],
  ["smaller", LARGE - 1, true, 60_001, []],
])("a heap that is %s", async (_, limit, isLong, rest, set) => {
  const withTightHeap = await fresh();
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: limit });
  const flags = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  const collect = vi.fn();
  vi.spyOn(vm, "runInNewContext").mockReturnValue(collect);
  expect(await withTightHeap(isLong, () => withTightHeap(isLong, async () => 7))).toBe(7);
  vi.advanceTimersByTime(LINGER);
  if (rest !== undefined) {
    now += rest;
    await withTightHeap(isLong, async () => undefined);
    vi.advanceTimersByTime(LINGER);
  }
  expect(flags.mock.calls.flat()).toEqual(set);
  expect(collect).toHaveBeenCalledTimes(set.filter((flag) => flag === "--expose-gc").length);
});

test("it stays so between the chunks of an import: a sweep there would let it grow fourfold", async () => {
  const withTightHeap = await fresh();
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: LARGE });
  const flags = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  for (let chunk = 0; chunk < 3; chunk += 1) {
    await withTightHeap(false, async () => undefined);
    vi.advanceTimersByTime(LINGER - 1);
  }
  expect(flags.mock.calls.flat()).toEqual(["--heap-growing-percent=70"]);
  vi.advanceTimersByTime(1);
  expect(flags.mock.calls.flat()).toEqual(grown);
});

test("chunks of an import that goes on after a restart begin with one sweep, however long they take", async () => {
  const withTightHeap = await fresh();
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: LARGE });
  const flags = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  vi.spyOn(vm, "runInNewContext").mockReturnValue(() => undefined);
  for (let chunk = 1; chunk < 4; chunk += 1) {
    await withTightHeap(true, async () => undefined);
    now += 100_000;
    vi.advanceTimersByTime(LINGER - 1);
  }
  vi.advanceTimersByTime(1);
  expect(flags.mock.calls.flat()).toEqual(swept);
});

test("the engine hands out its sweep", async () => {
  const withTightHeap = await fresh();
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: LARGE });
  const collected = vi.spyOn(vm, "runInNewContext");
  await withTightHeap(true, async () => undefined);
  expect(collected.mock.results[0]?.value).toBeTypeOf("function");
});
