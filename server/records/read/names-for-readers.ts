// Takes a record and users who are to be told about it; gives what it is called, for those of them who may read the record
// and the field that holds its name. Whoever has no entry is told without the name.
import { fieldPermission } from "../../access/field-mask.ts";
import { readPerson } from "../../access/read-caller.ts";
import { usersWhoRead } from "../../access/readers.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../hooks.ts";
import { recordName } from "./record-name.ts";

export async function namesForReaders(
  { transaction, caller: { organizationId, credential } }: Work,
  { type, id }: { readonly type: RecordType; readonly id: string },
  users: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (users.length === 0) return new Map();
  const record = { type, id, idType: idTypeOf(type) };
  const [first, ...more] = users;
  // For one, as for most, the plan is the same whoever it is: it is made once.
  const which = more.length === 0 ? sql`u.id = ${first ?? null}::bigint` : sql`u.id = any(${users}::bigint[])`;
  const readers = await transaction.rows(usersWhoRead(organizationId, record, which));
  const name = await recordName(transaction, type, organizationId, id);
  if (name === null || readers.length === 0) return new Map();
  // What is hidden depends on somebody's roles alone: one of those with the same roles speaks for all of them.
  const rows = await transaction.rows(sql`
    select user_id::text as id, string_agg(role_id::text, ' ' order by role_id) as roles
    from access_controls__roles_users
    where organization_id = ${organizationId}::bigint and user_id = any(${readers.map((row) => row.id ?? "")}::bigint[])
      and deleted = 0
    group by user_id`);
  const rolesOf = new Map(rows.map((row) => [row.id, row.roles ?? ""]));
  const sees = new Map<string, boolean>();
  const named = new Map<string, string>();
  for (const { id: userId } of readers) {
    if (userId == null) continue;
    const roles = rolesOf.get(userId) ?? "";
    let visible = sees.get(roles);
    if (visible === undefined) {
      const person = await readPerson(transaction, organizationId, userId);
      const reader = person && { ...person, credential };
      visible = reader !== undefined && fieldPermission(type, type.displayField, reader, "view") !== 1;
      sees.set(roles, visible);
    }
    if (visible) named.set(userId, name);
  }
  return named;
}
