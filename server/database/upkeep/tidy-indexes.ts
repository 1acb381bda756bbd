// Moves into the search indexes what saves have left beside them. A save only adds the trigrams of a record to a list, which every search
// reads from end to end. By default the save that makes the list too long empties it, which takes seconds on a large table while its
// records stay locked. So our connections allow a longer list (database.ts), and it is emptied often, by work that keeps nobody waiting.
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

/** Rows of one table between two times: of leads about 14 MB, which make a search 25 ms slower. Fewer at a time take longer for each. */
const MOST_BESIDE = 5_000;

/**
 * For work that writes many rows. Call what it returns after each commit, with the table and the number of rows: now and then it empties
 * the list of that table first. Never within a transaction: whoever waits for its rows would wait for this, too.
 */
export function tidyBetweenWrites(database: Database): (table: string, rows: number) => Promise<void> {
  const beside = new Map<string, number>();
  return async (table, rows) => {
    const all = (beside.get(table) ?? 0) + rows;
    beside.set(table, all < MOST_BESIDE ? all : 0);
    // If it fails, the regular upkeep does it a little later.
    if (all >= MOST_BESIDE) await tidyTextIndexes(database, table).catch(() => undefined);
  };
}
