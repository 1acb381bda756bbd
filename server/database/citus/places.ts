// Whether a database is distributed with Citus, and which of its machines has which organizations. Work that is for all of them is
// done at once; while a machine is gone, for those on the others.
import { Failure } from "../../../contract/failures.ts";
import type { Database, Queryable } from "../database.ts";
import { type Sql, sql } from "../sql.ts";
import { ANCHOR } from "./distributed.ts";

/** The same for as long as the database is open: it is distributed while no service runs. */
export const isDistributed = (db: Database): Promise<boolean> => db.isDistributed();

export const isUnavailable = (error: unknown): boolean =>
  error instanceof Failure && error.code === "database_unavailable";

/**
 * `which` is a condition on `organization_id`. Gives what came of it, of each place that could be reached; fails where none
 * could. Not within a transaction.
 */
export async function forAllOrganizations<T>(db: Database, work: (which: Sql) => Promise<T>): Promise<T[]> {
  try {
    return [await work(sql`true`)];
  } catch (error) {
    if (!isUnavailable(error) || !(await isDistributed(db))) throw error;
    const done: T[] = [];
    for (const which of await readPlaces(db)) {
      try {
        done.push(await work(which));
      } catch (fault) {
        if (!isUnavailable(fault)) throw fault;
      }
    }
    if (done.length === 0) throw error;
    return done;
  }
}

async function readPlaces(db: Queryable): Promise<Sql[]> {
  const rows = await db.rows(sql`
    select array_agg(l.organization_id)::text as ids from access_controls__organization_list l
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${ANCHOR}::regclass, l.organization_id)
    group by p.groupid order by p.groupid`);
  return rows.map(({ ids }) => sql`organization_id = any(${ids ?? "{}"}::bigint[])`);
}
