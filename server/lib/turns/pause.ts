// Asked for between the steps of long work: where the process was kept for some milliseconds, whoever else waits for it has a
// turn first. Else it costs next to nothing.
import { setImmediate as turn } from "node:timers/promises";

/** A list takes several turns: what each of them waits adds up. */
const KEPT_MS = 3;

let since = 0;

export async function pause(): Promise<void> {
  if (performance.now() - since < KEPT_MS) return;
  await turn();
  since = performance.now();
}
