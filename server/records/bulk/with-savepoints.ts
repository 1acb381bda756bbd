// Takes records and an action; runs it on one record after the other within one transaction, each behind its own savepoint.
// If it fails for one record, that one is rolled back and reported, and the others stay.

import { Failure } from "../../../contract/failures.ts";
import type { Message } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";

/** What became of many records. */
export interface ManyOutcome {
  readonly changed: readonly string[];
  /** By id. */
  readonly failed: Readonly<Record<string, readonly Message[]>>;
}

/** Thrown where work stops because the process does: nothing of the transaction is kept, and it is taken up again. */
export class Interrupted extends Error {}

/** Reasons that a person can read. A failure of the service itself is not one of them. */
export function reasonsOf(failure: Failure): readonly Message[] {
  const { errors = [] } = failure.detail;
  return failure.code === "invalid" ? errors : [failure.said, ...errors];
}

export type Attempt<T> = { readonly value: T } | { readonly failure: Failure };

/** `saved`: the id of each record or why it was refused; undefined where it was left because another was. */
export function outcomeOf(keys: readonly string[], saved: readonly (Attempt<string> | undefined)[]): ManyOutcome {
  const changed: string[] = [];
  const failed: Record<string, readonly Message[]> = {};
  for (const [index, key] of keys.entries()) {
    const one = saved[index];
    if (one && "value" in one) changed.push(one.value);
    else if (one) failed[key] = reasonsOf(one.failure);
  }
  return { changed, failed };
}

export async function attempt<T>(transaction: Queryable, run: () => Promise<T>): Promise<Attempt<T>> {
  await transaction.script("savepoint one");
  try {
    const value = await run();
    await transaction.settled();
    await transaction.script("release savepoint one");
    return { value };
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    await transaction.script("rollback to savepoint one; release savepoint one");
    return { failure: error };
  }
}

export async function withSavepoints(
  transaction: Queryable,
  ids: readonly string[],
  run: (id: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<ManyOutcome> {
  const changed: string[] = [];
  const failed: Record<string, readonly Message[]> = {};
  for (const id of ids) {
    if (signal?.aborted) throw new Interrupted();
    const result = await attempt(transaction, () => run(id));
    if ("failure" in result) failed[id] = reasonsOf(result.failure);
    else changed.push(id);
  }
  return { changed, failed };
}
