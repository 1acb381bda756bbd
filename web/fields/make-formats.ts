// Numbers, money, dates and instants as the reader writes them: by the app's language, and for English by the browser's
// own variety of it; hours by the clock that the reader's profile names. Formatters are costly to make and are made once.
import { readInstant } from "../../client/instant.ts";

export interface Formats {
  /** Exact decimal text of the wire, to at least so many places. */
  number(text: string, places?: number): string;
  money(text: string, currency: string | undefined, places?: number): string;
  percent(text: string): string;
  date(text: string): string;
  dateTime(text: string): string;
  /** An instant with nothing left out. */
  exact(date: Date): string;
  /** The hour of an instant. */
  time(date: Date): string;
  count(value: number): string;
  /** In little room: 1.2M, €34K. */
  compact(value: number, currency?: string): string;
  /** A day, week, month, quarter or year by its first day. */
  period(day: string, period: "day" | "week" | "month" | "quarter" | "year"): string;
}

/** As a profile says it; anything else is the language's own way. */
const cycles: Readonly<Record<string, "h12" | "h23">> = { "12": "h12", "24": "h23" };

const known = new Map<string, Formats>();

export function formatsOf(language: string, hours?: string | null): Formats {
  const key = `${language} ${hours ?? ""}`;
  const found = known.get(key) ?? makeFormats(language === "en" ? undefined : language, cycles[hours ?? ""]);
  known.set(key, found);
  return found;
}

const isNumeric = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

function makeFormats(locale: string | undefined, hourCycle: "h12" | "h23" | undefined): Formats {
  const numbers = new Map<string, Intl.NumberFormat>();
  const formatter = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options);
    const made = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
    numbers.set(key, made);
    return made;
  };
  const plain = (text: string, places = 0): string =>
    isNumeric(text) ? formatter({ minimumFractionDigits: places, maximumFractionDigits: 20 }).format(text) : text;
  // A date is the same day everywhere: it is formatted in the zone in which it is read.
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const years = new Intl.DateTimeFormat(locale, { year: "numeric", timeZone: "UTC" });
  const monthsOfYears = new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", timeZone: "UTC" });
  const clock = hourCycle === undefined ? {} : { hourCycle };
  const instants = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", ...clock });
  const exactly = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long", ...clock });
  const hours = new Intl.DateTimeFormat(locale, { timeStyle: "short", ...clock });
  return {
    number: plain,
    money(text, currency, places = 2) {
      if (currency === undefined || !/^[A-Z]{3}$/.test(currency) || !isNumeric(text)) return plain(text, places);
      return formatter({ style: "currency", currency, ...(places === 0 ? { maximumFractionDigits: 0 } : {}) }).format(
        text,
      );
    },
    percent: (text) => (isNumeric(text) ? `${plain(text)} %` : text),
    date(text) {
      const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
      return Number.isNaN(date.getTime()) ? text : dates.format(date);
    },
    dateTime(text) {
      const date = readInstant(text);
      return date === undefined ? text : instants.format(date);
    },
    exact: (date) => exactly.format(date),
    time: (date) => hours.format(date),
    count: (value) => formatter({}).format(value),
    compact: (value, currency) =>
      formatter({
        notation: "compact",
        maximumFractionDigits: Math.abs(value) < 10 || Math.abs(value) >= 1000 ? 1 : 0,
        ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) ? { style: "currency", currency } : {}),
      }).format(value),
    period(day, period) {
      const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
      if (Number.isNaN(date.getTime())) return day;
      const year = years.format(date);
      if (period === "year") return year;
      if (period === "quarter") return `Q${formatter({}).format(Math.floor(date.getUTCMonth() / 3) + 1)} ${year}`;
      return (period === "month" ? monthsOfYears : dates).format(date);
    },
  };
}
