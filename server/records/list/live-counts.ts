// Keeps how many live rows each access set has, by table version: what makes the count of a plain list cost nothing.
import type { AclView } from "../../access/acl-directory.ts";
import type { Database } from "../../database/database.ts";
import { ident, type Sql, sql } from "../../database/sql.ts";
import { SHARED, versionsOf } from "../../database/versions.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import type { LiveRows } from "../../query/compile-list.ts";

export interface LiveCounts {
  /** Live rows of the plan's table. `version` is the table's, as a statement just saw it. */
  count(plan: ReadablePlan, version: string): Promise<LiveRows>;
  /** As far as they are known without asking; for choosing how to go about a statement. */
  known(plan: ReadablePlan): LiveRows | undefined;
}

interface Counted {
  readonly version: string;
  readonly all: number;
  readonly bySet: ReadonlyMap<string, number>;
  readonly byView: WeakMap<AclView, number>;
}

function rowsOf(entry: Counted, { access: { view } }: ReadablePlan): LiveRows {
  const { all } = entry;
  if (view.readable === undefined) return { all, mine: all };
  let mine = entry.byView.get(view);
  if (mine === undefined) {
    mine = 0;
    for (const id of view.readable) mine += entry.bySet.get(id) ?? 0;
    entry.byView.set(view, mine);
  }
  return { all, mine };
}

/** Whose rows its table holds: of what all organizations share, nobody's. */
export const ownerOf = ({ scope: { type, caller } }: RowsPlan): string =>
  type.scope === "shared" ? SHARED : caller.organizationId;

/** Of what all share there are few, and every one may be read. */
const countShared = (type: RecordType): Sql => sql`
  select ${versionsOf([{ organizationId: SHARED, recordType: type.key }])} as version, '0' as acl_id, count(*)::text as live
  from ${ident(type.table)} where deleted = 0`;

const countBySet = (organizationId: string, recordType: string): Sql => {
  const which = sql`organization_id = ${organizationId}::bigint and record_type = ${recordType}`;
  return sql`
    with version as (
      select (coalesce((select changes from core__versions where ${which}), 0)
        + (select count(*) from core__changes where ${which}))::text as version
    ), counted as (
      select acl_id, sum(live)::text as live from (
        select acl_id, live from core__counters where ${which}
        union all
        select acl_id, delta from core__changes where ${which}) all_of
      group by acl_id)
    select version, acl_id, live from version left join counted on true`;
};

export function createLiveCounts(db: Database): LiveCounts {
  const counted = new Map<string, Counted>();
  const load = async (plan: ReadablePlan): Promise<Counted> => {
    const { type } = plan.scope;
    const rows = await db.rows(type.scope === "shared" ? countShared(type) : countBySet(ownerOf(plan), type.key));
    const bySet = new Map<string, number>();
    for (const row of rows) if (row.acl_id && row.live !== "0") bySet.set(row.acl_id, Number(row.live));
    let all = 0;
    for (const live of bySet.values()) all += live;
    return { version: rows[0]?.version ?? "0", all, bySet, byView: new WeakMap() };
  };
  return {
    count: async (plan, version) => {
      const { key: recordType } = plan.scope.type;
      const key = `${ownerOf(plan)} ${recordType}`;
      let entry = counted.get(key);
      if (entry?.version !== version) {
        entry = await load(plan);
        counted.set(key, entry);
      }
      return rowsOf(entry, plan);
    },
    known: (plan) => {
      const entry = counted.get(`${ownerOf(plan)} ${plan.scope.type.key}`);
      return entry && rowsOf(entry, plan);
    },
  };
}
