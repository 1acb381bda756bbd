// Keeps how many live rows each access set has, by table version: what makes the count of a plain list cost nothing.
import type { AclView } from "../../access/acl-directory.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { LiveRows } from "../../query/compile-list.ts";

export interface LiveCounts {
  /** Live rows of the table that the caller may read. `version` is the table's, as a statement just saw it. */
  count(organizationId: string, recordType: string, version: string, acl: AclView): Promise<number>;
  /** As far as they are known without asking; for choosing how to go about a statement. */
  known(organizationId: string, recordType: string, acl: AclView): LiveRows | undefined;
}

interface Counted {
  readonly version: string;
  readonly all: number;
  readonly bySet: ReadonlyMap<string, number>;
  readonly byView: WeakMap<AclView, number>;
}

function sumOf(entry: Counted, acl: AclView): number {
  if (acl.readable === undefined) return entry.all;
  let sum = entry.byView.get(acl);
  if (sum === undefined) {
    sum = 0;
    for (const id of acl.readable) sum += entry.bySet.get(id) ?? 0;
    entry.byView.set(acl, sum);
  }
  return sum;
}

export function createLiveCounts(db: Database): LiveCounts {
  const counted = new Map<string, Counted>();
  const load = async (organizationId: string, recordType: string): Promise<Counted> => {
    const rows = await db.rows(sql`
      with version as (
        select (coalesce((select changes from core__versions where organization_id = ${organizationId}::bigint and record_type = ${recordType}), 0)
          + (select count(*) from core__changes where organization_id = ${organizationId}::bigint and record_type = ${recordType}))::text as version
      ), counted as (
        select acl_id, sum(live)::text as live from (
          select acl_id, live from core__counters where organization_id = ${organizationId}::bigint and record_type = ${recordType}
          union all
          select acl_id, delta from core__changes where organization_id = ${organizationId}::bigint and record_type = ${recordType}) all_of
        group by acl_id)
      select version, acl_id, live from version left join counted on true`);
    const bySet = new Map<string, number>();
    for (const row of rows) if (row.acl_id && row.live !== "0") bySet.set(row.acl_id, Number(row.live));
    let all = 0;
    for (const live of bySet.values()) all += live;
    return { version: rows[0]?.version ?? "0", all, bySet, byView: new WeakMap() };
  };
  return {
    count: async (organizationId, recordType, version, acl) => {
      const key = `${organizationId} ${recordType}`;
      let entry = counted.get(key);
      if (entry?.version !== version) {
        entry = await load(organizationId, recordType);
        counted.set(key, entry);
      }
      return sumOf(entry, acl);
    },
    known: (organizationId, recordType, acl) => {
      const entry = counted.get(`${organizationId} ${recordType}`);
      return entry && { all: entry.all, mine: sumOf(entry, acl) };
    },
  };
}
