// Counts what a filtered list matches: one count by access set serves all callers, and is kept by table version. Where
// counting would take longer than the page, an estimate is given at once and the exact figure follows in the
// background; never for what may be fewer than 100,000.
import type { AclView } from "../access/acl-directory.ts";
import type { Database } from "../database/database.ts";
import { and, ident, sql } from "../database/sql.ts";
import { versionsOf } from "../database/versions.ts";
import type { ListPlan } from "../plan/plan-list.ts";
import { listConditions, versionedTables } from "../query/compile-list.ts";
import { createJoins } from "../query/joins.ts";

export interface Count {
  readonly total: number;
  readonly exact: boolean;
}

export interface FilteredCounts {
  /** `tableRows`: live rows of the whole table. */
  count(plan: ListPlan, acl: AclView, version: string, tableRows: number): Promise<Count>;
}

/** Tables up to here are counted on the spot. */
const SMALL_TABLE = 200_000;
const LEAST_ESTIMATE = 100_000;
const SAMPLE_ROWS = 4_000;
const MAX_KEPT = 2_000;

interface Kept {
  readonly version: string;
  readonly bySet: ReadonlyMap<string, number>;
}

export function createFilteredCounts(db: Database): FilteredCounts {
  const kept = new Map<string, Kept>();
  const running = new Map<string, Promise<Kept>>();

  const keyOf = (plan: ListPlan): string =>
    `${plan.scope.caller.organizationId} ${plan.scope.type.key} ${plan.rowsKey}`;

  /** A condition through an association depends on what the caller may read there: its count is its own. */
  const ownKey = (plan: ListPlan): string =>
    plan.throughAssociations ? `${keyOf(plan)} ${plan.scope.caller.userId}` : keyOf(plan);

  const countAll = (plan: ListPlan, key: string): Promise<Kept> => {
    const pending = running.get(key);
    if (pending) return pending;
    const work = (async () => {
      const { type, caller } = plan.scope;
      const joins = createJoins({ alias: "r", type }, caller);
      const conditions = listConditions(plan, everybody, "free", joins);
      const set = type.scope === "shared" ? sql`0` : ident("r", "acl_id");
      const root = versionedTables(plan, []).slice(0, 1);
      const rows = await db.rows(sql`
        with counted as (
          select ${set} as acl_id, count(*) as live from ${ident(type.table)} r ${joins.toSql()} where ${and(conditions)} group by 1)
        select v.version, counted.acl_id::text as acl_id, counted.live::text as live
        from (select ${versionsOf(root)} as version) v left join counted on true`);
      const bySet = new Map<string, number>();
      for (const row of rows) if (row.acl_id) bySet.set(row.acl_id, Number(row.live));
      const entry = { version: rows[0]?.version ?? "", bySet };
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, entry);
      return entry;
    })().finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };

  const sumOf = (entry: Kept, acl: AclView, shared: boolean): number => {
    let sum = 0;
    for (const [id, live] of entry.bySet) if (shared || acl.readable === undefined || acl.readable.has(id)) sum += live;
    return sum;
  };

  /** The least and the likeliest number of matches, by a random sample of the table's pages. */
  const sample = async (
    plan: ListPlan,
    acl: AclView,
    tableRows: number,
  ): Promise<{ least: number; likely: number }> => {
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: "r", type }, caller);
    const matching = and(listConditions(plan, acl, "free", joins));
    const percent = Math.min(100, (100 * SAMPLE_ROWS) / tableRows);
    const row = await db.row(sql`
      select count(*)::text as seen, count(*) filter (where ${matching})::text as hits
      from ${ident(type.table)} r tablesample system (${percent}::real) ${joins.toSql()}`);
    const seen = Number(row?.seen ?? 0);
    const hits = Number(row?.hits ?? 0);
    if (seen === 0) return { least: 0, likely: 0 };
    // Wilson's lower bound at four deviations: pages hold neighbours, so a sample says less than its size.
    const z = 4;
    const share = hits / seen;
    const middle = share + (z * z) / (2 * seen);
    const spread = z * Math.sqrt((share * (1 - share)) / seen + (z * z) / (4 * seen * seen));
    const least = Math.max(0, (middle - spread) / (1 + (z * z) / seen));
    return { least: least * tableRows, likely: Math.round(share * tableRows) };
  };

  return {
    count: async (plan, acl, version, tableRows) => {
      const key = ownKey(plan);
      const shared = plan.scope.type.scope === "shared";
      const known = kept.get(key);
      if (known?.version === version) return { total: sumOf(known, acl, shared), exact: true };
      if (tableRows > SMALL_TABLE && !shared) {
        const { least, likely } = await sample(plan, acl, tableRows);
        if (least >= LEAST_ESTIMATE) {
          countAll(plan, key).catch(() => undefined);
          return { total: Math.max(likely, LEAST_ESTIMATE), exact: false };
        }
      }
      return { total: sumOf(await countAll(plan, key), acl, shared), exact: true };
    },
  };
}

/** Counts are made for all callers at once. */
const everybody: AclView = { version: "", readable: undefined, readableText: "{}", fragment: () => "" };
