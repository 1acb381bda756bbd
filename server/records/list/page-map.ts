// Keeps, for long lists that somebody jumped about in, where every so-many-th row stands. A jump then goes to the
// nearest of those and counts on from there. Made in the background, and good for as long as the table does not change.
import type { AclView } from "../../access/acl-directory.ts";
import type { Database } from "../../database/database.ts";
import { apartFromClient } from "../../database/scope.ts";
import { and, ident, sql } from "../../database/sql.ts";
import { versionsOf } from "../../database/versions.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import { orderBy, ROOT, versionedTables } from "../../query/compile-list.ts";
import { createJoins } from "../../query/joins.ts";
import { rowConditions } from "../../query/row-conditions.ts";

interface Mark {
  /** Rows up to and including this one. */
  readonly position: number;
  /** Its order value and id. */
  readonly values: readonly (string | null)[];
}

export interface PageMaps {
  /** The last mark at or before `offset`, if the list is mapped at this version of its table. */
  locate(plan: ReadablePlan, version: string, offset: number): Mark | undefined;
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

  const make = async (plan: ReadablePlan): Promise<PageMap> => {
    const { type, caller } = plan.scope;
    const joins = createJoins({ alias: ROOT, type }, caller);
    const conditions = and(rowConditions(plan, joins, !plan.filter && plan.words.length === 0));
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

  const start = (plan: ReadablePlan): void => {
    const { view } = plan.access;
    const pending = making.get(view) ?? new Set<string>();
    making.set(view, pending);
    if (pending.has(plan.signature)) return;
    pending.add(plan.signature);
    apartFromClient(() => make(plan))
      .then((map) => {
        const known = maps.get(view) ?? new Map<string, PageMap>();
        if (known.size >= MAX_MAPS) known.clear();
        known.set(plan.signature, map);
        maps.set(view, known);
      })
      .catch(() => undefined)
      .finally(() => pending.delete(plan.signature));
  };

  return {
    locate: (plan, version, offset) => {
      const map = maps.get(plan.access.view)?.get(plan.signature);
      if (map?.version !== version) {
        start(plan);
        return undefined;
      }
      return map.marks[Math.min(Math.floor(offset / map.step), map.marks.length) - 1];
    },
  };
}
