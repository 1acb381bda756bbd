// The lanes of a board, and a card's way from one to another in what is kept of them. Pure.
import type { InfiniteData } from "@tanstack/react-query";
import type { RecordTypeSchema, SchemaField } from "../../../client/design/record-types.ts";
import type { Condition } from "../../../client/lists/list-draft.ts";
import { byCurrencyKey, currencyKey, type ListPage, type ListRow } from "../../../client/lists/lists.ts";
import { fieldTypes } from "../../fields/index.ts";

/** What the cards of a lane come to together. */
export interface LaneTotal {
  readonly column: string;
  readonly sum: string | null;
  /** Of the sum, where it is one of amounts. */
  readonly currency: string | null;
  /** The amounts that cannot be added up. */
  readonly byCurrency: string | null;
}

/** A lane as cards see it: it stays the same while its count changes. */
export interface LanePlace {
  /** What a card in it has; null for those that have nothing. */
  readonly value: string | null;
  readonly label: string;
  readonly color: string | undefined;
}

export interface Lane extends LanePlace {
  readonly count: number;
  readonly totals: readonly LaneTotal[];
}

/** Why a card stayed, or came back. */
export interface Refused {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

export const COUNT = "cards";
const sumName = (index: number): string => `worth${index}`;

/** One statement tells how many cards every lane has, and what they are worth together. */
export const countsOf = (column: string, idColumn: string, worths: readonly string[]) => ({
  fields: [
    column,
    `count(${idColumn}) as ${COUNT}`,
    ...worths.map((worth, index) => `sum(${worth}) as ${sumName(index)}`),
  ],
  group: [column],
});

/** The columns that lanes add up: those that the view names; else the first amounts of the type, at most two. */
export function worthsOf({ fields }: Pick<RecordTypeSchema, "fields">, chart: ListPage["chart"]): readonly string[] {
  const summable = fields.filter(
    ({ type, permission }) => permission !== 1 && (fieldTypes[type].figures ?? []).includes("sum"),
  );
  const known = (name: string | undefined) => summable.find(({ column_name }) => column_name === name)?.column_name;
  const [first, second] = [known(chart.value), known(chart.also)];
  const amounts = summable.filter(({ type, system }) => fieldTypes[type].hasCurrency === true && system !== true);
  const usual = chart.value === undefined ? amounts[0]?.column_name : first;
  return [...new Set([usual, second])].filter((one) => one !== undefined);
}

export const laneCondition = (column: string, value: string | null): Condition => ({
  [column]: value === null ? { op: "is null" } : value,
});

const textAt = (row: ListRow | undefined, name: string): string | null => {
  const value = row?.[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** The choices of the field in their order, then what else there is; an empty lane for "nothing" is left out. */
export function lanesOf(
  field: Pick<SchemaField, "column_name" | "options">,
  counts: ListPage,
  none: string,
  worths: readonly string[] = [],
): readonly Lane[] {
  const [header] = counts.header;
  const column = field.column_name;
  const rowOf = (value: string | null) => counts.rows.find((row) => textAt(row, column) === value);
  const laneOf = (value: string | null, label: string, color?: string): Lane => ({
    value,
    label,
    color,
    count: Number(textAt(rowOf(value), COUNT) ?? 0),
    totals: worths.map((worth, index) => ({
      column: worth,
      sum: textAt(rowOf(value), sumName(index)),
      currency: textAt(rowOf(value), currencyKey(sumName(index))),
      byCurrency: textAt(rowOf(value), byCurrencyKey(sumName(index))),
    })),
  });
  const chosen = (field.options ?? []).map(({ value, label, color }) => laneOf(value, label, color ?? undefined));
  const known = new Set(chosen.map(({ value }) => value));
  const others = counts.rows
    .map((row) => ({ value: textAt(row, column), label: textAt(row, header?.alias ?? "") }))
    .filter(({ value }) => value !== null && !known.has(value))
    .map(({ value, label }) => laneOf(value, label ?? value ?? ""));
  const nothing = laneOf(null, none);
  return [...(nothing.count > 0 ? [nothing] : []), ...chosen, ...others];
}

export type LanePages = InfiniteData<ListPage, unknown>;

export function withoutCard(pages: LanePages | undefined, idColumn: string, id: string): LanePages | undefined {
  return (
    pages && {
      ...pages,
      pages: pages.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row[idColumn] !== id) })),
    }
  );
}

export function withCard(pages: LanePages | undefined, card: ListRow): LanePages | undefined {
  return (
    pages && {
      ...pages,
      pages: pages.pages.map((page, index) => (index === 0 ? { ...page, rows: [card, ...page.rows] } : page)),
    }
  );
}

/** Counts after a card went from one lane to another. */
export function recounted(counts: ListPage | undefined, column: string, from: string | null, to: string | null) {
  if (counts === undefined) return undefined;
  const moved = (row: ListRow, by: number): ListRow => ({ ...row, [COUNT]: String(Number(row[COUNT] ?? 0) + by) });
  const rows = counts.rows.some((row) => textAt(row, column) === to)
    ? counts.rows
    : [...counts.rows, { [column]: to, [COUNT]: "0" }];
  return {
    ...counts,
    rows: rows.map((row) => {
      const value = textAt(row, column);
      return value === from ? moved(row, -1) : value === to ? moved(row, 1) : row;
    }),
  };
}
