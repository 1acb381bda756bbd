// Notices that the database has another history than at the last start: a moment was brought back from its log, a copy was made with
// other programs than ours, a standby took over. Then no place in the feed that was handed out before means what it did.
import { randomBytes } from "node:crypto";
import { forAllOrganizations } from "../citus/places.ts";
import type { Database } from "../database.ts";
import { sql } from "../sql.ts";

/** Of the cluster, and of its line of history: PostgreSQL begins another with every recovery to a moment and every promotion. */
async function readHistory(db: Database): Promise<string | undefined> {
  try {
    const row = await db.row(sql`
      select system_identifier::text || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as history
      from pg_control_system()`);
    return row?.history ?? undefined;
  } catch {
    // Not every host tells.
    return undefined;
  }
}

/** Gives whether it is another one: then whoever follows changes is told to begin again. Call it under a lock. */
export async function noticeOtherHistory(db: Database): Promise<boolean> {
  const history = await readHistory(db);
  if (history === undefined) return false;
  const before = await db.row(sql`select value from dossier_state where name = 'history'`);
  if (before?.value === history) return false;
  if (before) {
    const era = randomBytes(6).toString("hex");
    await forAllOrganizations(db, (which) => db.run(sql`update core__event_heads set era = ${era} where ${which}`));
  }
  await db.run(sql`
    insert into dossier_state (name, value) values ('history', ${history})
    on conflict (name) do update set value = excluded.value, changed = now() at time zone 'utc'`);
  return before !== undefined;
}
