// Spans of days: which one a dashboard looks at, and which one its figures are compared with. A running month, quarter or
// year is compared with the same days of the one before it. Pure; days are `YYYY-MM-DD`, the reader's own.

export interface Span {
  readonly from: string;
  /** The last day of it. */
  readonly to: string;
}

export const namedSpans = ["month", "last_month", "quarter", "year"] as const;
export type NamedSpan = (typeof namedSpans)[number];

/** A named one, or `from..to`. */
export type SpanText = string;

export interface Compared {
  /** All of it, the days to come too. */
  readonly whole: Span;
  readonly now: Span;
  readonly before: Span;
}

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export const plusDays = (day: string, days: number): string => dayOf(new Date(utc(day).getTime() + days * 86_400_000));

/** The same day of another month, or the last one that it has. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))));
}

const months = { month: 1, quarter: 3, year: 12 } as const;

function firstOf(unit: keyof typeof months, day: string): string {
  const month = Number(day.slice(5, 7)) - 1;
  const first = unit === "month" ? month : unit === "quarter" ? month - (month % 3) : 0;
  return dayOf(new Date(Date.UTC(Number(day.slice(0, 4)), first, 1)));
}

/** Of the month, quarter or year that `today` is in, as far as it has come. */
function running(unit: keyof typeof months, today: string): Compared {
  const from = firstOf(unit, today);
  const step = months[unit];
  return {
    whole: { from, to: plusDays(plusMonths(from, step), -1) },
    now: { from, to: today },
    before: { from: plusMonths(from, -step), to: plusMonths(today, -step) },
  };
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^\d{4}-\d{2}-\d{2}$/u.test(text) &&
  !Number.isNaN(utc(text).getTime()) &&
  dayOf(utc(text)) === text;

/** The range that a text spells; undefined for any other text. */
export function ownSpan(text: SpanText | undefined): Span | undefined {
  const [from, to, ...more] = text?.split("..", 3) ?? [];
  return more.length === 0 && isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
}

/** Undefined for what names no span. */
export function comparedSpans(text: SpanText | undefined, today: string): Compared | undefined {
  const own = ownSpan(text);
  if (own) {
    const days = (utc(own.to).getTime() - utc(own.from).getTime()) / 86_400_000 + 1;
    return { whole: own, now: own, before: { from: plusDays(own.from, -days), to: plusDays(own.from, -1) } };
  }
  if (text === "month" || text === "quarter" || text === "year") return running(text, today);
  if (text !== "last_month") return undefined;
  const first = firstOf("month", today);
  const whole = { from: plusMonths(first, -1), to: plusDays(first, -1) };
  return { whole, now: whole, before: { from: plusMonths(first, -2), to: plusDays(whole.from, -1) } };
}

export interface Change {
  /** Of the figure before, in percent; undefined where there was none. */
  readonly percent: number | undefined;
  readonly direction: "up" | "down" | "same";
}

/** Undefined where there is nothing to compare. */
export function changeOf(now: string | null | undefined, before: string | null | undefined): Change | undefined {
  if (now == null || before == null) return undefined;
  const [one, other] = [Number(now), Number(before)];
  if (!Number.isFinite(one) || !Number.isFinite(other)) return undefined;
  const direction = one > other ? "up" : one < other ? "down" : "same";
  return { direction, percent: other === 0 ? undefined : ((one - other) / Math.abs(other)) * 100 };
}
