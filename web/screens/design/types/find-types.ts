// Takes what somebody types who looks for a field type; gives the choices that it means, those that are called so first, then those that
// people also call so, then those that are described so. Pure.

export interface Described {
  readonly name: string;
  /** What else people call it. */
  readonly words: string;
  readonly lead: string;
}

/** Accents and capitals make no difference. */
const plain = (text: string): string => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** 0: it is called so; undefined: it is not meant. */
export function rankOf(text: string, { name, words, lead }: Described): number | undefined {
  const wanted = plain(text.trim());
  const places = [name, words, lead].map(plain);
  const found = places.findIndex((place) => place.includes(wanted));
  if (found >= 0) return found;
  const all = places.join(" ");
  return wanted.split(/[\s,/-]+/u).every((word) => all.includes(word)) ? places.length : undefined;
}

export function findTypes<T>(text: string, all: readonly T[], describe: (one: T) => Described): readonly T[] {
  const ranked = all.flatMap((one) => {
    const rank = rankOf(text, describe(one));
    return rank === undefined ? [] : [{ one, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}
