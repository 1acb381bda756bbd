// What people sign in with: their user name, or a confirmed email address that no other active user has.
import { isUnavailable } from "../database/citus/places.ts";
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { networkOf } from "../lib/network.ts";

export interface LoginAccount {
  readonly organizationId: string;
  readonly userId: string;
  /** In lower case: guesses by name and by address count to the same throttle. */
  readonly userName: string;
}

/** In which organization somebody is known by this name; asked before anything else of the organization. */
export async function accountsOfName(db: Queryable, userName: string): Promise<readonly LoginAccount[]> {
  const rows = await db.rows<{ organization_id: string; user_id: string; user_name: string }>(sql`
    select organization_id, user_id, user_name from access_controls__user_names where user_name = ${userName.toLowerCase()}`);
  return rows.map((row) => ({
    organizationId: row.organization_id,
    userId: row.user_id,
    userName: row.user_name,
  }));
}

/** Of one organization: active users of these whose confirmed address this is now. */
const confirmedIn = (organizationId: string, userIds: readonly string[], email: string): Sql => {
  const organization = sql`${organizationId}::bigint`;
  return sql`
    select u.id::text as id, lower(u.user_name) as name from access_controls__users u
    where u.organization_id = ${organization} and u.id = any(${userIds}::bigint[]) and u.deleted = 0 and u.is_active = 1 and exists (
      select 1 from core__email_addresses e
      where e.organization_id = ${organization} and e.related_type = 'access_controls/users' and e.related_id = u.id::text
        and lower(e.email) = ${email} and e.is_confirmed = 1 and e.deleted = 0) limit 2`;
};

/** Two of those who have this address confirmed, at most: one organization after the other, until that is known. */
async function findConfirmed(
  db: Queryable,
  email: string,
  except?: Pick<LoginAccount, "organizationId" | "userId">,
): Promise<readonly LoginAccount[]> {
  const rows = await db.rows<{ organization_id: string; ids: string }>(sql`
    select organization_id, array_agg(user_id)::text as ids from access_controls__login_emails
    where email = ${email} and not (organization_id = ${except?.organizationId ?? "0"}::bigint and user_id = ${except?.userId ?? "0"}::bigint)
    group by organization_id order by organization_id`);
  const found: LoginAccount[] = [];
  for (const { organization_id: organizationId, ids } of rows) {
    const users = await db.rows(confirmedIn(organizationId, ids.slice(1, -1).split(","), email));
    found.push(...users.map(({ id, name }) => ({ organizationId, userId: id ?? "", userName: name ?? "" })));
    if (found.length > 1) return found;
  }
  // Whoever is not there costs as much as whoever is.
  if (rows.length === 0) await db.rows(confirmedIn("0", ["0"], email)).catch(unlessUnavailable);
  return found;
}

const unlessUnavailable = (error: unknown): void => {
  if (!isUnavailable(error)) throw error;
};

/**
 * The accounts that what was sent stands for: the one of that user name, then the only one with that confirmed address.
 * They differ where a name looks like somebody else's address: neither of the two is kept out, each by their own
 * password. The same statements whatever is sent: their cost does not tell.
 */
export async function findAccounts(db: Queryable, sent: string): Promise<readonly LoginAccount[]> {
  const name = sent.trim().toLowerCase();
  const [first] = await accountsOfName(db, name);
  const confirmed = await findConfirmed(db, name);
  const [only] = confirmed.length === 1 ? confirmed : [];
  return [...(first ? [first] : []), ...(only && only.userName !== first?.userName ? [only] : [])];
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
  return (await findConfirmed(db, userName.toLowerCase(), own)).length > 0;
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
