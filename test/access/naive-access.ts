// The access model of contract.md section 3, written a second time and as naively as possible: loops over plain objects.
// It imports nothing of server/access, and is never optimized: it is what the real one is held against.
import type { MatrixOperation, Permission, RecordRight } from "../../contract/permissions.ts";
import type { PolicyEntry } from "../../server/metadata/record-type.ts";
import { conditions } from "./lab-types.ts";
import type { WorldGroup, WorldOrganization, WorldRecord, WorldRole, WorldType, WorldUser } from "./world.ts";

const EVERYBODY = 1;

export function groupsOf(organization: WorldOrganization, user: WorldUser): Set<WorldGroup> {
  const inside = new Set<WorldGroup>();
  let grew = true;
  while (grew) {
    grew = false;
    for (const group of organization.groups) {
      if (group.deleted || inside.has(group)) continue;
      const direct = group.users.has(user);
      const through = [...group.groups].some((inner) => inside.has(inner));
      if (direct || through) {
        inside.add(group);
        grew = true;
      }
    }
  }
  return inside;
}

export const rolesOf = (organization: WorldOrganization, user: WorldUser): WorldRole[] =>
  organization.roles.filter((role) => !role.deleted && role.users.has(user));

export function principalsOf(organization: WorldOrganization, user: WorldUser): Set<number> {
  const all = new Set([EVERYBODY, user.principal, organization.principal]);
  for (const group of groupsOf(organization, user)) all.add(group.principal);
  for (const role of rolesOf(organization, user)) all.add(role.principal);
  return all;
}

export const mayAct = (user: WorldUser): boolean => user.active && !user.deleted;

export const isAdministrator = (organization: WorldOrganization, user: WorldUser): boolean =>
  rolesOf(organization, user).some((role) => role.administrator);

function meets(record: WorldRecord, when: string): boolean {
  const condition = conditions.find((one) => one.when === when);
  if (!condition) throw new Error(`the world has no condition ${when}`);
  return record.asked !== undefined && condition.holds(record.asked);
}

/** Whether the policy speaks of this user when it names that grantee for this record. */
function meant(organization: WorldOrganization, user: WorldUser, record: WorldRecord, entry: PolicyEntry): boolean {
  if (typeof entry !== "string") return meets(record, entry.when) && meant(organization, user, record, entry.to);
  const grantee = entry;
  if (grantee === "field:helper_id") return record.asked?.helper === user;
  if (grantee === "field:crew_id")
    return record.asked?.crew != null && groupsOf(organization, user).has(record.asked.crew);
  if (grantee === "field:duty_id")
    return record.asked?.duty != null && rolesOf(organization, user).includes(record.asked.duty);
  if (grantee === "everyone" || grantee === "organization") return true;
  if (grantee === "owner") return record.owner === user;
  const mine = groupsOf(organization, user);
  if (grantee === "primary_group") return record.group !== null && mine.has(record.group);
  if (grantee === "owner_groups") {
    for (const group of mine) if (record.owner !== null && group.users.has(record.owner)) return true;
    return false;
  }
  return rolesOf(organization, user).some((role) => `role:${role.code}` === grantee);
}

/** What is about a confidential record is kept from those whom only their role, or being there, would let see it. */
const ofTheRecordItself: readonly PolicyEntry[] = ["owner", "owner_groups", "primary_group"];

export type Types = ReadonlyMap<string, WorldType>;

function typeOf(types: Types, key: string): WorldType {
  const type = types.get(key);
  if (!type) throw new Error(`the world has no type ${key}`);
  return type;
}

/** The records that it is attached to, one after the other. */
export function subjectsOf(record: WorldRecord): WorldRecord[] {
  return record.to ? [record.to, ...subjectsOf(record.to)] : [];
}

const isAboutSecret = (types: Types, record: WorldRecord): boolean =>
  subjectsOf(record).some((one) => typeOf(types, one.type).confidential);

function allows(
  organization: WorldOrganization,
  user: WorldUser,
  types: Types,
  record: WorldRecord,
  right: RecordRight,
  now: string,
): boolean {
  const type = typeOf(types, record.type);
  if (type.follows && record.to) {
    if (right === "read") return reads(organization, user, types, record.to, now);
    if (type.follows === "edit" && right !== "comment") {
      return allows(organization, user, types, record.to, "edit", now);
    }
  }
  const policy = organization.policies.get(type.key) ?? type.access;
  const tied = !type.follows && isAboutSecret(types, record);
  for (const grantee of policy[right]) {
    if (tied && !ofTheRecordItself.includes(grantee)) continue;
    if (meant(organization, user, record, grantee)) return true;
  }
  const mine = principalsOf(organization, user);
  for (const share of record.shares) {
    const over = share.until !== null && share.until <= now;
    if (!over && share.rights.includes(right) && mine.has(share.principal)) return true;
  }
  const lent = right === "comment" ? [] : record.grants[right];
  return lent.some((principal) => mine.has(principal));
}

/** Who may edit or delete a record also reads it; of what follows a record, only who reads that. */
function reads(
  organization: WorldOrganization,
  user: WorldUser,
  types: Types,
  record: WorldRecord,
  now: string,
): boolean {
  const follows = typeOf(types, record.type).follows && record.to;
  const wide = follows ? (["read"] as const) : (["read", "edit", "delete"] as const);
  return wide.some((one) => allows(organization, user, types, record, one, now));
}

