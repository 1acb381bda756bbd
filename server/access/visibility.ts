// Takes a caller and a record type; returns the SQL for which rows the caller can read and what it may do with each: the
// rule (rule.ts) with the caller filled in. Plans include it; handlers never repeat it.
import type { RecordRight } from "../../contract/permissions.ts";
import { expression, ident, join, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { AclView } from "./acl-directory.ts";
import type { Caller } from "./caller.ts";
import { reachOf, typesAllowed } from "./keys/limits.ts";
import { isAmong, isPermitted, limitedSubjects, lookingOperations, looks, type Rule, ruleOf } from "./rule.ts";

/** What is given where no row may be. */
export const never = sql`false`;
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
  if (rule.needs.length === 0) return named;
  const open = withSubjects(looks(caller, rule.needs));
  return open === undefined ? named : sql`${named} and ${open}`;
}

/** The sets that are about records of these types alone; undefined: all. */
function withSubjects({ rest, except }: ReturnType<typeof looks>): Sql | undefined {
  if (rest && except.length === 0) return undefined;
  return rest ? sql`(subjects && ${except}::text[]) is not true` : sql`(subjects <@ ${except}::text[]) is not false`;
}

/**
 * How many rows a statement asks about. `many`: all sets that hold are gathered once, which lets PostgreSQL use
 * (organization_id, acl_id, …) where they are few. `few`: rows that are named, by their ids or by what they are attached
 * to; each one's own set is looked up, however many sets the organization has.
 */
export type Rows = "many" | "few";

/** Whether a row's access set is one of `which`. Looked up in the same statement: a revoked right is gone with its commit. */
function isInSet(which: Sql, rows: Rows, caller: Caller, type: RecordType, alias: string): Sql {
  const sets = sql`core__acl_sets where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key}`;
  const aclId = ident(alias, "acl_id");
  return rows === "many"
    ? sql`${aclId} = any(array(select id from ${sets} and ${which}))`
    : sql`(select ${which} from ${sets} and id = ${aclId}) is true`;
}

/** The rows on which the caller holds a right by their access set. */
function bySet(rule: Rule, rows: Rows, caller: Caller, type: RecordType, alias: string): Sql {
  const passes = isAmong(rule.passes, caller);
  if (passes && rule.unlessAbout.length === 0) return always;
  if (rule.named.length === 0) return never;
  const named = naming(rule, caller);
  if (!passes) return isInSet(named, rows, caller, type, alias);
  // Those that stay closed are few.
  const closed = sql`subjects && ${rule.unlessAbout}::text[] and (${named}) is not true`;
  return sql`not ${isInSet(closed, rows, caller, type, alias)}`;
}

function granted(right: RecordRight, rows: Rows, caller: Caller, type: RecordType, alias: string): Sql {
  const rule = ruleOf(type, right);
  if (rule.operation !== undefined && !isPermitted(caller, type, rule.operation)) return never;
  const held = sql`${wall(caller, type, alias)} and ${bySet(rule, rows, caller, type, alias)}`;
  if (caller.limits === undefined) return sql`(${held})`;
  const within = withinLimits(rule, rows, caller, type, alias);
  return within === never ? never : sql`(${held} and ${within})`;
}

/** The rows that the limits of the caller's key leave. */
function withinLimits(rule: Rule, rows: Rows, caller: Caller, type: RecordType, alias: string): Sql {
  switch (reachOf(caller, type)) {
    case "all":
      return always;
    case "none":
      return never;
    case "about": {
      const { rest, except } = typesAllowed(caller, lookingOperations);
      const among = sql`${ident(alias, type.about?.field ?? "id")}::text = any(${except}::text[])`;
      return rest ? sql`(${among}) is not true` : among;
    }
    case "subjects": {
      const among = limitedSubjects(caller, type, rule);
      const open = among && withSubjects(among);
      return open === undefined ? always : isInSet(open, rows, caller, type, alias);
    }
  }
}

/** The rows that exist for the caller. */
export const mayRead = (caller: Caller, type: RecordType, alias: string, rows: Rows = "many"): Sql =>
  granted("read", rows, caller, type, alias);

/** The rows on which the caller may do it: the role matrix and the record's set must both say so. */
export const may = (
  right: Exclude<RecordRight, "read">,
  caller: Caller,
  type: RecordType,
  alias: string,
  rows: Rows = "many",
): Sql => granted(right, rows, caller, type, alias);

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
