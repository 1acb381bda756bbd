// Takes the conditions of a lookup; returns the id of the first record that the caller can read and that meets them.
import type { Caller } from "../../access/caller.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { planFilter } from "../../plan/filter.ts";
import { noSuchRecord } from "../../plan/plan-read.ts";
import { compileFilter } from "../../query/filter.ts";
import { createJoins } from "../../query/joins.ts";
import type { QCondition } from "../../request/q.ts";

export async function lookUp(
  db: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  where: QCondition,
): Promise<string> {
  const joins = createJoins({ alias: "r", type }, caller);
  const filter = compileFilter(planFilter({ snapshot, type, caller, now: new Date() }, where), joins);
  const row = await db.row(sql`
    select r.id::text as id from ${ident(type.table)} r ${joins.toSql()}
    where ${mayRead(caller, type, "r")} and r.deleted = 0 and ${filter} order by r.id limit 1`);
  if (row?.id == null) throw noSuchRecord(type);
  return row.id;
}