/** The principals that a record's column names for a right, as the wire shows them: ascending, for good. */
export function namedPrincipals(
  organization: WorldOrganization,
  type: WorldType,
  record: WorldRecord,
  right: RecordRight,
  now: string,
): number[] {
  const named = new Set<number>();
  const policy = organization.policies.get(type.key) ?? type.access;
  for (const entry of policy[right]) {
    if (typeof entry !== "string" && !meets(record, entry.when)) continue;
    const grantee = typeof entry === "string" ? entry : entry.to;
    const { helper, crew, duty } = record.asked ?? { helper: null, crew: null, duty: null };
    if (grantee === "field:helper_id" && helper !== null) named.add(helper.principal);
    if (grantee === "field:crew_id" && crew !== null && !crew.deleted) named.add(crew.principal);
    if (grantee === "field:duty_id" && duty !== null && !duty.deleted) named.add(duty.principal);
    if (grantee === "everyone") named.add(EVERYBODY);
    if (grantee === "organization") named.add(organization.principal);
    if (grantee === "owner" && record.owner !== null) named.add(record.owner.principal);
    if (grantee === "primary_group" && record.group !== null && !record.group.deleted)
      named.add(record.group.principal);
    for (const group of organization.groups) {
      const ofOwner = record.owner !== null && group.users.has(record.owner);
      if (grantee === "owner_groups" && ofOwner && !group.deleted) named.add(group.principal);
    }
    for (const role of organization.roles) {
      if (grantee === `role:${role.code}` && !role.deleted) named.add(role.principal);
    }
  }
  for (const share of record.shares) {
    if (share.rights.includes(right) && (share.until === null || share.until > now)) named.add(share.principal);
  }
  return [...named].sort((a, b) => a - b);
}

export function mayOperate(
  organization: WorldOrganization,
  user: WorldUser,
  type: WorldType,
  operation: MatrixOperation,
): boolean {
  const administrator = isAdministrator(organization, user);
  const writes = operation !== "index" && operation !== "view" && operation !== "export";
  if (type.shared && writes) return administrator && organization.operator;
  if (type.refuses.includes(operation)) return false;
  if (administrator) return true;
  // With what follows a record, it is the record that is asked.
  if (type.follows && ["index", "view", "add", "edit", "delete"].includes(operation)) return true;
  for (const role of rolesOf(organization, user)) {
    const row = role.operations.has(type.key) ? role.operations.get(type.key) : role.operations.get("*");
    if (row?.includes(operation)) return true;
  }
  return false;
}

/** `home` is the organization that the record belongs to. */
export function mayWith(
  organization: WorldOrganization,
  user: WorldUser,
  types: Types,
  home: WorldOrganization,
  record: WorldRecord,
  right: RecordRight,
  now: string,
): boolean {
  const type = typeOf(types, record.type);
  if (home !== organization) return false;
  if (right !== "read" && !mayOperate(organization, user, type, right)) return false;
  if (isAdministrator(organization, user) && !type.confidential && !isAboutSecret(types, record)) return true;
  if (type.needs && record.to && !allowedByRole(organization, user, record.to.type, [type.needs])) return false;
  if (type.follows) {
    let isFollowed = true;
    for (const subject of subjectsOf(record)) {
      const above = typeOf(types, subject.type);
      // Beyond a record that follows no other, only what is confidential counts.
      const counts = !above.follows && (isFollowed || above.confidential);
      if (counts && !looksAt(organization, user, above.key)) return false;
      if (!above.follows) isFollowed = false;
    }
  }
  return right === "read"
    ? reads(organization, user, types, record, now)
    : allows(organization, user, types, record, right, now);
}

const looksAt = (organization: WorldOrganization, user: WorldUser, key: string): boolean =>
  allowedByRole(organization, user, key, ["view", "index"]);

function allowedByRole(
  organization: WorldOrganization,
  user: WorldUser,
  key: string,
  operations: readonly MatrixOperation[],
): boolean {
  if (isAdministrator(organization, user)) return true;
  for (const role of rolesOf(organization, user)) {
    const row = role.operations.has(key) ? role.operations.get(key) : role.operations.get("*");
    if (operations.some((operation) => row?.includes(operation))) return true;
  }
  return false;
}

/** From the least to the most restrictive; there is no other order. */
const order: readonly Permission[] = [2, 4, 1];
const narrowest = (permissions: readonly Permission[]): Permission =>
  permissions.reduce((a, b) => (order.indexOf(a) > order.indexOf(b) ? a : b));
const widest = (permissions: readonly Permission[]): Permission =>
  permissions.reduce((a, b) => (order.indexOf(a) < order.indexOf(b) ? a : b));

export interface Levels {
  readonly parent: Permission;
  readonly declared: Permission;
  readonly roles: Permission;
  readonly form: Permission;
  readonly operation: "view" | "add" | "edit";
}

export function elementPermission(levels: Levels): Permission {
  let own = levels.declared;
  if (own === 0) own = levels.parent;
  if (levels.parent === 1) own = 1;
  const all: Permission[] = [own, levels.roles];
  if (levels.form !== 0) all.push(levels.form);
  if (levels.operation === "view") all.push(4);
  return narrowest(all);
}

export function fieldPermission(
  organization: WorldOrganization,
  user: WorldUser,
  type: WorldType,
  field: string,
  operation: "view" | "add" | "edit",
): Permission {
  const declared = type.fields.get(field);
  if (declared === undefined) return 1;
  let roles: Permission = 2;
  const held = rolesOf(organization, user);
  if (held.length > 0 && !isAdministrator(organization, user)) {
    roles = widest(held.map((role) => role.fields.get(`${type.key} ${field}`) || 2));
  }
  return elementPermission({ parent: 2, declared, roles, form: 0, operation });
}
