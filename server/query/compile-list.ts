// Takes a list plan with its caller's access sets, and what is known of the table's size; gives the statements that run
// it. The shape is chosen here, with numbers that PostgreSQL does not have; the text then leaves it no other choice.
import { seesName } from "../access/field-mask.ts";
import { wall } from "../access/visibility.ts";
import { and, expression, ident, join, quote, type Sql, sql, typeName } from "../database/sql.ts";
import { type VersionedTable, versionsOf } from "../database/versions.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { ListColumn, ListPlan } from "../plan/plan-list.ts";
import type { ReadablePlan } from "../plan/readable-plan.ts";
import { columnText, columnValue } from "./column.ts";
import { createJoins, type Joins } from "./joins.ts";
import { askedRows, readableRows, rowConditions } from "./row-conditions.ts";

export const ROOT = "r";

/** How the rows of a page are found. */
export type ListShape =
  /** Along the index of the order, passing over what the caller may not read. */
  | "walk"
  /** All that the caller may read by its sets first, then the order. For callers who may read little. */
  | "collect"
  /** The first few of each set along its own index of the order, merged. For callers with few sets. */
  | "merge"
  /** Only among the first few thousand of the order: where a searched word is common, the page is full before they end. */
  | "recent"
  /** PostgreSQL chooses. For filters, whose selectivity it knows and we do not. */
  | "free";

/** Where a page begins, when it is not found by counting from the start. */
export interface Boundary {
  /** Row texts of the order's columns, then the id; without one, all rows of that very moment come after it. */
  readonly values: readonly (string | null)[];
  /** After it in list order, or before it (rows then come in reverse). */
  readonly side: "after" | "before";
}

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly boundary?: Boundary;
  /** From the end: the order is turned round, and so must be the rows. */
  readonly reversed?: boolean;
  /** For the shape "recent": how many rows it looks through. */
  readonly newest?: number;
  /** For the shape "collect": each row tells, after all other columns, how many were collected. */
  readonly counted?: boolean;
}

/** Columns that stand before the plan's own in every row. */
export const fixedColumns = { versions: 0, id: 1, aclId: 2, deleted: 3, display: 4, created: 5, first: 6 } as const;

/** The tables whose versions a page's statement reports. */
export function versionedTables(plan: ListPlan, more: readonly string[]): VersionedTable[] {
  const { caller, type } = plan.scope;
  const own = (recordType: string): VersionedTable => ({ organizationId: caller.organizationId, recordType });
  const targets = new Map<string, VersionedTable>();
  for (const target of [...plan.columns.map((column) => column.target), ...plan.through]) {
    if (target)
      targets.set(target.key, {
        organizationId: target.scope === "shared" ? "0" : caller.organizationId,
        recordType: target.key,
      });
  }
  const root = type.scope === "shared" ? { organizationId: "0", recordType: type.key } : own(type.key);
  return [...more.map(own), root, ...targets.values()];
}

/** Live rows of the table: all of them, and those that the caller may read. */
export interface LiveRows {
  readonly all: number;
  readonly mine: number;
}

/** Rows that are taken from each set to merge them. */
const MOST_MERGED = 500;
const FEW_SETS = 40;

export const hasFewSets = ({ access: { view } }: ReadablePlan): boolean =>
  view.readable !== undefined && view.readable.size <= FEW_SETS;

/** Whether the order is one column of the record's own that has an index. */
export const alongIndex = (plan: ListPlan): boolean =>
  plan.order.length === 1 && plan.order[0]?.ref.steps.length === 0 && plan.order[0].ref.field.indexed;

export function chooseShape(plan: ReadablePlan, counts: LiveRows | undefined, page: PageRequest): ListShape {
  if (plan.filter !== undefined || plan.words.length > 0 || !plan.live) return "free";
  if (plan.access.view.readable === undefined) return "walk";
  const near = page.boundary === undefined && !page.reversed && page.offset + page.limit <= MOST_MERGED;
  if (near && hasFewSets(plan) && alongIndex(plan)) return "merge";
  if (counts === undefined) return "walk";
  // Walking passes limit × all ÷ mine entries; collecting reads and sorts all of mine.
  return counts.mine ** 2 < Math.max(page.limit, 50) * counts.all ? "collect" : "walk";
}

const isOwn = (plan: ListPlan, name: string): boolean =>
  plan.order[0]?.ref.steps.length === 0 && plan.order[0]?.ref.field.name === name;

const idType = (type: RecordType): Sql => typeName(type.idKind === "uuid" ? "uuid" : "bigint");

/** Whether rows are passed over along another index than that of the sets. */
export const isPassing = (shape: ListShape): boolean => shape !== "collect" && shape !== "free";

