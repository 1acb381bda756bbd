// Takes what is wrong with a condition or an expression; gives the sentence, as write.ts does. The browser writes these as
// they are typed: nothing but these few sentences comes along.
import type { Message } from "../messages.ts";
import { formulas as arabic } from "./ar/formulas.ts";
import { formulas as english } from "./en/formulas.ts";
import { fill, separators } from "./fill.ts";
import type { Language } from "./languages.ts";

const texts = { en: english, ar: arabic } as const satisfies Record<Language, Record<keyof typeof english, string>>;

const isWritten = (language: string): language is Language => Object.hasOwn(texts, language);

/** In English where the language is none of ours. */
export function writeFormula(message: Message, wanted: string): string {
  const language = isWritten(wanted) ? wanted : "en";
  return fill(message, texts[language], separators[language]);
}
