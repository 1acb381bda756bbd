// Takes a person's facts and password hash; writes the user, its principal, its unique name and its roles.
// Call within a transaction; the caller of this has already decided that it may be done.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { settleComputed } from "../records/computed/settle.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { insertRows } from "../records/save/insert-rows.ts";

export interface NewUser {
  readonly userName: string;
  readonly firstName: string | null;
  readonly lastName: string;
  readonly roleIds: readonly string[];
  /** Undefined: cannot log in by password yet. */
  readonly passwordHash?: string | undefined;
  /** Further columns, already parsed. */
  readonly columns?: ColumnValues;
}

export const USER_NAME = /^[A-Za-z0-9._@+-]{3,64}$/;

export async function nextPrincipals(transaction: Queryable, count: number): Promise<string[]> {
  const made = await transaction.run(
    sql`select nextval('principal_ids')::text from generate_series(1, ${count}::integer)`,
  );
  return made.rows.map(([id]) => id ?? "");
}

export async function createUser(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  user: NewUser,
): Promise<string> {
  const type = requireType(snapshot, "access_controls/users");
  // The id is taken first: a user owns its own record.
  const next = await transaction.row(
    sql`select nextval(pg_get_serial_sequence('access_controls__users', 'id'))::text as id`,
  );
  const id = user.columns?.id ?? next?.id ?? "";
  const taken = await transaction.run(sql`
    insert into access_controls__user_names (user_name, organization_id, user_id)
    values (${user.userName.toLowerCase()}, ${organizationId}::bigint, ${id}::bigint) on conflict do nothing`);
  if (taken.count === 0) {
    throw new Failure("conflict", {
      with: { reason: say("user_name_taken", { name: user.userName }) },
      byField: { "users.user_name": [say("taken", { field: say("user_name") })] },
    });
  }
  const [principal = ""] = await nextPrincipals(transaction, 1);
  await insertRows(transaction, snapshot, type, organizationId, [
    {
      user_name: user.userName,
      first_name: user.firstName,
      last_name: user.lastName,
      name: [user.firstName, user.lastName].filter(Boolean).join(" "),
      is_active: "1",
      time_zone: "UTC",
      locale: "en-US",
      hour_format: "24",
      theme: "default/auto",
      created_by: id,
      modified_by: id,
      owned_by: id,
      ...user.columns,
      id,
      principal_id: principal,
    },
  ]);
  if (user.passwordHash !== undefined) await setSecret(transaction, organizationId, "password", id, user.passwordHash);
  await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "access_controls/roles_users"),
    organizationId,
    user.roleIds.map((roleId) => ({ role_id: roleId, user_id: id, created_by: id, modified_by: id })),
  );
  await settleComputed({ transaction, snapshot, organizationId });
  return id;
}

export async function setSecret(
  db: Queryable,
  organizationId: string,
  kind: "password" | "api-key" | "feed-link",
  subject: string,
  hash: string,
): Promise<void> {
  await db.run(sql`
    insert into access_controls__secrets (organization_id, kind, subject, hash, changed)
    values (${organizationId}::bigint, ${kind}, ${subject}, ${hash}, now() at time zone 'utc')
    on conflict (organization_id, kind, subject) do update set hash = excluded.hash, changed = excluded.changed`);
}
