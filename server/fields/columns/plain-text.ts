// Sent text → the text that is stored: composed characters (NFC), no control characters, no more than so many
// characters, counted as people and PostgreSQL count them. Never cuts: what does not fit is refused.
import { type Fault, fault } from "../../../contract/messages.ts";
import { accept, type FieldRule, type Parsed, parseScalar, refuse } from "../field-type.ts";

/** Sorts text as people do: by the Unicode root collation, not by code points. */
export const peoplesCollation = "und-x-icu";

export const oneLine = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim();

export const manyLines = (text: string): string => text.normalize("NFC").replace(/\r\n?/gu, "\n").trim();

/** Four units of UTF-16 become one composed character, eight where they are pairs. */
const MOST_UNITS = 8;
/** Blanks that are left out of a text, at most. */
const BLANKS = 10_000;

/** What keeps a tidied text from being stored, none where nothing does. */
export function textFault(text: string, maxLength: number): Fault | undefined {
  // UTF-8 has no spelling for half a surrogate pair: it would come back as U+FFFD.
  if (!text.isWellFormed()) return fault("broken_characters");
  if (/[^\P{Cc}\n\t]/u.test(text)) return fault("control_characters");
  // As many units of UTF-16 as that are never more characters.
  if (text.length <= maxLength) return undefined;
  const length = characterCount(text);
  return length > maxLength ? fault("much_too_long", { max: maxLength, length }) : undefined;
}

export function parseText(input: unknown, tidy: (text: string) => string, maxLength: number): Parsed {
  return parseScalar(input, fault("bad_text"), (sent) => {
    // Tidying megabytes keeps everybody waiting for seconds. What is this long is too long once it is tidy, too.
    const text = sent.length > BLANKS + MOST_UNITS * maxLength ? sent : tidy(sent);
    const wrong = textFault(text, maxLength);
    return wrong === undefined ? accept(text) : refuse(wrong);
  });
}

export const lengthRule = (maxLength: number): FieldRule => ({
  rule: "max_length",
  params: [maxLength],
  message: fault("too_long", { max: maxLength }),
});

function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
