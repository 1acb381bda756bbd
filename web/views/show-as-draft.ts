// How a list is to be drawn: reads it from the query of a view, and writes a query that draws it so. What the list is
// about (its conditions, its search) stays as it is. Pure.

import type { RecordTypeSchema, SchemaField } from "../../client/design/record-types.ts";
import type { ListDraft } from "../../client/lists/list-draft.ts";
import type { ViewKind } from "../../contract/view-kinds.ts";
import { fieldTypes } from "../fields/index.ts";
import { isPeriod, type Period } from "./drawing/slice-condition.ts";

/** Where a record stands in its workflow. */
export const STAGE_FIELD = "current_stage";

export const aggregates = ["count", "sum", "avg", "min", "max"] as const;
export type Aggregate = (typeof aggregates)[number];

export interface ShowAs {
  readonly kind: ViewKind;
  /** The column that makes slices, lanes, days or places. */
  readonly by: string | undefined;
  readonly period: Period;
  readonly aggregate: Aggregate;
  /** What is added up; undefined for counting. */
  readonly of: string | undefined;
  /** Of a board: what lanes add up beside it. */
  readonly also?: string | undefined;
  /** Of a chart: the day that a dashboard's dates are about, and by which a figure is compared with the days before. */
  readonly date?: string | undefined;
  /** Of a figure: which way is the good one. */
  readonly better?: Better | undefined;
}

/** "higher" is what a view means that says nothing. */
export const betters = ["higher", "lower", "none"] as const;
export type Better = (typeof betters)[number];

const grouped: ReadonlySet<ViewKind> = new Set(["line", "bar", "pie", "funnel", "geo", "gauge", "number"]);
const single: ReadonlySet<ViewKind> = new Set(["gauge", "number"]);

const isDate = ({ type }: SchemaField): boolean => fieldTypes[type].days !== undefined;
const isPlace = ({ type }: SchemaField): boolean => fieldTypes[type].isPlace === true;

/** Rank of what the service keeps itself: offered after all others. */
const LAST = 3;

/** The fields that a kind can be made by; none where it needs none. */
export function fieldsFor(kind: ViewKind, { fields }: RecordTypeSchema): readonly SchemaField[] {
  const open = fields.filter(({ permission }) => permission !== 1);
  if (kind === "table" || single.has(kind)) return [];
  if (kind === "kanban") {
    // The stages of a workflow come first: there a move takes a transition.
    const stage = open.filter(({ name }) => name === STAGE_FIELD);
    return [...stage, ...open.filter(({ type, system }) => fieldTypes[type].picks === "one" && system !== true)];
  }
  if (kind === "calendar") return open.filter(isDate);
  if (kind === "geo") return open.filter((field) => isPlace(field) || field.to === "masters/countries");
  // What people look at first stands first: choices, dates, then what refers to others.
  const order = ({ type, system }: SchemaField): number => {
    const { rank = LAST } = fieldTypes[type].chart ?? {};
    return system && rank > 1 ? LAST : rank;
  };
  const all = open.filter(({ type }) => fieldTypes[type].chart !== undefined);
  const sorted = [...all].sort((one, other) => order(one) - order(other));
  return kind === "line" ? [...sorted.filter(isDate), ...sorted.filter((field) => !isDate(field))] : sorted;
}

/** The fields that an aggregate can be worked out of: days have no sum, nor have ratings. */
export const numbersOf = ({ fields }: RecordTypeSchema, aggregate: Aggregate): readonly SchemaField[] =>
  fields.filter(({ type, permission, system }) => {
    const { figures = [], days } = fieldTypes[type];
    return figures.some((one) => one === aggregate) && days === undefined && permission !== 1 && system !== true;
  });

export const isPossible = (kind: ViewKind, schema: RecordTypeSchema): boolean =>
  kind === "table" || single.has(kind) || fieldsFor(kind, schema).length > 0;

export const needsMeasure = ({ kind, by }: ShowAs, schema: RecordTypeSchema): boolean =>
  grouped.has(kind) && !isPlaced(schema, by);

export const fieldAt = ({ fields }: RecordTypeSchema, column: string | undefined): SchemaField | undefined =>
  fields.find(({ column_name }) => column_name === column);

const isPlaced = (schema: RecordTypeSchema, column: string | undefined): boolean => {
  const field = fieldAt(schema, column);
  return field !== undefined && isPlace(field);
};

/** The days that a chart can be about, those of the record itself before the service's own. */
export const datesOf = ({ fields }: RecordTypeSchema): readonly SchemaField[] => {
  const dates = fields.filter((field) => field.permission !== 1 && isDate(field));
  return [...dates.filter(({ system }) => system !== true), ...dates.filter(({ system }) => system === true)];
};

