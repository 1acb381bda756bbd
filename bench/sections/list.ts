// Lists of leads, 30 columns, 50 rows: as each caller, page by page, by other sorts and filters, quiet and beside writes,
// against pgbench with lean statements for the same pages. Other sorts are measured twice: as they are, and once the service has built
// the indexes that they lack.
import { type Context, compare } from "../compare.ts";
import { runPgbench } from "../lean/pgbench.ts";
import { isWanted } from "../options.ts";
import type { ResultRow } from "../report/result.ts";
import { FIVE_SORTS, listTraffic, sortedLists, type Traffic } from "../traffic/lists.ts";
import { withBuiltIndexes } from "./built-indexes.ts";

/** The rows of one kind of traffic, each against its lean statements. */
export async function compareTraffic(context: Context, traffic: readonly Traffic[]): Promise<ResultRow[]> {
  const { options, served } = context;
  const rows: ResultRow[] = [];
  for (const { name, caller, next, scripts } of traffic) {
    if (!isWanted(`${name}, ${caller}`, options)) continue;
    const run = (seconds: number) =>
      runPgbench({ connection: served.connection, scripts, clients: options.connections, seconds });
    const besideWrites = !name.includes("nobody writes");
    rows.push(await compare(context, { name, caller, next, reference: { what: "pgbench", run }, besideWrites }));
  }
  return rows;
}

/** The service's own default for LARGE_LIST_ROWS: of fewer records no list lacks an index. */
const LARGE = 200_000;

export async function measureLists(context: Context): Promise<{ rows: ResultRow[]; notes: string[] }> {
  const { options, served } = context;
  const traffic = options.callers.flatMap((caller) => listTraffic(served.universe, caller));
  const rows = await compareTraffic(context, traffic);
  const indexed = traffic
    .filter(({ name }) => name === FIVE_SORTS)
    .map((one) => ({ ...one, name: `${FIVE_SORTS}, once their indexes are built` }));
  const isAsked = indexed.some(({ name, caller }) => isWanted(`${name}, ${caller}`, options));
  if (!isAsked || served.universe.rows <= LARGE) return { rows, notes: [] };
  const { measured, note } = await withBuiltIndexes(context, sortedLists, () => compareTraffic(context, indexed));
  return { rows: [...rows, ...measured], notes: [note] };
}
