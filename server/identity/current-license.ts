// Which license agreement is in force for whom, whether somebody has accepted it, and the record of accepting it.
import { isUnavailable } from "../database/citus/places.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { licenseText, licenseTitle } from "../modules/access_controls/license-text.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { operatorId } from "./operator.ts";

export interface License {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly text: string;
  /** Asked for at the next login of everybody who has not accepted it. */
  readonly isRequiredAgain: boolean;
}

/** The newest of the organization's own, else the newest of the operator's. */
export async function currentLicense(db: Queryable, organizationId: string | undefined): Promise<License | undefined> {
  const own = organizationId === undefined ? undefined : await newestOf(db, organizationId);
  return own ?? newestOf(db, await operatorId(db));
}

async function newestOf(db: Queryable, organizationId: string): Promise<License | undefined> {
  const row = await db.row(sql`
    select id, title, version, text, is_required_again from access_controls__license_agreements
    where organization_id = ${organizationId}::bigint and deleted = 0 order by version desc limit 1`);
  return (
    row && {
      id: row.id ?? "",
      title: row.title ?? "",
      version: row.version ?? "",
      text: row.text ?? "",
      isRequiredAgain: row.is_required_again === "1",
    }
  );
}

export async function recordAcceptance(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  userId: string,
  license: License,
  address: string,
): Promise<void> {
  const type = requireType(snapshot, "access_controls/license_acceptances");
  await insertRows(transaction, snapshot, type, organizationId, [
    {
      user_id: userId,
      license_id: license.id,
      version: license.version,
      address,
      created_by: userId,
      modified_by: userId,
    },
  ]);
}

export async function hasAccepted(
  db: Queryable,
  organizationId: string,
  userId: string,
  licenseId: string,
): Promise<boolean> {
  const row = await db.row(sql`
    select 1 as found from access_controls__license_acceptances
    where organization_id = ${organizationId}::bigint and user_id = ${userId}::bigint and license_id = ${licenseId} limit 1`);
  return row !== undefined;
}

/** The operator's terms may be out of reach while everything of the organization is there: then nobody is asked to accept them. */
export const unlessOutOfReach = (error: unknown): undefined => {
  if (!isUnavailable(error)) throw error;
  return undefined;
};

/** What a login answer says of it: clients that know nothing of licenses go on as before. */
export async function licenseState(db: Queryable, organizationId: string, userId: string) {
  const license = await currentLicense(db, organizationId).catch(unlessOutOfReach);
  const required = license?.isRequiredAgain === true && !(await hasAccepted(db, organizationId, userId, license.id));
  return {
    is_license_agreement_required: required ? 1 : 0,
    license_agreement_version: license?.version ?? null,
  };
}

/** The operator's first text, where there is none yet. */
export async function ensureLicense(transaction: Queryable, snapshot: Snapshot): Promise<void> {
  const operator = await transaction.row(sql`
    select organization_id::text as id from access_controls__organization_list where is_operator = 1 limit 1`);
  if (!operator?.id) return;
  const known = await transaction.row(sql`
    select 1 as found from access_controls__license_agreements where organization_id = ${operator.id}::bigint limit 1`);
  if (known) return;
  const type = requireType(snapshot, "access_controls/license_agreements");
  await insertRows(transaction, snapshot, type, operator.id, [
    { title: licenseTitle, version: "1", text: licenseText, is_required_again: "0" },
  ]);
}
