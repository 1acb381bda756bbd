// Takes which rows a list is about; gives the statement of their ids as texts, in the order of the ids. The caller's
// access is looked up in the statement itself.
import { and, ident, type Sql, sql } from "../database/sql.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { createJoins } from "./joins.ts";
import { rowConditions } from "./row-conditions.ts";

export function matchingIds(plan: RowsPlan): Sql {
  const { type, caller } = plan.scope;
  const joins = createJoins({ alias: "r", type }, caller);
  const conditions = rowConditions(plan, joins);
  return sql`select ${ident("r", "id")}::text from ${ident(type.table)} ${ident("r")} ${joins.toSql()}
    where ${and(conditions)} order by ${ident("r", "id")}`;
}
