// Takes a page of groups; gives what a chart draws: slices with labels, values and the condition behind each, in one or
// more series. Values stay the exact texts of the wire; numbers are for drawing only. Pure.

import type { RecordTypeSchema, SchemaField } from "../../../client/design/record-types.ts";
import type { Condition } from "../../../client/lists/list-draft.ts";
import {
  byCurrencyKey,
  currencyKey,
  type ListHeader,
  type ListPage,
  type ListRow,
} from "../../../client/lists/lists.ts";
import type { Formats } from "../../../contract/formats.ts";
import { fieldText } from "../../fields/field-value.ts";
import { fieldTypes } from "../../fields/index.ts";
import { sumOf } from "../../fields/showing/exact-sum.ts";
import { moneyParts } from "../../fields/showing/money-text.ts";
import { columnOf, isPeriod, nextPeriod, type Period, sliceCondition } from "./slice-condition.ts";

export interface Measure {
  readonly label: string;
  readonly header: ListHeader;
  /** As people read it. */
  text(value: string | null): string;
  /** In little room: 1.2M. */
  short(value: number): string;
}

export interface Slice {
  /** The value that it is grouped by. */
  readonly key: string | null;
  readonly label: string;
  readonly color: string | undefined;
  readonly condition: Condition;
  /** By measure; undefined where the service gave no row. */
  readonly values: readonly (string | null)[];
  /** As people read them, where the measure alone does not say it: amounts of a currency of their own, or of several. */
  readonly texts?: readonly (string | undefined)[] | undefined;
}

export interface Series {
  readonly label: string;
  /** By slice. */
  readonly points: readonly { readonly value: string | null; readonly condition: Condition }[];
}

export interface ChartData {
  /** What the slices are; undefined where there is one row for everything. */
  readonly by: { readonly label: string; readonly period: Period | undefined; readonly header: ListHeader } | undefined;
  readonly measures: readonly Measure[];
  /** The one that is drawn. */
  readonly drawn: number;
  readonly slices: readonly Slice[];
  /** Undefined where the drawn measure is the only series. */
  readonly series: readonly Series[] | undefined;
  /** The day of the rates that the drawn amounts were converted by. */
  readonly rateDate: string | undefined;
  /** The slice of the period that is not over yet, where it is the last one. */
  readonly running: number | undefined;
  /** The drawn amounts are in several currencies and cannot be held against each other. */
  readonly isMixed: boolean;
}

export interface DataWords {
  readonly none: string;
  readonly yes: string;
  readonly no: string;
}

interface Parts {
  readonly schema: RecordTypeSchema;
  readonly formats: Formats;
  readonly words: DataWords;
  readonly timeZone: string;
  /** `YYYY-MM-DD`, where the reader is. */
  readonly today?: string | undefined;
}

/** A column by any of the names that a view may call it. */
export const named = (headers: readonly ListHeader[], name: string | undefined): ListHeader | undefined =>
  name === undefined
    ? undefined
    : headers.find(({ name: own, column_name, alias }) => [own, column_name, alias].includes(name));

