// Sent text → the text that is stored: composed characters (NFC), no control characters, no more than so many
// characters, counted as people and PostgreSQL count them. Never cuts: what does not fit is refused.
import { accept, type FieldRule, type Parsed, parseScalar, refuse } from "../field-type.ts";

/** Sorts text as people do: by the Unicode root collation, not by code points. */
export const peoplesCollation = "und-x-icu";

export const oneLine = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim();

export const manyLines = (text: string): string => text.normalize("NFC").replace(/\r\n?/gu, "\n").trim();

/** What keeps a tidied text from being stored, as a sentence. */
export function textFault(text: string, maxLength: number): string | undefined {
  // UTF-8 has no spelling for half a surrogate pair: it would come back as U+FFFD.
  if (!text.isWellFormed()) return "must not contain broken characters";
  if (/[^\P{Cc}\n\t]/u.test(text)) return "must not contain control characters";
  const length = characterCount(text);
  return length > maxLength ? `must have at most ${maxLength} characters, not ${length}` : undefined;
}

export function parseText(input: unknown, tidy: (text: string) => string, maxLength: number): Parsed {
  return parseScalar(input, "must be a text", (sent) => {
    const text = tidy(sent);
    const fault = textFault(text, maxLength);
    return fault === undefined ? accept(text) : refuse(fault);
  });
}

export const lengthRule = (maxLength: number): FieldRule => ({
  rule: "max_length",
  params: [maxLength],
  message: `must have at most ${maxLength} characters`,
});

function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
