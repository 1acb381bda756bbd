// Charts: leads by group, as each caller, against pgbench with the same groups.
import type { Context } from "../compare.ts";
import type { ResultRow } from "../report/result.ts";
import { groupTraffic } from "../traffic/groups.ts";
import { compareTraffic } from "./list.ts";

export const measureGroups = (context: Context): Promise<ResultRow[]> =>
  compareTraffic(
    context,
    context.options.callers.flatMap((caller) => groupTraffic(context.served.universe, caller)),
  );
