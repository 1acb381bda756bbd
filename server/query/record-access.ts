// The statements that show who has access to a record: the record itself, its recipe, its shares, and the users and groups
// that it can be shared with.
import type { Caller } from "../access/caller.ts";
import { may, mayRead } from "../access/visibility.ts";
import { ident, join, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { idTypeOf } from "./lock-rows.ts";

/** acl_id, is_edit, is_delete and deleted of a record that exists for the caller, be it in the recycle bin. */
export const rightsOfRecord = (caller: Caller, type: RecordType, id: string): Sql => sql`
  select ${type.scope === "shared" ? sql`null` : sql`r.acl_id::text`} as acl_id, r.deleted::text as deleted,
    ${may("edit", caller, type, "r", "few")}::integer::text as is_edit,
    ${may("delete", caller, type, "r", "few")}::integer::text as is_delete
  from ${ident(type.table)} r where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::${idTypeOf(type)}`;

export const recipeOfSet = (organizationId: string, aclId: string): Sql => sql`
  select recipe from core__acl_sets where organization_id = ${organizationId}::bigint and id = ${aclId}::integer`;

/** What was shared by hand. */
export const sharesOfRecord = (organizationId: string, type: RecordType, id: string): Sql => sql`
  select id::text as id, principal_id::text as principal_id, array_to_string(rights, ';') as rights, until::text as until
  from access_controls__shares s
  where organization_id = ${organizationId}::bigint and related_type = ${type.key} and related_id = ${id} and deleted = 0
  order by s.id`;

/** Of each kind, those whom the caller may read and whose name holds the text. */
export const principalsNamed = (
  caller: Caller,
  kinds: readonly (readonly [kind: string, type: RecordType])[],
  text: string,
  most: number,
): Sql => {
  const parts = kinds.map(
    ([kind, type]) => sql`
      select ${kind}::text as kind, r.name, r.principal_id::text as principal_id, r.id::text as id
      from ${ident(type.table)} r
      where ${mayRead(caller, type, "r")} and r.deleted = 0 and strpos(dossier_fold(r.name), dossier_fold(${text})) > 0`,
  );
  return sql`select * from (${join(parts, " union all ")}) as found order by name limit ${most}::bigint`;
};
