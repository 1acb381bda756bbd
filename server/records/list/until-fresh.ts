// Runs what is made from things kept in memory until they are what the tables say: the one loop of a list. A run that finds
// something older than its table forgets it and gives nothing; the next one reads it anew.
const MOST_TRIES = 4;

export async function untilFresh<T>(run: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const made = await run();
    if (made !== undefined) return made;
  }
  throw new Error("what is kept in memory changes faster than a list can be made from it");
}
