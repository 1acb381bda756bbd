// Takes an organization; returns what the names in its access recipes refer to: principals, groups, roles, policies.

import type { Queryable } from "../database/database.ts";
import { ACCESS_LOCK } from "../database/locks.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { accessPolicySchema } from "../metadata/definition-schema.ts";
import type { AccessPolicy, RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import type { PrincipalLookup } from "./acl.ts";

/** Serialises a change of who-is-who with the making of new access sets; both hold it until their commit. */
export async function lockAccess(
  transaction: Queryable,
  organizationId: string,
  mode: "shared" | "exclusive",
): Promise<void> {
  // Two-key advisory locks: our own class, and the organization folded to 32 bits.
  await (mode === "shared"
    ? transaction.run(sql`select pg_advisory_xact_lock_shared(${ACCESS_LOCK}::integer, hashtext(${organizationId}))`)
    : transaction.run(sql`select pg_advisory_xact_lock(${ACCESS_LOCK}::integer, hashtext(${organizationId}))`));
}

/** With what the principals that were read are called. */
export interface NamedLookup extends PrincipalLookup {
  readonly nameOf: (principal: number) => string | undefined;
}

/** What `readFacts` reads: whoever keeps what it gave must know their versions. */
export const factTables: readonly RecordTypeKey[] = [
  "access_controls/organizations",
  "access_controls/users",
  "access_controls/groups",
  "access_controls/group_members",
  "access_controls/roles",
];

/** `managers` are looked up for the same users; `users` and `groups` limit what is read to what the recipes at hand speak of; undefined reads all. */
export async function readFacts(
  db: Queryable,
  organizationId: string,
  only?: { readonly users: readonly string[]; readonly groups: readonly string[] },
): Promise<NamedLookup> {
  const org = sql`${organizationId}::bigint`;
  const users = only ? sql`= any(${only.users}::bigint[])` : sql`is not null`;
  const groups = only ? sql`= any(${only.groups}::bigint[])` : sql`is not null`;
  const rows = await db.prepared(sql`
    select 'organization' as kind, id::text, principal_id as principal, null::text as name
      from access_controls__organizations where organization_id = ${org}
    union all
    select 'user', id::text, principal_id, coalesce(name, user_name) from access_controls__users where organization_id = ${org} and id ${users}
    union all
    select 'group', id::text, principal_id, name from access_controls__groups
      where organization_id = ${org} and id ${groups} and deleted = 0
    union all
    select 'role', code, principal_id, name from access_controls__roles where organization_id = ${org} and deleted = 0
    union all
    select 'role_id', id::text, principal_id, null from access_controls__roles where organization_id = ${org} and deleted = 0
    union all
    select 'manager', u.id::text, m.principal_id, coalesce(m.name, m.user_name) from access_controls__users u
      join access_controls__users m on m.organization_id = ${org} and m.id = u.manager_id and m.deleted = 0
      where u.organization_id = ${org} and u.id ${users}
    union all
    select 'member', m.user_id::text, g.principal_id, null
      from access_controls__group_members m
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.group_id and g.deleted = 0
      where m.organization_id = ${org} and m.deleted = 0 and m.user_id ${users}`);
  const index = (wanted: string) =>
    new Map(rows.flatMap(([kind, id, principal]) => (kind === wanted ? [[id ?? "", Number(principal)]] : [])));
  const [user, group, role, manager] = [index("user"), index("group"), index("role"), index("manager")];
  const roleIds = index("role_id");
  const memberships = new Map<string, number[]>();
  for (const [kind, id, principal] of rows) {
    if (kind !== "member") continue;
    const known = memberships.get(id ?? "");
    if (known) known.push(Number(principal));
    else memberships.set(id ?? "", [Number(principal)]);
  }
  const names = new Map(rows.flatMap(([, , principal, name]) => (name == null ? [] : [[Number(principal), name]])));
  const organization = rows.find(([kind]) => kind === "organization");
  if (!organization) throw new Error(`there is no organization ${organizationId}`);
  return {
    organization: Number(organization[2]),
    user: (id) => user.get(id),
    groupsOf: (id) => memberships.get(id) ?? [],
    group: (id) => group.get(id),
    role: (code) => role.get(code),
    roleById: (id) => roleIds.get(id),
    managerOf: (id) => manager.get(id),
    nameOf: (principal) => names.get(principal),
  };
}

/** The policy in force: the organization's own, else the one that the type was defined with. */
export async function readPolicies(
  db: Queryable,
  organizationId: string,
): Promise<(type: Pick<RecordType, "key" | "access">) => AccessPolicy> {
  const rows = await db.rows<{ record_type: string; policy: string }>(sql`
    select record_type, policy from access_controls__policies
    where organization_id = ${organizationId}::bigint and deleted = 0`);
  const own = new Map(
    rows.map((row) => [
      row.record_type,
      storedJson(accessPolicySchema, row.policy, "access_controls__policies.policy"),
    ]),
  );
  return (type) => own.get(type.key) ?? type.access;
}
