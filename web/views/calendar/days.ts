// Days of a calendar as texts, `YYYY-MM-DD`, and which of them a month or a week shows. Pure.
import { readInstant, writeInstant } from "../../../client/transport/instant.ts";
import { clockAt, instantIn } from "../../../contract/zones.ts";

export type Span = "month" | "week";

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date): string => date.toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string =>
  textOf(new Date(utc(day).getTime() + count * 86_400_000));

/** The same day of another month; its last one where it has fewer. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - 1 + count + 1, 0)).getUTCDate();
  return textOf(new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))));
}

/** Weeks begin on Monday, as they do where lists are grouped by them. */
export const startOfWeek = (day: string): string => addDays(day, -((utc(day).getUTCDay() + 6) % 7));

/** The days on the screen: a week, or the whole weeks that a month lies in. */
export function daysOf(at: string, span: Span): readonly string[] {
  const first = span === "week" ? startOfWeek(at) : startOfWeek(`${at.slice(0, 8)}01`);
  const end = span === "week" ? addDays(first, 7) : addMonths(`${at.slice(0, 8)}01`, 1);
  const weeks = span === "week" ? 1 : Math.ceil((utc(end).getTime() - utc(first).getTime()) / (7 * 86_400_000));
  return Array.from({ length: weeks * 7 }, (_, index) => addDays(first, index));
}

/** The day of a moment where the reader is. */
export const localDay = (date: Date, timeZone: string): string => clockAt(date, timeZone).slice(0, 10);

/** A value of the wire on the reader's calendar: its day, and its time where it has one. */
export function placeOf(
  value: string | null,
  hasTime: boolean,
  timeZone: string,
): { readonly day: string; readonly date?: Date } | undefined {
  if (value === null || value === "") return undefined;
  if (!hasTime) return { day: value.slice(0, 10) };
  const date = readInstant(value);
  return date && { day: localDay(date, timeZone), date };
}

/** The same time on another day, as the wire has it. */
export function onDay(value: string | null, day: string, hasTime: boolean, timeZone: string): string {
  if (!hasTime) return day;
  const before = readInstant(value);
  const time = before ? clockAt(before, timeZone).slice(11, 16) : "09:00";
  return writeInstant(instantIn(`${day}T${time}`, timeZone) ?? utc(day));
}

/** What the first and the last day begin and end with, as conditions compare it. */
export function boundsOf(first: string, last: string, hasTime: boolean, timeZone: string): readonly [string, string] {
  if (!hasTime) return [first, last];
  const midnight = (day: string): Date => instantIn(`${day}T00:00`, timeZone) ?? utc(day);
  return [writeInstant(midnight(first)), writeInstant(new Date(midnight(addDays(last, 1)).getTime() - 1000))];
}

/** A yearly day in the year that is looked at; 29 February is kept on the 28th where there is none. */
export function inYearOf(day: string, days: readonly string[]): string | undefined {
  const tail = day.slice(4);
  return days.find(
    (one) =>
      one.slice(4) === tail ||
      (tail === "-02-29" && one.slice(4) === "-02-28" && !days.some((other) => other.endsWith("-02-29"))),
  );
}
