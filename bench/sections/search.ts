// Searches for two words, common and rare, as each caller, against pgbench looking into the same column.
import type { Context } from "../compare.ts";
import type { ResultRow } from "../report/result.ts";
import { searchTraffic } from "../traffic/lists.ts";
import { compareTraffic } from "./list.ts";

export const measureSearches = (context: Context): Promise<ResultRow[]> =>
  compareTraffic(
    context,
    context.options.callers.flatMap((caller) => searchTraffic(context.served.universe, caller)),
  );
