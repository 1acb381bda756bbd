// Keeps, for long lists that somebody jumped about in, where every so-many-th row stands. A jump then goes to the
// nearest of those and counts on from there. Made in the background, and good for as long as the table does not change.
import type { AclView } from "../../access/acl-directory.ts";
import type { Database } from "../../database/database.ts";
import { apartFromClient } from "../../database/scope.ts";
import { and, ident, sql } from "../../database/sql.ts";
import { versionsOf } from "../../database/versions.ts";
import type { ListPlan } from "../../plan/plan-list.ts";
import { listConditions, orderBy, ROOT, versionedTables } from "../../query/compile-list.ts";
import { createJoins } from "../../query/joins.ts";

interface Mark {
  /** Rows up to and including this one. */
  readonly position: number;
  /** Its order value and id. */
  readonly values: readonly (string | null)[];
}

export interface PageMaps {
  /** The last mark at or before `offset`, if the list is mapped at this version of its table. */
  locate(plan: ListPlan, acl: AclView, version: string, offset: number): Mark | undefined;
}

interface PageMap {
  readonly version: string;
  readonly step: number;
  readonly marks: readonly Mark[];
}

const STEP = 500;
const MAX_MAPS = 50;

export function createPageMaps(db: Database): PageMaps {
  /** By what the caller may read, then by list. */
  const maps = new WeakMap<AclView, Map<string, PageMap>>();
  const making = new WeakMap<AclView, Set<string>>();

  const make = async (plan: ListPlan, acl: AclView): Promise<PageMap> => {
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: ROOT, type }, caller);
    const conditions = and(listConditions(plan, acl, plan.filter || plan.words.length > 0 ? "free" : "walk", joins));
    const order = orderBy(plan, joins, false);
    const root = versionedTables(plan, []).slice(0, 1);
    const rows = await db.bytes(sql`
      select ${versionsOf(root)}, position, created, id from (
        select ${ident(ROOT, "created")} as created, ${ident(ROOT, "id")} as id, row_number() over (order by ${order}) as position
        from ${ident(type.table)} ${ident(ROOT)} ${joins.toSql()} where ${conditions}) numbered
      where position % ${STEP}::bigint = 0 order by position`);
    const marks = rows.toArrays().map(([, position, created = null, id = null]) => ({
      position: Number(position),
      values: [created, id],
    }));
    return { version: rows.length > 0 ? (rows.text(0, 0) ?? "") : "", step: STEP, marks };
  };

  const start = (plan: ListPlan, acl: AclView): void => {
    const pending = making.get(acl) ?? new Set<string>();
    making.set(acl, pending);
    if (pending.has(plan.signature)) return;
    pending.add(plan.signature);
    apartFromClient(() => make(plan, acl))
      .then((map) => {
        const known = maps.get(acl) ?? new Map<string, PageMap>();
        if (known.size >= MAX_MAPS) known.clear();
        known.set(plan.signature, map);
        maps.set(acl, known);
      })
      .catch(() => undefined)
      .finally(() => pending.delete(plan.signature));
  };

  return {
    locate: (plan, acl, version, offset) => {
      const map = maps.get(acl)?.get(plan.signature);
      if (map?.version !== version) {
        start(plan, acl);
        return undefined;
      }
      return map.marks[Math.min(Math.floor(offset / map.step), map.marks.length) - 1];
    },
  };
}
