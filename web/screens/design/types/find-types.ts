// Takes what somebody types who looks for a field type; gives the choices that it means, those that are called so first, then those that
// people also call so, then those that are described so. Pure.

export interface Described {
  readonly name: string;
  /** What else people call it, separated by commas. */
  readonly words: string;
  readonly lead: string;
}

/** Accents and capitals make no difference. */
const plain = (text: string): string =>
  text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");

const ARABIC_ARTICLE = "ال";
const withoutArticle = (word: string): string =>
  word.startsWith(ARABIC_ARTICLE) ? word.slice(ARABIC_ARTICLE.length) : word;

/** One space between words, none before or after. */
const phraseOf = (text: string): string =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .map(withoutArticle)
    .filter((word) => word !== "")
    .join(" ");

/** Fewer letters are within words that mean something else: "age" in "image". */
const LEAST_WITHIN = 4;

/** Chinese has no spaces between words. */
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

const hasWord = (phrase: string, wanted: string): boolean =>
  isChinese(wanted) ? phrase.includes(wanted) : ` ${phrase}`.includes(` ${wanted}`);

/** 0: it is called so; undefined: it is not meant. */
export function rankOf(text: string, { name, words, lead }: Described): number | undefined {
  const wanted = phraseOf(text);
  if (wanted === "") return 0;
  const [label, described] = [phraseOf(name), phraseOf(lead)];
  const others = words.split(/[,،、]/u).map(phraseOf);
  const all = [label, ...others, described];
  const kinds = [
    () => label === wanted,
    () => label.startsWith(wanted) || others.includes(wanted),
    () => others.some((one) => one.startsWith(wanted)),
    () => [label, ...others].some((one) => hasWord(one, wanted)),
    () => hasWord(described, wanted),
    () => wanted.split(" ").every((word) => all.some((one) => hasWord(one, word))),
    () => wanted.length >= LEAST_WITHIN && all.some((one) => one.includes(wanted)),
  ];
  const rank = kinds.findIndex((holds) => holds());
  return rank < 0 ? undefined : rank;
}

export function findTypes<T>(text: string, all: readonly T[], describe: (one: T) => Described): readonly T[] {
  const ranked = all.flatMap((one) => {
    const rank = rankOf(text, describe(one));
    return rank === undefined ? [] : [{ one, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}
