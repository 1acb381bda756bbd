// Gives the session scenarios accounts to log in with: users written the way the service writes them, with a password
// that is known, which can be deactivated behind the service's back.
import type { Database } from "../../server/database/database.ts";
import { notify } from "../../server/database/processes/notify.ts";
import { sql } from "../../server/database/sql.ts";
import { createUser } from "../../server/identity/create-user.ts";
import { foundOrganization } from "../../server/identity/found-organization.ts";
import { hashPassword } from "../../server/lib/secrets/password.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import type { TestService } from "../service.ts";

export const PASSWORD = "a long enough secret";

export interface Accounts {
  /** A user of an organization (the first one, unless said otherwise) with these roles, by code. */
  add(userName: string, roleCodes?: readonly string[], organizationId?: string): Promise<string>;
  /** Another organization, which does not run the service. */
  found(name: string): Promise<string>;
  deactivate(userId: string): Promise<void>;
}

/** Hashing is slow on purpose: once is enough. */
let hash: Promise<string> | undefined;

export async function openAccounts(db: Database): Promise<Accounts> {
  const snapshot = (await prepareDatabase(db)).current();
  const first = await db.row(sql`select id::text as id from access_controls__organizations order by id limit 1`);
  return {
    add: async (userName, roleCodes = ["sales_rep"], organizationId = first?.id ?? "") => {
      hash ??= hashPassword(PASSWORD);
      const passwordHash = await hash;
      return db.transaction(async (transaction) => {
        const roles = await transaction.rows(sql`
          select id from access_controls__roles
          where organization_id = ${organizationId}::bigint and code = any(${roleCodes}::text[])`);
        const roleIds = roles.map((role) => role.id ?? "");
        const user = { userName, firstName: "Test", lastName: userName, roleIds, passwordHash };
        return createUser(transaction, snapshot, organizationId, user);
      });
    },
    found: (name) =>
      db.transaction(async (transaction) => {
        const organization = { name, currencyId: null, isOperator: false };
        return (await foundOrganization(transaction, snapshot, organization)).id;
      }),
    deactivate: (userId) =>
      db.transaction(async (transaction) => {
        const row = await transaction.row(sql`
          update access_controls__users set is_active = 0 where id = ${userId}::bigint returning organization_id`);
        await notify(transaction, "dossier_access", row?.organization_id ?? "");
      }),
  };
}

export interface LoggedIn {
  readonly access: string;
  readonly refresh: string;
}

export async function logIn(service: TestService, userName: string, password = PASSWORD): Promise<LoggedIn> {
  const users = { user_name: userName, user_password: password };
  const { body } = await service.post("/access_controls/users/login.json", { data: { users } });
  if (typeof body.access_token !== "string") throw new Error(`login of ${userName}: ${JSON.stringify(body)}`);
  return { access: body.access_token, refresh: body.refresh_token };
}

/** A call that everybody who is logged in may make; gives its status. */
export const probe = async (service: TestService, token: string): Promise<number> =>
  (await service.get("/access_controls/api_keys/mine.json", token)).status;
