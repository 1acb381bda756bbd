// The log of changes: every write adds to it in its own transaction; it is folded into counters and versions later.
// A table's version is the number of entries ever committed for it, folded or not: it moves with every commit that
// changed the table and with nothing else. Shared tables have organisation 0.
import type { Database, Queryable } from "./database.ts";
import { ident, type Sql, sql } from "./sql.ts";

/** Live rows gained or lost, by access set. An edit that moves nothing still says so: delta 0. */
export interface Change {
  readonly aclId: string;
  readonly delta: number;
}

export async function recordChanges(
  transaction: Queryable,
  organizationId: string,
  recordType: string,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length > 0) await transaction.write(logEntries(organizationId, recordType, changes));
}

/** The entries as a statement of their own, or as a part of the one that writes the rows. */
export function logEntries(organizationId: string, recordType: string, changes: readonly Change[]): Sql {
  const sums = new Map<string, number>();
  for (const { aclId, delta } of changes) sums.set(aclId, (sums.get(aclId) ?? 0) + delta);
  const [one, ...more] = sums;
  if (one && more.length === 0) {
    return sql`
    insert into core__changes (organization_id, record_type, acl_id, delta)
    values (${organizationId}::bigint, ${recordType}, ${one[0]}::integer, ${String(one[1])}::integer)`;
  }
  return sql`
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select ${organizationId}::bigint, ${recordType}, entry.acl_id, entry.delta
    from unnest(${[...sums.keys()]}::integer[], ${[...sums.values()].map(String)}::integer[]) as entry(acl_id, delta)`;
}

const FOLD_LOCK = 7_361_003;
const FOLD_BATCH = 20_000;

/** Folds what has been committed so far. One process at a time; the others find the lock taken and leave it. */
export async function foldChanges(db: Database): Promise<number> {
  return db.transaction(async (transaction) => {
    const lock = await transaction.row(sql`select pg_try_advisory_xact_lock(${FOLD_LOCK})::integer as taken`);
    if (lock?.taken !== "1") return 0;
    const folded = await transaction.row(sql`
      with folding as (
        delete from core__changes where (organization_id, id) in
          (select organization_id, id from core__changes order by organization_id, id limit ${FOLD_BATCH})
        returning organization_id, record_type, acl_id, delta
      ), counted as (
        insert into core__counters as c (organization_id, record_type, acl_id, live)
        select organization_id, record_type, acl_id, sum(delta) from folding group by 1, 2, 3 having sum(delta) <> 0
        on conflict (organization_id, record_type, acl_id) do update set live = c.live + excluded.live
      ), versioned as (
        insert into core__versions as v (organization_id, record_type, changes)
        select organization_id, record_type, count(*) from folding group by 1, 2
        on conflict (organization_id, record_type) do update set changes = v.changes + excluded.changes
      )
      select count(*)::text as folded from folding`);
    return Number(folded?.folded ?? 0);
  });
}

/** Counts a table anew, for rows that came or went without the service (a restored dump, a hand-written UPDATE). */
export async function recount(db: Database, organizationId: string, recordType: string, table: string): Promise<void> {
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
      delete from core__counters where organization_id = ${organizationId}::bigint and record_type = ${recordType}`);
    await transaction.run(sql`
      insert into core__counters (organization_id, record_type, acl_id, live)
      select organization_id, ${recordType}, acl_id, count(*) from ${ident(table)}
      where organization_id = ${organizationId}::bigint and deleted = 0 group by organization_id, acl_id`);
  });
}
