// Days of the calendar as numbers, and back: what formulas reckon dates with. Years 1 to 9999, as the wire writes them.

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Days since 1970-01-01; undefined where it is no day. */
export function dayNumber(text: string): number | undefined {
  const parts = pattern.exec(text);
  if (!parts) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(0);
  // Date.UTC takes the year 50 for 1950.
  date.setUTCFullYear(year, month - 1, day);
  const isReal = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? Math.round(date.getTime() / DAY_MS) : undefined;
}

export const isDay = (text: string): boolean => dayNumber(text) !== undefined;

const FIRST = dayNumber("0001-01-01") ?? 0;
const LAST = dayNumber("9999-12-31") ?? 0;

/** Undefined outside of what the wire can write. */
export function dayText(number: number): string | undefined {
  if (!(number >= FIRST && number <= LAST)) return undefined;
  const date = new Date(number * DAY_MS);
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  return `${digits(date.getUTCFullYear(), 4)}-${digits(date.getUTCMonth() + 1, 2)}-${digits(date.getUTCDate(), 2)}`;
}
