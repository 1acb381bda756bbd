// Takes a plan and an earlier snapshot; returns the parts of a statement that select the records changed since then, as they
// are and as they were. Previous values exist only for the record's own columns that are not generated.
import { ident, type Sql, sql } from "../database/sql.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { idTypeOf } from "./lock-rows.ts";

export interface MovedRows {
  /** For the statement's WITH. */
  readonly ctes: Sql;
  /** FROM items. */
  readonly after: Sql;
  readonly before: Sql;
  /** How many entries of the log of changes are told of: all there are since, or this is no basis. */
  readonly entries: Sql;
}

/** More entries of the log than this: counting all over again may well be quicker. */
export const MOST_MOVED = 1_000;

export function movedRows({ scope: { type, caller } }: RowsPlan, alias: string, snapshot: string | null): MovedRows {
  const organization = sql`${type.scope === "shared" ? "0" : caller.organizationId}::bigint`;
  const same = type.scope === "shared" ? sql`` : sql`s.organization_id = ${organization} and `;
  const stored = sql`changed c join ${ident(type.table)} s on ${same}s.id = c.record_id::${idTypeOf(type)}`;
  return {
    ctes: sql`since as materialized (
      select record_id, id, entries, before from core__row_changes
      where organization_id = ${organization} and record_type = ${type.key}
        and xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
    ), changed as materialized (
      select distinct on (record_id) record_id, before is null as is_new from since order by record_id, id
    ), old as materialized (
      select record_id, jsonb_object_agg(key, value) as texts from (
        select distinct on (n.record_id, e.key) n.record_id, e.key, e.value
        from since n cross join lateral jsonb_each(n.before) e order by n.record_id, e.key, n.id) first
      group by record_id
    )`,
    after: sql`(select s.* from ${stored}) ${ident(alias)}`,
    before: sql`(select o.* from ${stored} left join old using (record_id)
      cross join lateral jsonb_populate_record(s, coalesce(old.texts, '{}')) o where not c.is_new) ${ident(alias)}`,
    entries: sql`(select coalesce(sum(entries), 0) from since)::text`,
  };
}
