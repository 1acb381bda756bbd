// Takes a number as somebody wrote it (grouped, with a currency or a percent sign, in the digits of the language); gives
// the exact decimal text of the wire, or undefined where it is none. A point with one kind of separator is read as the
// language writes it.

interface Separators {
  readonly group: string;
  readonly decimal: string;
}

const known = new Map<string | undefined, Separators>();

function separatorsOf(locale: string | undefined): Separators {
  const found = known.get(locale);
  if (found) return found;
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1234567.5);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  const made = { group: part("group"), decimal: part("decimal") };
  known.set(locale, made);
  return made;
}

/** Arabic and Persian digits and separators as the Latin ones. */
export const latinDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/٫/g, ".")
    .replace(/٬/g, ",");

export function readNumber(written: string, locale: string | undefined): string | undefined {
  let text = latinDigits(written)
    .normalize("NFKC")
    .replace(/[\u2212\u2013]/g, "-")
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/\p{Sc}|%|\b[A-Za-z]{3}\b/gu, "")
    .replace(/[\s'’]/g, "");
  // Accounts write what is below zero in brackets.
  const inBrackets = /^\((.+)\)$/.exec(text);
  if (inBrackets) text = `-${inBrackets[1]}`;
  if (/^[^-]+-$/.test(text)) text = `-${text.slice(0, -1)}`;
  const sign = /^[+-]/.exec(text)?.[0] === "-" ? "-" : "";
  const plain = ungrouped(text.replace(/^[+-]/, ""), separatorsOf(locale));
  if (plain === undefined) return undefined;
  const [whole = "", fraction] = plain.split(".");
  const short = whole.replace(/^0+(?=\d)/, "") || "0";
  const number = fraction === undefined || fraction === "" ? short : `${short}.${fraction}`;
  return /^[0.]+$/.test(number) ? number : `${sign}${number}`;
}

/** Digits with at most one point. */
function ungrouped(text: string, { group, decimal }: Separators): string | undefined {
  const marks = [...text].filter((char) => char === "." || char === ",");
  const last = marks.at(-1);
  const isGrouped = (mark: string): boolean => (mark === "." ? /^\d{1,3}(\.\d{3})+$/ : /^\d{1,3}(,\d{3})+$/).test(text);
  let point: string;
  if (last === undefined) point = decimal;
  else if (marks.length > 1) point = marks.every((mark) => mark === last) ? (last === "." ? "," : ".") : last;
  // A single mark: three digits after the one that groups are thousands, anything else is a fraction.
  else point = last === group && isGrouped(last) ? decimal : last;
  const other = point === "." ? "," : ".";
  const [whole = "", fraction, ...more] = text.split(point);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? "")) return undefined;
  const grouped = whole.includes(other) ? /^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(whole) : /^\d*$/.test(whole);
  const digits = whole.replaceAll(other, "");
  if (!grouped || `${digits}${fraction ?? ""}` === "") return undefined;
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}
