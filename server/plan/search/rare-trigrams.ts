// Takes the words of a search and how common each trigram is in the table; gives the few trigrams that find the words fastest
// in its index. PostgreSQL would read the lists of all of them, and those of common syllables are as long as the table.

export interface TrigramShares {
  /** How many of the table's rows have a trigram, from 0 to 1. */
  readonly of: (trigram: string) => number;
  /** How many are of the organization that searches: its rows are listed in the same index. */
  readonly organization: number;
  readonly rows: number;
}

export interface RareTrigrams {
  /** For each word those that the index looks for, as they stand in it. Undefined: all that it has. */
  readonly of: readonly (readonly string[] | undefined)[];
  /** The organization's rows are looked for in it as well; without it, what was found is asked for its organization. */
  readonly isWithin: boolean;
  /** How many entries of the index are read, and how many rows it finds, at most. */
  readonly listed: number;
  readonly found: number;
}

/** To fetch a row that the index found takes as long as to read so many entries of it. */
const FETCHED_AS_LISTED = 1_000;
const MOST = 8;

/** Letters that every way of folding leaves side by side, and that every locale takes for letters. */
const WINDOW = /(?=([A-Za-z0-9]{3}))/g;

const windowsOf = (word: string): readonly string[] => [...word.matchAll(WINDOW)].map(([, window = ""]) => window);

const WITHIN = -1;

interface Window {
  readonly word: number;
  readonly text: string;
  readonly share: number;
}

/** Words are independent of one another. Of one word, the rarest syllable may tell as much as all of them. */
function foundBy(chosen: readonly Window[]): number {
  const seen = new Map<number, number>();
  let found = 1;
  for (const { word, share } of chosen) {
    const before = seen.get(word) ?? 0;
    seen.set(word, before + 1);
    found *= before === 0 ? share : before === 1 ? 0.5 : 0.75;
  }
  return found;
}

/**
 * Undefined where no word has a trigram that can be told from here. `isElsewhere`: the word may stand in something else than the
 * texts of the index, so what it has there decides nothing. `isNarrowed`: other indexes may find the rows, and need the organization.
 */
export function rareTrigrams(
  words: readonly string[],
  shares: TrigramShares,
  { isElsewhere, isNarrowed }: { isElsewhere(word: number): boolean; readonly isNarrowed: boolean },
): RareTrigrams | undefined {
  const known = new Map<string, Window>();
  const windowsAt = (word: string, index: number) => (isElsewhere(index) ? [] : windowsOf(word));
  words.forEach((word, index) => {
    for (const text of windowsAt(word, index)) {
      const folded = text.toLowerCase();
      if (!known.has(folded)) known.set(folded, { word: index, text, share: shares.of(folded) });
    }
  });
  if (known.size === 0) return undefined;
  const organization = { word: WITHIN, text: "", share: shares.organization };
  const chosen: Window[] = [];
  for (const window of [...known.values(), organization].sort((one, other) => one.share - other.share)) {
    const saved = foundBy(chosen) - foundBy([...chosen, window]);
    const isWorthIt = chosen.length < MOST && saved * FETCHED_AS_LISTED > window.share;
    if (isWorthIt || (window !== organization && chosen.every((one) => one === organization))) chosen.push(window);
  }
  return {
    of: words.map((word, index) =>
      windowsAt(word, index).length === 0
        ? undefined
        : chosen.filter((one) => one.word === index).map(({ text }) => text),
    ),
    isWithin: isNarrowed || chosen.includes(organization),
    listed: shares.rows * chosen.reduce((sum, { share }) => sum + share, 0),
    found:
      shares.rows * foundBy(chosen.filter((one, index) => chosen.findIndex(({ word }) => word === one.word) === index)),
  };
}
