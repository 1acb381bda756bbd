// What people sign in with: their user name, or a confirmed email address that no other active user has.
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { networkOf } from "../lib/network.ts";

/** Addresses of active users that are confirmed now. */
const confirmed = (email: string): Sql => sql`
  from access_controls__login_emails l
  join access_controls__users u on u.organization_id = l.organization_id and u.id = l.user_id and u.deleted = 0 and u.is_active = 1
  where l.email = ${email} and exists (
    select 1 from core__email_addresses e
    where e.organization_id = l.organization_id and e.related_type = 'access_controls/users' and e.related_id = u.id::text
      and lower(e.email) = ${email} and e.is_confirmed = 1 and e.deleted = 0)`;

export interface LoginAccount {
  readonly organizationId: string;
  readonly userId: string;
  /** In lower case: guesses by name and by address count to the same throttle. */
  readonly userName: string;
}

/**
 * The accounts that what was sent stands for: the one of that user name, then the only one with that confirmed address.
 * They differ where a name looks like somebody else's address: neither of the two is kept out, each by their own
 * password. One statement whatever is sent: its cost does not tell.
 */
export async function findAccounts(db: Queryable, sent: string): Promise<readonly LoginAccount[]> {
  const name = sent.trim().toLowerCase();
  const rows = await db.rows<{ organization_id: string; user_id: string; user_name: string }>(sql`
    select organization_id, user_id, user_name from (
      select 1 as place, organization_id, user_id, user_name from access_controls__user_names where user_name = ${name}
      union all
      select 2, min(l.organization_id), min(u.id), min(lower(u.user_name)) ${confirmed(name)} having count(*) = 1
    ) as found order by place`);
  const [first, ...others] = rows;
  return [first, ...others.filter((row) => row.user_name !== first?.user_name)].flatMap((row) =>
    row ? [{ organizationId: row.organization_id, userId: row.user_id, userName: row.user_name }] : [],
  );
}

const SESSIONS_LOOKED_AT = 100;

/** Whether one of these has signed in from the same network before. */
export async function hasSignedInFrom(
  db: Queryable,
  accounts: readonly LoginAccount[],
  address: string,
): Promise<boolean> {
  const network = networkOf(address);
  for (const { organizationId, userId } of accounts) {
    const rows = await db.rows(sql`
      select address from access_controls__sessions
      where organization_id = ${organizationId}::bigint and user_id = ${userId}::bigint
      order by id desc limit ${SESSIONS_LOOKED_AT}::bigint`);
    if (rows.some((row) => networkOf(row.address ?? "") === network)) return true;
  }
  return false;
}

/** Whether a user name would stand in the way of somebody else's address. */
export async function isOthersAddress(
  db: Queryable,
  userName: string,
  own?: { readonly organizationId: string; readonly userId: string },
): Promise<boolean> {
  if (!userName.includes("@")) return false;
  const row = await db.row(sql`
    select 1 as found ${confirmed(userName.toLowerCase())}
      and not (l.organization_id = ${own?.organizationId ?? "0"}::bigint and l.user_id = ${own?.userId ?? "0"}::bigint) limit 1`);
  return row !== undefined;
}

/** Whoever confirms an address may sign in with it. */
export async function rememberAddress(
  transaction: Queryable,
  organizationId: string,
  userId: string,
  email: string,
): Promise<void> {
  await transaction.run(sql`
    insert into access_controls__login_emails (email, organization_id, user_id)
    values (lower(${email}), ${organizationId}::bigint, ${userId}::bigint) on conflict do nothing`);
}
