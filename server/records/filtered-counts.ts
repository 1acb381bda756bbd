// Counts what a filtered list matches, from the matches kept by access set. Where counting would take longer than the page, an estimate is given at once and the exact figure follows in the
// background; never for what may be fewer than 100,000.
import type { AclView } from "../access/acl-directory.ts";
import type { Database } from "../database/database.ts";
import { and, ident, sql } from "../database/sql.ts";
import type { ListPlan } from "../plan/plan-list.ts";
import { listConditions } from "../query/compile-list.ts";
import { createJoins } from "../query/joins.ts";
import { countMatches, type Matches, type VersionOf } from "./matches.ts";

export interface Count {
  readonly total: number;
  readonly exact: boolean;
}

export interface FilteredCounts {
  /** `tableRows`: live rows of the whole table. */
  count(plan: ListPlan, acl: AclView, versionOf: VersionOf, tableRows: number): Promise<Count>;
}

/** Tables up to here are counted on the spot. */
const SMALL_TABLE = 200_000;
const LEAST_ESTIMATE = 100_000;
const SAMPLE_ROWS = 4_000;

export function createFilteredCounts(db: Database, matches: Matches): FilteredCounts {
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
    count: async (plan, acl, versionOf, tableRows) => {
      const known = matches.find(plan, [], versionOf);
      if (known) return { total: countMatches(known, plan, acl), exact: true };
      if (tableRows > SMALL_TABLE && plan.scope.type.scope !== "shared") {
        const { least, likely } = await sample(plan, acl, tableRows);
        if (least >= LEAST_ESTIMATE) {
          matches.make(plan, []).catch(() => undefined);
          return { total: Math.max(likely, LEAST_ESTIMATE), exact: false };
        }
      }
      return { total: countMatches(await matches.make(plan, []), plan, acl), exact: true };
    },
  };
}
