// Takes records of a type and users to notify about them; returns the name of each record for the users who may read it and
// the field that holds its name. Users without an entry are notified without the name.
import { fieldPermission } from "../../access/field-mask.ts";
import { readPerson } from "../../access/read-caller.ts";
import { pairsWhoRead, usersWhoRead } from "../../access/readers.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../hooks.ts";
import { recordNames } from "./record-name.ts";

/** Somebody who is to be told about a record. */
export interface Told {
  readonly id: string;
  readonly userId: string;
}

/** Those of them who may read their record. */
export async function readersAmong(
  { transaction, caller: { organizationId } }: Work,
  type: RecordType,
  told: readonly Told[],
): Promise<readonly Told[]> {
  if (told.length === 0) return [];
  const rows = await transaction.rows(readersOf(organizationId, type, told));
  return rows.map((row) => ({ id: row.record ?? told[0]?.id ?? "", userId: row.id ?? "" }));
}

/** For one person and one record, as for most, the plan is the same whoever it is: it is made once. */
function readersOf(organizationId: string, type: RecordType, told: readonly Told[]): Sql {
  const idType = idTypeOf(type);
  const [first] = told;
  if (first && told.length === 1) {
    return usersWhoRead(organizationId, { type, id: first.id, idType }, sql`u.id = ${first.userId}::bigint`);
  }
  const [records, users] = [told.map(({ id }) => id), told.map(({ userId }) => userId)];
  return pairsWhoRead(organizationId, { type, idType, records, users });
}

export async function namesForReaders(
  work: Work,
  type: RecordType,
  told: readonly Told[],
): Promise<(one: Told) => string | null> {
  const { transaction, caller } = work;
  const readers = await readersAmong(work, type, told);
  if (readers.length === 0) return () => null;
  const names = await recordNames(transaction, type, caller.organizationId, [...new Set(readers.map(({ id }) => id))]);
  const sees = await whoSees(work, type, type.displayField, [...new Set(readers.map(({ userId }) => userId))]);
  const keyOf = ({ id, userId }: Told) => `${id} ${userId}`;
  const named = new Map(
    readers.flatMap((one) => {
      const name = names.get(one.id);
      return name !== undefined && sees.has(one.userId) ? [[keyOf(one), name]] : [];
    }),
  );
  return (one) => named.get(keyOf(one)) ?? null;
}

/** Those of the users from whom the field is not hidden. What is hidden depends on somebody's roles alone: one of those with the same roles speaks for all of them. */
export async function whoSees(
  { transaction, caller: { organizationId, credential } }: Work,
  type: RecordType,
  field: string,
  users: readonly string[],
): Promise<ReadonlySet<string>> {
  if (users.length === 1) return (await isSeenBy(users[0] ?? "")) ? new Set(users) : new Set();
  const rows = await transaction.rows(sql`
    select user_id::text as id, string_agg(role_id::text, ' ' order by access_controls__roles_users.role_id) as roles
    from access_controls__roles_users
    where organization_id = ${organizationId}::bigint and user_id = any(${users}::bigint[]) and deleted = 0
    group by user_id`);
  const rolesOf = new Map(rows.map((row) => [row.id, row.roles ?? ""]));
  const byRoles = new Map<string, boolean>();
  const seeing = new Set<string>();
  for (const userId of users) {
    const roles = rolesOf.get(userId) ?? "";
    const sees = byRoles.get(roles) ?? (await isSeenBy(userId));
    byRoles.set(roles, sees);
    if (sees) seeing.add(userId);
  }
  return seeing;

  async function isSeenBy(userId: string): Promise<boolean> {
    const person = await readPerson(transaction, organizationId, userId);
    return person !== undefined && fieldPermission(type, field, { ...person, credential }, "view") !== 1;
  }
}
