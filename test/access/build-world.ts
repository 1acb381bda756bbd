// Takes chance; gives a world of two organizations, written to the database through the service's own doors.
import { type MatrixOperation, matrixOperations, type Permission, recordRights } from "../../contract/permissions.ts";
import type { Random } from "../../demo/random.ts";
import { internAcl, refreshAcl } from "../../server/access/acl-sets.ts";
import { factIds, factsOfRow, readRecordFacts } from "../../server/access/facts/record-facts.ts";
import { recordChanges } from "../../server/database/changes.ts";
import type { Queryable } from "../../server/database/database.ts";
import { ident, type Sql, sql } from "../../server/database/sql.ts";
import { createUser, nextPrincipals } from "../../server/identity/create-user.ts";
import { foundOrganization } from "../../server/identity/found-organization.ts";
import type { AccessPolicy, Grantee, PolicyEntry } from "../../server/metadata/record-type.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { standardRoles } from "../../server/modules/access_controls/standard-roles.ts";
import type { ColumnValues } from "../../server/records/read/row-values.ts";
import { moveFollowers } from "../../server/records/save/followers.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { aboutTypes, askedTypes, attachedTypes, conditions, recordTypes, requiredColumns } from "./lab-types.ts";
import type {
  World,
  WorldAsked,
  WorldGroup,
  WorldOrganization,
  WorldRecord,
  WorldRole,
  WorldShare,
  WorldUser,
} from "./world.ts";

export interface Stage {
  readonly db: Queryable;
  readonly snapshot: Snapshot;
  readonly random: Random;
  /** The instant that the service takes for now, moved by so many seconds. */
  readonly instantIn: (seconds: number) => string;
}

const USERS = 12;
const GROUPS = 7;
const ROLES = 6;
const RECORDS_PER_TYPE = 24;

const some = <Item>(random: Random, items: readonly Item[], share: number): Item[] =>
  items.filter(() => random.chance(share));

export const insertInto = (
  stage: Stage,
  type: string,
  organizationId: string,
  rows: readonly ColumnValues[],
): Promise<string[]> => insertRows(stage.db, stage.snapshot, requireType(stage.snapshot, type), organizationId, rows);

export async function buildWorld(stage: Stage): Promise<World> {
  const organizations: WorldOrganization[] = [];
  for (const operator of [true, false]) organizations.push(await buildOrganization(stage, operator));
  const world: World = { organizations };
  // Records come last: what they are shared with may be of either organization.
  for (const organization of organizations) {
    for (const type of recordTypes) await addRecords(stage, world, organization, type);
    // The second time round they are attached to what is attached.
    for (let depth = 0; depth < 2; depth += 1) await attach(stage, organization, depth);
  }
  return world;
}

async function buildOrganization(stage: Stage, operator: boolean): Promise<WorldOrganization> {
  const { db, snapshot, random } = stage;
  const name = `Lab ${random.digits("########")}`;
  const { id } = await foundOrganization(db, snapshot, { name, currencyId: null, isOperator: operator });
  const own = await db.row(sql`select principal_id from access_controls__organizations where organization_id = ${id}`);
  const users: WorldUser[] = [];
  for (let index = 0; index < USERS; index += 1) {
    const userId = await createUser(db, snapshot, id, {
      userName: `lab.${id}.${index}`,
      firstName: null,
      lastName: `Person ${index}`,
      roleIds: [],
    });
    const row = await db.row(
      sql`select principal_id from access_controls__users where organization_id = ${id} and id = ${userId}`,
    );
    users.push({ id: userId, principal: Number(row?.principal_id), active: true, deleted: false });
  }
  const organization: WorldOrganization = {
    id,
    principal: Number(own?.principal_id),
    operator,
    users,
    groups: await addGroups(stage, id, users),
    roles: [],
    policies: new Map(),
    records: [],
  };
  organization.roles.push(...(await foundedRoles(stage, id)));
  for (let index = 0; index < ROLES; index += 1) await addRole(stage, organization, `role_${index}`);
  for (const type of recordTypes) if (random.chance(0.6)) await setPolicy(stage, organization, type);
  await refreshAcl(db, snapshot, id);
  return organization;
}

