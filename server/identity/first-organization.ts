// Takes an empty database; founds its first organization with an administrator. Does nothing where there is one already.

import { randomBytes } from "node:crypto";
import { about } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import type { Config } from "../config.ts";
import type { Database, Queryable } from "../database/database.ts";
import { withSchemaLock } from "../database/migrate.ts";
import { sql } from "../database/sql.ts";
import { hashPassword, passwordErrors } from "../lib/secrets/password.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { createUser } from "./create-user.ts";
import { foundOrganization } from "./found-organization.ts";

export interface FirstOrganization {
  readonly organizationId: string;
  readonly administratorId: string;
  readonly roles: ReadonlyMap<string, string>;
  readonly userName: string;
  /** Only when it was generated: shown once, kept nowhere. */
  readonly generatedPassword: string | undefined;
}

/** Gives undefined when there already is an organization. `fill` adds to the first one, in the same transaction. */
export async function ensureFirstOrganization(
  db: Database,
  metadata: MetadataStore,
  config: Pick<Config, "adminUserName" | "adminPassword">,
  name: string,
  fill: (transaction: Queryable, first: FirstOrganization) => Promise<void> = async () => undefined,
): Promise<FirstOrganization | undefined> {
  const anybody = () => db.row(sql`select 1 as found from access_controls__organization_list limit 1`);
  if (await anybody()) return undefined;
  if (config.adminPassword !== undefined) {
    const [wrong] = await passwordErrors(config.adminPassword, config.adminUserName);
    if (wrong) throw new Error(write(about("ADMIN_PASSWORD", wrong), "en"));
  }
  const generatedPassword = config.adminPassword === undefined ? randomBytes(12).toString("base64url") : undefined;
  const passwordHash = await hashPassword(config.adminPassword ?? generatedPassword ?? "");
  return withSchemaLock(db, async () => {
    if (await anybody()) return undefined;
    const snapshot = metadata.current();
    return db.transaction(async (transaction) => {
      const currency = await transaction.row(sql`select id::text as id from masters__currencies where code = 'USD'`);
      const organization = await foundOrganization(transaction, snapshot, {
        name,
        currencyId: currency?.id ?? null,
        isOperator: true,
      });
      const administrator = organization.roles.get("administrator") ?? "";
      const administratorId = await createUser(transaction, snapshot, organization.id, {
        userName: config.adminUserName,
        firstName: null,
        lastName: "Administrator",
        roleIds: [administrator],
        passwordHash,
      });
      const first = {
        organizationId: organization.id,
        administratorId,
        roles: organization.roles,
        userName: config.adminUserName,
        generatedPassword,
      };
      await fill(transaction, first);
      return first;
    });
  });
}
