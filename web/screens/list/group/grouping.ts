// What a list is grouped by and what is worked out of each group, read from the query of its view and written into it.
// Pure.

import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import type { ListDraft } from "../../../../client/lists/list-draft.ts";
import { fieldTypes } from "../../../fields/index.ts";

export const periods = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof periods)[number];

export const aggregates = ["count", "sum", "avg", "min", "max"] as const;
export type Aggregate = (typeof aggregates)[number];

export interface GroupBy {
  readonly column: string;
  readonly period?: Period;
}

export interface Figure {
  readonly aggregate: Aggregate;
  readonly column: string;
}

export interface Grouping {
  readonly by: readonly GroupBy[];
  readonly figures: readonly Figure[];
}

/** `month(leads.created) as Month` */
function readExpression(text: string): { readonly word?: string; readonly column: string } {
  const [plain = ""] = text.split(/\sas\s/iu);
  const [, word, column] = /^([a-z]+)\s*\(([^()]+)\)$/iu.exec(plain.trim()) ?? [];
  return word === undefined || column === undefined
    ? { column: plain.trim() }
    : { word: word.toLowerCase(), column: column.trim() };
}

const byOf = (text: string): GroupBy => {
  const { word, column } = readExpression(text);
  const period = periods.find((each) => each === word);
  return { column, ...(period === undefined ? {} : { period }) };
};

/** Whether a field has values to make groups of. */
export const isGroupable = ({ type, operators }: Pick<SchemaField, "type" | "operators">): boolean =>
  operators.includes("=") && fieldTypes[type].isNeverGrouped !== true;

/** What a field is grouped by to begin with: dates by month. */
export const newGroup = (column: string, { type }: SchemaField): GroupBy =>
  fieldTypes[type].days === undefined ? { column } : { column, period: "month" };

export const groupText = ({ column, period }: GroupBy): string => (period ? `${period}(${column})` : column);
export const figureText = ({ aggregate, column }: Figure): string => `${aggregate}(${column})`;

export const isGrouped = ({ group }: ListDraft): boolean => group !== undefined && group.length > 0;

export const readGrouping = ({ group = [], fields = [] }: ListDraft): Grouping => ({
  by: group.map(byOf),
  figures: fields.flatMap((text) => {
    const { word, column } = readExpression(text);
    const aggregate = aggregates.find((each) => each === word);
    return aggregate === undefined ? [] : [{ aggregate, column }];
  }),
});

/** Expressions keep the names that they were given, where they are still there. */
export function writeGrouping(draft: ListDraft, { by, figures }: Grouping): ListDraft {
  const named = new Map((draft.fields ?? []).map((text) => [text.split(/\sas\s/iu)[0]?.trim() ?? text, text]));
  const group = [...new Set(by.map(groupText))];
  const fields = [...new Set([...group, ...figures.map(figureText)])].map((text) => named.get(text) ?? text);
  const { order, ...rest } = draft;
  // An order that still means something stays.
  const kept = (order ?? []).filter((each) => fields.some((text) => each.startsWith(`${text.split(" as ")[0]} `)));
  return { ...rest, group, fields, ...(kept.length === 0 ? {} : { order: kept }) };
}

/** Back to records: with the columns and the order of a view that lists them. */
export function ungroup(draft: ListDraft, plain: Pick<ListDraft, "fields" | "order">): ListDraft {
  const { group: _, having: __, fields: ___, order: ____, ui_helper: _____, chart: ______, ...rest } = draft;
  return { ...rest, ...plain };
}

const MOST_COLUMNS = 8;

/** How records are listed: as the saved view does, or by the first fields of the type where it groups. */
export function plainLook(
  saved: ListDraft | undefined,
  { recordType: { display_field: first }, fields }: RecordTypeSchema,
): Pick<ListDraft, "fields" | "order"> {
  if (saved !== undefined && !isGrouped(saved)) {
    return { ...(saved.fields ? { fields: saved.fields } : {}), ...(saved.order ? { order: saved.order } : {}) };
  }
  const own = fields.filter(({ system, column_name: name }) => system !== true && name !== first);
  return { fields: [first, ...own.slice(0, MOST_COLUMNS).map(({ column_name: name }) => name)] };
}
