// Which records are behind a group: the condition that says so in the q language. Periods of instants are those of the
// reader's own calendar, as the service groups them.
import { writeInstant } from "../../../client/instant.ts";
import type { Condition } from "../../../client/list-draft.ts";
import type { ListHeader } from "../../../client/lists.ts";

export const periods = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof periods)[number];

export const isPeriod = (name: string | undefined): name is Period => periods.some((period) => period === name);

/** The column that a group is made of: `month(leads.created)` is of `leads.created`. */
export const columnOf = ({ column_name }: Pick<ListHeader, "column_name">): string =>
  /^[a-z]+\((.+)\)$/.exec(column_name)?.[1] ?? column_name;

export function sliceCondition(
  header: Pick<ListHeader, "column_name" | "period" | "type">,
  value: string | null,
  timeZone: string,
): Condition {
  const column = columnOf(header);
  if (value === null) return { [column]: { op: "is null" } };
  if (!isPeriod(header.period)) return { [column]: value };
  const next = nextPeriod(value, header.period);
  if (header.type === "date") return { [column]: { op: "between", value: [value, dayBefore(next)] } };
  const last = new Date(midnightIn(next, timeZone).getTime() - 1000);
  return { [column]: { op: "between", value: [writeInstant(midnightIn(value, timeZone)), writeInstant(last)] } };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const utc = (day: string): Date => new Date(`${day.slice(0, 10)}T00:00:00Z`);

const dayBefore = (day: string): string => dayOf(new Date(utc(day).getTime() - 86_400_000));

const months: Readonly<Partial<Record<Period, number>>> = { month: 1, quarter: 3, year: 12 };

/** The first day of the period after the one that begins on `day`. */
export function nextPeriod(day: string, period: Period): string {
  const date = utc(day);
  const step = months[period];
  if (step === undefined) date.setUTCDate(date.getUTCDate() + (period === "week" ? 7 : 1));
  else date.setUTCMonth(date.getUTCMonth() + step);
  return dayOf(date);
}

/** Midnight of a day in a zone, as an instant; where a clock change takes midnight away, the first moment after it. */
export function midnightIn(day: string, timeZone: string): Date {
  const wanted = utc(day).getTime();
  // The offset at the instant that is looked for is not known before it is found: the second step settles it.
  const first = wanted - offsetAt(wanted, timeZone);
  return new Date(wanted - offsetAt(first, timeZone));
}

function offsetAt(instant: number, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(instant / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(timeZone, made);
  return made;
}
