// Takes a draft that somebody else made, and the record type as whoever looks sees it; gives the draft without the fields
// that are not there for them, or undefined where there are none to leave out. Pure.

import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { type ListDraft, readDraft, type Condition as Where } from "../../../../client/lists/list-draft.ts";
import type { ListChoice } from "../../../../client/lists/lists.ts";
import { aliasOf } from "../../../fields/paths/field-path.ts";
import { type Condition, type Group, readWhere, writeWhere } from "../filter/condition.ts";

/** The same of everything that an address can choose; undefined where there is nothing to leave out. */
export function choiceWithoutUnknown(choice: ListChoice, schema: RecordTypeSchema): ListChoice | undefined {
  const { q, sort, dir, ...plain } = choice;
  const isSorted = sort === undefined || knowing(schema)(sort);
  const draft = q === undefined ? undefined : withoutUnknown(readDraft(q), schema);
  if (isSorted && draft === undefined) return undefined;
  return {
    ...plain,
    ...(isSorted && sort !== undefined ? { sort, dir } : {}),
    ...(draft === undefined ? defined("q", q) : { q: JSON.stringify(draft) }),
  };
}

/** What lies behind associations is not known here: the service says it. */
function knowing(schema: RecordTypeSchema): (expression: string) => boolean {
  const alias = aliasOf(schema);
  const names = new Set(schema.fields.map(({ name }) => name));
  return (expression) => {
    const [column = ""] = expression.split(/ as | (?:ASC|DESC)$/i);
    const parts = column.replace(/^\w+\(|\)$/g, "").split(".");
    const own = parts.length === 2 && parts[0] === alias ? parts[1] : parts.length === 1 ? parts[0] : undefined;
    return own === undefined || names.has(own) || (parts.length === 1 && !/^[a-z]/.test(own));
  };
}

export function withoutUnknown(draft: ListDraft, schema: RecordTypeSchema): ListDraft | undefined {
  const isThere = knowing(schema);
  const only = (list: readonly string[] | undefined): readonly string[] | undefined => {
    const left = list?.filter(isThere);
    return left?.length === 0 ? undefined : left;
  };
  const { fields, group, order, where, having, columns, chart, ui_helper: kind, ...rest } = draft;
  const filterValue = writeWhere(onlyGroup(readWhere(where), isThere));
  const isDrawn = Object.values(chart ?? {}).every(isThere);
  const kept: ListDraft = {
    ...rest,
    ...defined("fields", only(fields)),
    ...defined("group", only(group)),
    ...defined("order", only(order)),
    ...defined("where", where === undefined ? undefined : (filterValue as readonly Where[] | undefined)),
    ...(having !== undefined && isDrawn ? { having } : {}),
    ...(isDrawn ? { ...defined("chart", chart), ...defined("ui_helper", kind) } : {}),
    ...defined("columns", columns && Object.fromEntries(Object.entries(columns).filter(([name]) => isThere(name)))),
  };
  const count = (one: ListDraft): number =>
    [one.fields, one.group, one.order].reduce((sum, list) => sum + (list?.length ?? 0), leaves(readWhere(one.where))) +
    (one.chart === undefined ? 0 : 1);
  return count(kept) === count(draft) ? undefined : kept;
}

const defined = <Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, Value>); // a computed name is a text to the compiler

const leaves = (condition: Condition): number =>
  condition.kind === "leaf" ? 1 : condition.of.reduce((sum, one) => sum + leaves(one), 0);

const onlyGroup = (group: Group, isThere: (column: string) => boolean): Group => ({
  ...group,
  of: group.of.flatMap((one): readonly Condition[] => {
    if (one.kind === "leaf") return isThere(one.column) ? [one] : [];
    const inner = onlyGroup(one, isThere);
    return inner.of.length === 0 ? [] : [inner];
  }),
});
