// Gives each committed event its position, under a lock. A position that was handed out never has anything new behind it.
import { randomBytes } from "node:crypto";
import { forAllOrganizations } from "../citus/places.ts";
import type { Database, Queryable } from "../database.ts";
import { EVENTS_LOCK, FORGET_LOCK } from "../locks.ts";
import { sql } from "../sql.ts";

const BATCH = 10_000;

export interface Head {
  /** Of the newest event. */
  readonly position: bigint;
  /** Events up to here are no longer available. */
  readonly forgotten: bigint;
  readonly era: string;
}

const readHead = async (db: Queryable, organizationId: string): Promise<Head | undefined> =>
  (await readHeads(db, [organizationId])).get(organizationId);

/** Gives every event that is committed by now its position. Gives where the events end. */
export async function publishEvents(db: Database, organizationId: string): Promise<Head> {
  for (let isFull = true; isFull; ) {
    // In this order: what somebody else publishes in between is part of the head.
    const isPending = (await pendingAmong(db, [organizationId])).length > 0;
    const head = isPending ? undefined : await readHead(db, organizationId);
    if (head) return head;
    // What is committed by others from here on is theirs to ask for.
    isFull = (await publishSome(db, organizationId, "waiting")) >= BATCH;
  }
  return currentHead(db, organizationId);
}

/** Where the events end, as far as they were published. */
export async function currentHead(db: Database, organizationId: string): Promise<Head> {
  const head = await readHead(db, organizationId);
  return head ?? publishEvents(db, organizationId);
}

/** Gives how many were moved. `if free`: none where somebody else is at it. */
function publishSome(db: Database, organizationId: string, how: "waiting" | "if free"): Promise<number> {
  const organization = sql`${organizationId}::bigint`;
  return db.transaction(async (transaction) => {
    const lock = sql`(${EVENTS_LOCK}, hashint8(${organization}))`;
    if (how === "waiting") await transaction.run(sql`select pg_advisory_xact_lock${lock}`);
    else {
      const row = await transaction.row(sql`select pg_try_advisory_xact_lock${lock}::integer as taken`);
      if (row?.taken !== "1") return 0;
    }
    await transaction.run(sql`
      insert into core__event_heads (organization_id, position, era)
      values (${organization}, 0, ${randomBytes(6).toString("hex")}) on conflict do nothing`);
    const moved = await transaction.run(sql`
        with taken as (
          -- Up to an id, not by a list of them: of a queue that was empty when it was last counted, the list is read for every row.
          delete from core__pending_events where organization_id = ${organization} and id <= (select max(id) from
            (select id from core__pending_events where organization_id = ${organization} order by id limit ${BATCH}::bigint) first)
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
    return moved.count;
  });
}

/** The same for all organizations, so that what nobody follows is in its place too. */
export async function publishAllEvents(db: Database): Promise<void> {
  const waiting = await forAllOrganizations(db, (which) =>
    db.rows(sql`select organization_id::text as id from core__pending_events where ${which} group by organization_id`),
  );
  for (const { id } of waiting.flat()) await publishSome(db, id ?? "", "if free");
}

/** The same for those that somebody waits in; one that is slow delays no other. */
export async function publishAmong(db: Database, organizationIds: readonly string[]): Promise<void> {
  const pending = await pendingAmong(db, organizationIds);
  await Promise.all(pending.map((id) => publishSome(db, id, "if free")));
}

/** Those of them that have events without a position. */
async function pendingAmong(db: Database, organizationIds: readonly string[]): Promise<readonly string[]> {
  const rows = await db.rows(sql`
    select organization_id::text as id from core__pending_events
    where organization_id = any(${organizationIds}::bigint[]) group by organization_id`);
  return rows.map(({ id }) => id ?? "");
}

/** Where the events of each organization end by now; those that are not here have none. */
export async function readHeads(db: Queryable, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Head>> {
  const rows = await db.rows(sql`
    select organization_id::text as id, position::text as position, forgotten::text as forgotten, era from core__event_heads
    where organization_id = any(${organizationIds}::bigint[])`);
  return new Map(
    rows.map(({ id, position, forgotten, era }) => [
      id ?? "",
      { position: BigInt(position ?? 0), forgotten: BigInt(forgotten ?? 0), era: era ?? "" },
    ]),
  );
}

const PIECE = 10_000;

/** Forgets what happened longer ago than so many days, piece by piece: nobody who reads waits for it. */
export async function forgetEvents(db: Database, days: number): Promise<void> {
  const heads = await forAllOrganizations(db, (which) =>
    db.rows(sql`select organization_id::text as id from core__event_heads where ${which} and position > forgotten`),
  );
  for (const { id } of heads.flat()) while ((await forgetPiece(db, id ?? "", days)) >= PIECE);
}

/** Gives how many of the oldest were old enough. */
function forgetPiece(db: Database, organizationId: string, days: number): Promise<number> {
  const organization = sql`${organizationId}::bigint`;
  return db.transaction(async (transaction) => {
    const lock = await transaction.row(sql`
      select pg_try_advisory_xact_lock(${FORGET_LOCK}, hashint8(${organization}))::integer as taken`);
    if (lock?.taken !== "1") return 0;
    const old = await transaction.row(sql`
      select max(position)::text as last from (
        select position, at from core__events where organization_id = ${organization} order by position limit ${PIECE}::bigint) oldest
      where at < (now() at time zone 'utc') - make_interval(days => ${days}::integer)`);
    if (old?.last == null) return 0;
    const gone = await transaction.run(sql`
      delete from core__events where organization_id = ${organization} and position <= ${old.last}::bigint`);
    await transaction.run(sql`
      update core__event_heads set forgotten = greatest(forgotten, ${old.last}::bigint) where organization_id = ${organization}`);
    return gone.count;
  });
}
