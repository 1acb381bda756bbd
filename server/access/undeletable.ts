// Takes a caller and a record type; returns the ids of records that cannot be deleted although roles and sets allow it: the
// caller's own user, the last administrator, their role. Only users and roles cost a statement.
import type { Queryable } from "../database/database.ts";
import { expression, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";

const none: ReadonlySet<string> = new Set();

const keptBy: Readonly<Record<string, "user_id" | "role_id">> = {
  "access_controls/users": "user_id",
  "access_controls/roles": "role_id",
};

export async function undeletable(db: Queryable, caller: Caller, type: RecordType): Promise<ReadonlySet<string>> {
  const column = Object.hasOwn(keptBy, type.key) ? keptBy[type.key] : undefined;
  if (column === undefined) return none;
  const organization = sql`${caller.organizationId}::bigint`;
  // Two tell as much as all: only the last one is kept.
  const rows = await db.rows(sql`
    select distinct m.${expression(column)}::text as id from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${organization} and r.id = m.role_id and r.deleted = 0
      and r.is_administrator = 1
    join access_controls__users u on u.organization_id = ${organization} and u.id = m.user_id and u.deleted = 0
      and u.is_active = 1
    where m.organization_id = ${organization} and m.deleted = 0 limit 2`);
  const last = rows.length === 1 ? (rows[0]?.id ?? "") : "";
  return new Set([...(column === "user_id" ? [caller.userId] : []), ...(last === "" ? [] : [last])]);
}
