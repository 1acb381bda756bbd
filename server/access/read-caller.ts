// Takes a user's id; gives the Caller: its principals through groups within groups, its roles with their matrices and
// field overrides. Undefined when the user cannot act (unknown, deleted, deactivated).

import type { MatrixOperation, Permission } from "../../contract/permissions.ts";
import { languageOf } from "../../contract/texts/write.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { type Caller, type CallerRole, EVERYONE } from "./caller.ts";
import { formRightsSchema, hiddenByForm } from "./hidden-by-form.ts";

export type Person = Omit<Caller, "credential">;

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
    )
    select u.user_name, u.name, u.locale, u.time_zone, u.principal_id, o.name as organization_name, o.currency_id,
      o.is_operator, o.locale as organization_locale,
      o.principal_id as organization_principal,
      (select string_agg(g.principal_id::text, ' ') from within
        join access_controls__groups g on g.organization_id = ${org} and g.id = within.id) as group_principals
    from access_controls__users u
    join access_controls__organizations o on o.organization_id = ${org} and o.id = u.organization_id and o.deleted = 0
    where u.organization_id = ${org} and u.id = ${userId}::bigint and u.deleted = 0 and u.is_active = 1`);
  if (!user) return undefined;
  const roleRows = await db.rows(sql`
    select r.id, r.code, r.is_administrator, r.principal_id
    from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.deleted = 0
    where m.organization_id = ${org} and m.user_id = ${userId}::bigint and m.deleted = 0`);
  const roleIds = roleRows.map((row) => row.id ?? "");
  const operationRows = await db.rows(sql`
    select role_id, record_type, array_to_string(operations, ' ') as operations
    from access_controls__role_operations
    where organization_id = ${org} and role_id = any(${roleIds}::uuid[]) and deleted = 0`);
  const fieldRows = await db.rows(sql`
    select role_id, record_type, field, permission from access_controls__role_fields
    where organization_id = ${org} and role_id = any(${roleIds}::uuid[]) and deleted = 0`);

  const roles = roleRows.map((row): CallerRole => {
    const operations = new Map<string, Set<MatrixOperation>>();
    for (const entry of operationRows) {
      if (entry.role_id !== row.id) continue;
      // The choice field admits the matrix operations only.
      const allowed = (entry.operations ?? "").split(" ").filter(Boolean) as MatrixOperation[];
      operations.set(entry.record_type ?? "", new Set(allowed));
    }
    const fields = new Map<string, Map<string, Permission>>();
    for (const entry of fieldRows) {
      if (entry.role_id !== row.id) continue;
      const ofType = fields.get(entry.record_type ?? "") ?? new Map<string, Permission>();
      ofType.set(entry.field ?? "", asPermission(entry.permission));
      fields.set(entry.record_type ?? "", ofType);
    }
    return {
      id: row.id ?? "",
      code: row.code ?? "",
      isAdministrator: row.is_administrator === "1",
      operations,
      fields,
    };
  });
  const ownLanguage = languageOf(user.locale);
  const isAdministrator = roles.some((role) => role.isAdministrator);
  const codes = roles.map((role) => role.code);
  // Whoever designs forms must see what they hide.
  const formRows = isAdministrator
    ? []
    : await db.rows(sql`
        select distinct on (controller) controller, definition from core__forms
        where organization_id = ${org} and is_default = 1 and deleted = 0
        order by controller, modified desc, id desc`);
  const principals = [
    EVERYONE,
    Number(user.principal_id),
    Number(user.organization_principal),
    ...roleRows.map((row) => Number(row.principal_id)),
    ...(user.group_principals ?? "").split(" ").filter(Boolean).map(Number),
  ];
  return {
    userId,
    userName: user.user_name ?? "",
    fullName: user.name ?? user.user_name ?? "",
    organizationId,
    organizationName: user.organization_name ?? "",
    currencyId: user.currency_id ?? null,
    isOperator: user.is_operator === "1",
    isAdministrator,
    principals: [...new Set(principals)].sort((a, b) => a - b),
    roles,
    hiddenByForms: new Map(
      formRows.map((row) => [
        row.controller ?? "",
        hiddenByForm(storedJson(formRightsSchema, row.definition, "core__forms.definition"), codes),
      ]),
    ),
    locale: user.locale ?? user.organization_locale ?? "en-US",
    language: ownLanguage ?? languageOf(user.organization_locale) ?? "en",
    ownLanguage,
    timeZone: user.time_zone ?? "UTC",
  };
}

/** Anything but a known number hides: a broken row must not open a field. */
function asPermission(text: string | null | undefined): Permission {
  return text === "0" ? 0 : text === "2" ? 2 : text === "4" ? 4 : 1;
}
