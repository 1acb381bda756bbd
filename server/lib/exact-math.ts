// Sums, products, quotients and rounding of decimal texts. Whole numbers underneath: no float, and nothing is rounded but
// where a function says so.

export interface Decimal {
  readonly units: bigint;
  /** How many of the last digits are decimals. */
  readonly scale: number;
}

const parts = /^(-?)(\d+)(?:\.(\d+))?$/u;

export function decimalOf(text: string): Decimal {
  const match = parts.exec(text);
  if (!match) throw new Error(`not a decimal number: ${text.slice(0, 40)}`);
  const [, sign, whole = "0", fraction = ""] = match;
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, scale: fraction.length };
}

const widened = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale);

/** The longest fraction is kept: `1.10` + `2` is `3.10`. */
export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: widened(a, scale) + widened(b, scale), scale };
}

export const multiply = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale });

export const zero: Decimal = { units: 0n, scale: 0 };

export function compare(a: Decimal, b: Decimal): number {
  const { units } = add(a, { units: -b.units, scale: b.scale });
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/** Half away from zero, as PostgreSQL's round() does. */
export function round(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return { units: widened(value, scale), scale };
  return { units: dividedEvenly(value.units, 10n ** BigInt(value.scale - scale)), scale };
}

/** The quotient to so many significant digits. */
export function divide(a: Decimal, b: Decimal, digits: number): Decimal {
  if (b.units === 0n) throw new Error("division by zero");
  if (a.units === 0n) return zero;
  // The first digit of the quotient stands here, give or take one place.
  const first = length(a.units) - a.scale - (length(b.units) - b.scale);
  const scale = Math.max(0, digits - first);
  const numerator = a.units * 10n ** BigInt(scale + b.scale);
  return { units: dividedEvenly(numerator, b.units * 10n ** BigInt(a.scale)), scale };
}

const length = (units: bigint): number => absolute(units).toString().length;
const absolute = (units: bigint): bigint => (units < 0n ? -units : units);

function dividedEvenly(numerator: bigint, denominator: bigint): bigint {
  const [top, bottom] = [absolute(numerator), absolute(denominator)];
  const quotient = (top * 2n + bottom) / (bottom * 2n);
  return numerator < 0n === denominator < 0n ? quotient : -quotient;
}

export function decimalText({ units, scale }: Decimal): string {
  const digits = absolute(units)
    .toString()
    .padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

export const decimalSum = (texts: Iterable<string>): string => {
  let sum = zero;
  for (const text of texts) sum = add(sum, decimalOf(text));
  return decimalText(sum);
};
