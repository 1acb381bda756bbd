// Gives the versions of several tables as one scalar of a statement, so that whoever keeps something in memory learns
// within its own statement whether it still holds. Compare with what was kept; equal text means equal tables.
import type { Queryable } from "./database.ts";
import { join, type Sql, sql } from "./sql.ts";

/** In place of an organization, for the tables that all organizations share. */
export const SHARED = "0";

export interface VersionedTable {
  /** SHARED for what all organizations share. All others are of the same one. */
  readonly organizationId: string;
  readonly recordType: string;
}

/**
 * `<version> <version> …` in the order of the tables. The log is read once for all of them: table by table, PostgreSQL reads it
 * from end to end each time, because a plan made while it is empty is kept.
 */
export function versionsOf(tables: readonly VersionedTable[]): Sql {
  if (tables.length === 0) return sql`null::text`;
  const own = tables.find(({ organizationId }) => organizationId !== SHARED)?.organizationId;
  if (tables.some(({ organizationId }) => organizationId !== SHARED && organizationId !== own))
    throw new Error("a statement is about one organization only");
  const ofShared = tables.map(({ organizationId, recordType }) => (organizationId === SHARED ? recordType : null));
  const ofOwn = tables.map(({ organizationId, recordType }) => (organizationId === SHARED ? null : recordType));
  const hasShared = ofShared.some((one) => one !== null);
  const sum = [
    ...(own === undefined ? [] : [sql`coalesce(v.changes, 0) + coalesce(c.entries, 0)`]),
    ...(hasShared ? [sql`coalesce(s.changes, 0)`] : []),
  ];
  return sql`(select string_agg((${join(sum, " + ")})::text, ' ' order by t.ord)
    from unnest(${ofOwn}::text[], ${ofShared}::text[]) with ordinality as t(own, shared, ord)
    ${own === undefined ? sql`` : ownVersions(own)}
    ${hasShared ? sql`left join core__shared_versions s on s.record_type = t.shared` : sql``})`;
}

const ownVersions = (organizationId: string): Sql => sql`
    left join core__versions v on v.organization_id = ${organizationId}::bigint and v.record_type = t.own
    left join (
      select record_type, count(*) as entries from core__changes
      where organization_id = ${organizationId}::bigint group by record_type) c on c.record_type = t.own`;

/** One number that moves with every logged change of an organization, and of what all share. */
export const organizationVersion = (organizationId: string): Sql => sql`
  select ((select coalesce(sum(changes), 0) from core__versions where organization_id = ${organizationId}::bigint)
    + (select count(*) from core__changes where organization_id = ${organizationId}::bigint)
    + (select coalesce(sum(changes), 0) from core__shared_versions))::text`;

export async function readVersions(db: Queryable, tables: readonly VersionedTable[]): Promise<string> {
  const row = await db.row(sql`select ${versionsOf(tables)} as versions`);
  return row?.versions ?? "";
}
