// Runs what is made from things kept in memory until they are what the tables say: the one loop of a list. A run that finds
// something older than its table forgets it and gives nothing; the next one reads it anew. Where others change it faster than
// a busy service can follow, each try comes a little later, until the time of the request is over.
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
