// Who is in an organization, as far as access depends on it: people with their groups and roles, as they are and as they would be after a
// change of a group or a role. Reads once; the rest is plain data.
import type { MatrixOperation } from "../../../contract/permissions.ts";
import { type CallerRole, EVERYONE } from "../../access/caller.ts";
import type { Seeing } from "../../access/crowd/crowd.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** A membership of a group: of a user, or of another group. */
export interface Member {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

export interface GroupFacts {
  readonly principal: number;
  readonly members: readonly Member[];
}

export interface RoleFacts extends CallerRole {
  readonly principal: number;
}

export interface OrganizationPeople {
  readonly principal: number;
  readonly isOperator: boolean;
  /** Those who can act. */
  readonly users: readonly { readonly id: string; readonly name: string; readonly principal: number }[];
  readonly groups: ReadonlyMap<string, GroupFacts>;
  readonly roles: ReadonlyMap<string, RoleFacts>;
  /** Roles by user. */
  readonly rolesOf: ReadonlyMap<string, readonly string[]>;
}

/** One who can act, with everything that decides what they see. */
export interface Person extends Seeing {
  readonly id: string;
  readonly name: string;
}

/** A principal that nobody has: of a group or role that is not saved yet. */
const NOT_YET = 0;

export async function readPeople(db: Queryable, organizationId: string): Promise<OrganizationPeople> {
  const org = sql`organization_id = ${organizationId}::bigint`;
  const [own] = await db.rows(sql`select principal_id, is_operator from access_controls__organizations where ${org}`);
  const users = await db.rows(sql`
    select id::text as id, coalesce(name, user_name) as name, principal_id from access_controls__users u
    where ${org} and deleted = 0 and is_active = 1 order by u.id`);
  const groups = await db.rows(sql`
    select id::text as id, principal_id from access_controls__groups where ${org} and deleted = 0`);
  const members = await db.rows(sql`
    select group_id::text as group_id, user_id::text as user_id, member_group_id::text as member_group_id
    from access_controls__group_members where ${org} and deleted = 0`);
  const roles = await db.rows(sql`
    select id::text as id, code, principal_id, is_administrator from access_controls__roles where ${org} and deleted = 0`);
  const operations = await db.rows(sql`
    select role_id::text as role_id, record_type, array_to_string(operations, ' ') as operations
    from access_controls__role_operations where ${org} and deleted = 0`);
  const held = await db.rows(sql`
    select role_id::text as role_id, user_id::text as user_id from access_controls__roles_users where ${org} and deleted = 0`);
  const matrixOf = (id: string | null | undefined) =>
    new Map(
      operations
        .filter((row) => row.role_id === id)
        // The choice field admits the matrix operations only.
        .map(
          (row) => [row.record_type ?? "", new Set((row.operations ?? "").split(" ") as MatrixOperation[])] as const,
        ),
    );
  return {
    principal: Number(own?.principal_id),
    isOperator: own?.is_operator === "1",
    users: users.map((row) => ({ id: row.id ?? "", name: row.name ?? "", principal: Number(row.principal_id) })),
    groups: new Map(
      groups.map((group) => [
        group.id ?? "",
        {
          principal: Number(group.principal_id),
          members: members
            .filter((row) => row.group_id === group.id)
            .map((row) => ({ user: row.user_id ?? undefined, group: row.member_group_id ?? undefined })),
        },
      ]),
    ),
    roles: new Map(
      roles.map((role) => [
        role.id ?? "",
        {
          id: role.id ?? "",
          code: role.code ?? "",
          principal: Number(role.principal_id),
          isAdministrator: role.is_administrator === "1",
          operations: matrixOf(role.id),
          fields: new Map(),
        },
      ]),
    ),
    rolesOf: collected(held.map((row) => [row.user_id ?? "", row.role_id ?? ""])),
  };
}

function collected(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const known = found.get(key);
    if (known) known.push(value);
    else found.set(key, [value]);
  }
  return found;
}

/** The same organization with other members of a group; one that is not there yet has them too, and gives nothing. */
export const withMembers = (
  people: OrganizationPeople,
  id: string,
  members: readonly Member[],
): OrganizationPeople => ({
  ...people,
  groups: new Map(people.groups).set(id, { principal: people.groups.get(id)?.principal ?? NOT_YET, members }),
});

/** The same with another matrix of a role. */
export function withMatrix(
  people: OrganizationPeople,
  id: string,
  operations: CallerRole["operations"],
): OrganizationPeople {
  const role = people.roles.get(id);
  return role ? { ...people, roles: new Map(people.roles).set(id, { ...role, operations }) } : people;
}

/** The groups that users are themselves in, as principals. */
export function directGroups({ groups }: OrganizationPeople): (userId: string) => readonly number[] {
  const found = new Map<string, number[]>();
  for (const { principal, members } of groups.values()) {
    for (const { user } of members) if (user !== undefined) found.set(user, [...(found.get(user) ?? []), principal]);
  }
  return (userId) => found.get(userId) ?? [];
}

export function personsOf(people: OrganizationPeople): readonly Person[] {
  const around = groupsAround(people);
  return people.users.map(({ id, name, principal }) => {
    const roles = (people.rolesOf.get(id) ?? []).flatMap((role) => people.roles.get(role) ?? []);
    return {
      id,
      name,
      isAdministrator: roles.some(({ isAdministrator }) => isAdministrator),
      isOperator: people.isOperator,
      roles,
      principals: new Set([
        EVERYONE,
        principal,
        people.principal,
        ...roles.map((role) => role.principal),
        ...around(id),
      ]),
    };
  });
}

/** The groups that a user is in at any depth, as principals. */
function groupsAround({ groups }: OrganizationPeople): (userId: string) => ReadonlySet<number> {
  const [ofUser, ofGroup] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const [id, { members }] of groups) {
    for (const { user, group } of members) {
      if (user !== undefined) ofUser.set(user, [...(ofUser.get(user) ?? []), id]);
      if (group !== undefined) ofGroup.set(group, [...(ofGroup.get(group) ?? []), id]);
    }
  }
  return (userId) => {
    const seen = new Set<string>();
    const open = [...(ofUser.get(userId) ?? [])];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(ofGroup.get(id) ?? []));
    }
    return new Set([...seen].map((id) => groups.get(id)?.principal ?? NOT_YET));
  };
}
