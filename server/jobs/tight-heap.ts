// Runs work that makes much garbage which lives as long as a transaction. Left to itself the heap grows to four times what is
// in use before it is swept; while such work runs, it doubles at most. Lists would pay for it with a tenth of their time:
// it is never set for the whole service.
import { setFlagsFromString } from "node:v8";

let running = 0;

export async function withTightHeap<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  if (running === 1) setFlagsFromString("--heap-growing-percent=100");
  try {
    return await work();
  } finally {
    running -= 1;
    // As the engine thinks best.
    if (running === 0) setFlagsFromString("--heap-growing-percent=0");
  }
}
