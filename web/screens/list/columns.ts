// The columns of a list: what a view's header and the record type's schema say, made ready for the table.
import type { ListHeader, ListPage, ListRow } from "../../../client/lists.ts";
import type { RecordTypeSchema, SchemaField } from "../../../client/record-types.ts";
import type { FieldTypeId } from "../../../contract/field-types.ts";
import { sumOf } from "../../fields/exact-sum.ts";
import { isNumericType } from "../../fields/field-value.tsx";
import type { ShownField, ShownValue } from "../../fields/shown-value.ts";

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
  readonly width: number;
  /** Stays in sight while the others scroll. */
  readonly pinned: boolean;
  /** Because the view says so, not because it is the first. */
  readonly isPinned: boolean;
  readonly canTotal: boolean;
  /** Its text comes later where the service is still adding up. */
  readonly total: { readonly text: string | undefined; readonly isExact: boolean } | undefined;
  shown(row: ListRow): ShownValue | undefined;
}

const widths: Readonly<Partial<Record<FieldTypeId, number>>> = {
  "long-text": 320,
  integer: 104,
  decimal: 130,
  money: 140,
  percent: 104,
  flag: 104,
  date: 124,
  "date-time": 188,
  choice: 144,
  "multiple-choice": 236,
  email: 232,
  phone: 156,
  url: 200,
  "auto-number": 112,
};

export const FIRST_WIDTH = 248;
export const LEAST_WIDTH = 64;
export const MOST_WIDTH = 800;

export const boundedWidth = (width: number): number => Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));

const textAt = (row: ListRow, name: string | undefined): string | undefined => {
  const value = name === undefined ? undefined : row[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export interface Currencies {
  /** The organisation's: of records that say nothing. */
  readonly own?: string | undefined;
  /** The one of all amounts, for lists that do not tell each record's. */
  readonly shared?: string | undefined;
}

const currencyOf = (header: readonly ListHeader[], { fields }: RecordTypeSchema): ListHeader | undefined => {
  const names = new Set(fields.flatMap((each) => (each.to === "masters/currencies" ? each.column_name : [])));
  return header.find((each) => names.has(each.column_name));
};

/** Whether amounts are shown without the currency of each record. */
export const needsCurrency = (header: readonly ListHeader[], schema: RecordTypeSchema): boolean =>
  header.some(({ type, visible }) => type === "money" && visible !== 0) && currencyOf(header, schema) === undefined;

export function columnsOf(
  { header, group, rows, total }: Pick<ListPage, "header" | "group" | "rows" | "total">,
  schema: RecordTypeSchema,
  { own, shared }: Currencies = {},
): readonly Column[] {
  const fields = new Map(schema.fields.map((field) => [field.column_name, field]));
  const currency = currencyOf(header, schema);
  const visible = header.filter((each) => each.visible !== 0);
  const pinned = visible.filter((each) => each.pinned === "1");
  // Where nothing is pinned, the first column stands for the record.
  const stays = pinned.length === 0 ? visible.slice(0, 1) : pinned;
  const isGrouped = group.length > 0;
  return [...stays, ...visible.filter((each) => !stays.includes(each))].map((each, index) => {
    const field = fields.get(each.column_name);
    const target = each.type === "reference" ? field?.to : undefined;
    return {
      key: `${each.column_name} ${each.alias ?? ""}`,
      label: each.label,
      name: each.column_name,
      expression: each.expression,
      own: isGrouped ? undefined : field,
      field: {
        type: shownType(each),
        options: field?.options,
        scale: each.aggregate === undefined ? field?.scale : null,
      },
      sort: each.sortable ? each.column_name : undefined,
      isNumeric: isNumericType(each.type),
      opens: each.clickable_link === "1" || index === 0,
      width: startWidth(each, index),
      pinned: stays.includes(each),
      isPinned: each.pinned === "1",
      canTotal: !isGrouped && isNumericType(each.type),
      total:
        each.compute_column_total === "1"
          ? { text: each.column_total_text ?? undefined, isExact: each.column_total_is_exact !== 0 }
          : isGrouped && rows.length === total
            ? totalOfGroups(each, rows)
            : undefined,
      shown: (row) => {
        const value = textAt(row, each.column_name) ?? textAt(row, each.name) ?? textAt(row, each.alias);
        if (value === undefined) return undefined;
        return {
          value,
          text: textAt(row, each.alias),
          href: target ? `/${target}/view?id=${encodeURIComponent(value)}` : undefined,
          currency: currency ? (textAt(row, currency.alias ?? currency.column_name) ?? own) : shared,
        };
      },
    };
  });
}

/** A period of dates ("2026-11") is a text already, whatever the field behind it. */
const shownType = (header: ListHeader): FieldTypeId => (header.period === undefined ? header.type : "short-text");

function startWidth(header: ListHeader, index: number): number {
  const given = header.width === null ? Number.NaN : Number.parseInt(header.width, 10);
  if (Number.isFinite(given) && !header.width?.includes("%")) return boundedWidth(given);
  return index === 0 ? FIRST_WIDTH : (widths[header.type] ?? 176);
}

/** Numbers and sums of groups add up to those of all; means and extremes do not. Only where every group is here. */
function totalOfGroups(header: ListHeader, rows: readonly ListRow[]): Column["total"] {
  if (rows.length < 2 || (header.aggregate !== "count" && header.aggregate !== "sum")) return undefined;
  const texts = rows.flatMap(
    (row) => textAt(row, header.column_name) ?? textAt(row, header.name) ?? textAt(row, header.alias) ?? [],
  );
  return { text: sumOf(texts), isExact: true };
}
