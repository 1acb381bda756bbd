// Runs work that makes much garbage which lives as long as a transaction: the heap is swept once it has grown by 70%, not at
// four times what was in use. The first import after a start then adds 53 MiB, against 62 where the heap doubles and 37 at 50%,
// which may cost the imports after it time (30,000 rows, one run of each). The flag sets the factor of growth, and a sweep makes the
// next limit from it: so the work begins with one, or the heap would first grow to the limit of before. Where the heap may not
// reach 2 GiB, the engine chooses less than 2 by itself, and is left alone. Lists would pay with a tenth of their time: it is never
// set for the whole service.
import v8 from "node:v8";
import vm from "node:vm";

const LARGE_HEAP = 2 * 1024 ** 3;
/** Until the next sweep, however many files are imported. */
const REST_MS = 60_000;
/** Chunks come one after the other: what is swept between two of them must not set a wide limit for the next. */
const LINGER_MS = 2_000;

let running = 0;
let lingering: NodeJS.Timeout | undefined;
let swept = Number.NEGATIVE_INFINITY;
/** Swept, and held since. */
let isTight = false;

const isLarge = (): boolean => v8.getHeapStatistics().heap_size_limit >= LARGE_HEAP;

const growBy = (percent: number): void => v8.setFlagsFromString(`--heap-growing-percent=${percent}`);

function sweep(): void {
  swept = performance.now();
  isTight = true;
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void; // the flag just above puts it there
  v8.setFlagsFromString("--no-expose-gc");
  collect();
}

/** As the engine thinks best. */
function release(): void {
  lingering = undefined;
  isTight = false;
  growBy(0);
}

/** `isLong`: worth a sweep, which keeps the whole process for a moment. */
export async function withTightHeap<T>(isLong: boolean, work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    if (lingering) {
      clearTimeout(lingering);
      lingering = undefined;
    } else if (running === 1 && isLarge()) growBy(70);
    if (isLong && !isTight && isLarge() && performance.now() - swept > REST_MS) sweep();
    return await work();
  } finally {
    running -= 1;
    if (running === 0 && isLarge()) lingering = setTimeout(release, LINGER_MS).unref();
  }
}
