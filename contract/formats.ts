// Numbers, money, dates and instants as a reader writes them: by the locale, the clock and the time zone of their profile.
// The one place where they are formatted, for the web app and for what the service writes itself. Formatters are costly to
// make and are made once.
import { knownZone } from "./zones.ts";

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
  /** The day of an instant, where the reader is. */
  day(date: Date): string;
  /** The day of an instant in words: Wednesday, March 4. */
  longDay(date: Date): string;
  /** A day of the week, in little room. */
  weekday(day: string): string;
  /** How long ago: 3 hr. ago; yesterday. */
  ago(count: number, unit: "second" | "minute" | "hour" | "day"): string;
  /** A measure in words: 3 hours, 1.2 MB. */
  measure(value: number, unit: string, options?: { readonly short?: boolean; readonly places?: number }): string;
  count(value: number): string;
  /** In little room: 1.2M, €34K. */
  compact(value: number, currency?: string): string;
  /** From one day to another, in little room: Oct 1 – 16; with the year where it is not this one. */
  days(from: string, to: string): string;
  /** The month of a day, where there is room: November 2026. */
  month(day: string): string;
  /** A day, week, month, quarter or year by its first day. */
  period(day: string, period: "day" | "week" | "month" | "quarter" | "year"): string;
}

/** As a profile has them; what is missing or unknown is the machine's own. */
export interface Preferences {
  /** `en-US` or `en_US`. */
  readonly locale?: string | null | undefined;
  /** The locale of words (days, months, units) where it is another one: they stand among those of the reader's language. */
  readonly words?: string | undefined;
  /** `12` or `24`. */
  readonly hours?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
}

/** Anything else is the language's own way. */
const cycles: Readonly<Record<string, "h12" | "h23">> = { "12": "h12", "24": "h23" };

const known = new Map<string, Formats>();

export function formatsOf({ locale, words, hours, timeZone }: Preferences): Formats {
  const key = [locale, words, hours, timeZone].map((one) => one ?? "").join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  // Asking whether a zone is known makes a formatter too.
  const zone = timeZone ? knownZone(timeZone) : undefined;
  const own = knownLocale(locale);
  const made = makeFormats(own, knownLocale(words) ?? own, cycles[hours ?? ""], zone);
  known.set(key, made);
  return made;
}

function knownLocale(locale: string | null | undefined): string | undefined {
  try {
    return locale ? Intl.getCanonicalLocales(locale.replaceAll("_", "-"))[0] : undefined;
  } catch {
    return undefined;
  }
}

const isNumeric = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

/** Some write a day in digits alone. */
const spellsMonths = (locale: string | undefined): boolean =>
  /\p{L}/u.test(new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(0));

function makeFormats(
  locale: string | undefined,
  words: string | undefined,
  hourCycle: "h12" | "h23" | undefined,
  timeZone: string | undefined,
): Formats {
  const numbers = new Map<string, Intl.NumberFormat>();
  const formatter = (options: Intl.NumberFormatOptions, by = locale): Intl.NumberFormat => {
    const key = `${by} ${JSON.stringify(options)}`;
    const made = numbers.get(key) ?? new Intl.NumberFormat(by, options);
    numbers.set(key, made);
    return made;
  };
  const plain = (text: string, places = 0): string =>
    isNumeric(text) ? formatter({ minimumFractionDigits: places, maximumFractionDigits: 20 }).format(text) : text;
  // A date is the same day everywhere: it is formatted in the zone in which it is read.
  const dayLocale = words === locale || !spellsMonths(locale) ? locale : words;
  const dates = new Intl.DateTimeFormat(dayLocale, { dateStyle: "medium", timeZone: "UTC" });
  const years = new Intl.DateTimeFormat(locale, { year: "numeric", timeZone: "UTC" });
  const wholeMonths = new Intl.DateTimeFormat(words, { year: "numeric", month: "long", timeZone: "UTC" });
  const monthsOfYears = new Intl.DateTimeFormat(words, { year: "numeric", month: "short", timeZone: "UTC" });
  const place = timeZone === undefined ? {} : { timeZone };
  const clock = { ...place, ...(hourCycle === undefined ? {} : { hourCycle }) };
  const days = new Intl.DateTimeFormat(dayLocale, { dateStyle: "medium", ...place });
  const longDays = new Intl.DateTimeFormat(words, { weekday: "long", day: "numeric", month: "long", ...place });
  const shortDays = new Intl.DateTimeFormat(words, { day: "numeric", month: "short", timeZone: "UTC" });
  const weekdays = new Intl.DateTimeFormat(words, { weekday: "short", timeZone: "UTC" });
  const ages = new Intl.RelativeTimeFormat(words, { numeric: "auto", style: "short" });
  const instants = new Intl.DateTimeFormat(dayLocale, { dateStyle: "medium", timeStyle: "short", ...clock });
  const exactly = new Intl.DateTimeFormat(words, { dateStyle: "full", timeStyle: "long", ...clock });
  const hours = new Intl.DateTimeFormat(locale, { timeStyle: "short", ...clock });
  return {
    number: plain,
    money(text, currency, places = 2) {
      if (currency === undefined || !/^[A-Z]{3}$/.test(currency) || !isNumeric(text)) return plain(text, places);
      return formatter({ style: "currency", currency, ...(places === 0 ? { maximumFractionDigits: 0 } : {}) }).format(
        text,
      );
    },
    percent: (text) =>
      isNumeric(text) ? formatter({ style: "unit", unit: "percent", maximumFractionDigits: 20 }).format(text) : text,
    date(text) {
      const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
      return Number.isNaN(date.getTime()) ? text : dates.format(date);
    },
    dateTime(text) {
      const isWire = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}$/.test(text);
      const date = new Date(isWire ? `${text.replace(" ", "T")}Z` : text);
      return Number.isNaN(date.getTime()) ? text : instants.format(date);
    },
    exact: (date) => exactly.format(date),
    time: (date) => hours.format(date),
    day: (date) => days.format(date),
    longDay: (date) => longDays.format(date),
    weekday: (day) => weekdays.format(new Date(`${day.slice(0, 10)}T00:00:00Z`)),
    days(from, to) {
      const [first, last] = [from, to].map((day) => new Date(`${day.slice(0, 10)}T00:00:00Z`)) as [Date, Date];
      const year = new Date().getUTCFullYear();
      const isThisYear = first.getUTCFullYear() === year && last.getUTCFullYear() === year;
      return (isThisYear ? shortDays : dates).formatRange(first, last);
    },
    ago: (count, unit) => ages.format(count === 0 ? 0 : -count, unit),
    measure: (value, unit, { short = false, places = 0 } = {}) =>
      formatter(
        { style: "unit", unit, unitDisplay: short ? "short" : "long", maximumFractionDigits: places },
        words,
      ).format(value),
    count: (value) => formatter({}).format(value),
    compact: (value, currency) =>
      formatter(
        {
          notation: "compact",
          maximumFractionDigits: Math.abs(value) < 10 || Math.abs(value) >= 1000 ? 1 : 0,
          ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) ? { style: "currency", currency } : {}),
        },
        words,
      ).format(value),
    month(day) {
      const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
      return Number.isNaN(date.getTime()) ? day : wholeMonths.format(date);
    },
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
