// Lists of records: a page of rows with its columns, and the saved views of a record type.
import type { FieldSettings, FieldTypeId } from "../../contract/field-types.ts";
import { isViewKind, type ViewKind } from "../../contract/view-kinds.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call, WireFile } from "../transport/transport.ts";
import { WireFailure } from "../transport/wire-failure.ts";
import type { Condition, ListDraft } from "./list-draft.ts";

/** Rows of one call; the table fetches them by this many as they come into sight. */
export const PAGE_SIZE = 100;

export interface ListHeader {
  readonly column_name: string;
  /** Where the text for people stands in a row, when it is not the column itself. */
  readonly alias?: string;
  /** As `fields` of a query names it. */
  readonly expression: string;
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeId;
  /** What else it takes to show its values, by its type. */
  readonly settings?: FieldSettings;
  readonly field_type: string;
  readonly sortable: boolean;
  readonly visible: number;
  readonly clickable_link: "0" | "1";
  readonly compute_column_total: "0" | "1";
  readonly pinned: "0" | "1";
  readonly column_total_text: string | null;
  readonly column_total_is_exact?: 0;
  /** Of amounts: the currency of the total, the day of the rates that it was converted by, and what it is made of. */
  readonly column_total_currency?: string | null;
  readonly column_total_rate_date?: string | null;
  /** `EUR 12.00, USD 3.50` where there are several; then the total may be missing. */
  readonly column_total_by_currency?: string | null;
  /** Of sums of amounts: the currency of all groups, if there is one, and the day of the rates that they were converted by. */
  readonly currency?: string | null;
  readonly rate_date?: string | null;
  readonly width: string | null;
  readonly aggregate?: string;
  readonly period?: string;
}

/** Beside an amount in a row: the code of its currency; beside a sum of several, what it is made of. */
export const currencyKey = (key: string): string => `${key}.currency`;
export const byCurrencyKey = (key: string): string => `${key}.by_currency`;

export type ListRow = Readonly<Record<string, string | boolean | null>>;

/** A list is slow for want of an index. */
export interface ListNotice {
  readonly code: "needs_index";
  readonly text: string;
  readonly controller: string;
  readonly field: string;
  readonly label: string;
  readonly state: string | null;
  readonly may_build: 0 | 1;
  readonly is_automatic: 0 | 1;
  readonly may_design: 0 | 1;
}

/** What a refusal tells of the list, too. */
export const noticesOf = (error: unknown): readonly ListNotice[] =>
  error instanceof WireFailure && Array.isArray(error.body.notices) ? error.body.notices : [];

export interface ListPage {
  readonly rows: readonly ListRow[];
  readonly header: readonly ListHeader[];
  readonly total: number;
  readonly isExact: boolean;
  /** Column of the record's id; rows of groups have none. */
  readonly idColumn: string;
  readonly viewId: string;
  readonly viewName: string;
  readonly kind: ViewKind;
  /** Which columns its picture is drawn from, by what they are for. */
  readonly chart: Readonly<Record<string, string>>;
  /** The conditions that ran: the view's and the draft's. */
  readonly where: Condition | undefined;
  /** What the rows are grouped by; empty where they are records. */
  readonly group: readonly string[];
  /** As the view orders them, such as `leads.created DESC`. */
  readonly order: readonly string[];
  readonly message: readonly string[];
  readonly notices: readonly ListNotice[];
}

/** What of a list can be chosen; what is left out is the service's choice. */
export interface ListChoice {
  readonly view?: string | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly dir?: "ASC" | "DESC" | undefined;
  /** A draft of the view: stands in place of its query, as JSON text (list-draft.ts). */
  readonly q?: string | undefined;
}

interface ListBody {
  readonly paginate: {
    readonly data: readonly ListRow[];
    readonly header: readonly ListHeader[];
    readonly total_count: number;
    readonly total_count_is_exact?: 0 | 1;
    readonly primary_key: string;
    readonly ui_helper: string;
    readonly chart: Readonly<Record<string, string>> | null;
    readonly query: {
      readonly order?: readonly string[];
      readonly where?: Condition | readonly Condition[];
      readonly group?: readonly string[];
    };
  };
  readonly listview_id: string;
  readonly listview_name: string;
  readonly notices?: readonly ListNotice[];
}

