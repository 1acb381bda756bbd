// Gives the labels that ship (record types, fields, options, views, forms, stages, menu) in a language, by their English text.
import type { Language } from "../../contract/texts/languages.ts";
import { arabic } from "./ar/index.ts";
import { german } from "./de/index.ts";
import { spanish } from "./es/index.ts";
import { french } from "./fr/index.ts";
import { chinese } from "./zh/index.ts";

/** English is what they are written in. */
const byLanguage: Readonly<Record<Exclude<Language, "en">, Readonly<Record<string, string>>>> = {
  ar: arabic,
  de: german,
  fr: french,
  es: spanish,
  zh: chinese,
};

const maps = new Map<Language, ReadonlyMap<string, string>>([["en", new Map()]]);

export function shippedLabels(language: Language): ReadonlyMap<string, string> {
  const known = maps.get(language);
  if (known !== undefined || language === "en") return known ?? new Map();
  const labels = new Map(Object.entries(byLanguage[language]));
  maps.set(language, labels);
  return labels;
}
