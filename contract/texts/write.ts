// Takes a message and a language; gives the sentence. The one place where codes become words.
import type { MessageParam, MessagesByField, Said } from "../messages.ts";
import { arabic } from "./ar/index.ts";
import { english } from "./en/index.ts";

export const languages = ["en", "ar"] as const;
export type Language = (typeof languages)[number];

export const texts = { en: english, ar: arabic } as const satisfies Record<
  Language,
  Record<keyof typeof english, string>
>;

const commas = { en: ", ", ar: "، " } as const satisfies Record<Language, string>;

/** `{name}`, and `{name|one|more}`, which chooses by a number. */
const HOLE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/gu;

export function write(said: Said, language: Language): string {
  if (typeof said === "string") return said;
  const { code, params } = said;
  return texts[language][code].replace(HOLE, (whole, name: string, one?: string, more?: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return one === undefined || more === undefined ? inWords(value, language) : Number(value) === 1 ? one : more;
  });
}

function inWords(value: MessageParam, language: Language): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if ("code" in value) return write(value, language);
  return value.map((one) => write(one, language)).join(commas[language]);
}

export const writeAll = (said: readonly Said[], language: Language): string[] =>
  said.map((one) => write(one, language));

export const writeByField = (byField: MessagesByField, language: Language): Record<string, string[]> =>
  Object.fromEntries(Object.entries(byField).map(([field, said]) => [field, writeAll(said, language)]));

/** The names of what stands in a sentence; a test compares them between languages. */
export const holesOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(HOLE)].map(([, name = ""]) => name))].sort();

/** The language of a locale (`ar-EG`, `en_US`), where it is one of ours. */
export function languageOf(locale: string | null | undefined): Language | undefined {
  const code = locale?.trim().toLowerCase().split(/[-_]/u)[0];
  return languages.find((language) => language === code);
}

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
