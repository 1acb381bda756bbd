// Takes a caller and a record type; gives the SQL that decides which rows exist for it and what it may do with each.
// This is the one place where a row's visibility is decided; plans fold it in, handlers never repeat it.
import type { RecordRight } from "../../contract/permissions.ts";
import { ident, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";
import { heldBack, looks, mayOperate, passesSets } from "./matrix.ts";

const never = sql`false`;
const always = sql`true`;

const principalsOf = (caller: Caller): Sql => sql`${caller.principals.map(String)}::integer[]`;

/** Which sets of core__acl_sets carry a right. */
function carries(right: RecordRight, caller: Caller): Sql {
  const principals = principalsOf(caller);
  switch (right) {
    case "read":
      return sql`readers && ${principals}`;
    case "edit":
      return sql`(_acl_edit && ${principals} or _acl_tmp_edit && ${principals})`;
    case "delete":
      return sql`(_acl_delete && ${principals} or _acl_tmp_delete && ${principals})`;
    case "comment":
      return sql`_acl_comment && ${principals}`;
  }
}

/** The type of the record that a set's record is about. */
const ofType = sql`recipe::json #>> '{4,0}'`;

/** The organisation wall: no statement goes without it. */
export function wall(caller: Caller, type: RecordType, alias: string): Sql {
  if (type.scope === "shared") return always;
  return sql`${ident(alias, "organization_id")} = ${caller.organizationId}::bigint`;
}

/**
 * The rows on which the caller holds a right by their ACL. The sets are looked up in the same statement, so a
 * revoked right is gone with the commit that revoked it. The array is computed once per statement, and lets
 * PostgreSQL use (organization_id, acl_id, …) where few sets match.
 */
function byAcl(right: RecordRight, caller: Caller, type: RecordType, alias: string): Sql {
  if (type.scope === "shared")
    return right === "read" ? always : caller.isAdministrator && caller.isOperator ? always : never;
  const sets = (which: Sql): Sql => sql`array(select id from core__acl_sets
    where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key} and ${which})`;
  const aclId = ident(alias, "acl_id");
  if (!passesSets(caller, type)) return sql`${aclId} = any(${sets(carries(right, caller))})`;
  const held = [...heldBack(type)];
  if (held.length === 0) return always;
  const closed = sql`${ofType} = any(${held}::text[]) and ${carries(right, caller)} is not true`;
  return sql`${aclId} <> all(${sets(closed)})`;
}

/** What is attached to a record of a type that the caller's roles do not let it look at is not there either. */
function byRecordType(caller: Caller, type: RecordType, alias: string): Sql {
  if (type.follows === undefined || caller.isAdministrator) return sql``;
  const { rest, except } = looks(caller);
  if (rest && except.length === 0) return sql``;
  const named = sql`${ident(alias, "related_type")} = any(${except}::text[])`;
  return rest ? sql`and not ${named}` : sql`and ${named}`;
}

/** The rows that exist for the caller. */
export const mayRead = (caller: Caller, type: RecordType, alias: string): Sql =>
  sql`(${wall(caller, type, alias)} and ${byAcl("read", caller, type, alias)}${byRecordType(caller, type, alias)})`;

/** The rows on which the caller may do it: the role matrix and the record's ACL must both say so. */
export function may(right: Exclude<RecordRight, "read">, caller: Caller, type: RecordType, alias: string): Sql {
  if (!mayOperate(caller, type, right)) return never;
  return sql`(${wall(caller, type, alias)} and ${byAcl(right, caller, type, alias)})`;
}