export const isDated = (schema: RecordTypeSchema, column: string | undefined): boolean => {
  const field = fieldAt(schema, column);
  return field !== undefined && isDate(field);
};

const expression = /^([a-z]+)\((.+)\)$/;
const withoutAlias = (text: string): string => text.split(/ as /i, 1)[0] ?? "";

/** As a view's query has it; what it leaves open is what the kind usually is. */
export function readShowAs(kind: ViewKind, query: ListDraft, schema: RecordTypeSchema): ShowAs {
  const chart = query.chart ?? {};
  const [, period, dated] = expression.exec(query.group?.[0] ?? "") ?? [];
  const isGrouped = query.group !== undefined;
  const by = chart.lanes ?? (isGrouped ? undefined : chart.date) ?? chart.point ?? dated ?? query.group?.[0];
  const better = betters.find((one) => one === chart.better);
  const named = (query.fields ?? []).find((field) => field.endsWith(` as ${chart.value}`)) ?? chart.value ?? "";
  const [, aggregate, of] = expression.exec(withoutAlias(named)) ?? [];
  const known = aggregates.find((one) => one === aggregate);
  return {
    kind,
    by: by ?? fieldsFor(kind, schema)[0]?.column_name,
    period: isPeriod(period) ? period : "month",
    aggregate: known ?? "count",
    // A count is nothing that a lane could add up.
    of: known === undefined ? (kind === "kanban" ? chart.value : undefined) : known === "count" ? undefined : of,
    ...(kind === "kanban" && chart.also !== undefined ? { also: chart.also } : {}),
    ...(chart.date !== undefined && (single.has(kind) || (isGrouped && grouped.has(kind))) ? { date: chart.date } : {}),
    ...(kind === "number" && better !== undefined ? { better } : {}),
  };
}

const MOST_COLUMNS = 8;

/** The columns of a list of records: the saved view's, or the first ones of the record type. */
function plainOf(saved: ListDraft, schema: RecordTypeSchema): ListDraft {
  if (saved.group === undefined && saved.fields !== undefined) {
    const { where: _, chart: __, ui_helper: ___, search_basic: ____, ...rest } = saved;
    return rest;
  }
  const { display_field: first } = schema.recordType;
  const own = schema.fields.filter(({ system, column_name }) => system !== true && column_name !== first);
  return { fields: [first, ...own.slice(0, MOST_COLUMNS).map(({ column_name }) => column_name)] };
}

export function writeShowAs(show: ShowAs, now: ListDraft, saved: ListDraft, schema: RecordTypeSchema): ListDraft {
  const { kind, period, aggregate, of } = show;
  const about: ListDraft = {
    ...(now.where === undefined ? {} : { where: now.where }),
    ...(now.search_basic === undefined ? {} : { search_basic: now.search_basic }),
  };
  // Of records, the columns stay as they were.
  const plain = plainOf(now.group === undefined && now.fields !== undefined ? now : saved, schema);
  const records = (chart: Readonly<Record<string, string>> | undefined): ListDraft => ({
    ...plain,
    ...about,
    ui_helper: kind,
    ...(chart === undefined ? {} : { chart }),
  });
  const possible = fieldsFor(kind, schema);
  const field = possible.find(({ column_name }) => column_name === show.by) ?? possible[0];
  const by = field?.column_name ?? "";
  if (kind === "table") return records(undefined);
  if (kind === "kanban") {
    return records({
      lanes: by,
      ...(of === undefined ? {} : { value: of }),
      ...(show.also === undefined ? {} : { also: show.also }),
    });
  }
  if (kind === "calendar") return records({ date: by });
  if (field && isPlace(field)) return records({ point: by });
  const alias = schema.recordType.display_field.split(".")[0] ?? "";
  const measure = aggregate === "count" || of === undefined ? `count(${alias}.id)` : `${aggregate}(${of})`;
  const date = show.date === undefined || (field && isDate(field)) ? {} : { date: show.date };
  if (field === undefined) {
    const better = kind === "number" && show.date !== undefined && show.better ? { better: show.better } : {};
    return { ...about, fields: [measure], ui_helper: kind, chart: { value: measure, ...date, ...better } };
  }
  const group = isDate(field) ? `${period}(${by})` : by;
  const isOrdered = fieldTypes[field.type].chart?.inOrder === true;
  return {
    ...about,
    fields: [group, measure],
    group: [group],
    ...(isOrdered ? {} : { order: [`${measure} DESC`] }),
    ui_helper: kind,
    chart: { [kind === "geo" ? "region" : "category"]: group, value: measure, ...date },
  };
}
