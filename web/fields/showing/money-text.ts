// Amounts of several currencies as people read them. Pure.
import type { Formats } from "../../../contract/formats.ts";

/** Of an amount whose field says nothing else. */
export const PLACES = 2;

/** `EUR 12.00, USD 3.50` of the wire as `€12.00 + $3.50`. */
export const moneyParts = (parts: string, formats: Formats): string =>
  parts
    .split(", ")
    .map((part) => formats.money(part.slice(4), part.slice(0, 3) === "XXX" ? undefined : part.slice(0, 3)))
    .join(" + ");