/** The roles that the organization was founded with; changes hand them out later. */
async function foundedRoles(stage: Stage, organizationId: string): Promise<WorldRole[]> {
  const rows = await stage.db.rows(sql`
    select id, code, principal_id from access_controls__roles where organization_id = ${organizationId}::bigint`);
  return rows.map((row): WorldRole => {
    const standard = standardRoles.find((role) => role.code === row.code);
    return {
      id: row.id ?? "",
      principal: Number(row.principal_id),
      code: row.code ?? "",
      administrator: standard?.isAdministrator ?? false,
      deleted: false,
      users: new Set(),
      operations: new Map(Object.entries(standard?.operations ?? {})),
      fields: new Map(
        Object.entries(standard?.fields ?? {}).flatMap(([type, fields]) =>
          Object.entries(fields).map(([field, permission]) => [`${type} ${field}`, permission] as const),
        ),
      ),
    };
  });
}

async function addGroups(stage: Stage, organizationId: string, users: readonly WorldUser[]): Promise<WorldGroup[]> {
  const { random } = stage;
  const principals = await nextPrincipals(stage.db, GROUPS);
  const rows = principals.map((principal_id, index) => ({ name: `Group ${index}`, principal_id }));
  const ids = await insertInto(stage, "access_controls/groups", organizationId, rows);
  const groups = ids.map(
    (id, index): WorldGroup => ({
      id,
      principal: Number(principals[index]),
      deleted: false,
      users: new Set(some(random, users, 0.2)),
      groups: new Set(),
    }),
  );
  // Any group in any group, itself included: circles must do no harm.
  for (const group of groups) for (const inner of some(random, groups, 0.15)) group.groups.add(inner);
  await insertInto(
    stage,
    "access_controls/group_members",
    organizationId,
    groups.flatMap((group) => [
      ...[...group.users].map((user) => ({ group_id: group.id, user_id: user.id })),
      ...[...group.groups].map((inner) => ({ group_id: group.id, member_group_id: inner.id })),
    ]),
  );
  return groups;
}

export async function addRole(stage: Stage, organization: WorldOrganization, code: string): Promise<void> {
  const { db, random, snapshot } = stage;
  const [principal = ""] = await nextPrincipals(db, 1);
  const administrator = random.chance(0.15);
  const row = { code, name: code, principal_id: principal, is_administrator: administrator ? "1" : "0" };
  const [id = ""] = await insertInto(stage, "access_controls/roles", organization.id, [row]);
  const role: WorldRole = {
    id,
    principal: Number(principal),
    code,
    administrator,
    deleted: false,
    users: new Set(some(random, organization.users, 0.25)),
    operations: new Map(),
    fields: new Map(),
  };
  for (const type of ["*", "masters/currencies", "core/addresses", "core/revisions", ...recordTypes]) {
    if (random.chance(0.6)) role.operations.set(type, some(random, matrixOperations, 0.5));
  }
  for (const type of recordTypes) {
    for (const field of requireType(snapshot, type).fields) {
      if (random.chance(0.35)) role.fields.set(`${type} ${field.name}`, random.pick<Permission>([0, 1, 2, 4]));
    }
  }
  organization.roles.push(role);
  const users = [...role.users].map((user) => ({ role_id: id, user_id: user.id }));
  await insertInto(stage, "access_controls/roles_users", organization.id, users);
  await insertInto(stage, "access_controls/role_operations", organization.id, operationRows(role));
  await insertInto(stage, "access_controls/role_fields", organization.id, fieldRows(role));
}

const operationText = (operations: readonly MatrixOperation[]): string => `{${operations.join(",")}}`;

export const operationRows = (role: WorldRole): ColumnValues[] =>
  [...role.operations].map(([record_type, operations]) => ({
    role_id: role.id,
    record_type,
    operations: operationText(operations),
  }));

export const fieldRows = (role: WorldRole): ColumnValues[] =>
  [...role.fields].map(([key, permission]) => {
    const [record_type = "", field = ""] = key.split(" ");
    return { role_id: role.id, record_type, field, permission: String(permission) };
  });

