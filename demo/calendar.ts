// When things happen: a year that ends at the start of a given day, growing, quiet at weekends and in the holidays.
// Moments are milliseconds since 1970 in UTC; the wire texts are made here and nowhere else.
import type { Random } from "./random.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const DAYS = 365;

/** Sunday first. */
const weekdayWeight = [0.12, 1.05, 1.2, 1.15, 1.1, 0.85, 0.18];

export interface Calendar {
  readonly start: number;
  /** Everything happens before it. */
  readonly end: number;
  /** A moment from `since` on, likelier on busy days; `offset` is the place's distance from UTC in hours. */
  draw(random: Random, offset: number, since?: number): number;
}

export function calendarUntil(today: string): Calendar {
  const end = Date.parse(`${today}T00:00:00Z`);
  if (Number.isNaN(end)) throw new RangeError(`today must be a date such as 2026-01-31, not ${today}`);
  const start = end - DAYS * DAY;
  const sums: number[] = [];
  for (let day = 0; day < DAYS; day += 1) sums.push((sums[day - 1] ?? 0) + dayWeight(start + day * DAY, day / DAYS));
  const sumBefore = (day: number) => (day <= 0 ? 0 : (sums[day - 1] ?? 0));
  return {
    start,
    end,
    draw(random, offset, since = start) {
      const first = Math.min(DAYS - 1, Math.max(0, Math.floor((since - start) / DAY)));
      const wanted = sumBefore(first) + random.next() * (sumBefore(DAYS) - sumBefore(first));
      let [low, high] = [first, DAYS - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sumBefore(middle + 1) <= wanted) low = middle + 1;
        else high = middle;
      }
      const moment = start + low * DAY + timeOfDay(random, offset);
      if (moment >= since && moment < end) return moment;
      // On the first or last day the drawn hour can lie outside; any moment of that day will do.
      const from = Math.max(since, start + low * DAY);
      return Math.floor(from + random.next() * Math.max(1000, Math.min(end, from + DAY / 2) - from - 1000));
    },
  };
}

function dayWeight(day: number, elapsed: number): number {
  const date = new Date(day);
  const month = date.getUTCMonth();
  const holidays = (month === 11 && date.getUTCDate() > 21) || (month === 0 && date.getUTCDate() < 3);
  const season = holidays ? 0.35 : month === 7 ? 0.78 : 1;
  return (1 + 0.8 * elapsed) * season * (weekdayWeight[date.getUTCDay()] ?? 1);
}

/** Milliseconds after UTC midnight at which somebody in an office works. */
function timeOfDay(random: Random, offset: number): number {
  const local = Math.min(19.5, Math.max(7, random.normal(12.8, 2.6)));
  const seconds = Math.floor(((((local - offset) % 24) + 24) % 24) * 3600 + random.int(0, 59));
  return Math.min(seconds, 86_399) * 1000;
}

/** The first working hour at or after a moment: people do not close deals on Sundays. */
export function atWork(random: Random, moment: number, offset: number): number {
  const day = Math.floor(moment / DAY) * DAY;
  const weekday = new Date(day).getUTCDay();
  const shift = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  const worked = day + shift * DAY + timeOfDay(random, offset);
  return worked >= moment ? worked : moment + random.int(60, 1800) * 1000;
}

/** Days as text: a year has few of them, and asking Date for each of 50,000 moments takes a third of a second. */
const dayTexts = new Map<number, string>();

export function dateText(moment: number): string {
  const day = Math.floor(moment / DAY);
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY).toISOString().slice(0, 10);
  dayTexts.set(day, text);
  return text;
}

export function instantText(moment: number): string {
  const seconds = Math.floor(moment / 1000) % 86_400;
  const digits = (value: number) => (value < 10 ? `0${value}` : String(value));
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${dateText(moment)} ${digits(hour)}:${digits(minute)}:${digits(seconds % 60)}`;
}

export const quarterText = (moment: number): string => {
  const date = new Date(moment);
  return `${date.getUTCFullYear()} Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
};
