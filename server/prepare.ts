// Takes an open database; brings it to where this version of the service wants it: migrations, tables, shared rows, and
// on an empty one the first organisation with its administrator. Safe to run by any number of processes at once.
import { randomBytes } from "node:crypto";
import type { Config } from "./config.ts";
import type { Database, Queryable } from "./database/database.ts";
import { migrate, readMigrations, withSchemaLock } from "./database/migrate.ts";
import { sql } from "./database/sql.ts";
import { hashPassword, passwordErrors } from "./lib/password.ts";
import type { MetadataStore } from "./metadata/store.ts";
import { openMetadata } from "./metadata/store.ts";
import { createUser } from "./modules/access_controls/create-user.ts";
import { ensureLicense } from "./modules/access_controls/current-license.ts";
import { foundOrganization } from "./modules/access_controls/found-organization.ts";
import { adoptStageFields } from "./modules/core/adopt-stage-fields.ts";
import { giveNewViews } from "./modules/core/views/give-new-views.ts";
import { builtInTypes } from "./modules/index.ts";
import { seedSharedData } from "./modules/seed-shared-data.ts";
import { bringAlong } from "./records/followers.ts";

export async function prepareDatabase(db: Database): Promise<MetadataStore> {
  await migrate(db, await readMigrations());
  const metadata = await openMetadata(db, builtInTypes);
  await seedSharedData(db, metadata.current());
  await withSchemaLock(db, () => db.transaction((transaction) => ensureLicense(transaction, metadata.current())));
  await giveNewViews(db, metadata.current());
  await adoptStageFields(db, metadata.current());
  await bringAlong(db, metadata.current());
  return metadata;
}

export interface FirstOrganization {
  readonly organizationId: string;
  readonly administratorId: string;
  readonly roles: ReadonlyMap<string, string>;
  readonly userName: string;
  /** Only when it was generated: shown once, kept nowhere. */
  readonly generatedPassword: string | undefined;
}

/** Gives undefined when there already is an organisation. `fill` adds to the first one, in the same transaction. */
export async function ensureFirstOrganization(
  db: Database,
  metadata: MetadataStore,
  config: Pick<Config, "adminUserName" | "adminPassword">,
  name: string,
  fill: (transaction: Queryable, first: FirstOrganization) => Promise<void> = async () => undefined,
): Promise<FirstOrganization | undefined> {
  const anybody = () => db.row(sql`select 1 as found from access_controls__organizations limit 1`);
  if (await anybody()) return undefined;
  if (config.adminPassword !== undefined) {
    const [wrong] = await passwordErrors(config.adminPassword, config.adminUserName);
    if (wrong) throw new Error(`ADMIN_PASSWORD ${wrong}`);
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
