// Gives the versions of several tables as one scalar of a statement, so that whoever keeps something in memory learns
// within its own statement whether it still holds. Compare with what was kept; equal text means equal tables.
import type { Queryable } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

export interface VersionedTable {
  /** 0 for what all organisations share. */
  readonly organizationId: string;
  readonly recordType: string;
}

/**
 * `<version> <version> …` in the order of the tables. The log is read once for all of them: table by table, PostgreSQL reads it
 * from end to end each time, because a plan made while it is empty is kept.
 */
export function versionsOf(tables: readonly VersionedTable[]): Sql {
  const organizations = tables.map((table) => table.organizationId);
  const types = tables.map((table) => table.recordType);
  return sql`(select string_agg((coalesce(v.changes, 0) + coalesce(c.entries, 0))::text, ' ' order by t.ord)
    from unnest(${organizations}::bigint[], ${types}::text[])
      with ordinality as t(organization_id, record_type, ord)
    left join core__versions v on v.organization_id = t.organization_id and v.record_type = t.record_type
    left join (
      select organization_id, record_type, count(*) as entries from core__changes
      where organization_id = any(${[...new Set(organizations)]}::bigint[]) group by organization_id, record_type) c on c.organization_id = t.organization_id and c.record_type = t.record_type)`;
}

/** One number that moves with every logged change of an organisation, and of what all share. */
export const organizationVersion = (organizationId: string): Sql => sql`
  select ((select coalesce(sum(changes), 0) from core__versions where organization_id in (0, ${organizationId}::bigint))
    + (select count(*) from core__changes where organization_id in (0, ${organizationId}::bigint)))::text`;

export async function readVersions(db: Queryable, tables: readonly VersionedTable[]): Promise<string> {
  const row = await db.row(sql`select ${versionsOf(tables)} as versions`);
  return row?.versions ?? "";
}
