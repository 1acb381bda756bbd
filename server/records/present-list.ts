// Takes a list's rows; gives the response as JSON text, written by a serialiser that was put together once for the
// view. No value is parsed on its way from the database to the client.

import type { Caller } from "../access/caller.ts";
import { typeOf } from "../metadata/compile.ts";
import type { ListColumn, ListPlan } from "../plan/plan-list.ts";
import { fixedColumns } from "../query/compile-list.ts";
import { qToJson } from "../request/q.ts";
import type { ListResult, ListSources, Row } from "./run-list.ts";

type NameOf = (id: string) => string | null;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON must escape.
const special = /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/;

/** JSON of a text or null. Most values need no escaping: looking is cheaper than stringifying. */
export const jsonText = (value: string | null | undefined): string =>
  value === null || value === undefined ? "null" : special.test(value) ? JSON.stringify(value) : `"${value}"`;

/** What one row's column adds to the row, its comma included. */
interface Writer {
  readonly index: number;
  readonly prefix: string;
  readonly displayPrefix: string | undefined;
  readonly names: NameOf | undefined;
}

/** Rows of list views carry their bare names as well, for clients that read them so. */
const bareNames = (plan: ListPlan): boolean => plan.scope.type.key === "core/listviews";

export function presentRows(plan: ListPlan, result: ListResult, names: ReadonlyMap<string, NameOf>): string {
  const { alias } = plan.scope.type;
  const writers: Writer[] = [];
  plan.columns.forEach((column, position) => {
    const index = fixedColumns.first + position;
    const own = column.key === `${alias}.id` || column.key === `${alias}.deleted`;
    if (!own) {
      writers.push({
        index,
        prefix: `,${JSON.stringify(column.key)}:`,
        displayPrefix: column.displayKey === undefined ? undefined : `,${JSON.stringify(column.displayKey)}:`,
        names: column.target && names.get(column.target.key),
      });
    }
    if (bareNames(plan) && column.key.startsWith(`${alias}.`) && !own) {
      const bare = column.key.slice(alias.length + 1);
      writers.push({ index, prefix: `,${JSON.stringify(bare)}:`, displayPrefix: undefined, names: undefined });
    }
  });
  const idPrefix = `{${JSON.stringify(`${alias}.id`)}:"`;
  const deletedPrefix = `,${JSON.stringify(`${alias}.deleted`)}:"`;
  const bareId = bareNames(plan);
  const writeRow = (row: Row): string => {
    let text = `${idPrefix}${row[fixedColumns.id]}"`;
    if (bareId) text += `,"id":"${row[fixedColumns.id]}"`;
    for (const { index, prefix, displayPrefix, names: nameOf } of writers) {
      const value = row[index] ?? null;
      text += prefix + jsonText(value);
      if (displayPrefix !== undefined) text += displayPrefix + jsonText(value === null ? null : nameOf?.(value));
    }
    const acl = result.acl.fragment(row[fixedColumns.aclId] ?? "0");
    text += `,${acl}`;
    if (bareId) text += `,${bareAcl(acl, alias)}`;
    return `${text}${deletedPrefix}${row[fixedColumns.deleted]}","record_display_name":${jsonText(row[fixedColumns.display])}}`;
  };
  let text = "";
  for (const row of result.rows) text += text === "" ? writeRow(row) : `,${writeRow(row)}`;
  return `[${text}]`;
}

const bareAcl = (fragment: string, alias: string): string =>
  fragment.split(',"is_edit"')[0]?.replaceAll(`"${alias}.`, '"') ?? "";

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
    for (const row of result.rows) {
      const id = row[fixedColumns.first + position];
      if (id !== null && id !== undefined) entry.ids.add(id);
    }
    wanted.set(column.target.key, entry);
  });
  const names = new Map<string, NameOf>();
  for (const [key, { column, ids }] of wanted) {
    if (!column.target) continue;
    const version = result.versions.targets.get(key) ?? "";
    names.set(key, await sources.names.namesOf(plan.scope.caller, column.target, version, ids));
  }
  return names;
}

export function headerOf(
  plan: ListPlan,
  totals: ReadonlyMap<string, string>,
  total: number,
): Record<string, unknown>[] {
  return plan.columns.map(({ key, ref, label, displayKey, properties }) => ({
    field_type: ref.steps.length === 0 ? "Data-Field" : "Joined-Field",
    ...(displayKey === undefined && key === ref.name ? {} : { alias: displayKey ?? key }),
    sortable: ref.field.sortable,
    searchable: ref.field.searchable,
    is_invisible: properties.invisible ? "1" : "0",
    clickable_link: properties.link ? "1" : "0",
    compute_column_total: properties.total ? "1" : "0",
    column_name: ref.name,
    name: ref.field.name,
    data_type: typeOf(ref.field).dataType,
    type: ref.field.type,
    width: properties.width ?? null,
    visible: properties.invisible ? 0 : 1,
    column_total: Number(totals.get(key) ?? 0),
    column_total_text: totals.get(key) ?? null,
    total_count: total,
    label,
  }));
}

/** Everything of `paginate` but `data`; what does not depend on the page is the same text for every caller of a view. */
export function presentList(
  plan: ListPlan,
  result: ListResult,
  rows: string,
  totals: ReadonlyMap<string, string>,
  caller: Caller,
  message: readonly string[],
): string {
  const { view } = plan;
  const { type } = plan.scope;
  const header = plan.withHeader ? headerOf(plan, totals, result.total) : [];
  const query = {
    fields: plan.columns.map((column) => column.key),
    where: view.query.where === undefined ? [] : JSON.parse(qToJson({ where: view.query.where, header: true })).where,
    order: plan.order.map(({ ref, descending }) => `${ref.name} ${descending ? "DESC" : "ASC"}`),
    group: [],
    name: view.name,
    is_default: view.isDefault ? "1" : "0",
    method: plan.method,
    ui_helper: view.uiHelper,
    first_field_alias: plan.columns[0]?.key ?? null,
  };
  const rest = {
    alias: type.alias,
    model: type.alias,
    controller: type.key,
    count_query: query,
    query,
    render_as: "index",
    page: plan.page,
    page_size: plan.limit,
    limit: plan.limit,
    total_count: result.total,
    total_count_is_exact: result.exact ? 1 : 0,
    primary_key: `${type.alias}.id`,
    display_field: `${type.alias}.${type.displayField}`,
    name: view.name,
    is_default: view.isDefault ? "1" : "0",
    method: plan.method,
    ui_helper: view.uiHelper,
    field_alias: plan.columns.map((column) => column.displayKey ?? column.key),
    field_properties: Object.fromEntries(
      plan.columns.map(({ key, properties }) => [
        key,
        { width: properties.width ?? null, is_invisible: properties.invisible ? "1" : "0" },
      ]),
    ),
    category_id: view.categoryId,
    category_id_model: view.categoryId === null ? null : "categories",
    __category_id: view.categoryName,
    header,
    ...(bareNames(plan) ? { headers: header } : {}),
    listview_id: view.id,
  };
  const after = {
    errors: [],
    message,
    current_listview: view.id,
    __current_listview: view.name,
    listview_id: view.id,
    listview_name: view.name,
    filter_form: [],
    organization_id: caller.organizationId,
    user_id: caller.userId,
  };
  return `{"paginate":{"data":${rows},${JSON.stringify(rest).slice(1)},${JSON.stringify(after).slice(1)}`;
}
