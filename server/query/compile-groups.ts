// Takes a plan of groups; gives the one statement that runs it: versions, how many groups there are, then per group its
// values, display texts and aggregates as the wire's texts.
import { mayRead } from "../access/visibility.ts";
import { and, expression, ident, join, type Sql, sql } from "../database/sql.ts";
import { type VersionedTable, versionsOf } from "../database/versions.ts";
import { typeOf } from "../metadata/compile.ts";
import type { AggregatePlan } from "../plan/aggregate.ts";
import type { GroupKey, GroupsPlan } from "../plan/plan-groups.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { valueTypeOf } from "../plan/value.ts";
import { aggregateText, aggregateValueSql, columnText, columnValue } from "./column.ts";
import { compileFilter } from "./filter.ts";
import { createJoins, type Joins } from "./joins.ts";
import { searchCondition } from "./search.ts";

const ROOT = "r";

/** The rows that a list is about, with the caller's access looked up in the statement itself. */
export function rowConditions(plan: RowsPlan, joins: Joins): Sql[] {
  const { type, caller } = plan.scope;
  const { alias } = joins.root;
  return [
    mayRead(caller, type, alias),
    ...(plan.live ? [sql`${ident(alias, "deleted")} = 0`] : []),
    ...(plan.filter === undefined ? [] : [compileFilter(plan.filter, joins)]),
    ...plan.words.map((word) => searchCondition(plan, alias, word)),
  ];
}

/** Columns that stand before the plan's own in every row. */
export const groupFixedColumns = { versions: 0, total: 1, first: 2 } as const;

export type GroupRow = readonly (string | null)[];

/** What the statement gives: a page of the groups, and how many there are. */
export interface GroupRows {
  /** Value and display text of each column in turn, after the fixed columns. */
  readonly rows: readonly GroupRow[];
  readonly total: number;
}

/** Two texts per column: the value's, and the display text's (null where there is none). */
export function compileGroups(plan: GroupsPlan, versions: readonly VersionedTable[]): Sql {
  const { type, caller } = plan.scope;
  const joins = createJoins({ alias: ROOT, type }, caller);
  const zone = zoneOf(caller.timeZone);
  const keys = plan.groups.flatMap((group, index) => [
    sql`${keyValue(group, joins, zone)} as ${ident(`k${index}`)}`,
    sql`${group.period === undefined ? columnText(group.ref, joins) : sql`null::text`} as ${ident(`t${index}`)}`,
    sql`${group.display ? columnText(group.display, joins) : sql`null::text`} as ${ident(`d${index}`)}`,
  ]);
  const conditions = rowConditions(plan, joins);
  const aggregates = plan.columns.flatMap(({ of }) => (of.kind === "aggregate" ? [of] : []));
  const ordering = plan.order.flatMap(({ by }) => (by.kind === "aggregate" ? [by] : []));
  const computed = [
    ...aggregates.map((of, index) => sql`${aggregateText(of, joins)} as ${ident(`a${index}`)}`),
    ...ordering.map((of, index) => sql`${aggregateValueSql(of, joins)} as ${ident(`o${index}`)}`),
  ];
  const having = plan.having === undefined ? sql`` : sql`having ${compileFilter(plan.having, joins)}`;
  // By position: an expression with parameters in it is not recognised when it is written a second time.
  const positions = plan.groups.flatMap((_, index) => [index * 3 + 1, index * 3 + 2, index * 3 + 3]);
  const groupBy =
    positions.length === 0 ? sql`` : sql`group by ${join(positions.map((position) => expression(String(position))))}`;
  const grouped = sql`select ${join([...keys, ...computed])} from ${ident(type.table)} ${ident(ROOT)} ${joins.toSql()}
    where ${and(conditions)} ${groupBy} ${having}`;
  const select = plan.columns.flatMap(({ of }) => {
    if (of.kind === "aggregate") return [ident("g", `a${aggregates.indexOf(of)}`), sql`null::text`];
    const index = plan.groups.indexOf(of);
    const value =
      of.period === undefined ? ident("g", `t${index}`) : sql`to_char(${ident("g", `k${index}`)}, 'YYYY-MM-DD')`;
    return [value, ident("g", `d${index}`)];
  });
  const order = [...plan.order.map((one) => orderOf(plan, one, ordering)), ...tieBreak(plan)];
  return sql`with g as materialized (${grouped})
    select ${versionsOf(versions)}, (select count(*) from g)::text, ${join(select)} from g
    ${order.length === 0 ? sql`` : sql`order by ${join(order)}`}
    limit ${plan.limit}::bigint offset ${(plan.page - 1) * plan.limit}::bigint`;
}

function keyValue({ ref, period }: GroupKey, joins: Joins, zone: string): Sql {
  const value = columnValue(ref, joins);
  if (period === undefined) return value;
  const { sqlType } = valueTypeOf(ref);
  const local =
    sqlType === "date" ? sql`${value}::timestamp` : sql`(${value} at time zone 'UTC' at time zone ${zone}::text)`;
  return sql`date_trunc(${period}::text, ${local})::date`;
}

function orderOf(
  plan: GroupsPlan,
  { by, descending }: GroupsPlan["order"][number],
  ordering: readonly AggregatePlan[],
): Sql {
  const value = by.kind === "aggregate" ? ident("g", `o${ordering.indexOf(by)}`) : groupOrder(plan, by);
  return descending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`;
}

/** People expect references by what they show, choices in their own order, everything else by its value. */
function groupOrder(plan: GroupsPlan, group: GroupKey): Sql {
  const index = plan.groups.indexOf(group);
  if (group.display) return ident("g", `d${index}`);
  const ranked =
    group.period === undefined && group.ref.part === undefined
      ? typeOf(group.ref.field).ranked?.(group.ref.field)
      : undefined;
  return ranked ? sql`array_position(${ranked}::text[], ${ident("g", `t${index}`)})` : ident("g", `k${index}`);
}

const tieBreak = (plan: GroupsPlan): Sql[] =>
  plan.groups.map((_, index) => sql`${ident("g", `k${index}`)} asc nulls last`);

/** A zone that this system does not know counts as UTC, as it does in relative dates. */
function zoneOf(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
