// What people sign in with: their user name, or a confirmed email address that no other active user has.
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** Addresses of active users that are confirmed now. */
const confirmed = (email: string): Sql => sql`
  from access_controls__login_emails l
  join access_controls__users u on u.organization_id = l.organization_id and u.id = l.user_id and u.deleted = 0 and u.is_active = 1
  where l.email = ${email} and exists (
    select 1 from core__email_addresses e
    where e.organization_id = l.organization_id and e.related_type = 'access_controls/users' and e.related_id = u.id::text
      and lower(e.email) = ${email} and e.is_confirmed = 1 and e.deleted = 0)`;

/**
 * The user name that is meant, so that name and address count to one throttle. A user name goes before an address; what
 * stands for nobody, or for several, stays as it was sent. One statement whatever is sent: its cost does not tell.
 */
export async function loginName(db: Queryable, sent: string): Promise<string> {
  const name = sent.trim().toLowerCase();
  const row = await db.row(sql`
    select (select user_name from access_controls__user_names where user_name = ${name}) as by_name,
      (select case when count(*) = 1 then min(u.user_name) end ${confirmed(name)}) as by_email`);
  return row?.by_name != null ? sent : (row?.by_email ?? sent);
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
