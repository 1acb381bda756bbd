// Reads the European Central Bank's reference rates, XML (eurofxref-daily, -hist) or CSV (eurofxref-hist.csv), rate by
// rate. One pass over the text: tags and lines have a greatest length, entities and document types are refused.

import { type Message, say } from "../../contract/messages.ts";

export interface EcbRate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Three letters; one euro buys `rate` of it. */
  readonly currency: string;
  readonly rate: string;
  readonly line: number;
}

/** What is wrong with a file, and in which line. */
export class EcbFault extends Error {
  readonly line: number;
  readonly reason: Message;

  constructor(line: number, reason: Message) {
    super(reason.code);
    this.line = line;
    this.reason = reason;
  }
}

/** The first day of the euro. */
const EARLIEST = "1999-01-01";
const MOST_TAG = 1_000;
const MOST_LINE = 10_000;
const MOST_COLUMNS = 300;

/** `latest`: the last day for which there can be a rate. */
export function* readEcbRates(text: string, latest: string): Generator<EcbRate> {
  const start = text.slice(0, 100).replace("\ufeff", "").trimStart();
  const body = text.replace("\ufeff", "");
  yield* checked(start.startsWith("<") ? readXml(body) : readCsv(body), latest);
}

function* checked(rates: Iterable<EcbRate>, latest: string): Generator<EcbRate> {
  const seen = new Map<string, string>();
  for (const { line, date: sent, currency, rate } of rates) {
    const date = dayOf(sent);
    if (date === undefined) throw new EcbFault(line, say("not_a_date", { sent: quoted(sent) }));
    if (date < EARLIEST || date > latest) {
      throw new EcbFault(line, say("date_outside", { from: EARLIEST, to: latest, sent: date }));
    }
    if (!/^[A-Z]{3}$/u.test(currency)) throw new EcbFault(line, say("not_a_currency_code", { sent: quoted(currency) }));
    if (currency === "EUR") throw new EcbFault(line, say("rate_of_euro"));
    if (!/^\d{1,12}(?:\.\d{1,6}0{0,20})?$/u.test(rate) || !/[1-9]/u.test(rate)) {
      throw new EcbFault(line, say("bad_rate", { currency, sent: quoted(rate) }));
    }
    const key = `${date} ${currency}`;
    const before = seen.get(key);
    if (before !== undefined && before !== rate) {
      throw new EcbFault(line, say("two_rates", { currency, date, first: before, second: rate }));
    }
    seen.set(key, rate);
    if (before === undefined) yield { line, date, currency, rate };
  }
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

const months = "January February March April May June July August September October November December".split(" ");

/** `2026-11-13`, or `13 November 2026` as the file of the day has it. */
function dayOf(text: string): string | undefined {
  const long = /^(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})$/u.exec(text);
  const month = long ? String(months.indexOf(long[2] ?? "") + 1).padStart(2, "0") : "";
  const day = long ? `${long[3]}-${month}-${(long[1] ?? "").padStart(2, "0")}` : text;
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(day)) return undefined;
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day) ? day : undefined;
}

/** Lines with their numbers. */
function* linesOf(text: string): Generator<readonly [number, string]> {
  let number = 1;
  for (let from = 0; from < text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    if (to - from > MOST_LINE) throw new EcbFault(number, say("line_too_long", { max: MOST_LINE }));
    yield [number, text.slice(from, to).trim()];
    from = to + 1;
  }
}

function* readCsv(text: string): Generator<EcbRate> {
  let codes: string[] | undefined;
  for (const [line, content] of linesOf(text)) {
    if (content === "") continue;
    const cells = content.split(",", MOST_COLUMNS + 1).map((cell) => cell.trim());
    if (cells.length > MOST_COLUMNS) throw new EcbFault(line, say("too_many_columns", { max: MOST_COLUMNS }));
    if (codes === undefined) {
      if (cells[0] !== "Date" || cells.length < 2) {
        throw new EcbFault(line, say("no_rates_header"));
      }
      codes = cells;
      continue;
    }
    const [date = "", ...values] = cells;
    for (const [index, rate] of values.entries()) {
      const currency = codes[index + 1] ?? "";
      // Lines end with a comma; a currency that is no more, or not yet, has no value.
      if (rate === "" || rate === "N/A") continue;
      yield { line, date, currency, rate };
    }
  }
  if (codes === undefined) throw new EcbFault(1, say("rates_file_empty"));
}

function* readXml(text: string): Generator<EcbRate> {
  let [line, counted, date] = [1, 0, ""];
  let found = false;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    for (let next = text.indexOf("\n", counted); next >= 0 && next < at; next = text.indexOf("\n", counted)) {
      line += 1;
      counted = next + 1;
    }
    if (text.startsWith("<!--", at)) {
      const end = text.indexOf("-->", at);
      if (end < 0) throw new EcbFault(line, say("comment_open"));
      at = end + 3;
      continue;
    }
    if (text.startsWith("<!", at)) throw new EcbFault(line, say("no_document_types"));
    const end = text.indexOf(">", at);
    if (end < 0 || end - at > MOST_TAG) throw new EcbFault(line, say("tag_open"));
    const tag = text.slice(at + 1, end);
    at = end + 1;
    if (!/^Cube[\s/]/u.test(tag) && tag !== "Cube") continue;
    found = true;
    const { time, currency, rate } = attributesOf(tag);
    if (time !== undefined) date = time;
    // One that cannot be read is not passed over.
    if (/currency|rate/u.test(tag)) yield { line, date, currency: currency ?? "", rate: rate ?? "" };
  }
  if (!found) throw new EcbFault(1, say("no_cubes"));
}

function attributesOf(tag: string): { readonly time?: string; readonly currency?: string; readonly rate?: string } {
  const found: Record<string, string> = {};
  for (const [, name = "", value = ""] of tag.matchAll(/\s(time|currency|rate)="([^"]{0,100})"/gu)) found[name] = value;
  for (const [, name = "", value = ""] of tag.matchAll(/\s(time|currency|rate)='([^']{0,100})'/gu)) found[name] = value;
  return found;
}
