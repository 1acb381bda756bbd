// Requests that wait for changes in their organization. While any wait, the database is asked a few times a second for the
// latest event of all these organizations: two statements, however many wait.
import type { Database } from "../../database/database.ts";
import { type Head, publishAmong, readHeads } from "../../database/events/publish-events.ts";
import { notify } from "../../database/processes/notify.ts";
import { streamsTaken, tooManyStreams } from "../../database/scope.ts";
import { createPresence, type Place, type Presence } from "./presence.ts";

export interface FeedWaiters {
  /**
   * Settles when there is something past the position (with where the events end by now) or at the record, record types changed for
   * whoever follows them, the time is over, the signal comes or the service stops.
   */
  wait(expected: Expected, milliseconds: number, signal: AbortSignal): Promise<Head | undefined>;
  /** Who looks at which record meanwhile. */
  readonly presence: Presence;
  /** Takes a place of somebody who listens, and gives what to call at the end. Fails where there are too many, or this user has too many. */
  enter(userId: string): () => void;
  /** Record types are others now. */
  designChanged(): void;
  /** Once the service stops: nobody waits any longer. */
  readonly closed: AbortSignal;
  close(): void;
}

export interface Expected {
  readonly organizationId: string;
  readonly position: bigint;
  /** The record on the screen, with the mark of those who were there when it was last told. */
  readonly at?: { readonly place: Place; readonly mark: string } | undefined;
  readonly followsDesign?: boolean;
}

const LOOK_EVERY_MS = 300;
/** A millisecond more for each who listens: what follows is work for each of them, and within a second is soon enough. */
const MOST_LATER_MS = 500;
const MOST_LISTENERS = 2_000;
const MOST_OF_ONE = 20;

interface Waiter {
  readonly position: bigint;
  readonly followsDesign: boolean;
  readonly wake: (head?: Head) => void;
}

export function createFeedWaiters(db: Database, failed: (error: unknown) => void): FeedWaiters {
  const waiting = new Map<string, Set<Waiter>>();
  const listeners = new Map<string, number>();
  const closing = new AbortController();
  const presence = createPresence((message) => void notify(db, "dossier_presence", message).catch(failed));
  let timer: NodeJS.Timeout | undefined;
  let all = 0;

  const look = async (): Promise<void> => {
    const organizations = [...waiting.keys()];
    await publishAmong(db, organizations);
    for (const [id, head] of await readHeads(db, organizations)) {
      for (const waiter of waiting.get(id) ?? []) if (waiter.position < head.position) waiter.wake(head);
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
    }, LOOK_EVERY_MS + Math.min(all, MOST_LATER_MS));
  };

  return {
    presence,
    wait: ({ organizationId, position, at, followsDesign = false }, milliseconds, signal) =>
      new Promise((resolve) => {
        const waiters = waiting.get(organizationId) ?? new Set<Waiter>();
        waiting.set(organizationId, waiters);
        const waiter: Waiter = {
          position,
          followsDesign,
          wake: (head) => {
            clearTimeout(late);
            unwatch?.();
            signal.removeEventListener("abort", stop);
            waiters.delete(waiter);
            if (waiters.size === 0 && waiting.get(organizationId) === waiters) waiting.delete(organizationId);
            resolve(head);
          },
        };
        const stop = (): void => waiter.wake();
        const late = setTimeout(stop, milliseconds);
        const unwatch = at && presence.watch(at.place, stop);
        waiters.add(waiter);
        signal.addEventListener("abort", stop, { once: true });
        const isOther = at !== undefined && presence.at(at.place).mark !== at.mark;
        if (isOther || signal.aborted || closing.signal.aborted) waiter.wake();
        else lookLater();
      }),
    enter: (userId) => {
      const own = listeners.get(userId) ?? 0;
      if (own >= MOST_OF_ONE) throw tooManyStreams(MOST_OF_ONE);
      if (all >= MOST_LISTENERS) throw streamsTaken();
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
    designChanged: () => {
      for (const waiters of waiting.values()) for (const waiter of waiters) if (waiter.followsDesign) waiter.wake();
    },
    closed: closing.signal,
    close: () => {
      closing.abort();
      clearTimeout(timer);
      presence.close();
      for (const waiters of waiting.values()) for (const waiter of waiters) waiter.wake();
    },
  };
}
