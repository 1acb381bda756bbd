// A few names of many, and a word for the rest. Pure.
const MOST_NAMES = 3;

export const someNames = (names: readonly string[], rest: (count: number) => string): readonly string[] =>
  names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES), rest(names.length - MOST_NAMES)];
