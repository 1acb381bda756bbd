// Takes a message and a language; gives the sentence. The one place where codes become words.
import type { Message, MessagesByField } from "../messages.ts";
import { arabic } from "./ar/index.ts";
import { german } from "./de/index.ts";
import { english } from "./en/index.ts";
import { spanish } from "./es/index.ts";
import { fill } from "./fill.ts";
import { french } from "./fr/index.ts";
import { type Language, languageOf, languages } from "./languages.ts";
import { chinese } from "./zh/index.ts";

export { type Language, languageOf, languages };

export const texts = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  zh: chinese,
  ar: arabic,
} as const satisfies Record<Language, Record<keyof typeof english, string>>;

export const write = (said: Message, language: Language): string => fill(said, texts[language], language);

export const writeAll = (said: readonly Message[], language: Language): string[] =>
  said.map((one) => write(one, language));

export const writeByField = (byField: MessagesByField, language: Language): Record<string, string[]> =>
  Object.fromEntries(Object.entries(byField).map(([field, said]) => [field, writeAll(said, language)]));

/** The first of ours in an Accept-Language header, in the order that it asks for. */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const ranges = (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";");
      const quality = parameters.map((one) => one.trim()).find((one) => one.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    });
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const language = languageOf(tag);
    if (language !== undefined) return language;
  }
  return undefined;
}
