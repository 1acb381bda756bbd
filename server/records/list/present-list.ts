// Takes a list's rows; gives the response as JSON text, written by a serializer that was put together once for the
// view. No value is parsed on its way from the database to the client.

import type { Caller } from "../../access/caller.ts";
import { filterForm, NO_FILTER_FORM } from "../../forms/filter-form.ts";
import { nameInWords } from "../../labels/name-in-words.ts";
import { settingsTold, typeOf } from "../../metadata/compile.ts";
import type { ListColumn, ListPlan } from "../../plan/plan-list.ts";
import { fixedColumns } from "../../query/compile-list.ts";
import type { ColumnTotal, ColumnTotals } from "./column-totals.ts";
import { ENVELOPE_HEAD, type EnvelopeTail, envelopeTail } from "./list-envelope.ts";
import type { ListNotice } from "./list-notices.ts";
import type { ListResult, ListSources } from "./run-list.ts";
import type { NameOf } from "./write-rows.ts";

const HEAD = Buffer.from(ENVELOPE_HEAD);

/** The display texts of every reference column's page of ids. */
export async function readNames(
  sources: ListSources,
  plan: ListPlan,
  result: ListResult,
): Promise<Map<string, NameOf>> {
  const wanted = new Map<string, { column: ListColumn; ids: Set<string> }>();
  plan.columns.forEach((column, position) => {
    if (!column.target) return;
    const entry = wanted.get(column.target.key) ?? { column, ids: new Set<string>() };
    for (let row = 0; row < result.rows.length; row += 1) {
      const id = result.rows.text(row, fixedColumns.first + position);
      if (id !== null) entry.ids.add(id);
    }
    wanted.set(column.target.key, entry);
  });
  const names = new Map<string, NameOf>();
  for (const [key, { column, ids }] of wanted) {
    if (!column.target) continue;
    const version = result.versions.targets.get(key) ?? "";
    const nameOf = await sources.names.namesOf(plan.scope.caller, column.target, version, ids);
    names.set(key, (id) => nameInWords(plan.scope.snapshot, key, nameOf(id)));
  }
  return names;
}

export function headerOf(plan: ListPlan, { byKey, complete }: ColumnTotals, total: number): Record<string, unknown>[] {
  return plan.columns.map(({ key, ref, label, displayKey, properties, actors, currency }) => ({
    field_type: actors ? "Computed-Field" : ref.steps.length === 0 ? "Data-Field" : "Joined-Field",
    ...(displayKey === undefined && key === ref.name ? {} : { alias: displayKey ?? key }),
    sortable: ref.field.sortable,
    searchable: ref.field.searchable,
    is_invisible: properties.invisible ? "1" : "0",
    clickable_link: properties.link ? "1" : "0",
    compute_column_total: properties.total ? "1" : "0",
    pinned: properties.pinned ? "1" : "0",
    column_name: ref.name,
    expression: key === ref.name ? key : `${ref.name} as ${key}`,
    name: actors ? ref.name.slice(ref.name.indexOf(".") + 1) : ref.field.name,
    data_type: typeOf(ref.field).dataType,
    type: ref.field.type,
    ...settingsTold(ref.field),
    width: properties.width ?? null,
    visible: properties.invisible ? 0 : 1,
    column_total: totalNumber(byKey.get(key)),
    column_total_text: byKey.get(key)?.text ?? null,
    ...(currency ? moneyTotal(byKey.get(key)) : {}),
    ...(complete ? {} : { column_total_is_exact: 0 }),
    total_count: total,
    label,
  }));
}

/** Without a total it is 0, as it always was; null says that there is one which cannot be told as one number. */
const totalNumber = (total: ColumnTotal | undefined): number | null =>
  total === undefined ? 0 : total.text === null ? null : Number(total.text);

const moneyTotal = (total: ColumnTotal | undefined) => ({
  column_total_currency: total?.currency ?? null,
  column_total_rate_date: total?.rateDate ?? null,
  column_total_by_currency: total?.byCurrency ?? null,
});

interface Tail {
  readonly key: string;
  readonly beforePage: Buffer;
  readonly afterPage: readonly Buffer[];
}

/** The same view and count again and again: what follows the rows is then the same too, but for the number of the page. */
const tails = new WeakMap<readonly ListColumn[], Tail>();

export function presentList(
  plan: ListPlan,
  result: ListResult,
  rows: Buffer,
  totals: ColumnTotals,
  caller: Caller,
  message: readonly string[],
  notices: readonly ListNotice[],
): Buffer {
  const key = [
    caller.organizationId,
    caller.userId,
    plan.signature,
    // As it was written: the signature has what it comes to.
    JSON.stringify(plan.condition),
    plan.limit,
    plan.method,
    plan.withHeader,
    result.total,
    result.exact,
    JSON.stringify([...totals.byKey.values()]),
    totals.complete,
    ...message,
    JSON.stringify(notices),
  ].join(" ");
  let tail = tails.get(plan.columns);
  if (tail?.key !== key) {
    const [beforePage, beforeForm, afterForm] = tailOf(plan, result, totals, caller, message, notices);
    const form = plan.withHeader ? filterForm(plan.scope.type.alias, plan.columns) : NO_FILTER_FORM;
    const afterPage = [Buffer.from(beforeForm), form, Buffer.from(afterForm)];
    tail = { key, beforePage: Buffer.from(beforePage), afterPage };
    tails.set(plan.columns, tail);
  }
  return Buffer.concat([HEAD, rows, tail.beforePage, Buffer.from(String(plan.page)), ...tail.afterPage]);
}

function tailOf(
  plan: ListPlan,
  result: ListResult,
  totals: ColumnTotals,
  caller: Caller,
  message: readonly string[],
  notices: readonly ListNotice[],
): EnvelopeTail {
  return envelopeTail({
    type: plan.scope.type,
    view: plan.view,
    caller,
    words: plan.scope.snapshot.words,
    message,
    limit: plan.limit,
    method: plan.method,
    total: result.total,
    exact: result.exact,
    columns: plan.columns.map((column) => ({ ...column, name: column.ref.name })),
    condition: plan.condition,
    order: plan.order.map(({ ref, descending }) => `${ref.name} ${descending ? "DESC" : "ASC"}`),
    group: [],
    header: plan.withHeader ? headerOf(plan, totals, result.total) : [],
    notices,
  });
}
