// Decimal texts → the very text that PostgreSQL's bigint and numeric(p,s) print. Digits are moved as text:
// nothing is ever a float, nothing is ever rounded.
import { type Fault, fault } from "../../../contract/messages.ts";
import { trimEndOf } from "../../../contract/trim.ts";

export type ExactDecimal = { readonly text: string } | { readonly fault: Fault };

/** `[sign] digits [. digits]` in canonical spelling with exactly `scale` decimals. */
export function exactDecimal(sent: string, precision: number, scale: number): ExactDecimal {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/u.exec(sent);
  if (!match || !/\d/u.test(sent)) return { fault: fault("bad_plain_number") };
  const [, sign, wholeDigits = "", decimals = ""] = match;
  const whole = withoutLeadingZeros(wholeDigits);
  const kept = decimals.slice(0, scale).padEnd(scale, "0");
  if (/[1-9]/u.test(decimals.slice(scale))) {
    return { fault: scale === 0 ? fault("no_decimals") : fault("too_many_decimals", { max: scale }) };
  }
  if (whole !== "0" && whole.length > precision - scale) {
    return { fault: fault("too_many_digits", { max: precision - scale }) };
  }
  const text = scale === 0 ? whole : `${whole}.${kept}`;
  return { text: sign === "-" && /[1-9]/u.test(text) ? `-${text}` : text };
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** A whole number of PostgreSQL's bigint in canonical spelling; undefined for anything else. */
export function exactInteger(sent: string): string | undefined {
  const match = /^([+-]?)(\d+)$/u.exec(sent);
  if (!match) return undefined;
  const digits = withoutLeadingZeros(match[2] ?? "");
  // Longer ones are out of range anyway, and BigInt takes its time with a megabyte of digits.
  if (digits.length > 19) return undefined;
  const value = BigInt(match[1] === "-" ? `-${digits}` : digits);
  return value < smallest || value > largest ? undefined : value.toString();
}

/** A JSON number, exponent and all, as numeric prints it; undefined where it would take more than `maxLength` characters. */
export function plainNumber(json: string, maxLength: number): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(json);
  if (!match) return undefined;
  const [, sign, whole = "", decimals = "", exponent = "0"] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) + json.length > maxLength) return undefined;
  const point = whole.length + shift;
  const digits = (whole + decimals).padEnd(point, "0");
  const padded = point > 0 ? digits : "0".repeat(1 - point) + digits;
  const cut = Math.max(point, 1);
  const fraction = padded.slice(cut);
  const text = withoutLeadingZeros(padded.slice(0, cut)) + (fraction === "" ? "" : `.${fraction}`);
  return sign === "-" && /[1-9]/u.test(text) ? `-${text}` : text;
}

/** One spelling per value: `1.10` and `1.1` are the same number. */
export const withoutTrailingZeros = (plain: string): string =>
  plain.includes(".") ? trimEndOf(trimEndOf(plain, "0"), ".") : plain;

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+(?=\d)/u, "") || "0";
