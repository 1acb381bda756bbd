// Takes a database and an organization; gives its design as it is: record types and extensions of the installation, and the
// organization's roles, policies, forms, workflows, shared views and navigation. Never holds a password, a key or a person's data.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { standardRoles } from "../modules/access_controls/standard-roles.ts";
import { modulesOf } from "../modules/development_base/menu-data.ts";
import { builtInTypes } from "../modules/index.ts";
import { type Content, type DesignItem, isSameJson, type Json, sortedJson } from "./design.ts";
import { readNavigation } from "./navigation/read-navigation.ts";
import { type PeopleNames, readPeopleNames, withNames } from "./people-names.ts";
import { readTranslations } from "./translations/read-translations.ts";

export interface StoredItem extends DesignItem {
  /** The record that it is here. */
  readonly id: string | undefined;
  /** What it answers to where its key is unknown. */
  readonly natural: string | undefined;
  /** As the service came with it: nobody's design, and nobody's to take away. */
  readonly isShipped: boolean;
  readonly isDeleted: boolean;
}

export interface Stored {
  readonly items: readonly StoredItem[];
  readonly people: PeopleNames;
}

const shippedKeys: ReadonlySet<string> = new Set(
  builtInTypes.map(({ module, controller }) => `${module}/${controller}`),
);

/** What belongs to one database is left out: identity, versions, who and when. */
export async function readStored(db: Queryable, snapshot: Snapshot, organizationId: string): Promise<Stored> {
  const people = await readPeopleNames(db, organizationId);
  const items = [
    ...(await readTypes(db)),
    ...(await readRoles(db, organizationId)),
    ...(await readPolicies(db, organizationId)),
    ...(await readDocuments(db, organizationId, people)),
    ...(await readViews(db, organizationId, people)),
    ...(await readModules(db, snapshot)),
    ...(await readTranslations(db, organizationId)),
  ];
  return { items, people };
}

const there = { id: undefined, natural: undefined, isShipped: false, isDeleted: false } as const;
const parsed = (text: string | null | undefined): Json => sortedJson(JSON.parse(text ?? "null"));
const object = (value: Json): Content =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Content) : {};
const flag = (text: string | null | undefined): boolean => text === "1";
const whole = (name: string, text: string | null | undefined): Content =>
  text == null || text === "0" ? {} : { [name]: Number(text) };
const said = (name: string, text: string | null | undefined): Content =>
  text == null || text === "" ? {} : { [name]: text };

async function readTypes(db: Queryable): Promise<StoredItem[]> {
  const rows = await db.rows(sql`select key, definition::text as definition from metadata__record_types order by key`);
  return rows.flatMap(({ key, definition }): StoredItem[] => {
    const content = object(parsed(definition));
    if (!shippedKeys.has(key ?? "")) return [{ ...there, kind: "record_types", key: key ?? "", content }];
    const { extends: _, ...rest } = content;
    const says = Object.values(rest).some((one) =>
      typeof one === "object" && one !== null ? Object.keys(one).length > 0 : one !== null,
    );
    return says ? [{ ...there, kind: "extensions", key: key ?? "", content }] : [];
  });
}

async function readRoles(db: Queryable, organizationId: string): Promise<StoredItem[]> {
  const org = sql`${organizationId}::bigint`;
  const rows = await db.rows(sql`
    select r.id::text as id, r.code, r.name, r.description, r.is_administrator::text as is_administrator,
      r.is_signup_role::text as is_signup_role, r.deleted::text as deleted,
      (select json_object_agg(p.record_type, p.operations) from access_controls__role_operations p
        where p.organization_id = ${org} and p.role_id = r.id and p.deleted = 0)::text as operations,
      (select json_object_agg(f.record_type, f.fields) from (
        select record_type, json_object_agg(field, permission) as fields from access_controls__role_fields
        where organization_id = ${org} and role_id = r.id and deleted = 0 group by record_type) f)::text as fields
    from access_controls__roles r where r.organization_id = ${org} and r.code is not null order by r.code, r.id`);
  return rows.map((row): StoredItem => {
    const operations = Object.entries(object(parsed(row.operations))).map(([type, list]) => [
      type,
      Array.isArray(list) ? [...(list as readonly Json[])].map(String).sort() : [],
    ]);
    const content = rolesContent({
      code: row.code ?? "",
      name: row.name ?? "",
      description: row.description,
      isAdministrator: flag(row.is_administrator),
      isSignupRole: flag(row.is_signup_role),
      operations: Object.fromEntries(operations),
      fields: object(parsed(row.fields)),
    });
    const isShipped = shippedRoles.some((role) => isSameJson(role, content));
    return {
      ...there,
      kind: "roles",
      key: row.code ?? "",
      id: row.id ?? "",
      content,
      isShipped,
      isDeleted: flag(row.deleted),
    };
  });
}

interface RoleParts {
  readonly code: string;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly isAdministrator: boolean;
  readonly isSignupRole: boolean;
  readonly operations: Content;
  readonly fields: Content;
}

const rolesContent = ({
  code,
  name,
  description,
  isAdministrator,
  isSignupRole,
  operations,
  fields,
}: RoleParts): Content => ({
  code,
  name,
  ...said("description", description),
  ...(isAdministrator ? { is_administrator: true } : {}),
  ...(isSignupRole ? { is_signup_role: true } : {}),
  operations,
  ...(Object.keys(fields).length === 0 ? {} : { fields }),
});

