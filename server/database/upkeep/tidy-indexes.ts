// Puts into the indexes of texts what saves have left beside them. PostgreSQL has saves only note the trigrams of a record, in a
// list that every search reads from end to end. The save that fills it would put all of it in place, in a large table for ten seconds in
// which its records stay locked: for our connections the list may be long (database.ts). So it is done often, and by nobody who
// keeps others waiting.
import type { Database } from "../database.ts";
import type { Queryable } from "../queryable.ts";
import { expression, quote, sql } from "../sql.ts";

/** Of our own indexes: others may lie in the same schema. What another process is just putting in place is waited for. */
const TIDY = `
  select count(gin_clean_pending_list(c.oid::regclass))
  from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
  where c.relkind = 'i' and a.amname = 'gin' and i.indisvalid
    and c.relnamespace = 'public'::regnamespace and pg_has_role(c.relowner, 'usage')`;

/** `table`: of this one alone. Where tables are distributed, their rows and indexes are with the workers. One that cannot be reached is passed over. */
export async function tidyTextIndexes(db: Pick<Queryable, "run" | "isDistributed">, table?: string): Promise<void> {
  const of = table === undefined ? sql`` : sql` and i.indrelid = to_regclass(${quote(table)})`;
  await db.run(sql`${expression(TIDY)}${of}`);
  if (await db.isDistributed()) await db.run(sql`select success from run_command_on_workers(${TIDY})`);
}

/** Rows whose texts, some 20 MB, a search reads beside the index in some milliseconds. Fewer at a time take longer for each. */
const MOST_BESIDE = 5_000;

/**
 * For who writes many rows: told after each commit how many there were of a table, it puts them in place now and then, and the next
 * ones wait for it. Never within a transaction: who waits for its rows would wait for this as well.
 */
export function tidyBetweenWrites(database: Database): (table: string, rows: number) => Promise<void> {
  const beside = new Map<string, number>();
  return async (table, rows) => {
    const all = (beside.get(table) ?? 0) + rows;
    beside.set(table, all < MOST_BESIDE ? all : 0);
    // What could not be put in place is so a little later, with all others.
    if (all >= MOST_BESIDE) await tidyTextIndexes(database, table).catch(() => undefined);
  };
}