export function orderBy(plan: ListPlan, joins: Joins, turned: boolean): Sql {
  const parts = plan.order.map(({ ref, descending }) =>
    descending === turned ? sql`${columnValue(ref, joins)} asc` : sql`${columnValue(ref, joins)} desc`,
  );
  const last = plan.order.at(-1)?.descending ?? true;
  parts.push(last === turned ? sql`${ident(ROOT, "id")} asc` : sql`${ident(ROOT, "id")} desc`);
  return join(parts);
}

/** Whether every row has a value to continue after: one order column that is never null. */
export const canContinue = (plan: ListPlan): boolean => plan.order.length === 1 && isOwn(plan, "created");

function boundaryCondition(plan: ListPlan, boundary: Boundary): Sql {
  const [order] = plan.order;
  const [value = null, id = null] = boundary.values;
  const forward = (order?.descending ?? true) === (boundary.side === "before");
  if (id === null) {
    return forward
      ? sql`${ident(ROOT, "created")} >= ${value}::timestamp`
      : sql`${ident(ROOT, "created")} < ${value}::timestamp`;
  }
  const row = sql`(${ident(ROOT, "created")}, ${ident(ROOT, "id")})`;
  const given = sql`(${value}::timestamp, ${id}::${idType(plan.scope.type)})`;
  return forward ? sql`${row} > ${given}` : sql`${row} < ${given}`;
}

/** The statement of one page: versions, id, acl_id, deleted, display text, then the plan's columns and currencies. */
export function compilePage(
  plan: ReadablePlan,
  shape: ListShape,
  page: PageRequest,
  versions: readonly VersionedTable[],
): Sql {
  const { type, caller } = plan.scope;
  const joins = createJoins({ alias: ROOT, type }, caller);
  const turned = page.reversed === true || page.boundary?.side === "before";
  const select = selectList(plan, joins, versions);
  const table = ident(type.table);
  const root = ident(ROOT);
  const picked = pickedRows(plan, shape, page, turned);
  if (picked.direct) {
    return sql`select ${select} from ${table} ${root} ${joins.toSql()} ${picked.rest}`;
  }
  const same =
    type.scope === "shared" ? sql`` : sql`${ident(ROOT, "organization_id")} = ${caller.organizationId}::bigint and `;
  // Ids first, the wide rows after: what is passed over is never fetched.
  const [total, told] = isCounted(shape, page) ? [sql`, total`, sql`, page.total`] : [sql``, sql``];
  return sql`with page as materialized (select id, row_number() over () as ord${total} from (${picked.ids}) as picked)
    select ${select}${told} from page join ${table} ${root} on ${same}${ident(ROOT, "id")} = page.id ${joins.toSql()} order by page.ord`;
}

const isCounted = (shape: ListShape, page: PageRequest): boolean => shape === "collect" && page.counted === true;

/** How many were collected, as the rows of such a page tell it. */
export const countedColumn = ({ columns, currencies }: ListPlan): number =>
  fixedColumns.first + columns.length + currencies.length;

/** The first rows of each of the caller's few sets, as a FROM item. */
function mergedSets(plan: ReadablePlan, most: number, boundary: Boundary | undefined, turned: boolean): Sql {
  const { type, caller } = plan.scope;
  const inner = createJoins({ alias: ROOT, type }, caller);
  const ofSet = [
    wall(caller, type, ROOT),
    sql`${ident(ROOT, "acl_id")} = mine.acl_id`,
    sql`${ident(ROOT, "deleted")} = 0`,
    ...(boundary ? [boundaryCondition(plan, boundary)] : []),
  ];
  return sql`unnest(${plan.access.view.readableText}::integer[]) as mine(acl_id) cross join lateral (
    select * from ${ident(type.table)} ${ident(ROOT)} where ${and(ofSet)} order by ${orderBy(plan, inner, turned)} limit ${most}::bigint) ${ident(ROOT)}`;
}

/** Rows that are merged at most; more are walked past. */
const MOST_MERGED_ROWS = 50_000;

/** Whether the first so many rows of the order are those of each of the caller's sets, merged. */
export const isMerged = (plan: ReadablePlan, newest: number): boolean =>
  hasFewSets(plan) && newest * (plan.access.view.readable?.size ?? 0) <= MOST_MERGED_ROWS;

/** The first rows of the order that the caller may read, whatever is asked of them. */
function newestRows(plan: ReadablePlan, { newest = 0, boundary }: PageRequest, order: Sql, turned: boolean): Sql {
  if (isMerged(plan, newest)) {
    const merged = mergedSets(plan, newest, boundary, turned);
    return sql`select ${ident(ROOT)}.* from ${merged} order by ${order} limit ${newest}::bigint`;
  }
  const conditions = readableRows(plan, ROOT, true);
  if (boundary) conditions.push(boundaryCondition(plan, boundary));
  return sql`select * from ${ident(plan.scope.type.table)} ${ident(ROOT)} where ${and(conditions)} order by ${order} limit ${newest}::bigint`;
}

