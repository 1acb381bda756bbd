// The queue of events is mostly empty: what the database knows of its size is of no use when a large import fills it.
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../test/database.ts";
import { sql } from "../sql.ts";
import { publishEvents } from "./publish-events.ts";

const ROWS = 2_000;

test("many events are published in one pass, though there was one when the queue was last sampled", async () => {
  const own = await testDatabase("prepared");
  onTestFinished(() => own.close());
  const { db } = own;
  const add = (count: number) =>
    db.run(sql`
      insert into core__pending_events (organization_id, record_type, operation)
      select 1, 'crm/leads', 'edit' from generate_series(1, ${count}::integer)`);
  await db.script(
    "alter table core__pending_events set (autovacuum_enabled = false); delete from core__pending_events;",
  );
  // A sample of one row says that every organization has one.
  await add(1);
  await db.run(sql`analyze core__pending_events`);
  await add(ROWS - 1);
  const seen = () =>
    db.row(sql`select n_tup_del, idx_tup_fetch from pg_stat_user_tables where relname = 'core__pending_events'`);
  const before = await seen();
  await publishEvents(db, "1");
  expect(await db.row(sql`select 1 as one from core__pending_events`)).toBeUndefined();
  await expect
    .poll(async () => Number((await seen())?.n_tup_del) - Number(before?.n_tup_del), { timeout: 90_000 })
    .toBeGreaterThanOrEqual(ROWS);
  expect(Number((await seen())?.idx_tup_fetch) - Number(before?.idx_tup_fetch)).toBeLessThan(10 * ROWS);
});
