// Counts, and adds up columns of, the rows that a list matches: once by access set for all callers, kept by the versions
// of every table that the answer depends on. Counts of filtered lists and column totals are sums over these.
import { ACL_SETS } from "../../access/acl-sets.ts";
import type { Database } from "../../database/database.ts";
import { and, expression, ident, join, sql } from "../../database/sql.ts";
import { type VersionedTable, versionsOf } from "../../database/versions.ts";
import { decimalSum } from "../../lib/exact-math.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { ColumnRef } from "../../plan/column.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import { type ReadablePlan, toldBySet } from "../../plan/readable-plan.ts";
import { tablesRead } from "../../plan/tables-read.ts";
import { columnValue } from "../../query/column.ts";
import { createJoins } from "../../query/joins.ts";
import { rowConditions } from "../../query/row-conditions.ts";
import { createVersionedCache, type LastMade } from "./versioned-cache.ts";

/** A column to add up; of an amount, with the column that tells its currency. */
export interface SummedColumn {
  readonly ref: ColumnRef;
  /** How many values there are, instead of their sum. */
  readonly isCounted?: boolean;
  readonly currency?: ColumnRef | undefined;
}

/** Of one access set, and of amounts in the same currencies: how many rows, and each column's sum (null: no row has a value). */
interface SetSums {
  readonly aclId: string;
  readonly count: number;
  readonly sums: readonly (string | null)[];
  /** Of each column: the id of its currency; null where its records name none. */
  readonly currencies: readonly (string | null)[];
}

export type MatchesBySet = readonly SetSums[];

export interface Matches {
  /** What is known and still holds; `versionOf` gives the version of a table as the list's own statement saw it. */
  find(plan: RowsPlan, columns: readonly SummedColumn[], versionOf: VersionOf): MatchesBySet | undefined;
  /** What was last known, whether it still holds or not. */
  last(plan: RowsPlan, columns: readonly SummedColumn[]): LastMade<MatchesBySet> | undefined;
  make(plan: RowsPlan, columns: readonly SummedColumn[]): Promise<MatchesBySet>;
}

export type VersionOf = (recordType: string) => string;

const MAX_KEPT = 2_000;

const isShared = (type: RecordType): boolean => type.scope === "shared";

/** Through an association, what matches depends on what the caller may read there: the answer is its own. */
const isOwn = (plan: RowsPlan, columns: readonly SummedColumn[]): boolean =>
  plan.throughAssociations || columns.some(({ ref }) => ref.steps.length > 0);

function tablesOf(plan: RowsPlan, columns: readonly SummedColumn[]): VersionedTable[] {
  const { type, caller } = plan.scope;
  const { organizationId } = caller;
  const refs = columns.map(({ ref }) => ref);
  const types = [type, ...tablesRead(refs, [plan.filter, ...plan.shown])];
  return [
    ...(isOwn(plan, columns) ? [{ organizationId, recordType: ACL_SETS }] : []),
    ...types.map((one) => ({ organizationId: isShared(one) ? "0" : organizationId, recordType: one.key })),
  ];
}

const keyOf = (plan: RowsPlan, columns: readonly SummedColumn[]): string => {
  const { type, caller } = plan.scope;
  const whose = isOwn(plan, columns) ? `${caller.organizationId} ${caller.userId}` : caller.organizationId;
  return `${whose} ${type.key} ${plan.rowsKey} ${columns.map(({ ref, currency, isCounted }) => `${isCounted ? "n " : ""}${ref.name} ${currency?.name ?? ""}`).join()}`;
};

export function createMatches(db: Database): Matches {
  const kept = createVersionedCache<MatchesBySet>(MAX_KEPT);

  const read = async (plan: RowsPlan, columns: readonly SummedColumn[]) => {
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: "r", type }, caller);
    const set = isShared(type) ? sql`0` : ident("r", "acl_id");
    const currencies = [
      ...new Map(columns.flatMap(({ currency: ref }) => (ref ? [[ref.name, ref] as const] : []))).values(),
    ];
    const keys = [set, ...currencies.map((ref) => columnValue(ref, joins))];
    const sums = columns.map(({ ref, isCounted }) =>
      isCounted ? sql`count(${columnValue(ref, joins)})::text` : sql`sum(${columnValue(ref, joins)})::text`,
    );
    const conditions = rowConditions(toldBySet(plan), joins);
    const aliases = [...keys, ...sums].map((_, index) => ident(`c${index}`));
    // By position: the same expression written twice would be two to PostgreSQL where it holds a parameter.
    const positions = join(keys.map((_, index) => expression(String(index + 2))));
    const { rows } = await db.run(sql`
      with matching (live, ${join(aliases)}) as (
        select ${join([sql`count(*)::text`, ...keys, ...sums])}
        from ${ident(type.table)} r ${joins.toSql()} where ${and(conditions)} group by ${positions})
      select v.version, matching.* from (select ${versionsOf(tablesOf(plan, columns))} as version) v
      left join matching on true`);
    const placeOf = (ref: ColumnRef | undefined) =>
      ref === undefined ? -1 : currencies.findIndex(({ name }) => name === ref.name);
    const places = columns.map(({ currency }) => placeOf(currency));
    const bySet = rows.flatMap(([, live, aclId, ...values]): SetSums[] =>
      aclId === null || aclId === undefined
        ? []
        : [
            {
              aclId,
              count: Number(live),
              sums: values.slice(currencies.length),
              currencies: places.map((place) => (place < 0 ? null : (values[place] ?? null))),
            },
          ],
    );
    return { version: rows[0]?.[0] ?? "", value: bySet };
  };

  return {
    find: (plan, columns, versionOf) => {
      const version = tablesOf(plan, columns).map((table) => versionOf(table.recordType));
      return kept.find(keyOf(plan, columns), version.join(" "));
    },
    last: (plan, columns) => kept.last(keyOf(plan, columns)),
    make: async (plan, columns) => (await kept.make(keyOf(plan, columns), () => read(plan, columns))).value,
  };
}

function readableSets(matches: MatchesBySet, { access: { view } }: ReadablePlan): MatchesBySet {
  const { readable } = view;
  return readable === undefined ? matches : matches.filter(({ aclId }) => readable.has(aclId));
}

export const countMatches = (matches: MatchesBySet, plan: ReadablePlan): number =>
  readableSets(matches, plan).reduce((sum, { count }) => sum + count, 0);

/** Of each column: the exact sums by the id of their currency ("" where the records name none). */
export function sumMatches(matches: MatchesBySet, plan: ReadablePlan, columns: number): ReadonlyMap<string, string>[] {
  const sets = readableSets(matches, plan);
  return Array.from({ length: columns }, (_, index) => {
    const byCurrency = new Map<string, string>();
    for (const { sums, currencies } of sets) {
      const sum = sums[index] ?? null;
      const id = currencies[index] ?? "";
      if (sum !== null) byCurrency.set(id, decimalSum([byCurrency.get(id) ?? "0", sum]));
    }
    return byCurrency;
  });
}