type Picked = { readonly direct: true; readonly rest: Sql } | { readonly direct: false; readonly ids: Sql };

function pickedRows(plan: ReadablePlan, shape: ListShape, page: PageRequest, turned: boolean): Picked {
  const { type, caller } = plan.scope;
  const table = ident(type.table);
  const joins = createJoins({ alias: ROOT, type }, caller);
  if (shape === "merge") {
    const merged = mergedSets(plan, page.offset + page.limit, undefined, turned);
    return {
      direct: false,
      ids: windowed(sql`select ${ident(ROOT, "id")} from ${merged} order by ${orderBy(plan, joins, turned)}`, page),
    };
  }
  if (shape === "recent") {
    const order = orderBy(plan, joins, turned);
    const newest = newestRows(plan, page, order, turned);
    // None of them is looked up in the index of words.
    const { rare: _, ...whole } = plan;
    const extra = and(askedRows(whole, joins));
    return {
      direct: false,
      ids: windowed(
        sql`select ${ident(ROOT, "id")} from (${newest}) as ${ident(ROOT)} ${joins.toSql()} where ${extra} order by ${order}`,
        page,
      ),
    };
  }
  const conditions = rowConditions(plan, joins, isPassing(shape));
  if (page.boundary) conditions.push(boundaryCondition(plan, page.boundary));
  const order = orderBy(plan, joins, turned);
  const where = sql`where ${and(conditions)}`;
  if (shape === "collect") {
    const keys = plan.order.map(({ ref }, index) => sql`${columnValue(ref, joins)} as ${ident(`k${index}`)}`);
    const again = plan.order.map(({ descending }, index) =>
      descending === turned ? sql`${ident(`k${index}`)} asc` : sql`${ident(`k${index}`)} desc`,
    );
    const last = (plan.order.at(-1)?.descending ?? true) === turned ? sql`id asc` : sql`id desc`;
    const hits = sql`select ${ident(ROOT, "id")}, ${join(keys)} from ${table} ${ident(ROOT)}`;
    return {
      direct: false,
      ids: sql`with hits as materialized (${hits} ${joins.toSql()} ${where})
        ${windowed(sql`select id from hits order by ${join([...again, last])}`, page, isCounted(shape, page) ? sql`, (select count(*) from hits) as total` : sql``)}`,
    };
  }
  const ownJoins = joins.toSql();
  if (shape === "walk" && alongIndex(plan) && page.offset === 0)
    return { direct: true, rest: sql`${where} order by ${order} limit ${page.limit}::bigint` };
  const rows = sql`select ${ident(ROOT, "id")} from ${table} ${ident(ROOT)} ${ownJoins} ${where} order by ${order}`;
  return { direct: false, ids: windowed(rows, page) };
}

/** A plan that is made for all values takes an unknown limit for a tenth of the table, and sorts all of it. */
function windowed(rows: Sql, { offset, limit }: PageRequest, more = sql``): Sql {
  const most = expression(String(2 ** Math.ceil(Math.log2(Math.max(offset + limit, 64)))));
  return sql`select id${more} from (${rows} limit ${most}) as near offset ${offset}::bigint limit ${limit}::bigint`;
}

/** The select list of columns that are the record's own: the same text every time, so it is put together once. */
const ownSelects = new WeakMap<readonly ListColumn[], string | undefined>();

function ownSelect({ columns, currencies }: ListPlan): string | undefined {
  if (!ownSelects.has(columns)) {
    const refs = [...columns.map(({ ref }) => ref), ...currencies];
    const own = refs.every((ref) => ref.steps.length === 0 && ref.part === undefined);
    ownSelects.set(columns, own ? refs.map(({ field }) => `, ${typeOf(field).select(field, at)}`).join("") : undefined);
  }
  return ownSelects.get(columns);
}

const at = (column: string) => `${quote(ROOT)}.${quote(column)}`;

function selectList(plan: ListPlan, joins: Joins, versions: readonly VersionedTable[]): Sql {
  const { type, caller } = plan.scope;
  // A name that is hidden from the caller is told by nothing but the id.
  const isNamed = seesName(type, caller);
  const display = isNamed ? type.field.get(type.displayField) : undefined;
  const fixed = [
    at("id"),
    type.scope === "shared" ? "0" : at("acl_id"),
    at("deleted"),
    display ? typeOf(display).select(display, at) : at("id"),
    at("created"),
  ].join(", ");
  const own = ownSelect(plan);
  if (own !== undefined) return sql`${versionsOf(versions)}, ${expression(fixed + own)}`;
  const columns = [
    ...plan.columns.map(({ ref, actors }) => (actors ? expression(at("acl_id")) : columnText(ref, joins))),
    ...plan.currencies.map((ref) => columnText(ref, joins)),
  ];
  return sql`${versionsOf(versions)}, ${expression(fixed)}, ${join(columns)}`;
}
