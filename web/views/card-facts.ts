// What stands on a card of a board or an entry of a calendar, by what the fields are: an amount, the owner's face, the day it is
// due on, two details. Asked for beside the view's own columns where those do not have it. Pure.
import type { RecordTypeSchema, SchemaField } from "../../client/design/record-types.ts";
import type { ColorRule } from "../../client/lists/list-draft.ts";
import type { ListPage } from "../../client/lists/lists.ts";
import { fieldTypes } from "../fields/index.ts";
import { type Column, columnsOf, showsOwn } from "../screens/list/columns/columns.ts";
import { leafOf } from "../screens/list/look/row-look.ts";

const OWNER = "owned_by";
const MOST_DETAILS = 2;

const isAmount = ({ type }: Pick<SchemaField, "type">): boolean => fieldTypes[type].hasCurrency === true;

/** Columns to ask for that the view does not show; never one that is hidden from the reader. */
export function furtherFields(
  { fields }: RecordTypeSchema,
  shown: readonly string[],
  { worth, colors = [] }: { readonly worth?: string | undefined; readonly colors?: readonly ColorRule[] | undefined },
): readonly string[] {
  const open = fields.filter(({ permission }) => permission !== 1);
  const has = (fits: (field: SchemaField) => boolean): boolean =>
    open.some((field) => shown.includes(field.column_name) && fits(field));
  const missing = (fits: (field: SchemaField) => boolean): readonly SchemaField[] =>
    has(fits) ? [] : open.filter(fits).slice(0, 1);
  const painted = new Set(colors.flatMap((rule) => leafOf(rule)?.column ?? []));
  const wanted = [
    ...missing(({ name }) => name === OWNER),
    ...missing((field) => isAmount(field) && (worth === undefined || field.column_name === worth)),
    ...missing(({ settings }) => settings?.due === 1),
    ...open.filter(({ column_name }) => painted.has(column_name)),
  ];
  return [...new Set(wanted.map(({ column_name }) => column_name))].filter((name) => !shown.includes(name));
}

export interface CardFacts {
  readonly amount: Column | undefined;
  readonly owner: Column | undefined;
  readonly due: Column | undefined;
  readonly details: readonly Column[];
}

/** What cards are made of: the columns of a view, which never stand for groups. */
export const cardColumns = (header: ListPage["header"], schema: RecordTypeSchema): readonly Column[] =>
  columnsOf({ header, group: [], rows: [], total: 0 }, schema);

/** `lanes`: the columns that are told by where the card stands; `worth`: the amount that lanes add up. */
export function cardFacts(columns: readonly Column[], lanes: readonly string[], worth: string | undefined): CardFacts {
  const others = columns.filter(({ name, opens }) => !lanes.includes(name) && !opens);
  const first = (fits: (column: Column) => boolean): Column | undefined => others.find(fits);
  const amount = first(({ name }) => name === worth) ?? first(({ field }) => isAmount(field));
  const owner = first((column) => showsOwn(column, OWNER));
  const due = first(({ own }) => own?.settings?.due === 1);
  const told = new Set([amount, owner, due]);
  // What the service keeps itself says little about a record.
  const details = others.filter((column) => !told.has(column) && column.own?.system !== true).slice(0, MOST_DETAILS);
  return { amount, owner, due, details };
}