/** A page of the table. */
export const readListPage = (
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  page: number,
  signal?: AbortSignal,
  mayEstimate = false,
): Promise<ListPage> =>
  // Scrolling on is no new choice of a view.
  readList(call, key, choice, { page, limit: PAGE_SIZE, isOpening: page === 1, mayEstimate }, signal);

/** Of groups all figures are; of records only ever their number is. */
export const isEstimate = ({ isExact, header }: ListPage): boolean =>
  !isExact && header.some(({ aggregate }) => aggregate !== undefined);

export interface Asked {
  readonly page?: number;
  /** Without one it is the view's own. */
  readonly limit?: number;
  /** What is asked for beside the view. */
  readonly q?: ListDraft;
  /** The service remembers the view as the last used one. */
  readonly isOpening?: boolean;
  /** Groups of a large table may come from a sample. */
  readonly mayEstimate?: boolean;
}

export async function readList(
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  { page, limit, q, isOpening = false, mayEstimate = false }: Asked,
  signal?: AbortSignal,
): Promise<ListPage> {
  const body = await call<ListBody>(`${key}/index`, {
    query: {
      ...parametersOf(choice),
      page,
      limit,
      q: q && JSON.stringify(q),
      ...(isOpening ? {} : { track_open: 0 }),
      ...(mayEstimate ? { estimate: 1 } : {}),
    },
    signal,
  });
  const { paginate } = body;
  return {
    rows: paginate.data,
    header: paginate.header,
    total: paginate.total_count,
    isExact: paginate.total_count_is_exact !== 0,
    idColumn: paginate.primary_key,
    viewId: body.listview_id,
    viewName: body.listview_name,
    kind: isViewKind(paginate.ui_helper) ? paginate.ui_helper : "table",
    chart: paginate.chart ?? {},
    where: oneCondition(paginate.query.where),
    group: paginate.query.group ?? [],
    order: paginate.query.order ?? [],
    message: body.message,
    notices: body.notices ?? [],
  };
}

/** What a list will say of itself that takes long: whether an index would help. */
export async function readNotices(
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  signal?: AbortSignal,
): Promise<readonly ListNotice[]> {
  const query = { ...parametersOf(choice), track_open: 0, notices: "only" };
  const { notices } = await call<{ readonly notices: readonly ListNotice[] }>(`${key}/index`, { query, signal });
  return notices;
}

/** Ids of one call. */
const IDS_PAGE = 1_000;

export interface RowIds {
  /** Where in the list the first of them stands, from 0. */
  readonly start: number;
  readonly ids: readonly string[];
}

/** Which records stand in the list from one row to another, in its own order; at least those. */
export async function readRowIds(
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  first: number,
  last: number,
  /** Of a part of the list alone. */
  where?: Condition,
  signal?: AbortSignal,
): Promise<RowIds> {
  const q = { fields: ["{{PRIMARY_KEY}}"], pheader: "0", ...(where === undefined ? {} : { where }) };
  const from = Math.floor(first / IDS_PAGE);
  const ids: string[] = [];
  for (let page = from; page <= Math.floor(last / IDS_PAGE); page += 1) {
    const { rows, idColumn } = await readList(call, key, choice, { page: page + 1, limit: IDS_PAGE, q }, signal);
    for (const { [idColumn]: id } of rows) if (typeof id === "string") ids.push(id);
  }
  return { start: from * IDS_PAGE, ids };
}

/** The service says "no condition" by an empty array. */
const oneCondition = (where: Condition | readonly Condition[] | undefined): Condition | undefined => {
  const all = (Array.isArray(where) ? where : [where]).filter(
    (one) => one !== undefined && Object.keys(one).length > 0,
  );
  return all.length > 1 ? { AND: all } : all[0];
};

export const parametersOf = (choice: ListChoice) => ({
  current_listview: choice.view,
  search_basic: choice.search,
  sort: choice.sort,
  dir: choice.sort === undefined ? undefined : (choice.dir ?? "ASC"),
  listview_query: choice.q,
});

export const exportFormats = ["csv", "xlsx", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** All rows of a list as a file; `withChildren`: and what an import needs beside them to make the records again. */
export const exportList = (
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  format: ExportFormat,
  withChildren = false,
): Promise<WireFile> =>
  call.file(`${key}/export`, {
    query: { ...parametersOf(choice), format, ...(withChildren ? { children: "1" } : {}) },
  });
