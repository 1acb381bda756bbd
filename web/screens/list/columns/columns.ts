// The columns of a list: what a view's header and the record type's schema say, made ready for the table.

import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import {
  byCurrencyKey,
  currencyKey,
  type ListHeader,
  type ListPage,
  type ListRow,
} from "../../../../client/lists/lists.ts";
import { shownType } from "../../../fields/field-value.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { sumOf } from "../../../fields/showing/exact-sum.ts";
import type { ShownField, ShownValue } from "../../../fields/showing/shown-value.ts";
import { type FaceShape, faceShape } from "../../../parts/layout/face.tsx";

export interface Column {
  readonly key: string;
  readonly label: string;
  /** The column's name on the wire, and how `fields` of a query names it. */
  readonly name: string;
  readonly expression: string;
  /** The field of the record type that its values are; undefined for those of other records, groups and sums. */
  readonly own: SchemaField | undefined;
  readonly field: ShownField;
  /** What the wire sorts by; undefined where it cannot. */
  readonly sort: string | undefined;
  readonly isNumeric: boolean;
  /** Leads to the record. */
  readonly opens: boolean;
  /** The face beside what the record is called. */
  readonly face: FaceShape | undefined;
  readonly width: number;
  /** Stays in sight while the others scroll. */
  readonly pinned: boolean;
  /** Because the view says so, not because it is the first. */
  readonly isPinned: boolean;
  readonly canTotal: boolean;
  /** Its text comes later where the service is still adding up. */
  readonly total: ColumnTotal | undefined;
  shown(row: ListRow): ShownValue | undefined;
}

export interface ColumnTotal {
  readonly text: string | undefined;
  readonly isExact: boolean;
  readonly currency?: string | undefined;
  /** The day of the rates that it was converted by. */
  readonly rateDate?: string | undefined;
  /** What it is made of, where there are several currencies; without a rate that is all there is. */
  readonly byCurrency?: string | undefined;
}

export const FIRST_WIDTH = 248;
export const LEAST_WIDTH = 64;
export const MOST_WIDTH = 800;

export const boundedWidth = (width: number): number => Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));

/** Whether it shows this field of the record itself, not of another that the record leads to. */
export const showsOwn = ({ name }: Pick<Column, "name">, field: string): boolean =>
  name.slice(name.indexOf(".") + 1) === field;

const textAt = (row: ListRow, name: string | undefined): string | undefined => {
  const value = name === undefined ? undefined : row[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export function columnsOf(
  { header, group, rows, total }: Pick<ListPage, "header" | "group" | "rows" | "total">,
  schema: RecordTypeSchema,
): readonly Column[] {
  const fields = new Map(schema.fields.map((field) => [field.column_name, field]));
  const visible = header.filter((each) => each.visible !== 0);
  const pinned = visible.filter((each) => each.pinned === "1");
  // Where nothing is pinned, the first column stands for the record.
  const stays = pinned.length === 0 ? visible.slice(0, 1) : pinned;
  const isGrouped = group.length > 0;
  return [...stays, ...visible.filter((each) => !stays.includes(each))].map((each, index) => {
    const field = fields.get(each.column_name);
    const target = fieldTypes[each.type].isReference ? field?.to : undefined;
    return {
      key: `${each.column_name} ${each.alias ?? ""}`,
      label: each.label,
      name: each.column_name,
      expression: each.expression,
      own: isGrouped ? undefined : field,
      field: {
        type: shownType(each),
        options: field?.options,
        settings: each.settings,
        scale: each.aggregate === undefined ? field?.scale : null,
      },
      sort: each.sortable ? each.column_name : undefined,
      isNumeric: fieldTypes[each.type].isNumeric === true,
      opens: each.clickable_link === "1" || index === 0,
      face:
        isGrouped || each.column_name !== schema.recordType.display_field
          ? undefined
          : faceShape(schema.recordType.icon),
      width: startWidth(each, index),
      pinned: stays.includes(each),
      isPinned: each.pinned === "1",
      canTotal: !isGrouped && fieldTypes[each.type].total !== undefined,
      total:
        each.compute_column_total === "1"
          ? {
              text: each.column_total_text ?? undefined,
              isExact: each.column_total_is_exact !== 0,
              currency: each.column_total_currency ?? undefined,
              rateDate: each.column_total_rate_date ?? undefined,
              byCurrency: each.column_total_by_currency ?? undefined,
            }
          : isGrouped && rows.length === total
            ? totalOfGroups(each, rows)
            : undefined,
      shown: (row) => {
        const key = keyOf(each, row);
        const value = textAt(row, key);
        const byCurrency = value === undefined ? textAt(row, byCurrencyKey(each.name)) : undefined;
        if (value === undefined && byCurrency === undefined) return undefined;
        return {
          value: value ?? "",
          text: textAt(row, each.alias),
          href: target && value ? `/${target}/view?id=${encodeURIComponent(value)}` : undefined,
          currency: textAt(row, currencyKey(key)),
          byCurrency,
        };
      },
    };
  });
}

/** Where its value stands in a row. */
const keyOf = (header: ListHeader, row: ListRow): string =>
  [header.column_name, header.name, header.alias ?? ""].find((key) => textAt(row, key) !== undefined) ?? header.name;

function startWidth(header: ListHeader, index: number): number {
  const given = header.width === null ? Number.NaN : Number.parseInt(header.width, 10);
  if (Number.isFinite(given) && !header.width?.includes("%")) return boundedWidth(given);
  return index === 0 ? FIRST_WIDTH : fieldTypes[header.type].width;
}

/** Numbers and sums of groups add up to those of all; means and extremes do not. Only where every group is here. */
function totalOfGroups(header: ListHeader, rows: readonly ListRow[]): Column["total"] {
  if (rows.length < 2 || (header.aggregate !== "count" && header.aggregate !== "sum")) return undefined;
  const keys = rows.map((row) => keyOf(header, row));
  const currencies = new Set(rows.map((row, index) => textAt(row, currencyKey(keys[index] ?? ""))));
  // Amounts in several currencies are not added up.
  if (header.currency === null || rows.some((row) => isWithoutSum(header, row))) return undefined;
  const texts = rows.flatMap((row, index) => textAt(row, keys[index]) ?? []);
  const currency = [...currencies].find((code) => code !== undefined);
  return { text: sumOf(texts), isExact: true, currency, rateDate: header.rate_date ?? undefined };
}

/** There are amounts, but a rate is missing. */
const isWithoutSum = (header: ListHeader, row: ListRow): boolean =>
  textAt(row, keyOf(header, row)) === undefined && textAt(row, byCurrencyKey(header.name)) !== undefined;

/** Whether the amounts of a column that are in sight are in several currencies. */
export const isMixed = (column: Pick<Column, "field" | "shown">, rows: readonly ListRow[]): boolean =>
  fieldTypes[column.field.type].hasCurrency === true &&
  new Set(rows.flatMap((row) => column.shown(row)?.currency ?? [])).size > 1;
