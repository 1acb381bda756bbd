// How a word of a search is looked for in values of a kind, for field types to choose from.
import type { WordSearch } from "../field-type.ts";
import type { ChoiceOption } from "./choice-options.ts";

export const inWords = (): WordSearch => ({ by: "words" });

/** A number or a day is found by itself. */
export const byEqualValue = (word: string): WordSearch | undefined =>
  hasDigit(word) ? { by: "value", any: [{ operator: "=", values: [word] }] } : undefined;

export const hasDigit = (word: string): boolean => /\d/u.test(word);

/** Without regard to case and accents, as everything that is searched. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The options that a word stands in. People read the label, programs the value. */
export function optionsWith(word: string, options: readonly ChoiceOption[]): string[] {
  const part = folded(word);
  return options
    .filter(({ value, label }) => [value, label].some((text) => folded(text).includes(part)))
    .map(({ value }) => value);
}
