// The statements with which a save reads stored rows: locked until its end, so nobody changes them in between.
import type { Caller } from "../access/caller.ts";
import { may, mayRead, wall } from "../access/visibility.ts";
import { expression, quote, type Sql, sql } from "../database/sql.ts";
import type { OwnedAssociation } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { formPointer } from "./form-pointer.ts";
import { startsIn } from "./workflow-pointer.ts";

const columnList = (columns: readonly string[]): Sql =>
  expression(columns.map((column) => `r.${quote(column)}::text`).join(", "));

export const idTypeOf = (type: RecordType): Sql => expression(type.idKind === "uuid" ? "uuid" : "bigint");

/** The rows with these ids. For one, the plan is the same whichever it is: worth preparing. */
export const isAmongIds = (type: RecordType, ids: readonly string[]): Sql =>
  ids.length === 1 ? sql`r.id = ${ids[0] ?? null}::${idTypeOf(type)}` : sql`r.id = any(${ids}::${idTypeOf(type)}[])`;

const table = (type: RecordType): Sql => expression(quote(type.table));

/**
 * The columns of records, then: may edit, may delete, acl_id, form, workflow to start in, is followed. No row where there is no such record
 * for the caller. Always in the order of their ids, so that two who lock the same ones never wait in a circle.
 */
export function lockRecords(type: RecordType, caller: Caller, ids: readonly string[], columns: readonly string[]): Sql {
  const aclId = type.scope === "shared" ? sql`null::text` : sql`r.acl_id::text`;
  return sql`
    select ${columnList(columns)}, ${may("edit", caller, type, "r", "few")}::integer::text,
      ${may("delete", caller, type, "r", "few")}::integer::text, ${aclId}, ${formPointer(caller, type)}, ${startsIn(caller, type)},
      ${isFollowed(type, caller)}
    from ${table(type)} r
    where ${mayRead(caller, type, "r", "few")} and ${isAmongIds(type, ids)}
    order by r.id for update of r`;
}

/** Asked along with the lock: of most records nobody wants to be told, and a statement of its own would be waited for. */
const isFollowed = (type: RecordType, caller: Caller): Sql =>
  type.scope === "shared"
    ? sql`'0'`
    : sql`exists (
        select from core__follows f where f.organization_id = ${caller.organizationId}::bigint
          and f.record_type = ${type.key} and f.record_id = r.id::text)::integer::text`;

/** What ties children to their parents. */
export const childTie = (association: OwnedAssociation, parent: RecordType, parentIds: readonly string[]): Sql =>
  association.kind === "has-many"
    ? sql`r.${expression(quote(association.via))} = any(${parentIds}::${idTypeOf(parent)}[])`
    : sql`r.related_type = ${parent.key} and r.related_id = any(${parentIds}::text[])`;

/** Live children of a record by their ids: columns, then acl_id. */
export function lockChildren(
  child: RecordType,
  caller: Caller,
  tie: Sql,
  ids: readonly string[],
  columns: readonly string[],
): Sql {
  const aclId = child.scope === "shared" ? sql`null::text` : sql`r.acl_id::text`;
  return sql`
    select ${columnList(columns)}, ${aclId} from ${table(child)} r
    where ${wall(caller, child, "r")} and ${tie} and r.deleted = 0 and ${isAmongIds(child, ids)}
    order by r.id for update of r`;
}