const shippedRoles: readonly Content[] = standardRoles.map((role) =>
  rolesContent({
    ...role,
    isAdministrator: role.isAdministrator ?? false,
    isSignupRole: role.isSignupRole ?? false,
    operations: Object.fromEntries(Object.entries(role.operations).map(([type, list]) => [type, [...list].sort()])),
    fields: object(sortedJson(role.fields ?? {})),
  }),
);

async function readPolicies(db: Queryable, organizationId: string): Promise<StoredItem[]> {
  const rows = await db.rows(sql`
    select id::text as id, record_type, policy::text as policy, deleted::text as deleted from access_controls__policies p
    where organization_id = ${organizationId}::bigint and record_type is not null order by record_type, p.deleted, p.id`);
  return rows.map(({ id, record_type: key, policy, deleted }) => ({
    ...there,
    kind: "policies",
    key: key ?? "",
    id: id ?? "",
    content: { record_type: key ?? "", policy: parsed(policy) },
    isDeleted: flag(deleted),
  }));
}

async function readDocuments(db: Queryable, organizationId: string, people: PeopleNames): Promise<StoredItem[]> {
  const org = sql`${organizationId}::bigint`;
  const rows = await db.rows(sql`
    select 'forms' as kind, id, controller, name, definition::text as definition, is_default::text as is_on,
      description, (revision = 1 and created_by is null)::integer::text as shipped, deleted::text as deleted
    from core__forms where organization_id = ${org} and controller is not null and name is not null
    union all
    select 'workflows', id, controller, name, definition::text, is_active::text,
      description, (revision = 1 and created_by is null)::integer::text, deleted::text
    from core__workflows where organization_id = ${org} and controller is not null and name is not null
    order by 1, 3, 4, 2`);
  return rows.map((row): StoredItem => {
    const kind = row.kind === "forms" ? "forms" : "workflows";
    const content = {
      id: row.id ?? "",
      controller: row.controller ?? "",
      name: row.name ?? "",
      definition: withNames(parsed(row.definition), people),
      [kind === "forms" ? "is_default" : "is_active"]: flag(row.is_on),
      ...said("description", row.description),
    };
    return { ...namedItem(row), kind, content };
  });
}

const namedItem = (row: Readonly<Record<string, string | null>>) => ({
  key: row.id ?? "",
  id: row.id ?? "",
  natural: `${row.controller} ${row.name}`,
  isShipped: flag(row.shipped),
  isDeleted: flag(row.deleted),
});

async function readViews(db: Queryable, organizationId: string, people: PeopleNames): Promise<StoredItem[]> {
  const org = sql`${organizationId}::bigint`;
  const rows = await db.rows(sql`
    select v.id::text as id, v.controller, v.name, v.query::text as query, v.sequence::text as sequence,
      v.is_default::text as is_default, v.is_pinned::text as is_pinned, v.dashboard_sequence::text as dashboard_sequence,
      v.description, c.name as category, (v.revision = 1 and v.created_by is null)::integer::text as shipped,
      v.deleted::text as deleted
    from core__listviews v
    left join core__categories c on c.organization_id = ${org} and c.id = v.category_id and c.deleted = 0
    where v.organization_id = ${org} and v.is_personal is distinct from 1 and v.controller is not null and v.name is not null
    order by v.controller, v.sequence, v.name, v.id`);
  return rows.map(
    (row): StoredItem => ({
      ...namedItem(row),
      kind: "views",
      content: {
        id: row.id ?? "",
        controller: row.controller ?? "",
        name: row.name ?? "",
        query: withNames(parsed(row.query), people),
        ...said("category", row.category),
        ...whole("sequence", row.sequence),
        is_default: flag(row.is_default),
        ...(flag(row.is_pinned) ? { is_pinned: true } : {}),
        ...whole("dashboard_sequence", row.dashboard_sequence),
        ...said("description", row.description),
      },
    }),
  );
}

async function readModules(db: Queryable, snapshot: Snapshot): Promise<StoredItem[]> {
  const [{ modules, entries }, touched] = [await readNavigation(db, snapshot), await touchedModules(db)];
  const ofTypes = new Set(modulesOf(snapshot).map(({ name }) => name));
  return modules.map((module): StoredItem => {
    const own = entries.filter(
      (entry) => entry.module === module.name && !entry.isDeleted && (entry.isLink || entry.type !== undefined),
    );
    const content = {
      name: module.name,
      label: module.label,
      icon: module.icon,
      is_active: module.isActive,
      hidden_for: module.hiddenFor,
      ...whole("position", module.sequence),
      entries: own.map(({ key, label, url, icon, isActive, hiddenFor }) => ({
        key,
        label,
        url,
        icon,
        is_active: isActive,
        hidden_for: hiddenFor,
      })),
    };
    // A link, and a module that no record type is in, were added by somebody.
    const isAdded = !ofTypes.has(module.name) || own.some(({ isLink }) => isLink);
    const isShipped = !isAdded && !touched.has(module.name);
    return { ...there, kind: "navigation", key: module.name, content, isShipped };
  });
}

/** Modules that somebody arranged. */
async function touchedModules(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql`
    select name from development_base__modules where revision > 1 and deleted = 0
    union select module from development_base__menus where revision > 1 and deleted = 0`);
  return new Set(rows.map(({ name }) => name ?? ""));
}
