// Takes what a list or a list of groups came to; gives everything of the response but its rows, as the JSON text that
// follows them. The one place that knows the keys of the index envelope.
import type { Caller } from "../../access/caller.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { ColumnProperties, ListView } from "../../plan/list-view.ts";
import type { QCondition } from "../../request/q.ts";
import { conditionToJson } from "../../request/q-json.ts";
import type { ListNotice } from "./list-notices.ts";

export interface ListEnvelope {
  readonly type: RecordType;
  readonly view: ListView;
  readonly caller: Caller;
  /** A label in the reader's language. */
  readonly words: (label: string) => string;
  readonly message: readonly string[];
  readonly limit: number;
  readonly method: "find" | "count";
  readonly total: number;
  readonly exact: boolean;
  readonly columns: readonly {
    readonly key: string;
    /** What it is a column of: `leads.status`, `sum(leads.amount)`. */
    readonly name: string;
    readonly displayKey: string | undefined;
    readonly properties: ColumnProperties;
  }[];
  readonly condition: QCondition | undefined;
  /** `<column> ASC`. */
  readonly order: readonly string[];
  readonly group: readonly string[];
  readonly header: readonly Readonly<Record<string, unknown>>[];
  /** What the reader should know of it; the key is there only where something is. */
  readonly notices?: readonly ListNotice[];
}

/** Clients of list views read their header under this name as well. */
const withHeaders = (type: RecordType): boolean => type.key === "core/listviews";

export const ENVELOPE_HEAD = '{"paginate":{"data":';

/** To stand after ENVELOPE_HEAD and the rows, with the number of the page and then the form of the filter in between. */
export type EnvelopeTail = readonly [beforePage: string, beforeForm: string, afterForm: string];

export function envelopeTail(list: ListEnvelope): EnvelopeTail {
  const { type, view, caller, columns } = list;
  const name = list.words(view.name);
  const query = {
    fields: columns.map(({ key }) => key),
    where: list.condition === undefined ? [] : conditionToJson(list.condition),
    order: list.order,
    group: list.group,
    name,
    is_default: view.isDefault ? "1" : "0",
    method: list.method,
    ui_helper: view.uiHelper,
    first_field_alias: columns[0]?.key ?? null,
  };
  const first = {
    alias: type.alias,
    model: type.alias,
    controller: type.key,
    count_query: query,
    query,
    render_as: "index",
  };
  const rest = {
    page_size: list.limit,
    limit: list.limit,
    total_count: list.total,
    total_count_is_exact: list.exact ? 1 : 0,
    primary_key: `${type.alias}.id`,
    display_field: `${type.alias}.${type.displayField}`,
    name,
    is_default: view.isDefault ? "1" : "0",
    method: list.method,
    ui_helper: view.uiHelper,
    chart: view.query.more?.chart ?? null,
    field_alias: columns.map(({ key, displayKey }) => displayKey ?? key),
    field_properties: Object.fromEntries(
      columns.map(({ key, name, properties }) => [
        key,
        {
          column_name: name,
          width: properties.width ?? "",
          is_invisible: properties.invisible ? "1" : "0",
          render_type: null,
          __column: null,
        },
      ]),
    ),
    category_id: view.categoryId ?? "",
    category_id_model: "categories",
    __category_id: list.words(view.categoryName ?? ""),
    header: list.header,
    ...(withHeaders(type) ? { headers: list.header } : {}),
    listview_id: view.id,
  };
  const after = {
    errors: [],
    message: list.message,
    ...(list.notices && list.notices.length > 0 ? { notices: list.notices } : {}),
    current_listview: view.id,
    __current_listview: name,
    listview_id: view.id,
    listview_name: name,
    organization_id: caller.organizationId,
    user_id: caller.userId,
  };
  return [
    `,${JSON.stringify(first).slice(1, -1)},"page":`,
    `,${JSON.stringify(rest).slice(1)},"filter_form":`,
    `,${JSON.stringify(after).slice(1)}`,
  ];
}
