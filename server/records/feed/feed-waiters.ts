// Those who wait for something to happen in their organization. While somebody waits, the database is asked a few times a second
// where the events of all these organizations end by now: two statements, however many wait.
import type { Database } from "../../database/database.ts";
import { publishAmong, readHeads } from "../../database/events/publish-events.ts";

export interface FeedWaiters {
  /** Settles when there is something past the position, the time is over, the signal comes or the service stops. */
  wait(organizationId: string, position: bigint, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Takes a place of somebody who listens, or gives undefined where there are too many. Call what it gives at the end. */
  enter(userId: string): (() => void) | undefined;
  /** Once the service stops: nobody waits any longer. */
  readonly closed: AbortSignal;
  close(): void;
}

const LOOK_EVERY_MS = 300;
const MOST_LISTENERS = 2_000;
const MOST_OF_ONE = 20;

interface Waiter {
  readonly position: bigint;
  readonly wake: () => void;
}

export function createFeedWaiters(db: Database, failed: (error: unknown) => void): FeedWaiters {
  const waiting = new Map<string, Set<Waiter>>();
  const listeners = new Map<string, number>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let all = 0;

  const look = async (): Promise<void> => {
    const organizations = [...waiting.keys()];
    await publishAmong(db, organizations);
    for (const [id, position] of await readHeads(db, organizations)) {
      for (const waiter of waiting.get(id) ?? []) if (waiter.position < position) waiter.wake();
    }
  };

  const lookLater = (): void => {
    if (timer !== undefined || waiting.size === 0 || closing.signal.aborted) return;
    timer = setTimeout(() => {
      look()
        .catch(failed)
        .finally(() => {
          timer = undefined;
          lookLater();
        });
    }, LOOK_EVERY_MS);
  };

  return {
    wait: (organizationId, position, milliseconds, signal) =>
      new Promise((resolve) => {
        const waiters = waiting.get(organizationId) ?? new Set<Waiter>();
        waiting.set(organizationId, waiters);
        const waiter: Waiter = {
          position,
          wake: () => {
            clearTimeout(late);
            signal.removeEventListener("abort", waiter.wake);
            waiters.delete(waiter);
            if (waiters.size === 0 && waiting.get(organizationId) === waiters) waiting.delete(organizationId);
            resolve();
          },
        };
        const late = setTimeout(() => waiter.wake(), milliseconds);
        waiters.add(waiter);
        signal.addEventListener("abort", waiter.wake, { once: true });
        if (signal.aborted || closing.signal.aborted) waiter.wake();
        else lookLater();
      }),
    enter: (userId) => {
      const own = listeners.get(userId) ?? 0;
      if (all >= MOST_LISTENERS || own >= MOST_OF_ONE) return undefined;
      all += 1;
      listeners.set(userId, own + 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        all -= 1;
        const left = (listeners.get(userId) ?? 1) - 1;
        if (left > 0) listeners.set(userId, left);
        else listeners.delete(userId);
      };
    },
    closed: closing.signal,
    close: () => {
      closing.abort();
      clearTimeout(timer);
      for (const waiters of waiting.values()) for (const waiter of waiters) waiter.wake();
    },
  };
}
