// Which records are behind a group: the condition that says so in the q language. Periods of instants are those of the
// reader's own calendar, as the service groups them.

import type { Condition } from "../../../client/lists/list-draft.ts";
import type { ListHeader } from "../../../client/lists/lists.ts";
import { writeInstant } from "../../../client/transport/instant.ts";
import { instantIn } from "../../../contract/zones.ts";
import type { FieldType } from "../../fields/field-type.ts";
import { fieldTypes } from "../../fields/index.ts";
import { plusDays, type Span } from "../spans.ts";

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
  const days = fieldTypes[header.type].days ?? "instant";
  return daysCondition(
    column,
    days,
    { from: value.slice(0, 10), to: plusDays(nextPeriod(value, header.period), -1) },
    timeZone,
  );
}

/** From the first of these days to the last. */
export function daysCondition(
  column: string,
  days: NonNullable<FieldType["days"]>,
  { from, to }: Span,
  timeZone: string,
): Condition {
  if (days === "day") return { [column]: { op: "between", value: [from, to] } };
  const [first, after] = [from, plusDays(to, 1)].map((day) => instantIn(`${day}T00:00`, timeZone) ?? utc(day));
  if (first === undefined || after === undefined) return { [column]: from };
  const last = new Date(after.getTime() - 1000);
  return { [column]: { op: "between", value: [writeInstant(first), writeInstant(last)] } };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const utc = (day: string): Date => new Date(`${day.slice(0, 10)}T00:00:00Z`);

const months: Readonly<Partial<Record<Period, number>>> = { month: 1, quarter: 3, year: 12 };

/** The first day of the period after the one that begins on `day`. */
export function nextPeriod(day: string, period: Period): string {
  const date = utc(day);
  const step = months[period];
  if (step === undefined) date.setUTCDate(date.getUTCDate() + (period === "week" ? 7 : 1));
  else date.setUTCMonth(date.getUTCMonth() + step);
  return dayOf(date);
}
