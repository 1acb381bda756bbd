// Removes what was sent, or was not, some days ago: the log of deliveries stays short. What still waits stays.

import { recordChanges } from "../database/changes.ts";
import { forAllOrganizations } from "../database/citus/places.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { DELIVERIES } from "./webhook.ts";

const KEPT_DAYS = 7;
const PIECE = 5_000;

export async function forgetDeliveries(database: Database): Promise<void> {
  const organizations = await forAllOrganizations(database, (which) =>
    database.rows(sql`select distinct organization_id::text as id from core__webhook_state where ${which}`),
  );
  for (const { id } of organizations.flat()) while ((await forgetPiece(database, id ?? "")) >= PIECE);
}

const forgetPiece = (database: Database, organizationId: string): Promise<number> =>
  database.transaction(async (transaction) => {
    const organization = sql`${organizationId}::bigint`;
    const { rows } = await transaction.run(sql`
      delete from core__webhook_deliveries where organization_id = ${organization} and id in (
        select id from core__webhook_deliveries where organization_id = ${organization} and status <> 'waiting'
          and created < (now() at time zone 'utc') - make_interval(days => ${KEPT_DAYS}::integer)
        order by id limit ${PIECE}::bigint for update skip locked)
      returning acl_id, created, deleted`);
    const changes = rows.map(([aclId, created, deleted]) => ({
      aclId: aclId ?? "0",
      delta: deleted === "0" ? -1 : 0,
      created: created ?? null,
    }));
    await recordChanges(transaction, organizationId, DELIVERIES, changes);
    return rows.length;
  });
