// Lists as a program walks them: each record once, whatever is written meanwhile.
// Without an order, pages go on behind the last id. With one, the ids are read at one moment first.
import { generatedViewId } from "../../contract/generated-view.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

/** As the wire has it (`q.where`), with the names of fields in place of columns: `{ status: "open", "company_id.city": ["Ulm"] }`. */
export interface Where {
  readonly [fieldOrWord: string]: WhereValue;
}
export type WhereValue =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | Where)[]
  | { readonly op: string; readonly value?: unknown }
  | Where;

export interface ListOptions {
  readonly fields?: readonly string[] | undefined;
  readonly where?: Where | undefined;
  /** Words that must all occur. */
  readonly search?: string | undefined;
  /** `["score DESC", "name"]`: at most 10,000 records. Without it they come by their ids. */
  readonly order?: readonly string[] | undefined;
  /** A saved view whose conditions count as well; without it there are none but these. */
  readonly view?: string | undefined;
  /** Ends after so many. */
  readonly limit?: number | undefined;
}

export type WireRow = Readonly<Record<string, string | null>> & { readonly id: string };

const PAGE = 500;
/** More rows come only all together, and then at most 10,000. */
const LARGEST_PAGE = 1_000;
const ALL = -1;

const aliasOf = (key: RecordTypeKey): string => key.split("/")[1] ?? "";

/** Names become columns: `status` → `leads.status`. */
function columns(alias: string, where: Where): object {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => {
      const inner = (one: unknown): unknown =>
        typeof one === "object" && one !== null ? columns(alias, one as Where) : one;
      if (name === "AND" || name === "OR" || name === "NOT") {
        return [name, Array.isArray(value) ? value.map(inner) : inner(value)];
      }
      return [`${alias}.${name}`, value];
    }),
  );
}

/** What of a list is chosen, as the service takes it. */
export const chosen = (key: RecordTypeKey, { where, search, view }: ListOptions) => ({
  current_listview: view ?? generatedViewId(key),
  search_basic: search,
  where: where === undefined ? [] : [columns(aliasOf(key), where)],
});

interface Page {
  readonly rows: readonly WireRow[];
  readonly total: number;
}

async function readPage(
  call: Call,
  key: RecordTypeKey,
  options: ListOptions,
  more: { readonly where?: readonly object[]; readonly order?: readonly string[]; readonly limit: number },
): Promise<Page> {
  const alias = aliasOf(key);
  const { where, ...parameters } = chosen(key, options);
  const names = options.fields === undefined ? undefined : [...new Set(["id", ...options.fields])];
  const q = {
    fields: names?.map((name) => `${alias}.${name}`) ?? [`${alias}.*`],
    where: [...where, ...(more.where ?? [])],
    order: more.order,
    limit: more.limit,
    pheader: "0",
  };
  const { paginate } = await call<{
    readonly paginate: { readonly data: readonly Readonly<Record<string, unknown>>[]; readonly total_count: number };
  }>(`${key}/index`, { query: { ...parameters, q: JSON.stringify(q), track_open: 0 } });
  return { rows: paginate.data.map((row) => bare(alias, row, names)), total: paginate.total_count };
}

/** `leads.name` → `name`; what was not asked for is left out. */
function bare(alias: string, row: Readonly<Record<string, unknown>>, names: readonly string[] | undefined): WireRow {
  const prefix = `${alias}.`;
  const given =
    names ?? Object.keys(row).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const values = given
    .filter((name) => names !== undefined || !name.startsWith("_acl"))
    .map((name) => [name, row[prefix + name] ?? null] as const);
  // The service gives a text or null for each of them, and always the id.
  return Object.fromEntries(values) as WireRow;
}

export async function* listRecords(
  call: Call,
  key: RecordTypeKey,
  options: ListOptions,
): AsyncGenerator<WireRow, void> {
  const most = options.limit ?? Number.POSITIVE_INFINITY;
  let given = 0;
  for await (const row of options.order === undefined ? byId(call, key, options) : inOrder(call, key, options)) {
    if (given >= most) return;
    given += 1;
    yield row;
  }
}

async function* byId(call: Call, key: RecordTypeKey, options: ListOptions): AsyncGenerator<WireRow, void> {
  const id = `${aliasOf(key)}.id`;
  const limit = Math.min(PAGE, options.limit ?? PAGE);
  for (let last: string | undefined; ; ) {
    const where = last === undefined ? [] : [{ [id]: { op: ">", value: last } }];
    const { rows } = await readPage(call, key, options, { where, order: [`${id} ASC`], limit });
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1)?.id;
  }
}

async function* inOrder(call: Call, key: RecordTypeKey, options: ListOptions): AsyncGenerator<WireRow, void> {
  const order = options.order?.map((one) => `${aliasOf(key)}.${one}`) ?? [];
  const most = options.limit ?? Number.POSITIVE_INFINITY;
  const limit = most <= LARGEST_PAGE ? most : ALL;
  const { rows: ids, total } = await readPage(call, key, { ...options, fields: ["id"] }, { order, limit });
  if (ids.length < Math.min(total, most)) {
    throw new RangeError(
      `${key}: ${total} records match, and at most ${ids.length} can be listed in an order. Leave out order, add conditions, or set a limit`,
    );
  }
  for (let start = 0; start < ids.length; start += PAGE) {
    const wanted = ids.slice(start, start + PAGE).map((row) => row.id);
    const found = await readByIds(call, key, wanted, options);
    for (const one of wanted) {
      const row = found.get(one);
      // Gone meanwhile.
      if (row !== undefined) yield row;
    }
  }
}

/** Those of the records that the list still shows, by id. */
export async function readByIds(
  call: Call,
  key: RecordTypeKey,
  ids: readonly string[],
  options: ListOptions,
): Promise<ReadonlyMap<string, WireRow>> {
  const found = new Map<string, WireRow>();
  for (let start = 0; start < ids.length; start += PAGE) {
    const value = ids.slice(start, start + PAGE);
    const where = [{ [`${aliasOf(key)}.id`]: { op: "in", value } }];
    const { rows } = await readPage(call, key, options, { where, limit: PAGE });
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}
