// Takes a plan of groups; returns `p`, the part of its statement that sums rows by group and currency: from all rows, or
// from an earlier `p` and the records changed since. Counts, sums and averages can continue from it; min and max cannot.
import { and, expression, ident, join, type Sql, sql, typeName } from "../database/sql.ts";
import type { AggregatePlan } from "../plan/aggregate.ts";
import type { GroupsPlan } from "../plan/plan-groups.ts";
import { valueTypeOf } from "../plan/value.ts";
import { aggregateValueSql } from "./column.ts";
import { createJoins, type Joins } from "./joins.ts";
import { movedRows } from "./moved-rows.ts";
import { rowConditions } from "./row-conditions.ts";
import { tableSample } from "./table-rows.ts";

export const ROOT = "r";

/** An earlier `p`, as the statement that made it told it. */
export interface GroupBasis {
  /** Its rows as JSON. */
  readonly partials: string;
  readonly snapshot: string;
}

export interface GroupParts {
  readonly aggregates: readonly AggregatePlan[];
  /** Value, text and display text of each group: k0, t0, d0, k1 … */
  keys(joins: Joins): readonly Sql[];
  /** c0, c1 … */
  currencies(joins: Joins): readonly Sql[];
}

export const isMixed = (of: AggregatePlan): boolean => of.currency?.kind === "field";

/** Whether how many values there are is kept beside the value. */
const isCounted = (of: AggregatePlan): boolean => of.aggregate === "avg" || of.aggregate === "sum" || isMixed(of);

/** More groups than this are worked out all over again. */
const MOST_KEPT = 2_000;

export const canRenew = ({ words }: GroupsPlan, aggregates: readonly AggregatePlan[]): boolean =>
  // Words are looked for in a generated column.
  words.length === 0 && aggregates.every(({ aggregate }) => aggregate !== "min" && aggregate !== "max");

const byPosition = (count: number): Sql =>
  count === 0
    ? sql``
    : sql`group by ${join(Array.from({ length: count }, (_, index) => expression(String(index + 1))))}`;

/** What to work them out from: an earlier `p` and what changed since, or that part of the rows, from 0 to 1. */
export interface GroupSource {
  readonly basis?: GroupBasis | undefined;
  readonly sample?: number | undefined;
}

/** The WITH parts up to `p`, and what the statement is to tell of it. */
export function partialGroups(plan: GroupsPlan, parts: GroupParts, { basis, sample }: GroupSource) {
  const { aggregates } = parts;
  const keyNames = plan.groups.flatMap((_, index) => ["k", "t", "d"].map((letter) => ident(`${letter}${index}`)));
  const measures = aggregates.flatMap((of, index) => [
    ident(`p${index}`),
    ...(isCounted(of) ? [ident(`q${index}`)] : []),
  ]);
  const rows = (from: Sql): Sql => {
    const joins = createJoins({ alias: ROOT, type: plan.scope.type }, plan.scope.caller, basis !== undefined);
    const grouped = [...parts.keys(joins), ...parts.currencies(joins)];
    const values = aggregates.flatMap((of, index) => measured(of, index, joins));
    const conditions = and(rowConditions(plan, joins));
    return sql`select ${join([...grouped, ...values, sql`count(*) as n`])} from ${from} ${joins.toSql()}
      where ${conditions} ${byPosition(grouped.length)}`;
  };
  const all = sql`${ident(plan.scope.type.table)} ${ident(ROOT)}`;
  const told = sql`(select case when count(*) <= ${MOST_KEPT}::bigint then json_agg(p)::text end from p)`;
  if (sample !== undefined) {
    const drawn = rows(sql`${all} ${tableSample(sample)} repeatable (1)`);
    const currencyNames = parts.currencies(createJoins({ alias: ROOT, type: plan.scope.type }, plan.scope.caller));
    const kept = [...keyNames, ...currencyNames.map((_, index) => ident(`c${index}`))];
    const grown = aggregates.flatMap((of, index) => grownBy(1 / sample, of, index));
    return {
      ctes: sql`s as materialized (${drawn}), p as materialized (select ${join([...kept, ...grown, sql`n`])} from s)`,
      entries: sql`(select coalesce(sum(n), 0) from s)::text`,
      told: sql`null::text`,
    };
  }
  if (!basis) return { ctes: sql`p as materialized (${rows(all)})`, entries: sql`'0'`, told };
  const { ctes, after, before, entries } = movedRows(plan, ROOT, basis.snapshot);
  const currencies = parts.currencies(createJoins({ alias: ROOT, type: plan.scope.type }, plan.scope.caller));
  const grouped = [...keyNames, ...currencies.map((_, index) => ident(`c${index}`))];
  const names = join([...grouped, ...measures, ident("n")]);
  const taken = join([...grouped, ...measures.map((name) => sql`-${name}`), sql`-n`]);
  const types = [
    ...plan.groups.flatMap(({ ref, period }, index) => [
      sql`${ident(`k${index}`)} ${typeName(period === undefined ? keyType(ref) : "date")}`,
      sql`${ident(`t${index}`)} text`,
      sql`${ident(`d${index}`)} text`,
    ]),
    ...currencies.map((_, index) => sql`${ident(`c${index}`)} bigint`),
    ...[...measures, ident("n")].map((name) => sql`${name} numeric`),
  ];
  const summed = aggregates.flatMap((of, index) => {
    const value = sql`sum(${ident(`p${index}`)})`;
    if (!isCounted(of)) return [sql`${value} as ${ident(`p${index}`)}`];
    const count = sql`sum(${ident(`q${index}`)})`;
    // Of no values there is no sum.
    return [
      sql`case when ${count} > 0 then ${value} end as ${ident(`p${index}`)}`,
      sql`${count} as ${ident(`q${index}`)}`,
    ];
  });
  const left = grouped.length === 0 ? sql`` : sql`having sum(n) > 0`;
  return {
    ctes: sql`${ctes}, p as materialized (
      select ${join([...grouped, ...summed, sql`sum(n) as n`])} from (
        select ${names} from json_to_recordset(${basis.partials}::json) as b(${join(types)})
        union all select ${names} from (${rows(after)}) w
        union all select ${taken} from (${rows(before)}) w) u
      ${byPosition(grouped.length)} ${left})`,
    entries,
    told,
  };
}

const keyType = (ref: GroupsPlan["groups"][number]["ref"]): string => {
  const { by, columns } = valueTypeOf(ref);
  return by === "column" ? (columns[0]?.type ?? "text") : "text";
};

/** What is kept of each group and currency: enough to go on from there. */
function measured(of: AggregatePlan, index: number, joins: Joins): Sql[] {
  const first = of.aggregate === "avg" ? { ...of, aggregate: "sum" as const } : of;
  const value = sql`${aggregateValueSql(first, joins)} as ${ident(`p${index}`)}`;
  if (!isCounted(of)) return [value];
  return [value, sql`${aggregateValueSql({ ...of, aggregate: "count" }, joins)} as ${ident(`q${index}`)}`];
}

/** As if all rows were like those of the sample. The least, the greatest and the average are not more for more rows. */
function grownBy(factor: number, of: AggregatePlan, index: number): Sql[] {
  const grown = (name: string): Sql => {
    const value = ident(name);
    return sql`round(${value} * ${String(factor)}::numeric, scale(${value}::numeric)) as ${value}`;
  };
  const isGrown = of.aggregate === "count" || of.aggregate === "sum";
  return [`p${index}`, ...(isCounted(of) ? [`q${index}`] : [])].map((name) => (isGrown ? grown(name) : ident(name)));
}
