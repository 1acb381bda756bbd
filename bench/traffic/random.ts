// Takes a seed; gives numbers that look random and are the same for the same seed, on every machine.

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** Both ends included. */
  integer(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
}

/** A number from a text, so that each row and round of a benchmark has a seed of its own. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const letter of parts.join("\0")) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return hash >>> 0;
}

/** sfc32: small, fast, and good enough for traffic. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1];
  const step = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let count = 0; count < 12; count += 1) step();
  const next = () => step() / 4_294_967_296;
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    pick: (list) => {
      const picked = list[integer(0, list.length - 1)];
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
  };
}

/** Picks by weight: `[["new", 3], ["old", 1]]` gives "new" three times out of four. */
export function weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): (random: Random) => T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  return (random) => {
    let left = random.next() * total;
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    const last = choices.at(-1);
    if (!last) throw new Error("there is nothing to pick from");
    return last[0];
  };
}

/**
 * Ranks from 1 to `size`, rank k with a weight of 1 ÷ k^exponent: how often people open the same records. By
 * rejection-inversion (Hörmann and Derflinger, 1996): no table, whatever the size.
 */
export function zipf(size: number, exponent = 1.05): (random: Random) => number {
  const integral = (x: number) => (exponent === 1 ? Math.log(x) : (x ** (1 - exponent) - 1) / (1 - exponent));
  const inverse = (x: number) => (exponent === 1 ? Math.exp(x) : (1 + x * (1 - exponent)) ** (1 / (1 - exponent)));
  const low = integral(1.5) - 1;
  const high = integral(size + 0.5);
  const squeeze = 2 - inverse(integral(2.5) - 2 ** -exponent);
  return (random) => {
    for (;;) {
      const area = high + random.next() * (low - high);
      const x = inverse(area);
      const rank = Math.min(size, Math.max(1, Math.round(x)));
      if (rank - x <= squeeze || area >= integral(rank + 0.5) - rank ** -exponent) return rank;
    }
  };
}

/** About 0, with a spread of 1: the sum of uniform numbers is near enough to normal. */
export function normal(random: Random): number {
  let sum = 0;
  for (let count = 0; count < 12; count += 1) sum += random.next();
  return sum - 6;
}
