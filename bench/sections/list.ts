// Lists of leads, 30 columns, 50 rows: as each caller, page by page, by other sorts and filters, quiet and beside writes,
// against pgbench with lean statements for the same pages.
import { type Context, compare } from "../compare.ts";
import { runPgbench } from "../lean/pgbench.ts";
import type { ResultRow } from "../report/result.ts";
import { listTraffic, type Traffic } from "../traffic/lists.ts";

/** The rows of one kind of traffic, each against its lean statements. */
export async function compareTraffic(context: Context, traffic: readonly Traffic[]): Promise<ResultRow[]> {
  const { options, served } = context;
  const rows: ResultRow[] = [];
  for (const { name, caller, next, scripts } of traffic) {
    if (!`${name}, ${caller}`.includes(options.only)) continue;
    const run = (seconds: number) =>
      runPgbench({ connection: served.connection, scripts, clients: options.connections, seconds });
    const besideWrites = !name.includes("nobody writes");
    rows.push(await compare(context, { name, caller, next, reference: { what: "pgbench", run }, besideWrites }));
  }
  return rows;
}

export const measureLists = (context: Context): Promise<ResultRow[]> =>
  compareTraffic(
    context,
    context.options.callers.flatMap((caller) => listTraffic(context.served.universe, caller)),
  );
