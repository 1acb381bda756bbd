// Counts what a filtered list matches, from the matches kept by access set. If counting would take longer than the page, an
// estimate is returned at once and the exact count follows in the background: for filters, only if there are at least
// 100,000 matches; for searches, whenever the page did not find all of them.
import type { AclView } from "../../access/acl-directory.ts";
import { readerOf, rightsOf } from "../../access/caller.ts";
import { wall } from "../../access/visibility.ts";
import type { Database } from "../../database/database.ts";
import { apartFromClient } from "../../database/scope.ts";
import { and, ident, sql } from "../../database/sql.ts";
import { Recent } from "../../lib/memory/recent.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import type { LiveRows } from "../../query/compile-list.ts";
import { createJoins } from "../../query/joins.ts";
import { rowConditions } from "../../query/row-conditions.ts";
import { shareOf, tableSample } from "../../query/table-rows.ts";
import { countMatches, type Matches, type VersionOf } from "./matches.ts";

export interface Count {
  readonly total: number;
  readonly exact: boolean;
}

/** What a page has shown of how many there are. */
export interface CountBounds {
  readonly least?: number;
  readonly most?: number;
}

export interface FilteredCounts {
  count(plan: ReadablePlan, versionOf: VersionOf, rows: LiveRows, bounds?: CountBounds): Promise<Count>;
}

/** Tables up to here are counted on the spot. */
const SMALL_TABLE = 200_000;
const LEAST_ESTIMATE = 100_000;
const SAMPLE_ROWS = 4_000;
const MAX_KEPT = 2_000;
/** Of whoever may read no more than this, searches are counted on the spot. */
const FEW_ROWS = 20_000;
/** An estimate of a search is as good some seconds later. */
const ESTIMATE_MS = 30_000;
/** Searches with more matches stay estimated: whoever gets so many adds a word. */
const MOST_COUNTED_BEHIND = 50_000;
/** One is counted at a time, and then none for so many times as long as it took: what is typed is never the same. */
const RESTS = 4;

/** What is counted for all callers is not looked up by what suits one who may read little. */
function forAll({ rare: _, ...plan }: ReadablePlan): ReadablePlan {
  return plan;
}

export function createFilteredCounts(db: Database, matches: Matches): FilteredCounts {
  /** The least and the likeliest number of matches, by a random sample of the table's pages. */
  const sample = async (plan: ReadablePlan, tableRows: number): Promise<{ least: number; likely: number }> => {
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: "r", type }, caller);
    const matching = and(rowConditions(plan, joins));
    const row = await db.row(sql`
      select count(*)::text as seen, count(*) filter (where ${matching})::text as hits
      from ${ident(type.table)} r ${tableSample(shareOf(SAMPLE_ROWS, tableRows))} ${joins.toSql()} where ${wall(caller, type, "r")}`);
    const seen = Number(row?.seen ?? 0);
    const hits = Number(row?.hits ?? 0);
    if (seen === 0) return { least: 0, likely: 0 };
    // Wilson's lower bound at four deviations: pages hold neighbors, so a sample says less than its size.
    const z = 4;
    const share = hits / seen;
    const middle = share + (z * z) / (2 * seen);
    const spread = z * Math.sqrt((share * (1 - share)) / seen + (z * z) / (4 * seen * seen));
    const least = Math.max(0, (middle - spread) / (1 + (z * z) / seen));
    return { least: least * tableRows, likely: Math.round(share * tableRows) };
  };

  /** Of those who may read little, only that is looked at; kept for as long as the table does not change. */
  const ownCounts = new WeakMap<AclView, Map<string, { readonly version: string; readonly total: number }>>();

  const countOwn = async (plan: ReadablePlan, version: string, isKept = true): Promise<number> => {
    const { view } = plan.access;
    const known = ownCounts.get(view) ?? new Recent(MAX_KEPT);
    ownCounts.set(view, known);
    const kept = known.get(plan.rowsKey);
    if (isKept && kept?.version === version) return kept.total;
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: "r", type }, caller);
    const matching = and(rowConditions(plan, joins));
    const row = await db.row(sql`
      select count(*)::text as total from ${ident(type.table)} r ${joins.toSql()} where ${matching}`);
    known.set(plan.rowsKey, { version, total: Number(row?.total ?? 0) });
    return Number(row?.total ?? 0);
  };

  /** Estimates are taken once per state of the table. */
  const estimates = new Recent<string, { readonly version: string; readonly least: number; readonly likely: number }>(
    MAX_KEPT,
  );

  const estimate = async (plan: ReadablePlan, version: string, all: number) => {
    const key = `${plan.scope.caller.organizationId} ${readerOf(plan.scope.caller)} ${rightsOf(plan.scope.caller)} ${plan.scope.type.key} ${plan.rowsKey}`;
    const kept = estimates.get(key);
    if (kept?.version === version) return kept;
    const taken = { version, ...(await sample(plan, all)) };
    estimates.set(key, taken);
    return taken;
  };

  const searches = new Recent<string, { readonly at: number; readonly likely: number }>(MAX_KEPT);
  let restUntil = 0;

  const countBehind = (plan: ReadablePlan): void => {
    const started = performance.now();
    if (started < restUntil) return;
    restUntil = Number.POSITIVE_INFINITY;
    // The names that its words stand for are looked up by the same statement: what is kept is kept by its versions.
    const { found: _, ...whole } = forAll(plan);
    const rest = () => {
      restUntil = performance.now() + RESTS * (performance.now() - started);
    };
    apartFromClient(() => matches.make(whole, [])).then(rest, rest);
  };

  /** Never counted on the spot: a word may be anywhere. */
  const estimateSearch = async (plan: ReadablePlan, all: number, bounds: CountBounds): Promise<Count> => {
    const { caller, type } = plan.scope;
    const key = `${caller.organizationId} ${readerOf(caller)} ${rightsOf(caller)} ${type.key} ${plan.rowsKey}`;
    let kept = searches.get(key);
    if (kept === undefined || performance.now() - kept.at > ESTIMATE_MS) {
      kept = { at: performance.now(), likely: (await sample(plan, all)).likely };
      searches.set(key, kept);
    }
    if (kept.likely <= MOST_COUNTED_BEHIND) countBehind(plan);
    const { least = 0, most = Number.POSITIVE_INFINITY } = bounds;
    return { total: Math.min(Math.max(kept.likely, least), most), exact: false };
  };

  return {
    count: async (plan, versionOf, { all, mine }, bounds = {}) => {
      const known = matches.find(plan, [], versionOf) ?? (await matches.renew(plan, [], versionOf));
      if (known) return { total: countMatches(known, plan), exact: true };
      const { type } = plan.scope;
      const version = versionOf(type.key);
      if (all > SMALL_TABLE && plan.words.length > 0) {
        if (mine > FEW_ROWS) return estimateSearch(plan, all, bounds);
        return { total: await countOwn(plan, version, !plan.throughAssociations), exact: true };
      }
      if (all > SMALL_TABLE && type.scope !== "shared") {
        // Through associations more tables than this one count.
        if (mine * 10 < all && mine <= SMALL_TABLE && plan.live && !plan.throughAssociations) {
          return { total: await countOwn(plan, version), exact: true };
        }
        const { least, likely } = await estimate(plan, version, all);
        if (least >= LEAST_ESTIMATE) {
          matches.make(forAll(plan), []).catch(() => undefined);
          return { total: Math.max(likely, LEAST_ESTIMATE), exact: false };
        }
      }
      return { total: countMatches(await matches.make(forAll(plan), []), plan), exact: true };
    },
  };
}
