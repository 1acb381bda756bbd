// Counts, and adds up columns of, the rows that a list matches: once by access set for all callers, kept by the versions
// of every table that the answer depends on. Counts of filtered lists and column totals are sums over these.
import type { AclView } from "../access/acl-directory.ts";
import { ACL_SETS } from "../access/acl-sets.ts";
import type { Database } from "../database/database.ts";
import { and, ident, join, sql } from "../database/sql.ts";
import { type VersionedTable, versionsOf } from "../database/versions.ts";
import { decimalSum } from "../lib/decimal-sum.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { ColumnRef } from "../plan/column.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { tablesRead } from "../plan/tables-read.ts";
import { columnValue } from "../query/column.ts";
import { listConditions } from "../query/compile-list.ts";
import { createJoins } from "../query/joins.ts";
import { createKept, type LastMade } from "./kept-by-version.ts";

/** Of one access set: how many rows, and the sum of each column (null: no row has a value). */
interface SetSums {
  readonly count: number;
  readonly sums: readonly (string | null)[];
}

export type MatchesBySet = ReadonlyMap<string, SetSums>;

export interface Matches {
  /** What is known and still holds; `versionOf` gives the version of a table as the list's own statement saw it. */
  find(plan: RowsPlan, columns: readonly ColumnRef[], versionOf: VersionOf): MatchesBySet | undefined;
  /** What was last known, whether it still holds or not. */
  last(plan: RowsPlan, columns: readonly ColumnRef[]): LastMade<MatchesBySet> | undefined;
  make(plan: RowsPlan, columns: readonly ColumnRef[]): Promise<MatchesBySet>;
}

export type VersionOf = (recordType: string) => string;

const MAX_KEPT = 2_000;

/** Worked out for all callers at once. */
const everybody: AclView = {
  version: "",
  readable: undefined,
  readableText: "{}",
  fragment: () => "",
  actors: () => null,
};

const isShared = (type: RecordType): boolean => type.scope === "shared";

/** Through an association, what matches depends on what the caller may read there: the answer is its own. */
const isOwn = (plan: RowsPlan, columns: readonly ColumnRef[]): boolean =>
  plan.throughAssociations || columns.some((ref) => ref.steps.length > 0);

function tablesOf(plan: RowsPlan, columns: readonly ColumnRef[]): VersionedTable[] {
  const { type, caller } = plan.scope;
  const { organizationId } = caller;
  const types = [type, ...tablesRead(columns, [plan.filter])];
  return [
    ...(isOwn(plan, columns) ? [{ organizationId, recordType: ACL_SETS }] : []),
    ...types.map((one) => ({ organizationId: isShared(one) ? "0" : organizationId, recordType: one.key })),
  ];
}

const keyOf = (plan: RowsPlan, columns: readonly ColumnRef[]): string => {
  const { type, caller } = plan.scope;
  const whose = isOwn(plan, columns) ? `${caller.organizationId} ${caller.userId}` : caller.organizationId;
  return `${whose} ${type.key} ${plan.rowsKey} ${columns.map((ref) => ref.name).join()}`;
};

export function createMatches(db: Database): Matches {
  const kept = createKept<MatchesBySet>(MAX_KEPT);

  const read = async (plan: RowsPlan, columns: readonly ColumnRef[]) => {
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: "r", type }, caller);
    const set = isShared(type) ? sql`0` : ident("r", "acl_id");
    const sums = columns.map((ref, index) => sql`sum(${columnValue(ref, joins)})::text as ${ident(`s${index}`)}`);
    const conditions = listConditions(plan, everybody, "free", joins);
    const { rows } = await db.run(sql`
      with matching as (
        select ${join([sql`${set} as acl_id`, sql`count(*)::text as live`, ...sums])}
        from ${ident(type.table)} r ${joins.toSql()} where ${and(conditions)} group by 1)
      select v.version, matching.* from (select ${versionsOf(tablesOf(plan, columns))} as version) v
      left join matching on true`);
    const bySet = new Map<string, SetSums>();
    for (const [, aclId, live, ...values] of rows) {
      if (aclId !== null && aclId !== undefined) bySet.set(aclId, { count: Number(live), sums: values });
    }
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

function* readableSets(matches: MatchesBySet, plan: RowsPlan, acl: AclView): Generator<SetSums> {
  const all = isShared(plan.scope.type) || acl.readable === undefined;
  for (const [id, sums] of matches) if (all || acl.readable?.has(id)) yield sums;
}

export function countMatches(matches: MatchesBySet, plan: RowsPlan, acl: AclView): number {
  let sum = 0;
  for (const { count } of readableSets(matches, plan, acl)) sum += count;
  return sum;
}

/** The exact decimal text of each column's total. */
export function sumMatches(matches: MatchesBySet, plan: RowsPlan, acl: AclView, columns: number): string[] {
  const sets = [...readableSets(matches, plan, acl)];
  return Array.from({ length: columns }, (_, index) =>
    decimalSum(sets.map(({ sums }) => sums[index] ?? null).filter((text) => text !== null)),
  );
}
