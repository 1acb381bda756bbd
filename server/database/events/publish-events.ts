// Gives each committed event its position, under a lock. A position that was handed out never has anything new behind it.
import { randomBytes } from "node:crypto";
import { forAllOrganizations } from "../citus/places.ts";
import type { Database, Queryable } from "../database.ts";
import { EVENTS_LOCK } from "../locks.ts";
import { sql } from "../sql.ts";

const BATCH = 10_000;

export interface Head {
  /** Of the newest event. */
  readonly position: bigint;
  /** Events up to here are no longer available. */
  readonly forgotten: bigint;
  readonly era: string;
}

const readHead = async (db: Queryable, organizationId: string) => {
  const row = await db.row(sql`
    select position::text as position, forgotten::text as forgotten, era from core__event_heads
    where organization_id = ${organizationId}::bigint`);
  return row && { position: BigInt(row.position ?? 0), forgotten: BigInt(row.forgotten ?? 0), era: row.era ?? "" };
};

/** Gives every event that is committed by now its position. Gives where the events end. */
export async function publishEvents(db: Database, organizationId: string): Promise<Head> {
  const organization = sql`${organizationId}::bigint`;
  for (;;) {
    const head = await readHead(db, organizationId);
    const pending = await db.row(sql`
      select 1 as found from core__pending_events where organization_id = ${organization} limit 1`);
    if (head && !pending) return head;
    await db.transaction(async (transaction) => {
      await transaction.run(sql`select pg_advisory_xact_lock(${EVENTS_LOCK}, hashint8(${organization}))`);
      if (!head) {
        await transaction.run(sql`
          insert into core__event_heads (organization_id, position, era)
          values (${organization}, 0, ${randomBytes(6).toString("hex")}) on conflict do nothing`);
      }
      await transaction.run(sql`
        with taken as (
          delete from core__pending_events where organization_id = ${organization} and id in
            (select id from core__pending_events where organization_id = ${organization} order by id limit ${BATCH}::bigint)
          returning id, record_type, record_id, operation, revision, acl_before, acl_after, principals, at
        ), moved as (
          update core__event_heads set position = position + (select count(*) from taken)
          where organization_id = ${organization} returning position
        )
        insert into core__events (organization_id, position, record_type, record_id, operation, revision, acl_before, acl_after,
          principals, at)
        select ${organization}, (select position from moved) - (select count(*) from taken) + row_number() over (order by id),
          record_type, record_id, operation, revision, acl_before, acl_after, principals, at
        from taken`);
    });
  }
}

/** The same for all organizations, so that what nobody follows is in its place too. */
export async function publishAllEvents(db: Database): Promise<void> {
  const waiting = await forAllOrganizations(db, (which) =>
    db.rows(sql`select organization_id::text as id from core__pending_events where ${which} group by organization_id`),
  );
  for (const { id } of waiting.flat()) await publishEvents(db, id ?? "");
}

/** Those of them that have events without a position. */
export async function pendingAmong(db: Database, organizationIds: readonly string[]): Promise<readonly string[]> {
  const rows = await db.rows(sql`
    select organization_id::text as id from core__pending_events
    where organization_id = any(${organizationIds}::bigint[]) group by organization_id`);
  return rows.map(({ id }) => id ?? "");
}

/** Where the events of each organization end by now; those that are not here have none. */
export async function readHeads(
  db: Database,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows(sql`
    select organization_id::text as id, position::text as position from core__event_heads
    where organization_id = any(${organizationIds}::bigint[])`);
  return new Map(rows.map(({ id, position }) => [id ?? "", BigInt(position ?? 0)]));
}

/** Forgets what happened longer ago than so many days. */
export async function forgetEvents(db: Database, days: number): Promise<void> {
  const old = sql`at < (now() at time zone 'utc') - make_interval(days => ${days}::integer)`;
  const having = await forAllOrganizations(db, (which) =>
    db.rows(sql`
      select organization_id::text as id, max(position)::text as last from core__events where ${which} and ${old}
      group by organization_id`),
  );
  for (const { id, last } of having.flat()) {
    await db.transaction(async (transaction) => {
      await transaction.run(sql`
        update core__event_heads set forgotten = greatest(forgotten, ${last ?? null}::bigint) where organization_id = ${id ?? null}::bigint`);
      await transaction.run(sql`
        delete from core__events where organization_id = ${id ?? null}::bigint and position <= ${last ?? null}::bigint`);
    });
  }
}
