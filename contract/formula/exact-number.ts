// Exact decimal numbers as formulas work with them: sums and products are exact, a division is cut after 12 places, and what
// has to be shorter is rounded half away from zero. PostgreSQL's numeric comes to the same digits.
import { trimEndOf } from "../trim.ts";

export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Digits that a division is carried to. */
export const DIVISION_PLACES = 12;
const pattern = /^([+-]?)(\d+)(?:\.(\d*))?$/;
/** What is longer is no number that anybody works with. */
const LONGEST = 1_000;

export function decimalOf(text: string): Decimal | null {
  const parts = text.length > LONGEST ? null : pattern.exec(text);
  if (!parts) return null;
  const decimals = parts[3] ?? "";
  const digits = BigInt((parts[2] ?? "0") + decimals);
  return { digits: parts[1] === "-" ? -digits : digits, places: decimals.length };
}

export const whole = (value: bigint | number): Decimal => ({ digits: BigInt(value), places: 0 });

const raised = ({ digits, places }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - places);

export function calculate(operator: "+" | "-" | "*" | "/", left: Decimal, right: Decimal): Decimal | null {
  if (operator === "*") return { digits: left.digits * right.digits, places: left.places + right.places };
  if (operator === "/") {
    if (right.digits === 0n) return null;
    const most = Math.max(left.places, right.places);
    const quotient = (raised(left, most) * 10n ** BigInt(DIVISION_PLACES)) / raised(right, most);
    return { digits: quotient, places: DIVISION_PLACES };
  }
  const places = Math.max(left.places, right.places);
  const [a, b] = [raised(left, places), raised(right, places)];
  return { digits: operator === "+" ? a + b : a - b, places };
}

export function compareDecimals(left: Decimal, right: Decimal): number {
  const places = Math.max(left.places, right.places);
  const [a, b] = [raised(left, places), raised(right, places)];
  return a < b ? -1 : a > b ? 1 : 0;
}

export const absolute = ({ digits, places }: Decimal): Decimal => ({ digits: digits < 0n ? -digits : digits, places });

/** Half away from zero. */
export function rounded(value: Decimal, places: number): Decimal {
  if (value.places <= places) return { digits: raised(value, places), places };
  const unit = 10n ** BigInt(value.places - places);
  const { digits } = absolute(value);
  const up = (digits + unit / 2n) / unit;
  return { digits: value.digits < 0n ? -up : up, places };
}

/** The whole number below (`down`) or above. */
export function wholeBeside({ digits, places }: Decimal, side: "down" | "up"): Decimal {
  const unit = 10n ** BigInt(places);
  const cut = digits / unit;
  const isExact = cut * unit === digits;
  const step = isExact ? 0n : side === "down" ? (digits < 0n ? -1n : 0n) : digits > 0n ? 1n : 0n;
  return whole(cut + step);
}

/** Towards zero. */
export const truncated = ({ digits, places }: Decimal): bigint => digits / 10n ** BigInt(places);

/** Without zeros that say nothing; `fixed`: with all places that it has. */
export function decimalText({ digits, places }: Decimal, fixed = false): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
  const decimals = text.slice(text.length - places);
  const fraction = fixed ? decimals : trimEndOf(decimals, "0");
  return `${sign}${text.slice(0, text.length - places)}${fraction === "" ? "" : `.${fraction}`}`;
}
