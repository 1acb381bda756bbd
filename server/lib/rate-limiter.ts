// Counts events per key and minute, in memory, one number per key (the generic cell rate algorithm: a burst of the
// whole allowance, then a steady refill). Never grows without bound, never blocks, never reads the clock itself.

export interface RateLimiter {
  /** Counts one event. 0: allowed; else the whole seconds after which the next one is. A refused event is not counted. */
  take(key: string, now: number): number;
  /** How many events are left, and the whole seconds after which all are again. */
  left(key: string, now: number): { readonly events: number; readonly seconds: number };
  /** What `take` would say, without counting. */
  peek(key: string, now: number): number;
  /** Counts events that happened elsewhere; at the most they use the allowance up. */
  add(key: string, count: number, now: number): void;
}

const WINDOW = 60_000;

export function rateLimiter(perMinute: number, capacity = 100_000): RateLimiter {
  const interval = WINDOW / perMinute;
  /** Key → the moment at which its allowance is whole again. */
  const whole = new Map<string, number>();

  const after = (key: string, now: number) => Math.max(whole.get(key) ?? now, now) + interval;
  // A thousandth of a millisecond forgives the rounding of many small additions.
  const wait = (next: number, now: number) =>
    next - now <= WINDOW + 1e-3 ? 0 : Math.ceil((next - now - WINDOW) / 1000);

  function makeRoom(now: number): void {
    for (const [key, moment] of whole) if (moment <= now) whole.delete(key);
    // Still full of live keys: a tenth of them, those first seen longest ago, start afresh.
    let surplus = whole.size < capacity ? 0 : Math.ceil(capacity / 10);
    for (const key of whole.keys()) {
      if (surplus-- <= 0) break;
      whole.delete(key);
    }
  }

  const keep = (key: string, moment: number, now: number): void => {
    if (whole.size >= capacity && !whole.has(key)) makeRoom(now);
    whole.set(key, moment);
  };

  return {
    take(key, now) {
      const next = after(key, now);
      const seconds = wait(next, now);
      if (seconds === 0) keep(key, next, now);
      return seconds;
    },
    left(key, now) {
      const spent = Math.max((whole.get(key) ?? now) - now, 0);
      const events = Math.max(0, Math.floor((WINDOW - spent + 1e-3) / interval));
      return { events, seconds: Math.ceil(spent / 1000) };
    },
    peek: (key, now) => wait(after(key, now), now),
    add: (key, count, now) => keep(key, Math.min(after(key, now) + (count - 1) * interval, now + WINDOW), now),
  };
}
