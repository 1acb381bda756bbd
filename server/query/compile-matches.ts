// Takes the plan of a list and columns to add up; gives the statements that count and sum what matches by access set: all
// over, or only what has changed since an earlier answer. Each row: versions, snapshot, then as `MatchRow` says.
import { and, expression, ident, join, type Sql, sql } from "../database/sql.ts";
import { type VersionedTable, versionsOf } from "../database/versions.ts";
import type { ColumnRef } from "../plan/column.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { toldBySet } from "../plan/readable-plan.ts";
import { columnValue } from "./column.ts";
import { createJoins } from "./joins.ts";
import { movedRows } from "./moved-rows.ts";
import { rowConditions } from "./row-conditions.ts";

/** A column to add up; of an amount, with the column that tells its currency. */
export interface SummedColumn {
  readonly ref: ColumnRef;
  /** How many values there are, instead of their sum. */
  readonly isCounted?: boolean;
  readonly currency?: ColumnRef | undefined;
}

/** Of one access set, and of amounts in the same currencies. */
export interface SetSums {
  readonly aclId: string;
  readonly count: number;
  /** Of each column; null where no row has a value. */
  readonly sums: readonly (string | null)[];
  /** Of each column: how many rows have a value. */
  readonly values: readonly number[];
  /** Of each column: the id of its currency; null where its records name none. */
  readonly currencies: readonly (string | null)[];
}

const ROOT = "r";

const currenciesOf = (columns: readonly SummedColumn[]): readonly ColumnRef[] => [
  ...new Map(columns.flatMap(({ currency: ref }) => (ref ? [[ref.name, ref] as const] : []))).values(),
];

/** Set, count, currencies, then sum and number of values of each column. `from` names its rows `r`. */
function counted(plan: RowsPlan, columns: readonly SummedColumn[], from: Sql, isReplayed = false): Sql {
  const { type, caller } = plan.scope;
  const joins = createJoins({ alias: ROOT, type }, caller, isReplayed);
  const set = type.scope === "shared" ? sql`0` : ident(ROOT, "acl_id");
  const keys = [set, ...currenciesOf(columns).map((ref) => columnValue(ref, joins))];
  const sums = columns.flatMap(({ ref, isCounted }) => {
    const value = columnValue(ref, joins);
    return [isCounted ? sql`count(${value})::text` : sql`sum(${value})::text`, sql`count(${value})::text`];
  });
  const conditions = rowConditions(toldBySet(plan), joins);
  // By position: the same expression written twice would be two to PostgreSQL where it holds a parameter.
  const positions = join(keys.map((_, index) => expression(String(index + 2))));
  return sql`select ${join([sql`count(*)::text`, ...keys, ...sums])}
    from ${from} ${joins.toSql()} where ${and(conditions)} group by ${positions}`;
}

const widthOf = (columns: readonly SummedColumn[]): number => 2 + currenciesOf(columns).length + 2 * columns.length;

const namesOf = (columns: readonly SummedColumn[]): Sql =>
  join(Array.from({ length: widthOf(columns) }, (_, index) => ident(`c${index}`)));

/** Versions, snapshot, then the columns of `counted`; one row without them where nothing matches. */
export const compileMatches = (
  plan: RowsPlan,
  columns: readonly SummedColumn[],
  tables: readonly VersionedTable[],
): Sql => sql`
  with matching (${namesOf(columns)}) as (${counted(plan, columns, sql`${ident(plan.scope.type.table)} ${ident(ROOT)}`)})
  select v.version, v.snapshot, matching.*
  from (select ${versionsOf(tables)} as version, pg_current_snapshot()::text as snapshot) v left join matching on true`;

/**
 * What has changed since `snapshot`: versions, snapshot, how many entries of the log are told of, "1" for what matches now or
 * "-1" for what matched then, then the columns of `counted`. The plan reads its own table alone, and no generated column.
 */
export function compileMoved(
  plan: RowsPlan,
  columns: readonly SummedColumn[],
  tables: readonly VersionedTable[],
  snapshot: string,
): Sql {
  const { ctes, after, before, entries } = movedRows(plan, ROOT, snapshot);
  return sql`
    with ${ctes}, matching (side, ${namesOf(columns)}) as (
      select '1', n.* from (${counted(plan, columns, after, true)}) n
      union all
      select '-1', t.* from (${counted(plan, columns, before, true)}) t
    )
    select v.version, v.snapshot, v.entries, matching.*
    from (select ${versionsOf(tables)} as version, pg_current_snapshot()::text as snapshot, ${entries} as entries) v
    left join matching on true`;
}

/** Reads the columns of `counted`; undefined where nothing matches. */
export function readSetSums(columns: readonly SummedColumn[], row: readonly (string | null)[]): SetSums | undefined {
  const [live, aclId, ...rest] = row;
  if (aclId === null || aclId === undefined) return undefined;
  const currencies = currenciesOf(columns);
  const values = rest.slice(currencies.length);
  const placeOf = (ref: ColumnRef | undefined) =>
    ref === undefined ? -1 : currencies.findIndex(({ name }) => name === ref.name);
  return {
    aclId,
    count: Number(live),
    sums: columns.map((_, index) => values[2 * index] ?? null),
    values: columns.map((_, index) => Number(values[2 * index + 1] ?? 0)),
    currencies: columns.map(({ currency }) => rest[placeOf(currency)] ?? null),
  };
}
