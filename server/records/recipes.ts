// Takes rows as column texts, with the shares that people gave; gives the access recipe of each. The one place that says
// what of a record its access depends on.
import type { Recipe, Share } from "../access/acl.ts";
import { noGrants } from "../access/acl.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { ColumnValues } from "./row-values.ts";

/** `sharesOf`: what was shared by hand, by position of the row. */
export async function recipesOf(
  transaction: Queryable,
  type: RecordType,
  organizationId: string,
  rows: readonly ColumnValues[],
  sharesOf: (index: number) => readonly Share[] = () => [],
): Promise<Recipe[]> {
  const everybody = type.personalFlag === undefined ? undefined : await wholeOrganization(transaction, organizationId);
  return rows.map((row, index) => ({
    type: type.key,
    owner: row.owned_by ?? null,
    group: row.primary_acl_group ?? null,
    shares: [
      ...sharesOf(index),
      ...(everybody && type.personalFlag !== undefined && row[type.personalFlag] !== "1" ? [everybody] : []),
    ],
    grants: noGrants,
  }));
}

async function wholeOrganization(transaction: Queryable, organizationId: string): Promise<Share> {
  const row = await transaction.row(sql`
    select principal_id as principal from access_controls__organizations where organization_id = ${organizationId}::bigint`);
  return { principal: Number(row?.principal), rights: ["read"], until: null };
}
