// Takes JSON text; gives what JSON.parse does, but a number that a float does not hold exactly, or is too large for one, stays the
// text that it was written in: an id or an amount is never another one afterwards. Throws as JSON.parse does.

/** A float keeps any 15 digits. */
const KEPT_DIGITS = 15;

/** Strings are matched too, so that nothing inside them is taken for a number. An open one is matched to the end: no text is slow. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

export const parseExactly = (text: string): unknown =>
  JSON.parse(text.replace(STRINGS_AND_NUMBERS, (part) => (part.startsWith('"') || isKept(part) ? part : `"${part}"`)));

/** With more, a float is written with an exponent. */
const WHOLE = /^-?\d{1,21}$/;

function isKept(number: string): boolean {
  if (WHOLE.test(number)) return BigInt(number) === BigInt(Number(number));
  const [mantissa = ""] = number.split(/[eE]/);
  return mantissa.replace(/^-?[0.]*|\./g, "").length <= KEPT_DIGITS && Number.isFinite(Number(number));
}
