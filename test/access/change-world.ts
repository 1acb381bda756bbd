// Takes a world; changes something of it by chance, in the database and in memory alike. The caller refreshes the access
// sets in the same transaction, as the service does. Gives what was done, for a failing run to tell.
import { matrixOperations, type Permission } from "../../contract/permissions.ts";
import { type Sql, sql } from "../../server/database/sql.ts";
import {
  addRole,
  drawAsked,
  drawLoans,
  fieldRows,
  insertInto,
  operationRows,
  type Stage,
  setPolicy,
  writeRecipes,
} from "./build-world.ts";
import { askedTypes, attachedTypes, recordTypes } from "./lab-types.ts";
import type { World, WorldGroup, WorldOrganization, WorldRole } from "./world.ts";

type Change = (stage: Stage, organization: WorldOrganization, world: World) => Promise<string>;

/** Members, rights and overrides leave as the service lets them leave: marked as deleted. */
const removeMember = (stage: Stage, organization: WorldOrganization, group: WorldGroup, member: Sql) =>
  stage.db.run(sql`
    update access_controls__group_members set deleted = 1
    where organization_id = ${organization.id}::bigint and group_id = ${group.id}::bigint and ${member} and deleted = 0`);

const moveMember: Change = async (stage, organization) => {
  const user = stage.random.pick(organization.users);
  const [from, to] = [stage.random.pick(organization.groups), stage.random.pick(organization.groups)];
  for (const group of [from, to]) {
    await removeMember(stage, organization, group, sql`user_id = ${user.id}::bigint`);
    group.users.delete(user);
  }
  to.users.add(user);
  const row = { group_id: to.id, user_id: user.id };
  await insertInto(stage, "access_controls/group_members", organization.id, [row]);
  return `moved user ${user.id} from group ${from.id} to ${to.id}`;
};

const nestGroup: Change = async (stage, organization) => {
  const [outer, inner] = [stage.random.pick(organization.groups), stage.random.pick(organization.groups)];
  await removeMember(stage, organization, outer, sql`member_group_id = ${inner.id}::bigint`);
  if (outer.groups.delete(inner)) return `took group ${inner.id} out of ${outer.id}`;
  outer.groups.add(inner);
  const row = { group_id: outer.id, member_group_id: inner.id };
  await insertInto(stage, "access_controls/group_members", organization.id, [row]);
  return `put group ${inner.id} into ${outer.id}`;
};

const toggleGroup: Change = async (stage, organization) => {
  const group = stage.random.pick(organization.groups);
  group.deleted = !group.deleted;
  await stage.db.run(sql`
    update access_controls__groups set deleted = ${group.deleted ? "1" : "0"}::smallint
    where organization_id = ${organization.id}::bigint and id = ${group.id}::bigint`);
  return `${group.deleted ? "deleted" : "restored"} group ${group.id}`;
};

const toggleUser: Change = async (stage, organization) => {
  const user = stage.random.pick(organization.users);
  if (stage.random.chance(0.5)) user.active = !user.active;
  else user.deleted = !user.deleted;
  await stage.db.run(sql`
    update access_controls__users
    set is_active = ${user.active ? "1" : "0"}::smallint, deleted = ${user.deleted ? "1" : "0"}::smallint
    where organization_id = ${organization.id}::bigint and id = ${user.id}::bigint`);
  return `user ${user.id} is active ${user.active}, deleted ${user.deleted}`;
};

const forgetRows = (stage: Stage, organization: WorldOrganization, role: WorldRole, table: "operations" | "fields") =>
  stage.db.run(sql`
    update ${table === "operations" ? sql`access_controls__role_operations` : sql`access_controls__role_fields`}
    set deleted = 1 where organization_id = ${organization.id}::bigint and role_id = ${role.id}::uuid and deleted = 0`);

const changeRole: Change = async (stage, organization) => {
  const { random } = stage;
  const role = random.pick(organization.roles);
  const user = random.pick(organization.users);
  await stage.db.run(sql`
    update access_controls__roles_users set deleted = 1
    where organization_id = ${organization.id}::bigint and role_id = ${role.id}::uuid and user_id = ${user.id}::bigint`);
  if (!role.users.delete(user)) {
    role.users.add(user);
    const row = { role_id: role.id, user_id: user.id };
    await insertInto(stage, "access_controls/roles_users", organization.id, [row]);
  }
  role.operations.set(
    random.pick(["*", ...recordTypes]),
    matrixOperations.filter(() => random.chance(0.5)),
  );
  await forgetRows(stage, organization, role, "operations");
  await insertInto(stage, "access_controls/role_operations", organization.id, operationRows(role));
  for (const key of [...role.fields.keys()]) {
    if (random.chance(0.1)) role.fields.delete(key);
    else if (random.chance(0.2)) role.fields.set(key, random.pick<Permission>([0, 1, 2, 4]));
  }
  await forgetRows(stage, organization, role, "fields");
  await insertInto(stage, "access_controls/role_fields", organization.id, fieldRows(role));
  return `changed role ${role.code} and whether user ${user.id} has it`;
};

/** A deleted role's code may be used again, by another role. */
const replaceRole: Change = async (stage, organization) => {
  const role = stage.random.pick(organization.roles.filter((one) => !one.deleted));
  role.deleted = true;
  await stage.db.run(sql`
    update access_controls__roles set deleted = 1
    where organization_id = ${organization.id}::bigint and id = ${role.id}::uuid`);
  if (stage.random.chance(0.4)) return `deleted role ${role.code}`;
  await addRole(stage, organization, role.code);
  return `replaced role ${role.code}`;
};

const changePolicy: Change = async (stage, organization) => {
  const asked = [...askedTypes];
  const type = stage.random.pick([...recordTypes, ...asked, ...asked, ...Object.keys(attachedTypes)]);
  await setPolicy(stage, organization, type);
  return `changed the policy of ${type}`;
};

const handOver: Change = async (stage, organization, world) => {
  const { random } = stage;
  const records = organization.records.filter(({ to }) => to === undefined && random.chance(0.15));
  for (const record of records) {
    record.owner = random.chance(0.1) ? null : random.pick(organization.users);
    record.group = random.chance(0.4) ? null : random.pick(organization.groups);
    Object.assign(record, drawLoans(stage, world), { asked: drawAsked(stage, organization, record.type) });
  }
  await writeRecipes(stage, organization, records);
  return `handed ${records.length} records over`;
};

const changes: readonly Change[] = [
  moveMember,
  nestGroup,
  toggleGroup,
  toggleUser,
  changeRole,
  replaceRole,
  changePolicy,
  handOver,
];

export async function changeWorld(stage: Stage, world: World, organization: WorldOrganization): Promise<string> {
  return await stage.random.pick(changes)(stage, organization, world);
}
