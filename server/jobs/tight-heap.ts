// Runs work that makes much garbage which lives as long as a transaction: the heap is swept once it has doubled, not at four
// times what was in use. The flag sets the factor of growth. Where the heap may not reach 2 GiB, the engine chooses less than 2
// by itself, and is left alone. Lists would pay with a tenth of their time: it is never set for the whole service.
import v8 from "node:v8";

const LARGE_HEAP = 2 * 1024 ** 3;

let running = 0;

const growBy = (percent: number): void => {
  if (v8.getHeapStatistics().heap_size_limit >= LARGE_HEAP) v8.setFlagsFromString(`--heap-growing-percent=${percent}`);
};

export async function withTightHeap<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  if (running === 1) growBy(100);
  try {
    return await work();
  } finally {
    running -= 1;
    // As the engine thinks best.
    if (running === 0) growBy(0);
  }
}
