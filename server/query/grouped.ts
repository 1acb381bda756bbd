// Takes a plan of groups; returns the parts of the statement that compute them. Rows are summed by group and currency, then
// those few sums are combined: converted if there are several currencies, unchanged if there is only one.
import { ident, join, type Sql, sql } from "../database/sql.ts";
import type { AggregatePlan } from "../plan/aggregate.ts";
import type { ColumnRef } from "../plan/column.ts";
import type { GroupsPlan } from "../plan/plan-groups.ts";
import { columnValue } from "./column.ts";
import { compileFilter } from "./filter.ts";
import { type GroupSource, isMixed, partialGroups, ROOT } from "./group-partials.ts";
import { createJoins, type Joins } from "./joins.ts";

/** What amounts are converted by. */
export interface RateValues {
  /** The organization's own currency. */
  readonly own: string | null;
  readonly digits: number;
  /** Ids of currencies, each with what one unit is worth in the organization's own. */
  readonly ids: readonly string[];
  readonly factors: readonly string[];
}

export interface GroupRequest {
  readonly aggregates: readonly AggregatePlan[];
  readonly rates: RateValues;
  readonly from: GroupSource;
  keys(joins: Joins): readonly Sql[];
}

export interface GroupedSql {
  /** The statement's WITH, `g` the last of it. */
  readonly grouped: Sql;
  /** Further columns of every row: those of `moneyColumns` for each of the plan's columns that can be mixed. */
  readonly more: readonly Sql[];
  /** How many entries of the log of changes were gone on by, or rows of a sample were looked at; and what can be gone on from next time. */
  readonly entries: Sql;
  readonly told: Sql;
}

/** Of each mixed column: the code of its currency, its parts as `<code>:<amount>:<how many>`, and all currencies of the list. */
export const moneyColumns = { currency: 0, parts: 1, used: 2, count: 3 } as const;

export const mixedColumns = (plan: GroupsPlan): readonly AggregatePlan[] =>
  plan.columns.flatMap(({ of }) => (of.kind === "aggregate" && isMixed(of) ? [of] : []));

interface Amounts {
  readonly index: number;
  /** The column of `p` that holds the currency, that of its code, and that of the factor. */
  readonly currency: Sql;
  readonly code: Sql;
  readonly factor: Sql;
  /** Grouped by its currency: every group stays in its own. */
  readonly native: boolean;
}

export function groupedSql(plan: GroupsPlan, { keys, aggregates, rates, from }: GroupRequest): GroupedSql {
  const joins = createJoins({ alias: ROOT, type: plan.scope.type }, plan.scope.caller);
  const sources = new Map<string, ColumnRef>();
  for (const { currency } of aggregates) if (currency?.kind === "field") sources.set(currency.ref.name, currency.ref);
  const names = [...sources.keys()];
  const currencies = (of: Joins): Sql[] =>
    [...sources.values()].map(
      (ref, index) => sql`coalesce(${columnValue(ref, of)}, ${rates.own}::bigint, 0) as ${ident(`c${index}`)}`,
    );
  const amountsOf = (of: AggregatePlan, index: number): Amounts | undefined => {
    if (of.currency?.kind !== "field") return undefined;
    const { name } = of.currency.ref;
    const source = names.indexOf(name);
    return {
      index,
      currency: ident("p", `c${source}`),
      code: sql`coalesce(${ident(`cu${source}`, "code")}, 'XXX')`,
      factor: ident(`f${source}`, "factor"),
      native: plan.groups.some((group) => group.period === undefined && group.name === name),
    };
  };
  const mixed = aggregates.flatMap((of, index) => amountsOf(of, index) ?? []);
  const partial = partialGroups(plan, { keys, currencies, aggregates }, from);
  const found = sql`m as (select ${join(
    mixed.flatMap(({ index, currency }) => {
      const filled = sql`filter (where ${ident("p", `q${index}`)} > 0)`;
      return [
        sql`count(distinct ${currency}) ${filled} as ${ident(`n${index}`)}`,
        sql`min(${currency}) ${filled} as ${ident(`o${index}`)}`,
        sql`string_agg(distinct ${currency}::text, ' ') ${filled} as ${ident(`u${index}`)}`,
      ];
    }),
  )} from p)`;
  const values = aggregates.map((of, index) => {
    const amounts = mixed.find((one) => one.index === index);
    return amounts ? converted(of, amounts, rates.digits) : combined(of, index);
  });
  const further = mixed.flatMap((amounts) => [
    sql`${currencyOf(amounts, rates)} as ${ident(`x${amounts.index}`)}`,
    sql`${partsOf(amounts)} as ${ident(`y${amounts.index}`)}`,
  ]);
  const keyNames = plan.groups.flatMap((_, index) => ["k", "t", "d"].map((letter) => ident("p", `${letter}${index}`)));
  const computed: Joins["computed"] = (operand) => {
    if (operand.kind === "aggregate") {
      const value = values[aggregates.findIndex(({ name }) => name === operand.aggregate.name)] ?? sql`null::numeric`;
      return { value, text: value };
    }
    const index = plan.groups.findIndex(({ ref, period }) => period === undefined && ref.name === operand.ref.name);
    return index < 0 ? undefined : { value: ident("p", `k${index}`), text: ident("p", `t${index}`) };
  };
  const having = plan.having === undefined ? sql`` : sql`having ${compileFilter(plan.having, { ...joins, computed })}`;
  const rateJoins = join(
    names.flatMap((_, index) => [
      sql`left join rates ${ident(`f${index}`)} on ${ident(`f${index}`, "id")} = ${ident("p", `c${index}`)}`,
      sql`left join masters__currencies ${ident(`cu${index}`)} on ${ident(`cu${index}`, "id")} = ${ident("p", `c${index}`)}`,
    ]),
    " ",
  );
  const selected = [...keyNames, ...values.map((value, index) => sql`${value} as ${ident(`v${index}`)}`), ...further];
  const groups = sql`g as materialized (select ${join(selected)} from p ${rateJoins}
    ${keyNames.length === 0 ? sql`` : sql`group by ${join(keyNames)}`} ${having})`;
  const given = sql`rates(id, factor) as (
    select * from unnest(${rates.ids}::bigint[], ${rates.factors}::numeric[]))`;
  const more = mixedColumns(plan).flatMap((of) => {
    const index = aggregates.findIndex(({ name }) => name === of.name);
    const code = sql`(select code from masters__currencies where id = ${ident("g", `x${index}`)})`;
    return [
      sql`case when ${ident("g", `v${index}`)} is not null then ${code} end`,
      ident("g", `y${index}`),
      sql`(select ${ident("m", `u${index}`)} from m)`,
    ];
  });
  const steps = [given, partial.ctes, ...(mixed.length > 0 ? [found] : []), groups];
  return { grouped: join(steps, ", "), more, entries: partial.entries, told: partial.told };
}

