// Takes the plan of a list; returns the conditions on its rows: the caller's access from the plan, not deleted, and the
// conditions of the view and the request. Pages, groups, counts, totals, exports and selections all use it.
import { amongSets, mayRead, wall } from "../access/visibility.ts";
import { ident, type Sql, sql } from "../database/sql.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { compileFilter } from "./filter.ts";
import type { Joins } from "./joins.ts";
import { searchConditions } from "./search/conditions.ts";

/** Without order. `passing`: the rows are walked past in another order, so an index of the sets would be in the way. */
export const rowConditions = (plan: RowsPlan, joins: Joins, passing = false): Sql[] => [
  ...readableRows(plan, joins.root.alias, passing),
  ...askedRows(plan, joins),
];

/** What must hold for a row to exist for the caller. */
export function readableRows(plan: RowsPlan, alias: string, passing = false): Sql[] {
  const live = plan.live ? [sql`${ident(alias, "deleted")} = 0`] : [];
  return [...byAccess(plan, alias, passing), ...live];
}

function byAccess({ scope: { type, caller }, access, rare }: RowsPlan, alias: string, passing: boolean): Sql[] {
  switch (access.kind) {
    case "in-statement":
      return [mayRead(caller, type, alias)];
    case "by-sets":
      return [...behindWall(), ...amongSets(access.view, alias, passing)];
    case "told-by-set":
      return behindWall();
  }
  function behindWall(): Sql[] {
    if (type.scope === "shared") return [];
    const own = wall(caller, type, alias);
    return [rare === undefined || rare.isWithin || passing ? own : sql`(${own}) is true`];
  }
}

/** What the view and the request ask of a row. */
export const askedRows = (plan: RowsPlan, joins: Joins): Sql[] => [
  ...(plan.filter === undefined ? [] : [compileFilter(plan.filter, joins)]),
  ...searchConditions(plan, joins),
];
