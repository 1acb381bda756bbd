// Takes a value such as `{{TODAY}}-7d`, `{{THIS_MONTH}}` or `{{CURRENT_USER}}`; gives the text that it stands for at this moment, for
// this caller. Days are the caller's own, months clamp to their end, instants are UTC. Pure: the clock is given.
import { type Fault, fault } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { instant, localDay } from "../lib/instant.ts";

export interface Moment {
  readonly caller: Pick<Caller, "userId" | "organizationId" | "timeZone">;
  readonly now: Date;
}

export type Expanded = { readonly text: string } | { readonly fault: Fault };

const placeholder =
  /^\s*\{\{\s*([A-Z_]+)((?:\s*[+-]\s*\d{1,6}[smhdwMy])*)\s*\}\}((?:\s*[+-]\s*\d{1,6}[smhdwMy])*)\s*$/u;
const looksLike = /^\s*\{\{\s*[A-Z_][^{}]*\}\}/u;

/** `sqlType` of the column decides between a day and an instant. What is no placeholder comes back as it is. */
export function expandPlaceholder(text: string, moment: Moment, sqlType: string): Expanded {
  const [, name, inside = "", outside = ""] = placeholder.exec(text) ?? [];
  if (name === undefined) return looksLike.test(text) ? { fault: fault("not_a_placeholder") } : { text };
  const offsets = readOffsets(inside + outside);
  if (isTime(name)) return expandTime(name, offsets, moment, sqlType);
  const known: Readonly<Record<string, string>> = {
    CURRENT_USER: moment.caller.userId,
    CURRENT_ORGANIZATION: moment.caller.organizationId,
  };
  const value = Object.hasOwn(known, name) ? known[name] : undefined;
  if (value === undefined) return { fault: fault("not_a_placeholder") };
  return offsets.length === 0 ? { text: value } : { fault: fault("no_offset") };
}

/** Each begins a day; but for NOW, which is an instant. */
const beginnings = {
  NOW: undefined,
  TODAY: (day: Date) => day,
  // Weeks begin on Monday, as they do where lists are grouped by them.
  THIS_WEEK: (day: Date) => new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * milliseconds.d),
  THIS_MONTH: (day: Date) => firstOf(day, day.getUTCMonth()),
  THIS_QUARTER: (day: Date) => firstOf(day, day.getUTCMonth() - (day.getUTCMonth() % 3)),
  THIS_YEAR: (day: Date) => firstOf(day, 0),
} as const;

type TimeName = keyof typeof beginnings;

const isTime = (name: string): name is TimeName => Object.hasOwn(beginnings, name);

function firstOf(day: Date, month: number): Date {
  const first = new Date(day);
  first.setUTCMonth(month, 1);
  return first;
}

type Unit = "s" | "m" | "h" | "d" | "w" | "M" | "y";

interface Offset {
  readonly count: number;
  readonly unit: Unit;
}

const readOffsets = (text: string): readonly Offset[] =>
  Array.from(text.matchAll(/([+-])\s*(\d+)([smhdwMy])/gu), ([, sign, digits, unit]) => ({
    count: Number(digits) * (sign === "-" ? -1 : 1),
    // The pattern admits no other letters.
    unit: unit as Unit,
  }));

function expandTime(name: TimeName, offsets: readonly Offset[], moment: Moment, sqlType: string): Expanded {
  const { timeZone } = moment.caller;
  // A day is reckoned as midnight UTC of that day, and moved to the caller's midnight at the end.
  const start = beginnings[name]?.(midnight(localDay(moment.now, timeZone))) ?? moment.now;
  const shifted = offsets.reduce<Date | undefined>((at, offset) => at && shift(at, offset), start);
  if (!shifted) return { fault: fault("outside_calendar") };
  const [day = "", time = ""] = instant(shifted).split(" ");
  if (!sqlType.startsWith("timestamp")) {
    if (name !== "NOW") return { text: day };
    return { text: sqlType === "date" ? localDay(shifted, timeZone) : `${day} ${time}` };
  }
  if (name === "NOW") return { text: instant(shifted) };
  const begins = dayBegins(day, timeZone).getTime() + (shifted.getTime() - midnight(day).getTime());
  return { text: instant(new Date(begins)) };
}

const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Undefined outside of the years 0001 to 9999, with a day's room for time zones. */
function shift(at: Date, { count, unit }: Offset): Date | undefined {
  const moved = unit === "M" || unit === "y" ? shiftMonths(at, unit === "y" ? count * 12 : count) : undefined;
  const result = moved ?? new Date(at.getTime() + count * milliseconds[unit === "M" || unit === "y" ? "d" : unit]);
  const time = result.getTime();
  return time >= Date.parse("0001-01-02T00:00:00Z") && time < Date.parse("9999-12-31T00:00:00Z") ? result : undefined;
}

/** The same day of another month, or that month's last. */
function shiftMonths(at: Date, count: number): Date {
  const result = new Date(at);
  result.setUTCDate(1);
  result.setUTCMonth(at.getUTCMonth() + count);
  // Not Date.UTC: it takes years below 100 for those of the twentieth century.
  const end = new Date(result);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  result.setUTCDate(Math.min(at.getUTCDate(), end.getUTCDate()));
  return result;
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The first instant of a day in that zone: not always its midnight, where clocks are put forward at that hour. */
export function dayBegins(day: string, timeZone: string): Date {
  // No zone is further from UTC than 16 hours (the Philippines and Alaska before their days were swapped).
  let before = midnight(day).getTime() / 1000 - 16 * 3600;
  let from = midnight(day).getTime() / 1000 + 16 * 3600;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDay(new Date(middle * 1000), timeZone) >= day) from = middle;
    else before = middle;
  }
  return new Date(from * 1000);
}
