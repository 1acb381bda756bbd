// Takes a caller and a record type; gives the SQL that decides which rows exist for it and what it may do with each: the
// rule (rule.ts) with the caller filled in. Plans fold it in, handlers never repeat it.
import type { RecordRight } from "../../contract/permissions.ts";
import { expression, ident, join, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { AclView } from "./acl-directory.ts";
import type { Caller } from "./caller.ts";
import { isAmong, isPermitted, looks, type Rule, ruleOf } from "./rule.ts";

const never = sql`false`;
const always = sql`true`;

/** The organization wall: no statement goes without it. */
export function wall(caller: Caller, type: RecordType, alias: string): Sql {
  if (!ruleOf(type, "read").walled) return always;
  return sql`${ident(alias, "organization_id")} = ${caller.organizationId}::bigint`;
}

/** Which sets of core__acl_sets name the caller. */
function naming(rule: Rule, caller: Caller): Sql {
  const principals = sql`${caller.principals.map(String)}::integer[]`;
  const columns = rule.named.map((column) => sql`${expression(column)} && ${principals}`);
  const named = columns.length === 1 ? join(columns) : sql`(${join(columns, " or ")})`;
  if (!rule.looks) return named;
  const { rest, except } = looks(caller);
  if (rest && except.length === 0) return named;
  return rest
    ? sql`${named} and (subjects && ${except}::text[]) is not true`
    : sql`${named} and (subjects <@ ${except}::text[]) is not false`;
}

/**
 * The rows on which the caller holds a right by their access set. The sets are looked up in the same statement, so a
 * revoked right is gone with the commit that revoked it. The array is computed once per statement, and lets
 * PostgreSQL use (organization_id, acl_id, …) where few sets match.
 */
function bySet(rule: Rule, caller: Caller, type: RecordType, alias: string): Sql {
  const sets = (which: Sql): Sql => sql`array(select id from core__acl_sets
    where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key} and ${which})`;
  const aclId = ident(alias, "acl_id");
  if (isAmong(rule.passes, caller)) {
    if (rule.unlessAbout.length === 0) return always;
    // Those that stay closed are few.
    return sql`${aclId} <> all(${sets(sql`subjects && ${rule.unlessAbout}::text[] and (${naming(rule, caller)}) is not true`)})`;
  }
  return rule.named.length === 0 ? never : sql`${aclId} = any(${sets(naming(rule, caller))})`;
}

function granted(right: RecordRight, caller: Caller, type: RecordType, alias: string): Sql {
  const rule = ruleOf(type, right);
  if (rule.operation !== undefined && !isPermitted(caller, type, rule.operation)) return never;
  return sql`(${wall(caller, type, alias)} and ${bySet(rule, caller, type, alias)})`;
}

/** The rows that exist for the caller. */
export const mayRead = (caller: Caller, type: RecordType, alias: string): Sql => granted("read", caller, type, alias);

/** The rows on which the caller may do it: the role matrix and the record's set must both say so. */
export const may = (right: Exclude<RecordRight, "read">, caller: Caller, type: RecordType, alias: string): Sql =>
  granted(right, caller, type, alias);

/** Longer arrays are hashed once instead of searched for every row. */
const MOST_SEARCHED = 64;

/** The rows with one of the caller's sets, as they are kept in memory; none where all may be read. `passing`: not by an index. */
export function amongSets({ readable, readableText }: AclView, alias: string, passing: boolean): Sql[] {
  if (readable === undefined) return [];
  const aclId = ident(alias, "acl_id");
  const sets = sql`${readableText}::integer[]`;
  if (!passing) return [sql`${aclId} = any(${sets})`];
  return [
    readable.size <= MOST_SEARCHED
      ? sql`(${aclId} = any(${sets})) is true`
      : sql`(${aclId} in (select unnest(${sets}))) is true`,
  ];
}
