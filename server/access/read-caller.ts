// Takes a user's id; gives the Caller: its principals through groups within groups, its roles with their matrices and
// field overrides, in one statement. Undefined when the user cannot act (unknown, deleted, deactivated).

import { z } from "zod";
import type { MatrixOperation, Permission } from "../../contract/permissions.ts";
import { languageOf } from "../../contract/texts/write.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { glossaryVersion, readGlossary } from "../labels/glossary.ts";
import { accessPolicySchema } from "../metadata/definition-schema.ts";
import { type Caller, type CallerRole, EVERYONE } from "./caller.ts";
import { formRightsSchema, hiddenByForm } from "./hidden-by-form.ts";

const rolesSchema = z.array(
  z.object({
    id: z.string(),
    code: z.string(),
    principal: z.number(),
    isAdministrator: z.boolean(),
    operations: z.array(z.object({ type: z.string(), allowed: z.array(z.string()) })),
    fields: z.array(z.object({ type: z.string(), field: z.string(), permission: z.string().nullable() })),
  }),
);
const formsSchema = z.record(z.string(), formRightsSchema);
const policiesSchema = z.record(z.string(), accessPolicySchema);

export type Person = Omit<Caller, "credential" | "limits">;

export async function readPerson(db: Queryable, organizationId: string, userId: string): Promise<Person | undefined> {
  const org = sql`${organizationId}::bigint`;
  const user = await db.row(sql`
    with recursive within(id) as (
      select m.group_id from access_controls__group_members m
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.group_id and g.deleted = 0
      where m.organization_id = ${org} and m.user_id = ${userId}::bigint and m.deleted = 0
      union
      select m.group_id from within
      join access_controls__group_members m on m.organization_id = ${org} and m.member_group_id = within.id and m.deleted = 0
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.group_id and g.deleted = 0
    ), role as (
      select r.id, r.code, r.is_administrator, r.principal_id from access_controls__roles_users m
      join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.deleted = 0
      where m.organization_id = ${org} and m.user_id = ${userId}::bigint and m.deleted = 0
    )
    select u.user_name, u.name, u.locale, u.time_zone, u.principal_id, o.name as organization_name, o.currency_id,
      o.is_operator, o.locale as organization_locale,
      o.principal_id as organization_principal, ${glossaryVersion(org)} as glossary,
      (select min(m.group_id)::text from access_controls__group_members m
        join access_controls__groups g on g.organization_id = ${org} and g.id = m.group_id and g.deleted = 0
        where m.organization_id = ${org} and m.user_id = ${userId}::bigint and m.deleted = 0) as group_id,
      (select string_agg(g.principal_id::text, ' ') from within
        join access_controls__groups g on g.organization_id = ${org} and g.id = within.id) as group_principals,
      (select json_agg(json_build_object('id', role.id, 'code', coalesce(role.code, ''), 'principal', role.principal_id,
        'isAdministrator', role.is_administrator = 1,
        'operations', array(
          select json_build_object('type', coalesce(p.record_type, ''), 'allowed', coalesce(p.operations, '{}')) from access_controls__role_operations p
          where p.organization_id = ${org} and p.role_id = role.id and p.deleted = 0),
        'fields', array(
          select json_build_object('type', coalesce(f.record_type, ''), 'field', coalesce(f.field, ''), 'permission', f.permission::text)
          from access_controls__role_fields f
          where f.organization_id = ${org} and f.role_id = role.id and f.deleted = 0))) from role) as roles,
      (select json_object_agg(p.record_type, p.policy) from access_controls__policies p
        where p.organization_id = ${org} and p.deleted = 0 and p.record_type is not null) as policies,
      (select json_object_agg(form.controller, form.definition) from (
        select distinct on (controller) controller, definition from core__forms
        where organization_id = ${org} and is_default = 1 and deleted = 0
          and not exists (select from role where role.is_administrator = 1)
        order by controller, modified desc, id desc) form) as forms
    from access_controls__users u
    join access_controls__organizations o on o.organization_id = ${org} and o.id = u.organization_id and o.deleted = 0
    where u.organization_id = ${org} and u.id = ${userId}::bigint and u.deleted = 0 and u.is_active = 1`);
  if (!user) return undefined;
  const stored = storedJson(rolesSchema, user.roles ?? "[]", "the roles of a user");
  const roles = stored.map(({ id, code, isAdministrator, operations, fields }): CallerRole => {
    const ofType = new Map<string, Map<string, Permission>>();
    for (const { type, field, permission } of fields) {
      const known = ofType.get(type) ?? new Map<string, Permission>();
      ofType.set(type, known.set(field, asPermission(permission)));
    }
    // The choice field admits the matrix operations only.
    const allowed = operations.map((one) => [one.type, new Set(one.allowed as MatrixOperation[])] as const);
    return { id, code, isAdministrator, operations: new Map(allowed), fields: ofType };
  });
  const ownLanguage = languageOf(user.locale);
  const glossary = await readGlossary(db, organizationId, user.glossary);
  const isAdministrator = roles.some((role) => role.isAdministrator);
  const codes = roles.map((role) => role.code);
  const principals = [
    EVERYONE,
    Number(user.principal_id),
    Number(user.organization_principal),
    ...stored.map((role) => role.principal),
    ...(user.group_principals ?? "").split(" ").filter(Boolean).map(Number),
  ];
  return {
    userId,
    userName: user.user_name ?? "",
    groupId: user.group_id ?? null,
    fullName: user.name ?? user.user_name ?? "",
    organizationId,
    organizationName: user.organization_name ?? "",
    currencyId: user.currency_id ?? null,
    isOperator: user.is_operator === "1",
    isAdministrator,
    principals: [...new Set(principals)].sort((a, b) => a - b),
    roles,
    // Whoever designs forms must see what they hide: of administrators none are read.
    hiddenByForms: new Map(
      Object.entries(storedJson(formsSchema, user.forms ?? "{}", "core__forms.definition")).map(
        ([controller, form]) => [controller, hiddenByForm(form, codes)],
      ),
    ),
    policies: new Map(
      Object.entries(storedJson(policiesSchema, user.policies ?? "{}", "access_controls__policies.policy")).map(
        ([type, { read }]) => [type, read],
      ),
    ),
    locale: user.locale ?? user.organization_locale ?? "en-US",
    language: ownLanguage ?? languageOf(user.organization_locale) ?? "en",
    ownLanguage,
    glossary,
    timeZone: user.time_zone ?? "UTC",
  };
}

/** Anything but a known number hides: a broken row must not open a field. */
function asPermission(text: string | null | undefined): Permission {
  return text === "0" ? 0 : text === "2" ? 2 : text === "4" ? 4 : 1;
}

/** The same caller with the rights of this moment; undefined where it is no longer one. */
export async function readAgain(
  db: Queryable,
  { organizationId, userId, credential, limits }: Caller,
): Promise<Caller | undefined> {
  const person = await readPerson(db, organizationId, userId);
  return person && { ...person, credential, limits };
}

/** Somebody for whom the service acts without a request of theirs, with the rights of this moment. */
export async function readCaller(db: Queryable, organizationId: string, userId: string): Promise<Caller | undefined> {
  const person = await readPerson(db, organizationId, userId);
  return person && { ...person, credential: { kind: "job", jobId: "0" } };
}
