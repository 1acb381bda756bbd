// Takes the groups of a list; gives the response as JSON text: one row per group, ready to draw.

import { filterForm, NO_FILTER_FORM } from "../../../forms/filter-form.ts";
import { nameInWords } from "../../../labels/name-in-words.ts";
import { settingsTold, typeOf } from "../../../metadata/compile.ts";
import { aggregateValue } from "../../../plan/aggregate.ts";
import type { GroupedColumn, GroupsPlan } from "../../../plan/plan-groups.ts";
import { type GroupRow, groupFixedColumns } from "../../../query/compile-groups.ts";
import type { Rates } from "../exchange-rates.ts";
import { ENVELOPE_HEAD, envelopeTail } from "../list-envelope.ts";
import { moneyHeader, presentMoney } from "../present-money.ts";
import type { GroupsResult } from "./run-groups.ts";

export function presentGroups(plan: GroupsPlan, result: GroupsResult, message: readonly string[]): string {
  const rows = plan.method === "count" ? [] : result.rows.map((row) => presentRow(plan, row, result.rates));
  const { type, caller } = plan.scope;
  const [beforePage, beforeForm, afterForm] = envelopeTail({
    type,
    view: plan.view,
    caller,
    words: plan.scope.snapshot.words,
    message,
    limit: plan.limit,
    method: plan.method,
    total: result.total,
    exact: result.exact,
    columns: plan.columns.map((column) => ({ ...column, name: column.of.name })),
    condition: plan.condition,
    order: plan.order.map(({ by, descending }) => `${by.name} ${descending ? "DESC" : "ASC"}`),
    group: plan.groups.map(({ name }) => name),
    header: plan.withHeader ? plan.columns.map((column) => headerOf(plan, column, result)) : [],
  });
  const form = plan.withHeader ? filterForm(type.alias, filterColumns(plan)) : NO_FILTER_FORM;
  return `${ENVELOPE_HEAD}${JSON.stringify(rows)}${beforePage}${plan.page}${beforeForm}${form}${afterForm}`;
}

/** A filter looks at rows, not at groups: what it can compare are the columns behind them. */
const filterColumns = (plan: GroupsPlan) => [
  ...new Map(
    [...plan.groups, ...plan.columns.map(({ of }) => of)].flatMap(({ ref }) =>
      ref ? [[ref.name, { ref, label: ref.field.label }] as const] : [],
    ),
  ).values(),
];

function presentRow(plan: GroupsPlan, row: GroupRow, rates: Rates | undefined): Record<string, string | null> {
  const written: Record<string, string | null> = {};
  plan.columns.forEach(({ key, displayKey, of }, position) => {
    const index = groupFixedColumns.first + position * 2;
    const value = row[index] ?? null;
    written[key] = value;
    if (of.kind === "aggregate" && of.currency) Object.assign(written, presentMoney(plan, row, key, of, rates));
    if (displayKey === undefined || of.kind !== "group") return;
    const { field } = of.ref;
    written[displayKey] = of.target
      ? nameInWords(plan.scope.snapshot, of.target.key, row[index + 1] ?? null)
      : (typeOf(field).display?.(value, field) ?? value);
  });
  return written;
}

function headerOf(
  plan: GroupsPlan,
  { key, displayKey, label, properties, of }: GroupedColumn,
  { total, rows, rates }: GroupsResult,
) {
  const isData = of.kind === "group" && of.period === undefined;
  const field = of.kind === "aggregate" ? aggregateValue(plan.scope, of).field : of.ref.field;
  return {
    field_type: isData ? (of.ref.steps.length === 0 ? "Data-Field" : "Joined-Field") : "Computed",
    ...(displayKey === undefined && key === of.name ? {} : { alias: displayKey ?? key }),
    sortable: true,
    searchable: false,
    is_invisible: properties.invisible ? "1" : "0",
    clickable_link: properties.link ? "1" : "0",
    compute_column_total: "0",
    pinned: properties.pinned ? "1" : "0",
    column_name: of.name,
    expression: key === of.name ? key : `${of.name} as ${key}`,
    name: key,
    data_type: typeOf(field).dataType,
    type: field.type,
    ...settingsTold(field),
    ...(of.kind === "group" && of.period !== undefined ? { period: of.period } : {}),
    ...(of.kind === "aggregate" ? { aggregate: of.aggregate, ...moneyHeader(plan, of, rows[0], rates) } : {}),
    width: properties.width ?? null,
    visible: properties.invisible ? 0 : 1,
    column_total: 0,
    column_total_text: null,
    total_count: total,
    label,
  };
}
