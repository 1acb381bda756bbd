// What whoever runs the service can do to accounts without signing in: add a user, give a new password, make an administrator.
// Takes an open database and its snapshot; gives what is to be told once. Each is written down in the audit log.
import { randomBytes } from "node:crypto";
import { refreshAcl } from "../access/acl-sets.ts";
import { audit } from "../access/audit.ts";
import type { Database, Queryable } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import { sql } from "../database/sql.ts";
import { hashPassword } from "../lib/secrets/password.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { settleComputed } from "../records/computed/settle.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { createUser, setSecret, USER_NAME } from "./create-user.ts";
import { accountsOfName, isOthersAddress } from "./login-names.ts";
import { dropTokens } from "./one-time-tokens.ts";
import { operatorId } from "./operator.ts";
import { dropSecondFactor } from "./second-factor.ts";
import { endSessions } from "./session-tokens.ts";

/** Its message says what is wrong with what was asked for. */
export class UserFault extends Error {}

const TYPE = "access_controls/users";
/** By whom, in the audit log: nobody signed in. */
const BY = { userId: null, userName: "dossier user" } as const;

const newPassword = (): string => randomBytes(12).toString("base64url");

interface Account {
  readonly organizationId: string;
  readonly userId: string;
  readonly userName: string;
}

export interface NewAccount {
  readonly userName: string;
  readonly lastName: string;
  readonly firstName?: string | undefined;
  /** The code of a role; unless said, the one that is given to who signs up. */
  readonly role?: string | undefined;
  /** An id or a name; unless said, the organization that runs the service. */
  readonly organization?: string | undefined;
}

/** Gives the password, which is kept nowhere. */
export async function addUser(db: Database, snapshot: Snapshot, user: NewAccount): Promise<string> {
  const { userName } = user;
  if (!USER_NAME.test(userName))
    throw new UserFault(`${userName} is no user name: 3 to 64 letters, digits and the characters . _ @ + -`);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  await db.transaction(async (transaction) => {
    const organizationId = await (user.organization === undefined
      ? operatorId(transaction)
      : findOrganization(transaction, user.organization));
    const role = await roleOf(transaction, organizationId, user.role);
    const taken = await transaction.row(
      sql`select 1 as found from access_controls__user_names where user_name = ${userName.toLowerCase()}`,
    );
    if (taken || (await isOthersAddress(transaction, userName, { organizationId, userId: "0" })))
      throw new UserFault(`The user name ${userName} is taken. Choose another.`);
    const userId = await createUser(transaction, snapshot, organizationId, {
      userName,
      firstName: user.firstName ?? null,
      lastName: user.lastName,
      roleIds: [role.id],
      passwordHash,
    });
    await refreshAcl(transaction, snapshot, organizationId);
    await audit(transaction, snapshot, {
      ...BY,
      organizationId,
      event: "user_added",
      subject: { type: TYPE, id: userId, name: userName },
      detail: { role: role.code },
    });
    await notify(transaction, "dossier_access", organizationId);
  });
  return password;
}

/** Gives the new password. Sessions and links of before end; with `secondFactor`, so does the second step of signing in. */
export async function resetPassword(
  db: Database,
  snapshot: Snapshot,
  userName: string,
  { secondFactor }: { readonly secondFactor: boolean },
): Promise<string> {
  const password = newPassword();
  const hash = await hashPassword(password);
  await db.transaction(async (transaction) => {
    const account = await accountOf(transaction, userName);
    const { organizationId, userId } = account;
    await setSecret(transaction, organizationId, "password", userId, hash);
    await dropTokens(transaction, organizationId, ["password", "password-link"], userId);
    if (secondFactor) await dropSecondFactor(transaction, account);
    await endSessions(transaction, organizationId, sql`user_id = ${userId}::bigint`);
    const subject = { type: TYPE, id: userId, name: account.userName };
    await audit(transaction, snapshot, { ...BY, organizationId, event: "password_reset", subject });
    if (secondFactor) await audit(transaction, snapshot, { ...BY, organizationId, event: "mfa_reset", subject });
  });
  return password;
}

/** Gives whether there was anything to change. Who was deactivated or deleted is not brought back by this. */
export async function promote(db: Database, snapshot: Snapshot, userName: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const { organizationId, userId, userName: name } = await accountOf(transaction, userName);
    const role = await administratorRole(transaction, organizationId);
    const has = await transaction.row(sql`
      select 1 as found from access_controls__roles_users
      where organization_id = ${organizationId}::bigint and user_id = ${userId}::bigint and role_id = ${role}::uuid and deleted = 0`);
    if (has) return false;
    await insertRows(transaction, snapshot, requireType(snapshot, "access_controls/roles_users"), organizationId, [
      { role_id: role, user_id: userId, created_by: userId, modified_by: userId },
    ]);
    await settleComputed({ transaction, snapshot, organizationId });
    const subject = { type: TYPE, id: userId, name };
    await audit(transaction, snapshot, { ...BY, organizationId, event: "role_assigned", subject });
    await notify(transaction, "dossier_access", organizationId);
    return true;
  });
}

async function accountOf(db: Queryable, userName: string): Promise<Account> {
  const [account] = await accountsOfName(db, userName);
  if (!account) throw new UserFault(`There is no user ${userName}.`);
  const row = await db.row(sql`
    select user_name, (is_active = 1 and deleted = 0)::integer as active from access_controls__users
    where organization_id = ${account.organizationId}::bigint and id = ${account.userId}::bigint`);
  if (row?.active !== "1")
    throw new UserFault(`${userName} is deactivated. An administrator can activate the user first.`);
  return { ...account, userName: row.user_name ?? userName };
}

/** By its id or its name. */
export async function findOrganization(db: Queryable, named: string): Promise<string> {
  const rows = await db.rows<{ id: string }>(sql`
    select id::text as id from access_controls__organizations o
    where organization_id = id and deleted = 0 and (id::text = ${named} or name = ${named}) order by o.id limit 2`);
  const [only, second] = rows;
  if (!only) throw new UserFault(`There is no organization ${named}.`);
  if (second) throw new UserFault(`Several organizations are called ${named}. Give the id of one of them.`);
  return only.id;
}

async function roleOf(db: Queryable, organizationId: string, code: string | undefined) {
  const rows = await db.rows<{ id: string; code: string; signup: string }>(sql`
    select id::text as id, code, is_signup_role::text as signup from access_controls__roles r
    where organization_id = ${organizationId}::bigint and deleted = 0 order by r.id`);
  const role = code === undefined ? rows.find(({ signup }) => signup === "1") : rows.find((one) => one.code === code);
  if (role) return role;
  const known = rows.map((one) => one.code).join(", ");
  throw new UserFault(code === undefined ? `Name a role: ${known}.` : `There is no role ${code}. There are: ${known}.`);
}

async function administratorRole(db: Queryable, organizationId: string): Promise<string> {
  const row = await db.row(sql`
    select id::text as id from access_controls__roles r
    where organization_id = ${organizationId}::bigint and deleted = 0 and is_administrator = 1 order by r.id limit 1`);
  if (!row?.id) throw new UserFault("The organization has no role for administrators.");
  return row.id;
}
