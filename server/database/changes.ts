// The log of changes: every write adds to it in its own transaction; it is folded into counters and versions later.
// A table's version is the number of entries ever committed for it, folded or not: it moves with every commit that
// changed the table and with nothing else. What all organizations share has a version (SHARED) and no log.
import { forAllOrganizations, isDistributed } from "./citus/places.ts";
import type { Database, Queryable } from "./database.ts";
import { type EventSource, eventsOfAdded, insertEvents } from "./events/write-events.ts";
import { FOLD_LOCK } from "./locks.ts";
import { ident, type Sql, sql } from "./sql.ts";
import { SHARED } from "./versions.ts";

/** Live rows gained or lost, by access set. An edit that moves nothing still says so: delta 0. */
export interface Change extends EventSource {
  /** When they were created, or "now". Left out where it may be any day. */
  readonly created?: string | null | undefined;
}

/** What a record was before it changed. */
export interface RowChange {
  readonly id: string;
  /** The texts of every column that is another one now; null: it is new. */
  readonly before: Readonly<Record<string, string | null>> | null;
}

/** Past this many at once, what the rows were is not told. */
export const MOST_TOLD = 50;

export async function recordChanges(
  transaction: Queryable,
  organizationId: string,
  recordType: string,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  await transaction.writeTogether(logEntries(organizationId, recordType, changes));
}

/** What changes rows, as `Queryable.write`, with its entries. `rows`: each record that `changes` speak of, or none of them. */
export async function writeLogged(
  transaction: Queryable,
  statement: Sql,
  organizationId: string,
  recordType: string,
  changes: readonly Change[],
  rows: readonly RowChange[],
): Promise<void> {
  const statements = [statement, ...logEntries(organizationId, recordType, changes)];
  // What all share has one version, which is locked: last, or two who change the same rows may wait in a circle.
  if (organizationId === SHARED) {
    for (const one of statements) await transaction.write(one);
    return;
  }
  const isTold = rows.length > 0 && rows.length <= MOST_TOLD;
  // Whoever counts on a distributed database counts anew: transaction ids of one machine say nothing on another.
  if (isTold && !(await transaction.isDistributed()))
    statements.push(insertRowChanges(organizationId, recordType, summed(changes).length, rows));
  await transaction.writeTogether(statements);
}

function logEntries(organizationId: string, recordType: string, changes: readonly Change[]): Sql[] {
  const events = organizationId === SHARED ? undefined : insertEvents(organizationId, recordType, changes);
  return [...(events ? [events] : []), insertEntries(organizationId, recordType, summed(changes))];
}

/** `entries`: how many of the log are told of by all of them. */
function insertRowChanges(
  organizationId: string,
  recordType: string,
  entries: number,
  rows: readonly RowChange[],
): Sql {
  const into = sql`insert into core__row_changes (organization_id, record_type, record_id, entries, before)`;
  const [one] = rows;
  if (one && rows.length === 1) {
    return sql`${into} values (${organizationId}::bigint, ${recordType}, ${one.id}::text, ${entries}::integer, ${beforeText(one)}::jsonb)`;
  }
  return sql`${into}
    select ${organizationId}::bigint, ${recordType}, told.id, case told.ord when 1 then ${entries}::integer else 0 end,
      told.before::jsonb
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(beforeText)}::text[])
      with ordinality as told(id, before, ord)`;
}

const beforeText = ({ before }: RowChange): string | null => (before ? JSON.stringify(before) : null);

/** A statement that inserts new rows, with its entries in the log. Gives the ids. Those with an operation are events too. */
export function insertLogged(organizationId: string, recordType: string, changes: readonly Change[], insert: Sql): Sql {
  const entries = summed(changes);
  const logged = insertEntries(organizationId, recordType, entries);
  if (organizationId === SHARED) return sql`with logged as (${logged}) ${insert} returning id`;
  const told =
    changes.length > MOST_TOLD
      ? sql``
      : sql`, told as (
      insert into core__row_changes (organization_id, record_type, record_id, entries)
      select ${organizationId}::bigint, ${recordType}, id::text,
        case row_number() over () when 1 then ${entries.length}::integer else 0 end from added)`;
  const isFollowed = changes.some(({ operation }) => operation !== undefined);
  const events = isFollowed ? sql`, events as (${eventsOfAdded(organizationId, recordType)})` : sql``;
  return sql`
    with logged as (${logged}), added as (${insert} returning id${isFollowed ? sql`, acl_id, deleted` : sql``})${told}${events}
    select id from added`;
}

interface Entry {
  readonly aclId: string;
  readonly day: string | null;
  delta: number;
}

/** Entries of the same set and day are one. */
function summed(changes: readonly Change[]): readonly Entry[] {
  const sums = new Map<string, Entry>();
  for (const { aclId, delta, created = null } of changes) {
    // Nothing moves on any day.
    const day = delta === 0 ? null : (created?.slice(0, "2026-11-16".length) ?? null);
    const key = `${aclId} ${day}`;
    const sum = sums.get(key);
    if (sum) sum.delta += delta;
    else sums.set(key, { aclId, day, delta });
  }
  return [...sums.values()];
}

