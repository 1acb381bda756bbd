// While an organization moves to another machine, a statement may look for its rows where they were. Nothing of it was done: tried
// again, it finds them.
import pg from "pg";

const MOST_TRIES = 5;

export const isMoved = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === "XX000" &&
  error.message.startsWith("could not find valid entry for shard");

/** `work` is a statement, or all of a transaction. */
export async function againAfterMove<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isMoved(error) || tries === MOST_TRIES) throw error;
    }
  }
}
