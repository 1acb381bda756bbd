// Takes what is wrong with a condition or an expression; gives the sentence, as the service writes it. The sentences come
// with the texts of the designers: of the service's, the browser needs nothing but these few.
import i18next from "i18next";
import type { Message } from "../../contract/messages.ts";
import { fill } from "../../contract/texts/fill.ts";
import { languageOf } from "../../contract/texts/languages.ts";

/** In English where the language is none of ours. */
export function writeFormula(message: Message, wanted: string): string {
  const language = languageOf(wanted) ?? "en";
  return fill(message, i18next.getResource(language, "translation", "formulas") ?? {}, language);
}
