// Whether a database is distributed with Citus.
import type { Queryable } from "../queryable.ts";
import { sql } from "../sql.ts";

/** All distributed tables have their rows where this one has them. */
export const ANCHOR = "core__changes";

export async function readDistributed(db: Pick<Queryable, "row">): Promise<boolean> {
  const citus = await db.row(sql`select 1 as found from pg_extension where extname = 'citus'`);
  if (!citus) return false;
  const row = await db.row(sql`
    select 1 as found from pg_dist_partition where logicalrelid = to_regclass(${`public.${ANCHOR}`})`);
  return row !== undefined;
}
