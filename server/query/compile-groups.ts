// Takes a plan of groups; gives the one statement that runs it: versions, how many groups there are, then per group its
// values, display texts and aggregates as the wire's texts.
import { ident, join, type Sql, sql } from "../database/sql.ts";
import { type VersionedTable, versionsOf } from "../database/versions.ts";
import { typeOf } from "../metadata/compile.ts";
import type { AggregatePlan } from "../plan/aggregate.ts";
import { aggregatesIn } from "../plan/filter-plan.ts";
import type { GroupKey, GroupsPlan } from "../plan/plan-groups.ts";
import { valueTypeOf } from "../plan/value.ts";
import { columnText, columnValue } from "./column.ts";
import type { GroupBasis, GroupSource } from "./group-partials.ts";
import { groupedSql, type RateValues } from "./grouped.ts";
import type { Joins } from "./joins.ts";

/** Columns that stand before the plan's own in every row. */
export const groupFixedColumns = { versions: 0, total: 1, snapshot: 2, entries: 3, partials: 4, first: 5 } as const;

export type GroupRow = readonly (string | null)[];

/** What the statement gives: a page of the groups, and how many there are. */
export interface GroupRows {
  /** Value and display text of each column in turn, after the fixed columns. */
  readonly rows: readonly GroupRow[];
  readonly total: number;
  /** What to go on from when records have changed; undefined where that cannot be done. */
  readonly basis?: GroupBasis | undefined;
}

/**
 * Two texts per column: the value's, and the display text's (null where there is none); then those of `moneyColumns`. What can be
 * gone on from stands in the first row.
 */
export function compileGroups(
  plan: GroupsPlan,
  versions: readonly VersionedTable[],
  rates: RateValues,
  from: GroupSource = {},
): Sql {
  const aggregates = aggregatesOf(plan);
  const keys = (joins: Joins) => groupKeys(plan, joins);
  const { grouped, more, entries, told } = groupedSql(plan, { keys, aggregates, rates, from });
  const place = (of: AggregatePlan) => ident("g", `v${aggregates.findIndex(({ name }) => name === of.name)}`);
  const select = plan.columns.flatMap(({ of }) => {
    if (of.kind === "aggregate") return [sql`${place(of)}::text`, sql`null::text`];
    const index = plan.groups.indexOf(of);
    const value =
      of.period === undefined ? ident("g", `t${index}`) : sql`to_char(${ident("g", `k${index}`)}, 'YYYY-MM-DD')`;
    return [value, ident("g", `d${index}`)];
  });
  const order = [...plan.order.map((one) => orderOf(plan, one, place)), ...tieBreak(plan)];
  const ordered = order.length === 0 ? sql`` : sql`order by ${join(order)}`;
  return sql`with ${grouped}
    select ${versionsOf(versions)}, (select count(*) from g)::text, pg_current_snapshot()::text, ${entries},
      case when row_number() over (${ordered}) = 1 then ${told} end, ${join([...select, ...more])} from g
    ${ordered} limit ${plan.limit}::bigint offset ${(plan.page - 1) * plan.limit}::bigint`;
}

/** Each once, wherever it is asked for. */
export const aggregatesOf = (plan: GroupsPlan): readonly AggregatePlan[] => [
  ...new Map(
    [...plan.columns.map(({ of }) => of), ...plan.order.map(({ by }) => by), ...aggregatesIn(plan.having)].flatMap(
      (of) => (of.kind === "aggregate" ? [[of.name, of] as const] : []),
    ),
  ).values(),
];

/** Value, text and display text of each group. */
function groupKeys(plan: GroupsPlan, joins: Joins): readonly Sql[] {
  const zone = zoneOf(plan.scope.caller.timeZone);
  return plan.groups.flatMap((group, index) => [
    sql`${keyValue(group, joins, zone)} as ${ident(`k${index}`)}`,
    sql`${group.period === undefined ? columnText(group.ref, joins) : sql`null`}::text as ${ident(`t${index}`)}`,
    sql`${group.display ? columnText(group.display, joins) : sql`null`}::text as ${ident(`d${index}`)}`,
  ]);
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
  place: (of: AggregatePlan) => Sql,
): Sql {
  const value = by.kind === "aggregate" ? place(by) : groupOrder(plan, by);
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
