// Keeps what was worked out from tables for as long as their versions stay the same, and works the same thing out once
// at a time, however many ask for it.

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

export interface KeptByVersion<Value> {
  /** What is kept and still holds. */
  find(key: string, version: string): Value | undefined;
  last(key: string): LastMade<Value> | undefined;
  /** Works it out, or joins those who already wait for it. */
  make(key: string, work: () => Promise<Kept<Value>>): Promise<Kept<Value>>;
}

export function createKept<Value>(most: number): KeptByVersion<Value> {
  const kept = new Map<string, Kept<Value> & LastMade<Value>>();
  const running = new Map<string, Promise<Kept<Value>>>();
  return {
    find: (key, version) => {
      const entry = kept.get(key);
      if (entry?.version !== version) return undefined;
      // Last used, last to go.
      kept.delete(key);
      kept.set(key, entry);
      return entry.value;
    },
    last: (key) => kept.get(key),
    make: (key, work) => {
      const pending = running.get(key);
      if (pending) return pending;
      const started = performance.now();
      const made = work()
        .then((entry) => {
          kept.delete(key);
          kept.set(key, { ...entry, tookMs: performance.now() - started, finished: performance.now() });
          if (kept.size > most) kept.delete(kept.keys().next().value ?? "");
          return entry;
        })
        .finally(() => running.delete(key));
      running.set(key, made);
      return made;
    },
  };
}
