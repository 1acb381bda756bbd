// Takes principal ids of an organization; returns the kind and name of each.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { EVERYONE } from "./caller.ts";

export type PrincipalKind = "user" | "group" | "role" | "organization" | "everyone";

export interface NamedPrincipal {
  readonly kind: PrincipalKind;
  readonly name: string;
  /** Of the user, group or role. */
  readonly id: string | null;
}

export async function readPrincipalNames(
  db: Queryable,
  organizationId: string,
  given: Iterable<number>,
): Promise<ReadonlyMap<number, NamedPrincipal>> {
  const ids = [...new Set(given)];
  if (ids.length === 0) return new Map();
  const organization = sql`organization_id = ${organizationId}::bigint and principal_id = any(${ids.map(String)}::integer[])`;
  const rows = await db.prepared(sql`
    select principal_id::text as principal, 'user' as kind, coalesce(name, user_name) as name, id::text as id from access_controls__users where ${organization}
    union all select principal_id::text, 'group', name, id::text from access_controls__groups where ${organization}
    union all select principal_id::text, 'role', name, id::text from access_controls__roles where ${organization}
    union all select principal_id::text, 'organization', name, id::text from access_controls__organizations where ${organization}`);
  const names = new Map<number, NamedPrincipal>(
    rows.map(([principal, kind, name, id]) => [
      Number(principal),
      // The kinds are those that the statement above spells.
      { kind: kind as PrincipalKind, name: name ?? "", id: id ?? null },
    ]),
  );
  if (ids.includes(EVERYONE)) names.set(EVERYONE, { kind: "everyone", name: "Everyone", id: null });
  return names;
}

/** Whether a principal is there to be given something: everyone, the organization, or a user, group or role of it. */
export async function isPrincipal(db: Queryable, organizationId: string, id: string): Promise<boolean> {
  const own = sql`organization_id = ${organizationId}::bigint and principal_id = ${id}::bigint and deleted = 0`;
  const row = await db.row(sql`
    select 1 as found where ${id}::bigint = ${EVERYONE}::bigint
      or exists (select from access_controls__users where ${own})
      or exists (select from access_controls__groups where ${own})
      or exists (select from access_controls__roles where ${own})
      or exists (select from access_controls__organizations where ${own})`);
  return row !== undefined;
}
