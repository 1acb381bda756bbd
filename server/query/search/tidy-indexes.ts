// Puts into the indexes of texts what saves have left beside them. PostgreSQL has saves only note the trigrams of a record, in a
// list that every search reads from end to end; the save that fills it puts all of it in place, in a large table for seconds. So
// it is done often, and by nobody who waits.
import type { Queryable } from "../../database/queryable.ts";
import { expression, sql } from "../../database/sql.ts";

/** Of our own indexes: others may lie in the same schema. What another process is just putting in place is waited for. */
const TIDY = `
  select count(gin_clean_pending_list(c.oid::regclass))
  from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
  where c.relkind = 'i' and a.amname = 'gin' and i.indisvalid
    and c.relnamespace = 'public'::regnamespace and pg_has_role(c.relowner, 'usage')`;

/** Where tables are distributed, their rows and indexes are with the workers. One that cannot be reached is passed over. */
export async function tidyTextIndexes(db: Pick<Queryable, "run" | "isDistributed">): Promise<void> {
  await db.run(expression(TIDY));
  if (await db.isDistributed()) await db.run(sql`select success from run_command_on_workers(${TIDY})`);
}
