// Chance that repeats itself: streams of numbers from a name (sfc32), and what the demo draws with them.

export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  weighted<Item>(items: readonly Item[], weight: (item: Item) => number): Item;
  normal(mean: number, deviation: number): number;
  /** Half of the draws are below the median. */
  logNormal(median: number, sigma: number): number;
  /** Every `#` becomes a digit. */
  digits(pattern: string): string;
}

/** Each name is a stream of its own, so that drawing more of one thing changes nothing of another. */
export function randomFrom(name: string): Random {
  const next = sfc32(name);
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const normal = (mean: number, deviation: number) => {
    // Box and Muller; 1 - next() because the logarithm of 0 has no value.
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * next());
  };
  return {
    next,
    int,
    normal,
    chance: (probability) => next() < probability,
    pick: (items) => at(items, Math.floor(next() * items.length)),
    weighted(items, weight) {
      let left = next() * items.reduce((sum, item) => sum + weight(item), 0);
      for (const item of items) {
        left -= weight(item);
        if (left < 0) return item;
      }
      return at(items, items.length - 1);
    },
    logNormal: (median, sigma) => median * Math.exp(normal(0, sigma)),
    digits: (pattern) => pattern.replaceAll("#", () => String(int(0, 9))),
  };
}

/** The item at that place, which must exist. */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is no item ${index} among ${items.length}`);
  return item;
}

function sfc32(name: string): () => number {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, fnv1a(name)];
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers still show the seed.
  for (let index = 0; index < 16; index += 1) next();
  return next;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