/** Replaces the organization's own policy of a type, or takes it away. */
export async function setPolicy(stage: Stage, organization: WorldOrganization, type: string): Promise<void> {
  const { db, random } = stage;
  await db.run(sql`
    update access_controls__policies set deleted = 1
    where organization_id = ${organization.id}::bigint and record_type = ${type} and deleted = 0`);
  organization.policies.delete(type);
  if (random.chance(0.2)) return;
  const codes = organization.roles.map((role): Grantee => `role:${role.code}`);
  const grantees: Grantee[] = ["owner", "owner_groups", "primary_group", "role:nobody_has_it", ...codes];
  const fields: Grantee[] = askedTypes.has(type) ? ["field:helper_id", "field:crew_id", "field:duty_id"] : [];
  const entry = (to: Grantee): PolicyEntry =>
    askedTypes.has(type) && random.chance(0.4) ? { to, when: random.pick(conditions).when } : to;
  const list = () => [
    ...some(random, [...grantees, ...fields], 0.2).map(entry),
    ...some(random, fields, 0.2),
    ...some<Grantee>(random, ["organization"], 0.1).map(entry),
    ...some<Grantee>(random, ["everyone"], 0.05).map(entry),
  ];
  const policy: AccessPolicy = { read: list(), edit: list(), delete: list(), comment: list() };
  organization.policies.set(type, policy);
  const row = { record_type: type, policy: JSON.stringify(policy) };
  await insertInto(stage, "access_controls/policies", organization.id, [row]);
}

async function addRecords(stage: Stage, world: World, organization: WorldOrganization, type: string): Promise<void> {
  const records = Array.from({ length: RECORDS_PER_TYPE }, () => ({
    owner: stage.random.chance(0.1) ? null : stage.random.pick(organization.users),
    group: stage.random.chance(0.4) ? null : stage.random.pick(organization.groups),
    asked: drawAsked(stage, organization, type),
    ...drawLoans(stage, world),
  }));
  const rows = records.map(({ owner, group, asked }) => ({
    ...requiredColumns[type],
    ...askedColumns(asked),
    owned_by: owner?.id ?? null,
    primary_acl_group: group?.id ?? null,
  }));
  const ids = await insertInto(stage, type, organization.id, rows);
  const written = records.map((record, index): WorldRecord => ({ ...record, id: ids[index] ?? "", type }));
  organization.records.push(...written);
  await writeRecipes(stage, organization, written);
}

/** Comments, files, history and so on, each attached to a record that is there already. */
async function attach(stage: Stage, organization: WorldOrganization, depth: number): Promise<void> {
  const { random } = stage;
  const there = [...organization.records];
  for (const [type, columns] of Object.entries(attachedTypes)) {
    // Jobs and mappings are about a type; of what is attached it is then not known what it is attached to.
    const isAbout = aboutTypes.has(type);
    const subjects = there.filter(
      (one) => random.chance(0.15) && !(isAbout && one.to) && one.type !== "core/import_mappings",
    );
    const attached = subjects.map((to) => ({
      to,
      owner: random.chance(0.1) ? null : random.pick(organization.users),
      group: random.chance(0.4) ? null : random.pick(organization.groups),
      shares: [],
      grants: { read: [], edit: [], delete: [] },
    }));
    const rows = attached.map(({ to, owner, group }) => ({
      ...columns,
      ...(isAbout ? { controller: to.type } : { related_type: to.type, related_id: to.id }),
      ...(type === "access_controls/shares" ? { principal_id: String(organization.users[depth]?.principal) } : {}),
      owned_by: owner?.id ?? null,
      primary_acl_group: group?.id ?? null,
    }));
    const ids = await insertInto(stage, type, organization.id, rows);
    organization.records.push(...attached.map((one, index): WorldRecord => ({ ...one, id: ids[index] ?? "", type })));
  }
}

/** Shares and workflow grants, some with people of the other organization, to whom they must open nothing. */
export function drawLoans(stage: Stage, world: World): Pick<WorldRecord, "shares" | "grants"> {
  const { random } = stage;
  const principals = world.organizations.flatMap(({ users, groups, roles, principal }) =>
    [...users, ...groups, ...roles].map((one) => one.principal).concat(principal),
  );
  const draw = (share: number) => Array.from({ length: random.chance(share) ? 2 : 0 }, () => random.pick(principals));
  const moments = [null, stage.instantIn(-3600), stage.instantIn(0), ...[1, 60, 3600, 86_400].map(stage.instantIn)];
  const shares = [...new Set(draw(0.5))].map(
    (principal): WorldShare => ({
      principal,
      rights: some(random, recordRights, 0.5),
      until: random.pick(moments),
    }),
  );
  return { shares, grants: { read: draw(0.15), edit: draw(0.15), delete: draw(0.1) } };
}

