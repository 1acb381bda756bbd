import v8 from "node:v8";
import vm from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { withTightHeap } from "./tight-heap.ts";

afterEach(() => vi.restoreAllMocks());

const grown = ["--heap-growing-percent=100", "--heap-growing-percent=0"];
const swept = ["--heap-growing-percent=100", "--expose-gc", "--no-expose-gc", "--heap-growing-percent=0"];

let now = 0;

test.each([
  ["as large as the engine lets grow fourfold", 2 * 1024 ** 3, 0, swept],
  ["large, and worked a moment ago", 2 * 1024 ** 3, 60_000, grown],
  ["large, and rested", 2 * 1024 ** 3, 60_001, swept],
  ["smaller", 2 * 1024 ** 3 - 1, 60_001, []],
])("a heap that is %s", async (_, limit, rest, set) => {
  now += rest;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: limit });
  const flags = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  const collect = vi.fn();
  vi.spyOn(vm, "runInNewContext").mockReturnValue(collect);
  expect(await withTightHeap(() => withTightHeap(async () => 7))).toBe(7);
  expect(flags.mock.calls.flat()).toEqual(set);
  expect(collect).toHaveBeenCalledTimes(set === swept ? 1 : 0);
});

test("the engine hands out its sweep", async () => {
  vi.spyOn(performance, "now").mockImplementation(() => now + 120_000);
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: 2 * 1024 ** 3 });
  const collected = vi.spyOn(vm, "runInNewContext");
  await withTightHeap(async () => undefined);
  expect(collected.mock.results[0]?.value).toBeTypeOf("function");
});
