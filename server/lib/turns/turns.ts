// Takes work under a key; runs at most so much of one key at a time, the rest in the order in which it came. Keys do not
// wait for each other, and nothing is kept of a key that has no work.

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(mostAtOnce: number): InTurn {
  const places = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (key, work) => {
    const place = places.get(key) ?? { running: 0, waiting: [] };
    places.set(key, place);
    if (place.running >= mostAtOnce) await new Promise<void>((resolve) => place.waiting.push(resolve));
    else place.running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes this place over; it is given back when nobody does.
      const next = place.waiting.shift();
      if (next) next();
      else {
        place.running -= 1;
        if (place.running === 0) places.delete(key);
      }
    }
  };
}
