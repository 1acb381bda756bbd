// Takes the plan of a list or of groups; gives it as a table to export: what stands in each column, and the rows of one
// moment in batches. Nothing is read before the first batch is asked for.
import { readInBatches } from "../../database/cursor.ts";
import type { Database } from "../../database/database.ts";
import type { TextRows } from "../../database/text-rows.ts";
import type { Field } from "../../fields/field-type.ts";
import type { CellKind } from "../../lib/writing/xlsx-writer.ts";
import { typeOf } from "../../metadata/compile.ts";
import { aggregateValue } from "../../plan/aggregate.ts";
import { byCurrencyKey, currencyKey } from "../../plan/currency.ts";
import { type ExportedChildren, planExportedChildren, planParts } from "../../plan/plan-children.ts";
import type { GroupsPlan } from "../../plan/plan-groups.ts";
import type { ListPlan } from "../../plan/plan-list.ts";
import { isNumeric, type ValueType, valueTypeOf } from "../../plan/value.ts";
import { compileExport } from "../../query/compile-export.ts";
import { compileGroups, groupFixedColumns } from "../../query/compile-groups.ts";
import { moneyColumns } from "../../query/grouped.ts";
import type { Rates } from "./exchange-rates.ts";
import { rateValues } from "./groups/run-groups.ts";
import { listedParts, moneyPosition } from "./present-money.ts";

export interface ExportColumn {
  readonly title: string;
  readonly kind: CellKind;
  /** The row's key in JSON. */
  readonly key: string;
  /** Position among the columns that are read. */
  readonly at: number;
  /** For spreadsheets: what a person reads, where that is not the value's own text. JSON says what a list says. */
  readonly display: ((text: string) => string) | undefined;
  /** What is read is no value of the wire: JSON says what people read too. */
  readonly always?: true;
  /** It tells which record a row belongs to, also in those that hold nothing else of it. */
  readonly isId?: true;
}

/** Rows within a row. */
export interface ExportChildren {
  /** The row's key in JSON. */
  readonly key: string;
  /** Position among the columns that are read: an array of arrays of texts. */
  readonly at: number;
  /** By position in each of those; `path` is what JSON calls it, where it says it. */
  readonly columns: readonly (Omit<ExportColumn, "key"> & { readonly path: string | undefined })[];
}

export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  readonly children?: readonly ExportChildren[];
  readonly batches: AsyncGenerator<TextRows, void, undefined>;
}

/** More groups than anybody draws, fewer than memory minds. */
const MOST_GROUPS = 1_000_000;

/** `withChildren`: also what no list shows and an import takes, so that the records can be made again from it. */
export function exportRows(db: Database, plan: ListPlan, rates: Rates | undefined, withChildren: boolean): ExportTable {
  const chosen = plan.columns.filter(({ properties }) => !properties.invisible);
  const columns = chosen.flatMap(({ key, displayKey, label, ref, target, actors }, position): ExportColumn[] => {
    const at = 1 + position * 2;
    if (actors) return [column(key, label, at, "text")];
    if (displayKey !== undefined && target) return referenceColumns(key, displayKey, label, at);
    const { field } = ref;
    return [column(key, label, at, kindOf(valueTypeOf(ref)), ref.part === undefined ? shownAs(field) : undefined)];
  });
  const { alias } = plan.scope.type;
  const id = { ...column(`${alias}.id`, "Id", 0, "text"), isId: true } as const;
  const withId = columns.some(({ key }) => key === id.key)
    ? columns.map((one) => (one.key === id.key ? { ...one, isId: true as const } : one))
    : [id, ...columns];
  // After all others: what stood somewhere before still stands there.
  const currencies = chosen.flatMap(({ key, label, currency }, position) =>
    currency && currency.kind !== "hidden" ? [currencyColumn(key, label, 2 + position * 2)] : [],
  );
  const parts = withChildren ? chosen.flatMap(({ ref }) => planParts(plan.scope, ref)) : [];
  const children = withChildren ? planExportedChildren(plan.scope) : [];
  const first = 1 + chosen.length * 2;
  const statement = compileExport(plan, chosen, rates?.own?.code ?? null, { parts, children });
  const more = parts.map(({ path, title }, index) => column(`${alias}.${path}`, title, first + index, "text"));
  return {
    columns: [...withId, ...currencies, ...more],
    children: children.map((one, index) => childrenOf(alias, one, first + parts.length + index)),
    batches: readInBatches(db, statement),
  };
}

const childrenOf = (alias: string, { association, fields }: ExportedChildren, at: number): ExportChildren => ({
  key: `${alias}.${association.name}`,
  at,
  columns: fields.map(({ title, path, ref, isName }, index) => ({
    title: `${association.label}: ${title}`,
    kind: kindOf(valueTypeOf(ref)),
    at: index,
    display: ref.part === undefined ? shownAs(ref.field) : undefined,
    path: isName ? undefined : path,
  })),
});

export function exportGroups(db: Database, plan: GroupsPlan, rates: Rates | undefined): ExportTable {
  const columns = plan.columns.flatMap(({ key, displayKey, label, of }, position): ExportColumn[] => {
    const at = groupFixedColumns.first + position * 2;
    if (of.kind === "aggregate") return [column(key, label, at, kindOf(aggregateValue(plan.scope, of)))];
    if (of.period !== undefined) return [column(key, label, at, "date")];
    if (of.target && displayKey !== undefined) return referenceColumns(key, displayKey, label, at);
    return [column(key, label, at, kindOf(valueTypeOf(of.ref)), shownAs(of.ref.field))];
  });
  const whole = { ...plan, page: 1, limit: MOST_GROUPS };
  const currencies = plan.columns.flatMap(({ key, label, of }) => {
    const at = of.kind === "aggregate" ? moneyPosition(plan, of) : undefined;
    if (at === undefined || of.kind !== "aggregate") return [];
    const parts = column(byCurrencyKey(key), `${label} by currency`, at + moneyColumns.parts, "text", (text) =>
      listedParts(of, text),
    );
    return [currencyColumn(key, label, at + moneyColumns.currency), { ...parts, always: true as const }];
  });
  const statement = compileGroups(whole, [], rateValues(rates));
  return { columns: [...columns, ...currencies], batches: readInBatches(db, statement) };
}

/** What people read, unless several values are called the same: those are told apart when they are imported again. */
function shownAs(field: Field): ((text: string) => string) | undefined {
  const { display, ranked, picks } = typeOf(field);
  if (!display) return undefined;
  const names = picks === "one" ? (ranked?.(field) ?? []).map((value) => display(value, field)?.toLowerCase()) : [];
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return (text) => {
    const shown = display(text, field) ?? text;
    return twice.has(shown.toLowerCase()) ? text : shown;
  };
}

function column(
  key: string,
  title: string,
  at: number,
  kind: CellKind,
  display?: (text: string) => string,
): ExportColumn {
  return { key, title, kind, at, display };
}

const currencyColumn = (key: string, label: string, at: number): ExportColumn =>
  column(currencyKey(key), `${label} currency`, at, "text");

/** What it shows, then the id that leads there. */
const referenceColumns = (key: string, displayKey: string, label: string, at: number): ExportColumn[] => [
  column(displayKey, label, at + 1, "text"),
  column(key, `${label} id`, at, "text"),
];

function kindOf(value: ValueType): CellKind {
  if (value.sqlType === "date") return "date";
  if (value.sqlType.startsWith("timestamp")) return "instant";
  return isNumeric(value) ? "number" : "text";
}
