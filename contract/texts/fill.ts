// Takes a message and sentences by code; gives its words. Knows no sentence itself, so that whoever needs few loads few.
import { formatsOf } from "../formats.ts";
import type { Message, MessageParam } from "../messages.ts";
import { type Language, languageNames } from "./languages.ts";

/** `{name}`, and `{name|one|more}`, which chooses by a number. Numbers that say how many are grouped as the language does. */
const HOLE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/gu;

const quantities: ReadonlySet<string> = new Set([
  ...["count", "max", "min", "most", "least", "limit", "length", "bytes", "size"],
  ...["values", "records", "rows", "refused"],
]);

export function fill(message: Message, texts: Readonly<Record<string, string>>, language: Language): string {
  const { code, params } = message;
  const words = (name: string, value: MessageParam): string => {
    if (typeof value === "number" && quantities.has(name)) return formatsOf({ locale: language }).count(value);
    if (typeof value === "string" || typeof value === "number") return String(value);
    if ("code" in value) return fill(value, texts, language);
    const parts = value.map((one) => (typeof one === "string" ? one : fill(one, texts, language)));
    return parts.join(languageNames[language][name === "faults" ? "faults" : "names"]);
  };
  return (texts[code] ?? code).replace(HOLE, (whole, name: string, one?: string, more?: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return one === undefined || more === undefined
      ? words(name, value)
      : ruleOf(language).select(Number(value)) === "one"
        ? one
        : more;
  });
}

const rules = new Map<Language, Intl.PluralRules>();

/** As the language counts: none takes the form of one in French. */
function ruleOf(language: Language): Intl.PluralRules {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule;
}

/** The names of what stands in a sentence; a test compares them between languages. */
export const holesOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(HOLE)].map(([, name = ""]) => name))].sort();
