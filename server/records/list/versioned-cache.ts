// Keeps results computed from tables while their versions stay the same, and computes each result only once at a time,
// however many callers want it.
import { apartFromClient, clientGone, patiently } from "../../database/scope.ts";
import { cacheUse } from "../../lib/cache-use.ts";
import { Recent } from "../../lib/memory/recent.ts";

export interface Kept<Value> {
  /** Of the tables, as the statement that made the value saw them. */
  readonly version: string;
  readonly value: Value;
}

/** What was last made, whether it still holds or not. */
export interface LastMade<Value> {
  readonly value: Value;
  readonly tookMs: number;
  readonly finished: number;
}

export interface VersionedCache<Value> {
  /** What is kept and still holds. */
  find(key: string, version: string): Value | undefined;
  last(key: string): (Kept<Value> & LastMade<Value>) | undefined;
  /** Replaces what was last made by something newer that is worked out from it; nothing where that cannot be done. */
  advance(key: string, work: () => Promise<Kept<Value> | undefined>): Promise<Kept<Value> | undefined>;
  /** Works it out, or joins those who already wait for it. */
  make(key: string, work: () => Promise<Kept<Value>>): Promise<Kept<Value>>;
}

interface Running<Value> {
  readonly made: Promise<Kept<Value>>;
  /** How many wait for it; those who went away do not. */
  waiting: number;
  readonly gone: AbortController;
}

/** Under `name` it stands in the metrics. */
export function createVersionedCache<Value>(most: number, name: string): VersionedCache<Value> {
  const used = cacheUse(name);
  const kept = new Recent<string, Kept<Value> & LastMade<Value>>(most);
  const running = new Map<string, Running<Value>>();
  const advancing = new Map<string, Promise<Kept<Value> | undefined>>();

  const start = (key: string, work: () => Promise<Kept<Value>>): Running<Value> => {
    const started = performance.now();
    const gone = new AbortController();
    const made = apartFromClient(work, gone.signal)
      .then((entry) => {
        kept.set(key, { ...entry, tookMs: performance.now() - started, finished: performance.now() });
        return entry;
      })
      .finally(() => {
        if (running.get(key)?.gone === gone) running.delete(key);
      });
    const entry = { made, waiting: 0, gone };
    running.set(key, entry);
    return entry;
  };

  /** When everybody who waited has gone away, nobody wants it any more. */
  const wait = (key: string, entry: Running<Value>): Promise<Kept<Value>> => {
    entry.waiting += 1;
    const leave = () => {
      entry.waiting -= 1;
      if (entry.waiting > 0) return;
      if (running.get(key) === entry) running.delete(key);
      entry.gone.abort(clientGone());
    };
    const answer = patiently(entry.made);
    // By going away or by running out of time; who has the answer, or its failure, stops nothing by leaving.
    answer.catch(leave);
    return answer;
  };

  return {
    find: (key, version) => {
      const entry = kept.get(key);
      used(entry?.version === version);
      return entry?.version === version ? entry.value : undefined;
    },
    last: (key) => kept.get(key),
    advance: (key, work) => {
      let pending = advancing.get(key);
      if (!pending) {
        const from = kept.get(key);
        pending = apartFromClient(work)
          .then((entry) => {
            // What was made meanwhile is newer, or as good.
            if (entry && from && kept.get(key) === from) kept.set(key, { ...from, ...entry });
            return entry;
          })
          .finally(() => advancing.delete(key));
        advancing.set(key, pending);
      }
      return patiently(pending);
    },
    make: (key, work) => wait(key, running.get(key) ?? start(key, work)),
  };
}
