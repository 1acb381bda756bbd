// Takes a plan and an earlier snapshot; gives the statement that tells whether the caller may read any of the records that
// changed since, as they are or as they were. Null: there is no earlier one, and its answer is the first.
import { mayRead } from "../access/visibility.ts";
import { type Sql, sql } from "../database/sql.ts";
import { versionsOf } from "../database/versions.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { movedRows } from "./moved-rows.ts";

/** Its columns: the version of the table, the snapshot, how many changes it saw (see `MovedRows`), and "1" for touched. */
export function touchedRows(plan: RowsPlan, since: string | null): Sql {
  const { type, caller } = plan.scope;
  const { ctes, after, before, entries } = movedRows(plan, "r", since);
  const readable = mayRead(caller, type, "r", "few");
  const version = versionsOf([{ organizationId: caller.organizationId, recordType: type.key }]);
  return sql`with ${ctes} select ${version}, pg_current_snapshot()::text, ${entries},
    (exists (select from ${after} where ${readable}) or exists (select from ${before} where ${readable}))::integer::text`;
}
