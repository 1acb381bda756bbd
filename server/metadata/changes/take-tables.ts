// Locks tables whose shape is about to change, until the transaction ends. Everybody else waits while they are asked for, so they are
// asked for briefly, and again after a pause in which the others go on.
import { setTimeout } from "node:timers/promises";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { isDeadlock, isLockTimeout } from "../../database/errors.ts";
import { quote, sql } from "../../database/sql.ts";

/** What is asked for in vain keeps others waiting for so long each time. */
const PATIENCE = "200ms";
/** PostgreSQL ends its own vacuum for whoever has waited as long as its deadlock timeout: a second, which few roles can change. */
const VACUUM_PATIENCE = "1100ms";
const VACUUM_EVERY = 5;
const HASTY = "100ms";
const WORK_PATIENCE = "2s";
const PAUSE_MS = 200;
/** For a change, and for one that is only rehearsed: then it is refused, rather than keep everybody waiting for as long as it takes. */
const MOST_MS = 30_000;
const MOST_REHEARSED_MS = 3_000;

const patienceOf = (tries: number): string => (tries % VACUUM_EVERY > 0 ? PATIENCE : VACUUM_PATIENCE);

/** Said at the beginning of each try to change a design: whatever it needs on its way is asked for briefly. */
export const briefly = (tries: number): string =>
  `set local lock_timeout = '${patienceOf(tries)}';
  select set_config('deadlock_timeout', '${HASTY}', true) from pg_roles where rolname = current_user and rolsuper`;

/** Somebody has what is needed; or has part of it, and waits for what this change has. */
export const isInUse = (error: unknown): boolean => isLockTimeout(error) || isDeadlock(error);

export const tablesInUse = (cause: unknown): Failure =>
  new Failure("conflict", { with: { reason: say("design_tables_in_use") }, cause });

/** Whoever works on a table in the background locks its work before the table. Nobody else waits for that. */
const lockWork = (transaction: Queryable, tables: readonly string[]): Promise<unknown> =>
  transaction.rows(
    sql`select name from metadata__table_work where table_name = any(${tables}::text[]) order by table_name, name for update`,
  );

/** In the transaction of a design, where it goes with its table: for as long as a piece of it takes. */
export async function takeWork(transaction: Queryable, tables: readonly string[]): Promise<void> {
  const row = await transaction.row(sql`select current_setting('lock_timeout') as lock`);
  await transaction.script(`set local lock_timeout = '${WORK_PATIENCE}'`);
  await lockWork(transaction, tables);
  await transaction.script(`set local lock_timeout = '${row?.lock ?? PATIENCE}'`);
}

/** In the transaction of a design, once everything is done that only reads: all of these tables, or none of them. */
export async function takeTables(
  transaction: Queryable,
  tables: readonly string[],
  { rehearses = false }: { readonly rehearses?: boolean } = {},
): Promise<void> {
  if (tables.length === 0) return;
  const row = await transaction.row(sql`
    select current_setting('deadlock_timeout') as deadlock, current_setting('lock_timeout') as lock`);
  const endsVacuum = row?.deadlock === HASTY;
  const until = performance.now() + (rehearses ? MOST_REHEARSED_MS : MOST_MS);
  for (let tries = 1; ; tries += 1) {
    const patience = endsVacuum ? PATIENCE : patienceOf(tries);
    await transaction.script(`savepoint taking; set local lock_timeout = '${WORK_PATIENCE}'`);
    try {
      await lockWork(transaction, tables);
      await transaction.script(`set local lock_timeout = '${patience}'`);
      await transaction.script(`lock table ${tables.map(quote).join(", ")} in access exclusive mode`);
      await transaction.script(`release savepoint taking; set local lock_timeout = '${row?.lock ?? PATIENCE}'`);
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      if (performance.now() > until) throw tablesInUse(error);
      await transaction.script("rollback to savepoint taking; release savepoint taking");
      await setTimeout(PAUSE_MS);
    }
  }
}