/** The parts with their codes; NULL where the group has one currency and needs no rate that is missing. */
function partsOf({ index, currency, code, factor, native }: Amounts): Sql {
  const filled = sql`filter (where ${ident("p", `q${index}`)} > 0)`;
  const several = sql`count(distinct ${currency}) ${filled} > 1`;
  const told = native ? several : sql`${several} or (${severalIn(index)} and bool_or(${factor} is null) ${filled})`;
  return sql`case when ${told} then
    string_agg(${code} || ':' || ${ident("p", `p${index}`)}::text || ':' || ${ident("p", `q${index}`)}::text, ' ') ${filled} end`;
}

/** An aggregate of no mixed amounts, over the currencies. */
function combined({ aggregate, ref }: AggregatePlan, index: number): Sql {
  const value = ident("p", `p${index}`);
  if (ref === undefined || aggregate === "count") return sql`coalesce(sum(${value}), 0)::bigint`;
  if (aggregate === "avg") return average(value, index);
  return overall(aggregate, value);
}

const average = (value: Sql, index: number): Sql =>
  sql`trim_scale(sum(${value}) / nullif(sum(${ident("p", `q${index}`)}), 0))`;

function overall(aggregate: "sum" | "min" | "max", value: Sql): Sql {
  if (aggregate === "sum") return sql`sum(${value})`;
  return aggregate === "min" ? sql`min(${value})` : sql`max(${value})`;
}

const severalIn = (index: number): Sql => sql`(select ${ident("m", `n${index}`)} from m) > 1`;

/** NULL where a rate is missing; rounded once, and only where something was converted. */
function converted({ aggregate }: AggregatePlan, { index, factor, native }: Amounts, digits: number): Sql {
  const value = ident("p", `p${index}`);
  const of = (amount: Sql): Sql =>
    aggregate === "avg" ? average(amount, index) : overall(aggregate === "count" ? "sum" : aggregate, amount);
  if (native) return of(value);
  const missing = sql`bool_or(${factor} is null and ${ident("p", `q${index}`)} > 0)`;
  return sql`case when ${severalIn(index)} then
    case when ${missing} then null else round(${of(sql`${value} * ${factor}`)}, ${digits}::integer) end
    else ${of(value)} end`;
}

function currencyOf({ index, currency, native }: Amounts, { own }: RateValues): Sql {
  if (native) return sql`min(${currency}) filter (where ${ident("p", `q${index}`)} > 0)`;
  return sql`case when ${severalIn(index)} then ${own}::bigint else (select ${ident("m", `o${index}`)} from m) end`;
}
