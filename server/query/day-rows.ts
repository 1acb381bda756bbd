// The statements that count a plain list by the day its rows were created, with the version of each day: the number of
// committed changes that added rows to it or removed them. Access comes from the plan.
import { and, ident, type Sql, sql } from "../database/sql.ts";
import type { ReadablePlan } from "../plan/readable-plan.ts";
import { ROOT } from "./compile-list.ts";
import { readableRows } from "./row-conditions.ts";

const created = ident(ROOT, "created");

/** Along the index of creation. */
const rowsOf = (plan: ReadablePlan): Sql =>
  sql`${ident(plan.scope.type.table)} ${ident(ROOT)} where ${and(readableRows(plan, ROOT, true))}`;

const ofDay = (day: string): Sql => sql`${created} >= ${day}::date and ${created} < ${day}::date + 1`;

/** Day and version; -infinity stands for changes that may have been on any day. */
export function dayVersions({ scope: { type, caller } }: ReadablePlan): Sql {
  if (type.scope === "shared") {
    return sql`select '-infinity' as day, changes::text as version from core__shared_versions where record_type = ${type.key}`;
  }
  const which = sql`organization_id = ${caller.organizationId}::bigint and record_type = ${type.key}`;
  return sql`
    select day::text, sum(changes)::text as version from (
      select day, changes from core__day_versions where ${which}
      union all
      select coalesce(day, '-infinity'), 1 from core__changes where ${which} and delta <> 0) as moved
    group by day`;
}

/** Day, version and number of rows, from the first day to the last. */
export const countDays = (plan: ReadablePlan): Sql => sql`
  with counted as (select ${created}::date::text as day, count(*)::text as count from ${rowsOf(plan)} group by 1),
    versions as (${dayVersions(plan)})
  select day, coalesce(version, '0'), coalesce(count, '0') from counted full join versions using (day) order by day`;

export const countOneDay = (plan: ReadablePlan, day: string): Sql =>
  sql`select count(*)::text from ${rowsOf(plan)} and ${ofDay(day)}`;

/** Creation time and id of every so-many-th row of a day, in the order of the list. */
export function everyNthRow(plan: ReadablePlan, day: string, step: number): Sql {
  const order =
    (plan.order[0]?.descending ?? true)
      ? sql`${created} desc, ${ident(ROOT, "id")} desc`
      : sql`${created}, ${ident(ROOT, "id")}`;
  return sql`
    select created, id from (
      select ${created} as created, ${ident(ROOT, "id")} as id, row_number() over (order by ${order}) as position
      from ${rowsOf(plan)} and ${ofDay(day)}) as numbered
    where position % ${step}::bigint = 0 order by position`;
}