/** What policies ask of a record, of types that have the fields. */
export function drawAsked(
  { random }: Stage,
  { users, groups, roles }: WorldOrganization,
  type: string,
): WorldAsked | undefined {
  if (!askedTypes.has(type)) return undefined;
  const maybe = <Item>(items: readonly Item[]): Item | null => (random.chance(0.4) ? null : random.pick(items));
  return {
    helper: maybe(users),
    crew: maybe(groups),
    duty: maybe(roles),
    level: maybe([0, 1, 2, 3, 4, 5, 6]),
    open: random.chance(0.5),
  };
}

const askedColumns = (asked: WorldAsked | undefined): ColumnValues =>
  asked === undefined
    ? {}
    : {
        helper_id: asked.helper?.id ?? null,
        crew_id: asked.crew?.id ?? null,
        duty_id: asked.duty?.id ?? null,
        level: asked.level === null ? null : String(asked.level),
        is_open: asked.open ? "1" : "0",
      };

const writeAsked = (
  stage: Stage,
  organization: WorldOrganization,
  table: Sql,
  those: readonly { readonly record: WorldRecord }[],
) => {
  const column = (name: string) => those.map(({ record }) => askedColumns(record.asked)[name] ?? null);
  return stage.db.run(sql`
    update ${table} r set helper_id = w.helper::bigint, crew_id = w.crew::bigint, duty_id = w.duty::uuid,
      level = w.level::integer, is_open = w.open::smallint
    from unnest(${those.map(({ record }) => record.id)}::text[], ${column("helper_id")}::text[], ${column("crew_id")}::text[],
      ${column("duty_id")}::text[], ${column("level")}::text[], ${column("is_open")}::text[]) as w(id, helper, crew, duty, level, open)
    where r.organization_id = ${organization.id}::bigint and r.id = w.id::bigint`);
};

/** As the worker does: all records of types of which a policy came to ask something else. */
export async function restamp(stage: Stage, organization: WorldOrganization): Promise<void> {
  const { rows } = await stage.db.run(sql`
    delete from core__computed_work where organization_id = ${organization.id}::bigint returning record_type`);
  const types = new Set(rows.map(([type]) => type));
  const concerned = organization.records.filter(({ type, to }) => types.has(type) && to === undefined);
  await writeRecipes(stage, organization, concerned);
}

/** Gives the records the access sets of what the world says of them. */
export async function writeRecipes(
  stage: Stage,
  organization: WorldOrganization,
  records: readonly WorldRecord[],
): Promise<void> {
  const facts = await readRecordFacts(stage.db, organization.id, true);
  const recipes = records.map(({ type, owner, group, shares, grants, asked }) => {
    const recordType = requireType(stage.snapshot, type);
    return {
      type,
      owner: owner?.id ?? null,
      group: group?.id ?? null,
      shares,
      grants,
      facts: factsOfRow(recordType, factIds(facts, recordType), askedColumns(asked)),
    };
  });
  const aclIds = await internAcl(stage.db, stage.snapshot, organization.id, recipes);
  for (const type of new Set(records.map((record) => record.type))) {
    const those = records.map((record, index) => ({ record, index })).filter(({ record }) => record.type === type);
    const table = ident(requireType(stage.snapshot, type).table);
    const before = await stage.db.rows(sql`
      select acl_id::text as acl_id from ${table}
      where organization_id = ${organization.id}::bigint and id = any(${those.map(({ record }) => record.id)}::bigint[])`);
    await stage.db.run(sql`
      update ${table} r
      set acl_id = w.acl::integer, owned_by = w.owner::bigint, primary_acl_group = w.grp::bigint
      from unnest(${those.map(({ record }) => record.id)}::text[], ${those.map(({ index }) => aclIds[index] ?? null)}::text[],
        ${those.map(({ record }) => record.owner?.id ?? null)}::text[],
        ${those.map(({ record }) => record.group?.id ?? null)}::text[]) as w(id, acl, owner, grp)
      where r.organization_id = ${organization.id}::bigint and r.id = w.id::bigint`);
    if (askedTypes.has(type)) await writeAsked(stage, organization, table, those);
    // As whatever writes records does: live rows are counted by set.
    await recordChanges(stage.db, organization.id, type, [
      ...before.map((row) => ({ aclId: row.acl_id ?? "0", delta: -1 })),
      ...those.map(({ index }) => ({ aclId: aclIds[index] ?? "0", delta: 1 })),
    ]);
    const ids = those.map(({ record }) => record.id);
    await moveFollowers(stage.db, stage.snapshot, organization.id, requireType(stage.snapshot, type), ids);
  }
}
