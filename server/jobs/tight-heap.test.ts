import v8 from "node:v8";
import { afterEach, expect, test, vi } from "vitest";
import { withTightHeap } from "./tight-heap.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  [
    "as large as the engine lets grow fourfold",
    2 * 1024 ** 3,
    ["--heap-growing-percent=100", "--heap-growing-percent=0"],
  ],
  ["smaller", 2 * 1024 ** 3 - 1, []],
])("a heap that is %s", async (_, limit, set) => {
  vi.spyOn(v8, "getHeapStatistics").mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: limit });
  const flags = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  expect(await withTightHeap(() => withTightHeap(async () => 7))).toBe(7);
  expect(flags.mock.calls.flat()).toEqual(set);
});
