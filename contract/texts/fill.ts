// Takes a message and sentences by code; gives its words. Knows no sentence itself, so that whoever needs few loads few.
import type { Message, MessageParam } from "../messages.ts";
import type { Language } from "./languages.ts";

interface Separators {
  /** Between names and values. */
  readonly names: string;
  /** Between sentences: the parameter `faults`. */
  readonly faults: string;
}

export const separators = {
  en: { names: ", ", faults: "; " },
  ar: { names: "، ", faults: "؛ " },
} as const satisfies Record<Language, Separators>;

/** `{name}`, and `{name|one|more}`, which chooses by a number. */
const HOLE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/gu;

export function fill(message: Message, texts: Readonly<Record<string, string>>, separators: Separators): string {
  const { code, params } = message;
  const words = (name: string, value: MessageParam): string => {
    if (typeof value === "string" || typeof value === "number") return String(value);
    if ("code" in value) return fill(value, texts, separators);
    const parts = value.map((one) => (typeof one === "string" ? one : fill(one, texts, separators)));
    return parts.join(name === "faults" ? separators.faults : separators.names);
  };
  return (texts[code] ?? code).replace(HOLE, (whole, name: string, one?: string, more?: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return one === undefined || more === undefined ? words(name, value) : Number(value) === 1 ? one : more;
  });
}

/** The names of what stands in a sentence; a test compares them between languages. */
export const holesOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(HOLE)].map(([, name = ""]) => name))].sort();
