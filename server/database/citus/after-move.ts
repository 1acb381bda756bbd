// While an organization moves to another machine, a statement may look for its rows where they were. Nothing of it was done: tried
// again, it finds them.
import pg from "pg";

const MOST_TRIES = 5;

/** By SQLSTATE: the first words when an organization was moved, and when it was given parts of its own. */
const words = new Map([
  ["XX000", "could not find valid entry for shard"],
  ["40001", "shard for the given value does not exist"],
]);

export function isMoved(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const begin = words.get(error.code ?? "");
  return begin !== undefined && error.message.startsWith(begin);
}

/** `work` is a statement, or all of a transaction. `isUndone`: nothing of it was done. */
export async function againAfterMove<T>(
  work: () => Promise<T>,
  isUndone: (error: unknown) => boolean = isMoved,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isUndone(error) || tries === MOST_TRIES) throw error;
    }
  }
}