const textAt = (row: ListRow | undefined, name: string): string | null => {
  const value = row?.[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export function chartData(page: ListPage, parts: Parts): ChartData {
  const { header, chart } = page;
  const groups = header.filter(({ aggregate }) => aggregate === undefined);
  const measures = header.filter(({ aggregate }) => aggregate !== undefined);
  const by = named(groups, chart.category ?? chart.region) ?? groups[0];
  const within = named(groups, chart.series) ?? groups.find((group) => group !== by);
  const value = named(measures, chart.value) ?? measures[0];
  const drawn = Math.max(0, value === undefined ? 0 : measures.indexOf(value));
  const rows = by === undefined ? page.rows : filled(page.rows, by, measures);
  const keys = by === undefined ? [null] : [...new Set(rows.map((row) => textAt(row, by.name)))];
  const slices = keys.map((key): Slice => {
    const own = by === undefined ? rows : rows.filter((row) => textAt(row, by.name) === key);
    const label = by === undefined ? "" : labelOf(by, key, own[0], parts);
    return {
      key,
      label,
      color: by && optionOf(fieldOf(by, parts.schema), key)?.color,
      condition: by === undefined ? {} : sliceCondition(by, key, parts.timeZone),
      values: measures.map((measure) => (within === undefined ? textAt(own[0], measure.name) : added(own, measure))),
      ...ownTexts(own, measures, parts.formats),
    };
  });
  return {
    by: by && { label: by.label, period: isPeriod(by.period) ? by.period : undefined, header: by },
    measures: measures.map((one) => measureOf(one, parts)),
    drawn,
    slices,
    series: by && within && value ? seriesOf(rows, slices, by, within, value, parts) : undefined,
    rateDate: value?.rate_date ?? undefined,
    running: isRunning(by, slices.at(-1)?.key, parts.today) ? slices.length - 1 : undefined,
    isMixed: value !== undefined && isMixed(rows, value),
  };
}

function isRunning(by: ListHeader | undefined, day: string | null | undefined, today: string | undefined): boolean {
  if (by === undefined || !isPeriod(by.period) || day == null || today === undefined) return false;
  return day.slice(0, 10) <= today && today < nextPeriod(day, by.period);
}

function seriesOf(
  rows: readonly ListRow[],
  slices: readonly Slice[],
  by: ListHeader,
  within: ListHeader,
  value: ListHeader,
  parts: Parts,
): readonly Series[] {
  const real = rows.filter((row) => within.name in row);
  return [...new Set(real.map((row) => textAt(row, within.name)))].map((key) => {
    const own = real.filter((row) => textAt(row, within.name) === key);
    const condition = sliceCondition(within, key, parts.timeZone);
    return {
      label: labelOf(within, key, own[0], parts),
      points: slices.map((slice) => ({
        value: textAt(
          own.find((row) => textAt(row, by.name) === slice.key),
          value.name,
        ),
        condition: { ...slice.condition, ...condition },
      })),
    };
  });
}

/** Sums of parts make the whole; averages and extremes do not, nor do amounts of several currencies. */
function added(rows: readonly ListRow[], header: ListHeader): string | null {
  const { name, aggregate } = header;
  if ((aggregate !== "count" && aggregate !== "sum") || isMixed(rows, header)) return null;
  return sumOf(rows.flatMap((row) => textAt(row, name) ?? []));
}

/** Each in a currency of its own, or some without a sum because a rate is missing. */
export const isMixed = (rows: readonly ListRow[], { name, currency }: ListHeader): boolean =>
  new Set(currency === null ? rows.flatMap((row) => textAt(row, currencyKey(name)) ?? []) : []).size > 1 ||
  rows.some((row) => textAt(row, name) === null && textAt(row, byCurrencyKey(name)) !== null);

/** What a row says of its own amounts. */
function ownTexts(rows: readonly ListRow[], measures: readonly ListHeader[], formats: Formats): Pick<Slice, "texts"> {
  const [row, ...others] = rows;
  const texts = measures.map(({ name, currency }) => {
    const [value, parts, code] = [name, byCurrencyKey(name), currencyKey(name)].map((key) => textAt(row, key));
    if (others.length > 0 || row === undefined) return undefined;
    if (value == null) return parts == null ? undefined : moneyParts(parts, formats);
    return currency === null && code != null ? formats.money(value, code) : undefined;
  });
  return texts.some((text) => text !== undefined) ? { texts } : {};
}

const MOST_FILLED = 400;

/** Periods in which nothing happened are drawn as such, not left out. */
function filled(rows: readonly ListRow[], by: ListHeader, measures: readonly ListHeader[]): readonly ListRow[] {
  const { period } = by;
  if (!isPeriod(period)) return rows;
  const days = rows.map((row) => textAt(row, by.name)).filter((day) => day !== null);
  const known = new Set(days);
  const [first, last] = [days.reduce(least, days[0] ?? ""), days.reduce(most, "")];
  if (first === "" || [...days].sort().some((day, index) => day !== days[index])) return rows;
  const nothing = Object.fromEntries(measures.map(({ name, aggregate }) => [name, zeroOf(aggregate)]));
  const made: ListRow[] = rows.filter((row) => textAt(row, by.name) === null);
  for (let day = first, steps = 0; day <= last; day = nextPeriod(day, period), steps += 1) {
    if (steps > MOST_FILLED) return rows;
    if (known.has(day)) made.push(...rows.filter((row) => row[by.name] === day));
    else made.push({ ...nothing, [by.name]: day });
  }
  return made;
}

const least = (one: string, other: string): string => (other < one ? other : one);
const most = (one: string, other: string): string => (other > one ? other : one);
const zeroOf = (aggregate: string | undefined): string | null =>
  aggregate === "count" || aggregate === "sum" ? "0" : null;

export const fieldOf = (header: ListHeader, { fields }: RecordTypeSchema): SchemaField | undefined =>
  fields.find(({ column_name }) => column_name === columnOf(header));

const optionOf = (field: SchemaField | undefined, key: string | null) => {
  const option = field?.options?.find(({ value }) => value === key);
  return option && { label: option.label, color: option.color ?? undefined };
};

function labelOf(header: ListHeader, key: string | null, row: ListRow | undefined, parts: Parts): string {
  if (key === null) return parts.words.none;
  if (isPeriod(header.period)) return parts.formats.period(key, header.period);
  const field = { type: header.type, options: fieldOf(header, parts.schema)?.options, settings: header.settings };
  const text = header.alias === undefined ? null : textAt(row, header.alias);
  return fieldText(field, { value: key, text }, parts.formats, parts.words);
}

function measureOf(header: ListHeader, { schema, formats }: Parts): Measure {
  const currency = header.currency ?? undefined;
  const field = fieldOf(header, schema);
  const isMoney = field !== undefined && fieldTypes[field.type].hasCurrency === true && header.aggregate !== "count";
  return {
    label: header.label,
    header,
    text: (value) => {
      if (value === null) return "–";
      const number = Number(value);
      // Cents say nothing in a sum of thousands, nor the third place in an average.
      if (isMoney) return formats.money(value, currency, Math.abs(number) >= 1000 ? 0 : 2);
      return formats.number(header.aggregate === "avg" ? String(Math.round(number * 10) / 10) : value);
    },
    short: (value) => formats.compact(value, isMoney ? currency : undefined),
  };
}
