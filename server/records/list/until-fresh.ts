// The one loop of a list: runs code based on memory until the memory matches the tables. A run that finds something outdated
// drops it and returns nothing; the next run reads it again. If others change it faster than a busy service can follow, each
// try waits a little longer, until the request's time is over.
import { setTimeout as delay } from "node:timers/promises";
import { busy, currentScope, isLate } from "../../database/scope.ts";

const TRIES_AT_ONCE = 4;
const MOST_TRIES = 50;
const STEP_MS = 10;

export async function untilFresh<T>(run: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES && !isLate(currentScope()); tries += 1) {
    if (tries > TRIES_AT_ONCE) await delay(Math.random() * STEP_MS * (tries - TRIES_AT_ONCE));
    const made = await run();
    if (made !== undefined) return made;
  }
  throw busy();
}