function insertEntries(organizationId: string, recordType: string, entries: readonly Entry[]): Sql {
  if (organizationId === SHARED) {
    return sql`insert into core__shared_versions as v (record_type, changes) values (${recordType}, ${entries.length}::bigint)
      on conflict (record_type) do update set changes = v.changes + excluded.changes`;
  }
  const into = sql`insert into core__changes (organization_id, record_type, acl_id, delta, day)`;
  const [one] = entries;
  if (one && entries.length === 1) {
    const day = one.day === "now" ? sql`(now() at time zone 'utc')::date` : sql`${one.day}::date`;
    return sql`${into} values (${organizationId}::bigint, ${recordType}, ${one.aclId}::integer, ${String(one.delta)}::integer, ${day})`;
  }
  return sql`${into}
    select ${organizationId}::bigint, ${recordType}, entry.acl_id, entry.delta,
      case entry.day when 'now' then (now() at time zone 'utc')::date else entry.day::date end
    from unnest(${entries.map(({ aclId }) => aclId)}::integer[], ${entries.map(({ delta }) => String(delta))}::integer[],
      ${entries.map(({ day }) => day)}::text[]) as entry(acl_id, delta, day)`;
}

const FOLD_BATCH = 20_000;

/** Folds what has been committed so far. One process at a time; the others find the lock taken and leave it. */
export async function foldChanges(db: Database): Promise<number> {
  if (!(await isDistributed(db))) return fold(db, sql`true`);
  // Each on the one machine that has its rows.
  const changed = await forAllOrganizations(db, (which) =>
    db.rows(sql`select organization_id::text as id from core__changes where ${which} group by organization_id`),
  );
  let folded = 0;
  for (const { id } of changed.flat()) folded += await fold(db, sql`organization_id = ${id ?? ""}::bigint`);
  return folded;
}

async function fold(db: Database, which: Sql): Promise<number> {
  return db.transaction(async (transaction) => {
    const lock = await transaction.row(sql`select pg_try_advisory_xact_lock(${FOLD_LOCK})::integer as taken`);
    if (lock?.taken !== "1") return 0;
    const folded = await transaction.row(sql`
      with folding as (
        delete from core__changes where ${which} and (organization_id, id) in
          (select organization_id, id from core__changes where ${which} order by organization_id, id limit ${FOLD_BATCH})
        returning organization_id, record_type, acl_id, delta, day
      ), counted as (
        insert into core__counters as c (organization_id, record_type, acl_id, live)
        select organization_id, record_type, acl_id, sum(delta) from folding group by 1, 2, 3 having sum(delta) <> 0
        on conflict (organization_id, record_type, acl_id) do update set live = c.live + excluded.live
      ), versioned as (
        insert into core__versions as v (organization_id, record_type, changes)
        select organization_id, record_type, count(*) from folding group by 1, 2
        on conflict (organization_id, record_type) do update set changes = v.changes + excluded.changes
      ), moved as (
        insert into core__day_versions as v (organization_id, record_type, day, changes)
        select organization_id, record_type, coalesce(day, '-infinity'), count(*) from folding where delta <> 0 group by 1, 2, 3
        on conflict (organization_id, record_type, day) do update set changes = v.changes + excluded.changes
      )
      select count(*)::text as folded from folding`);
    return Number(folded?.folded ?? 0);
  });
}

/** What rows were is told for so long. */
const TOLD_FOR = "5 minutes";

/** Forgets what rows were a while ago. */
export async function forgetRowChanges(db: Database): Promise<void> {
  await forAllOrganizations(db, (which) =>
    db.run(sql`
      delete from core__row_changes where ${which} and at < (now() at time zone 'utc') - ${TOLD_FOR}::interval`),
  );
}

/** Counts a table anew, for rows that came or went without the service (a restored dump, a hand-written UPDATE). */
export async function recount(db: Database, organizationId: string, recordType: string, table: string): Promise<void> {
  if (organizationId === SHARED) return recordChanges(db, SHARED, recordType, [{ aclId: "0", delta: 0 }]);
  await db.transaction(async (transaction) => {
    await transaction.run(sql`lock table ${ident(table)} in share mode`);
    await transaction.run(sql`
      with gone as (
        delete from core__changes where organization_id = ${organizationId}::bigint and record_type = ${recordType} returning 1
      )
      insert into core__versions as v (organization_id, record_type, changes)
      select ${organizationId}::bigint, ${recordType}, (select count(*) from gone) + 1
      on conflict (organization_id, record_type) do update set changes = v.changes + excluded.changes`);
    await transaction.run(sql`
      insert into core__day_versions as v (organization_id, record_type, day, changes)
      values (${organizationId}::bigint, ${recordType}, '-infinity', 1)
      on conflict (organization_id, record_type, day) do update set changes = v.changes + 1`);
    await transaction.run(sql`
      delete from core__counters where organization_id = ${organizationId}::bigint and record_type = ${recordType}`);
    await transaction.run(sql`
      insert into core__counters (organization_id, record_type, acl_id, live)
      select organization_id, ${recordType}, acl_id, count(*) from ${ident(table)}
      where organization_id = ${organizationId}::bigint and deleted = 0 group by organization_id, acl_id`);
  });
}
