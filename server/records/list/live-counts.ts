// Keeps the number of live rows of each access set, by table version. It makes the count of a plain list free.
import type { AclView } from "../../access/acl-directory.ts";
import type { Database } from "../../database/database.ts";
import { apartFromClient, patiently } from "../../database/scope.ts";
import { ident, type Sql, sql } from "../../database/sql.ts";
import { SHARED, versionsOf } from "../../database/versions.ts";
import { coalesceRequests } from "../../lib/coalesce-requests.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import type { LiveRows } from "../../query/compile-list.ts";

/** Whose rows, and which of them the caller may read. */
type CountedPlan = Pick<ReadablePlan, "scope" | "access">;

export interface LiveCounts {
  /** Live rows of the plan's table. `version` is the table's, as a statement just saw it. */
  count(plan: CountedPlan, version: string): Promise<LiveRows>;
  /** As far as they are known without asking; for choosing how to go about a statement. */
  known(plan: CountedPlan): LiveRows | undefined;
}

interface Counted {
  readonly version: string;
  readonly all: number;
  readonly bySet: ReadonlyMap<string, number>;
  readonly byView: WeakMap<AclView, number>;
}

function rowsOf(entry: Counted, { access: { view } }: CountedPlan): LiveRows {
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
export const ownerOf = ({ scope: { type, caller } }: Pick<RowsPlan, "scope">): string =>
  type.scope === "shared" ? SHARED : caller.organizationId;

/** Of what all share there are few, and every one may be read. */
const countShared = (type: RecordType): Sql => sql`
  select ${versionsOf([{ organizationId: SHARED, recordType: type.key }])}, '0', count(*)::text
  from ${ident(type.table)} where deleted = 0`;

/** Sets and their rows, each as one text: there are thousands of them, and a write makes them all be read again. */
const countBySet = (organizationId: string, recordType: string): Sql => {
  const which = sql`organization_id = ${organizationId}::bigint and record_type = ${recordType}`;
  return sql`
    with counted as (
      select acl_id, sum(live) as live from (
        select acl_id, live from core__counters where ${which}
        union all
        select acl_id, delta from core__changes where ${which}) all_of
      group by acl_id having sum(live) <> 0)
    select (coalesce((select changes from core__versions where ${which}), 0)
        + (select count(*) from core__changes where ${which}))::text,
      (select string_agg(acl_id::text, ' ' order by acl_id) from counted),
      (select string_agg(live::text, ' ' order by acl_id) from counted)`;
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const listed = (text: string | null | undefined): readonly string[] => (text ? text.split(" ") : []);

export function createLiveCounts(db: Database): LiveCounts {
  const counted = new Map<string, Counted>();
  /** Once for all who list the table at that moment. */
  const load = coalesceRequests(async (key: string, plan: CountedPlan): Promise<Counted> => {
    const { type } = plan.scope;
    const statement = type.scope === "shared" ? countShared(type) : countBySet(ownerOf(plan), type.key);
    const [[version, sets, live] = []] = await apartFromClient(() => db.prepared(statement));
    const rows = listed(live).map(Number);
    const bySet = new Map(listed(sets).map((id, index) => [id, rows[index] ?? 0]));
    const entry: Counted = { version: version ?? "0", all: sumOf(rows), bySet, byView: new WeakMap() };
    counted.set(key, entry);
    return entry;
  });
  return {
    count: async (plan, version) => {
      const key = `${ownerOf(plan)} ${plan.scope.type.key}`;
      const known = counted.get(key);
      return rowsOf(known?.version === version ? known : await patiently(load(key, plan)), plan);
    },
    known: (plan) => {
      const entry = counted.get(`${ownerOf(plan)} ${plan.scope.type.key}`);
      return entry && rowsOf(entry, plan);
    },
  };
}
