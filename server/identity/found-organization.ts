// Takes a name; founds an organization with its standard roles and list views. Call within a transaction.
import { plainRecipe } from "../access/acl.ts";
import { internAcl } from "../access/acl-sets.ts";
import { settleFacts } from "../access/facts/record-facts.ts";
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { standardRoles } from "../modules/access_controls/standard-roles.ts";
import { rowValues } from "../records/read/row-values.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { giveForms } from "../seed/standard-forms.ts";
import { addStandardViews } from "../seed/standard-views.ts";
import { addStandardWorkflows } from "../seed/standard-workflows.ts";
import { nextPrincipals } from "./create-user.ts";
import { ensureLicense } from "./current-license.ts";

export interface FoundedOrganization {
  readonly id: string;
  /** Role ids by code. */
  readonly roles: ReadonlyMap<string, string>;
}

export async function foundOrganization(
  transaction: Queryable,
  snapshot: Snapshot,
  organization: { readonly name: string; readonly currencyId: string | null; readonly isOperator: boolean },
): Promise<FoundedOrganization> {
  const next = await transaction.row(
    sql`select nextval(pg_get_serial_sequence('access_controls__organizations', 'id'))::text as id`,
  );
  const id = next?.id ?? "";
  const [principal = "", ...principals] = await nextPrincipals(transaction, standardRoles.length + 1);
  // Its own access set needs the organization to be there: the row comes first, its set right after.
  await transaction.run(sql`
    insert into access_controls__organizations (organization_id, id, name, currency_id, time_zone, locale, is_operator, principal_id, acl_id)
    values (${id}::bigint, ${id}::bigint, ${organization.name}, ${organization.currencyId}::bigint, 'UTC', 'en-US',
      ${organization.isOperator ? "1" : "0"}::smallint, ${principal}::bigint, 0)`);
  await transaction.run(sql`
    insert into access_controls__organization_list (organization_id, is_operator)
    values (${id}::bigint, ${organization.isOperator ? "1" : "0"}::smallint)`);
  const recipe = plainRecipe("access_controls/organizations", null, null);
  const [aclId = ""] = await internAcl(transaction, snapshot, id, [recipe]);
  await transaction.run(sql`
    update access_controls__organizations set acl_id = ${aclId}::integer where organization_id = ${id}::bigint`);
  await recordChanges(transaction, id, recipe.type, [{ aclId, delta: 1 }]);
  await settleFacts(transaction, snapshot, id, ({ access }) => access);

  const roleIds = await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "access_controls/roles"),
    id,
    standardRoles.map((role, index) => ({
      code: role.code,
      name: role.name,
      description: role.description,
      is_administrator: role.isAdministrator ? "1" : "0",
      is_signup_role: role.isSignupRole ? "1" : "0",
      principal_id: principals[index] ?? null,
    })),
  );
  const roles = new Map(standardRoles.map((role, index) => [role.code, roleIds[index] ?? ""]));

  const operationsType = requireType(snapshot, "access_controls/role_operations");
  const context = { locale: "en-US", timeZone: "UTC" };
  await insertRows(
    transaction,
    snapshot,
    operationsType,
    id,
    standardRoles.flatMap((role) =>
      Object.entries(role.operations).map(([recordType, operations]) => {
        const wire = { role_id: roles.get(role.code), record_type: recordType, operations };
        return rowValues(operationsType, wire, context).columns;
      }),
    ),
  );
  await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "access_controls/role_fields"),
    id,
    standardRoles.flatMap((role) =>
      Object.entries(role.fields ?? {}).flatMap(([recordType, fields]) =>
        Object.entries(fields).map(([field, permission]) => ({
          role_id: roles.get(role.code) ?? null,
          record_type: recordType,
          field,
          permission: String(permission),
        })),
      ),
    ),
  );
  await addStandardViews(transaction, snapshot, id);
  await giveForms(transaction, snapshot, id);
  if (organization.isOperator) await ensureLicense(transaction, snapshot);
  await addStandardWorkflows(transaction, snapshot, id);
  return { id, roles };
}
