// Which licence agreement is in force for whom, whether somebody has accepted it, and the record of accepting it.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { licenseText, licenseTitle } from "../modules/access_controls/license-text.ts";
import { insertRows } from "../records/save/insert-rows.ts";

export interface License {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly text: string;
  /** Asked for at the next login of everybody who has not accepted it. */
  readonly isRequiredAgain: boolean;
}

/** The newest of the organisation's own, else the newest of the operator's. */
export async function currentLicense(db: Queryable, organizationId: string | undefined): Promise<License | undefined> {
  const row = await db.row(sql`
    with scope(id) as (
      select id from access_controls__organizations
      where organization_id = id and (is_operator = 1 or id = ${organizationId ?? null}::bigint)
    )
    select l.id, l.title, l.version, l.text, l.is_required_again
    from access_controls__license_agreements l join scope on l.organization_id = scope.id
    where l.deleted = 0
    order by (l.organization_id is not distinct from ${organizationId ?? null}::bigint) desc, l.version desc limit 1`);
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

/** What a login answer says of it: clients that know nothing of licences go on as before. */
export async function licenseState(db: Queryable, organizationId: string, userId: string) {
  const license = await currentLicense(db, organizationId);
  const required = license?.isRequiredAgain === true && !(await hasAccepted(db, organizationId, userId, license.id));
  return {
    is_license_agreement_required: required ? 1 : 0,
    license_agreement_version: license?.version ?? null,
  };
}

/** The operator's first text, where there is none yet. */
export async function ensureLicense(transaction: Queryable, snapshot: Snapshot): Promise<void> {
  const operator = await transaction.row(sql`
    select o.id::text as id from access_controls__organizations o
    where o.organization_id = o.id and o.is_operator = 1 and not exists (
      select 1 from access_controls__license_agreements l where l.organization_id = o.organization_id)`);
  if (!operator?.id) return;
  const type = requireType(snapshot, "access_controls/license_agreements");
  await insertRows(transaction, snapshot, type, operator.id, [
    { title: licenseTitle, version: "1", text: licenseText, is_required_again: "0" },
  ]);
}
