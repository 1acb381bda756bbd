// The statements that a lean program would send for the lists that are measured: the same rows and columns of the same
// table for the same caller, by hand, with nothing around them: no versions, no counts, no form of the answer. Ids are
// found along an index first and the wide rows after, as whoever cares for speed writes it.
import type { CallerName } from "../organization/people.ts";
import type { Universe } from "../organization/universe.ts";
import { shownColumns } from "../organization/view.ts";

export interface LeanList {
  readonly universe: Universe;
  readonly caller: CallerName;
  /** Further conditions of `r`. */
  readonly where?: string;
  /** Columns of `r` with their direction, the id last. */
  readonly order?: string;
  /** An expression of pgbench, or a number. */
  readonly offset?: string;
}

/** What the caller may read, as a condition of `r`. */
export function readable({ readers, organizationId }: Universe, caller: CallerName): string {
  const { aclIds } = readers[caller];
  const own = `r.organization_id = ${organizationId} and r.deleted = 0`;
  if (!aclIds) return own;
  // Many sets are passed over along the order; few are looked up one by one.
  if (aclIds.length > 64) return `${own} and (r.acl_id in (select unnest('{${aclIds.join(",")}}'::integer[]))) is true`;
  return `${own} and r.acl_id in (${aclIds.join(",")})`;
}

export const newestFirst = "r.created desc, r.id desc";

export function leanList({ universe, caller, where, order = newestFirst, offset = "0" }: LeanList): string {
  const conditions = [readable(universe, caller), ...(where === undefined ? [] : [where])].join(" and ");
  const columns = shownColumns.map((column) => `r.${column}`).join(", ");
  return (
    `with page as materialized (select r.id from crm__leads r where ${conditions} order by ${order} limit 50 offset ${offset}) ` +
    `select ${columns} from page join crm__leads r on r.organization_id = ${universe.organizationId} and r.id = page.id ` +
    `order by ${order};`
  );
}

/** A random page between 1 and `pages`, each time another. */
export const randomPage = (pages: number, list: (offset: string) => string): string =>
  `\\set offset (random(1, ${pages}) - 1) * 50\n${list(":offset")}\n`;
