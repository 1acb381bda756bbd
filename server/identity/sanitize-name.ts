// The name transformation: what people type or paste as a name, as it is kept. Pure.

import { withoutTags } from "../lib/markup.ts";

const LONGEST = 255;
/** A name that is longer holds more markup than name. */
const LONGEST_LOOKED_AT = 10_000;

/** One line, composed letters, no markup, no invisible characters, single spaces. */
export function sanitizeName(name: string): string {
  return (
    withoutTags(name.slice(0, LONGEST_LOOKED_AT).normalize("NFC"), " ")
      .replace(/[<>]/g, " ")
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
      // Zero-width joiners stay: some scripts are written with them.
      .replace(/[\u200b\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, "")
      .replace(/ +/g, " ")
      .trim()
      .slice(0, LONGEST)
      .toWellFormed()
      .trim()
  );
}
