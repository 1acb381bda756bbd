// Takes a date or a date with a time as somebody wrote it: ISO 8601, or the way the language writes it (15/11/2026,
// Nov 15, 2026); gives the day and the time, or undefined where it is none. A day that the calendar does not have is none.
import { latinDigits } from "./read-number.ts";

export interface WrittenDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Minutes after midnight; undefined where only a day is written. */
  readonly minutes: number | undefined;
  readonly seconds: number;
  /** Minutes from UTC; undefined where it is the reader's own time. */
  readonly offset: number | undefined;
}

type Part = "year" | "month" | "day";

interface Habits {
  readonly order: readonly Part[];
  /** By their beginnings, without points and in lower case; the index is the month. */
  readonly months: readonly (readonly string[])[];
}

const known = new Map<string | undefined, Habits>();
const isPart = (type: string): type is Part => type === "year" || type === "month" || type === "day";
const bare = (word: string): string => word.replaceAll(".", "").trim().toLocaleLowerCase();

function habitsOf(locale: string | undefined): Habits {
  const found = known.get(locale);
  if (found) return found;
  const numeric = { year: "numeric", month: "2-digit", day: "2-digit", timeZone: "UTC" } as const;
  const parts = new Intl.DateTimeFormat(locale, numeric).formatToParts(Date.UTC(2026, 10, 15));
  const names = (["short", "long"] as const).flatMap((month) =>
    [locale, "en"].map((one) => new Intl.DateTimeFormat(one, { month, timeZone: "UTC" })),
  );
  const made = {
    order: parts.map(({ type }) => type).filter(isPart),
    months: Array.from({ length: 12 }, (_, month) => names.map((one) => bare(one.format(Date.UTC(2026, month, 15))))),
  };
  known.set(locale, made);
  return made;
}

const clock = /(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([apصم])?\.?(?:m\.?)?\s*(z|[+-]\d{2}:?\d{2})?$/i;

/** No day takes more to write; the patterns below would take their time with a long run of spaces. */
const LONGEST = 100;

/** Whether it is a day as the wire writes it, which the calendar has. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function readDay(written: string, locale: string | undefined): WrittenDay | undefined {
  if (written.length > LONGEST) return undefined;
  const text = latinDigits(written)
    .normalize("NFKC")
    .replace(/[\u200e\u200f\u061c]/g, "")
    .trim();
  const time = clock.exec(text);
  const dated = (time ? text.slice(0, time.index) : text).replace(/[\s,،]*(?:T|\bat\b)?[\s,،]*$/i, "");
  const day = dayOf(dated, habitsOf(locale));
  if (day === undefined) return undefined;
  if (!time) return { day, minutes: undefined, seconds: 0, offset: undefined };
  const [, hours = "", minutes = "", seconds = "0", half, zone] = time;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^[pم]$/i.test(half) ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || (half !== undefined && Number(hours) > 12)) {
    return undefined;
  }
  return { day, minutes: hour * 60 + Number(minutes), seconds: Number(seconds), offset: offsetOf(zone) };
}

function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  if (zone.toLowerCase() === "z") return 0;
  const [, sign = "+", hours = "", minutes = ""] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function dayOf(text: string, { order, months }: Habits): string | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  const words = (text.match(/\p{L}[\p{L}\p{M}.]*/gu) ?? []).map(bare);
  const named = words.map((word) => months.findIndex((names) => names.some((name) => name === word)));
  const month = named.filter((found) => found >= 0);
  if (numbers.length === 3 && words.length === 0) {
    const [first = "", second = "", third = ""] = numbers;
    if (first.length === 4) return real(first, second, third);
    const at = (part: Part): string => numbers[order.indexOf(part)] ?? "";
    // What cannot be read the language's way is not turned around: 11/15 may be meant, or mistyped.
    return third.length === 4 && order[0] === "year"
      ? real(third, second, first)
      : real(yearOf(at("year")), at("month"), at("day"));
  }
  const [only] = month;
  if (numbers.length !== 2 || month.length !== 1 || only === undefined) return undefined;
  const [first = "", second = ""] = numbers;
  const [year, day] = first.length === 4 ? [first, second] : [yearOf(second), first];
  return real(year, String(only + 1), day);
}

const yearOf = (text: string): string => (text.length === 2 ? `${Number(text) < 69 ? "20" : "19"}${text}` : text);

function real(year: string, month: string, day: string): string | undefined {
  if (year.length !== 4) return undefined;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isSame = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isSame && Number(year) > 0 ? date.toISOString().slice(0, 10) : undefined;
}
