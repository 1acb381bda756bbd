// Takes an open database; gives organizations that were founded earlier the standard list views that are shipped since.
// What an organization was given once is never given again: who changed, renamed or deleted a view keeps it so.
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../database/database.ts";
import { withSchemaLock } from "../database/migrate.ts";
import { sql } from "../database/sql.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { giveViews, type ShippedView, shippedViews } from "./standard-views.ts";

const MARKER = "standard list views";

/** One row tells that there is nothing to do. Gives how many views were written. */
export async function giveNewViews(
  db: Database,
  snapshot: Snapshot,
  shipped: readonly ShippedView[] = shippedViews,
): Promise<number> {
  const names = shipped.map(({ controller, view }) => `${controller} ${view.name}`);
  const print = createHash("sha256").update(JSON.stringify(names)).digest("hex");
  const before = await db.row(sql`select fingerprint from metadata__synced_tables where table_name = ${MARKER}`);
  if (before?.fingerprint === print) return 0;
  return withSchemaLock(db, async () => {
    const organizations = await db.rows(sql`
      select id::text as id from access_controls__organizations where organization_id = id and deleted = 0`);
    let count = 0;
    // One at a time: what was done for others stays done if the process ends here.
    for (const { id } of organizations) {
      count += await db.transaction((transaction) => giveMissing(transaction, snapshot, id ?? "", shipped));
    }
    await db.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${MARKER}, ${print})
      on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
    return count;
  });
}

async function giveMissing(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  shipped: readonly ShippedView[],
): Promise<number> {
  const organization = sql`${organizationId}::bigint`;
  await rememberEarlier(transaction, organizationId);
  const given = await transaction.rows(sql`
    select controller, name from core__given_views where organization_id = ${organization}`);
  const has = new Set(given.map((row) => `${row.controller} ${row.name}`));
  const missing = shipped.filter(({ controller, view }) => !has.has(`${controller} ${view.name}`));
  if (missing.length === 0) return 0;
  const defaults = await transaction.rows(sql`
    select distinct controller from core__listviews
    where organization_id = ${organization} and deleted = 0 and is_personal = 0 and is_default = 1`);
  const chosen = new Set(defaults.map((row) => row.controller));
  await giveViews(
    transaction,
    snapshot,
    organizationId,
    missing.map(({ controller, view: { pinned: _, ...view }, sequence }) => ({
      controller,
      sequence,
      // Dashboards and the choice of a default are theirs by now.
      view: chosen.has(controller) ? { ...view, isDefault: false } : view,
    })),
  );
  return missing.length;
}

/** Founded before it was written down: what is there, in use or deleted, by the names of now and before, was given. */
async function rememberEarlier(transaction: Queryable, organizationId: string): Promise<void> {
  const organization = sql`${organizationId}::bigint`;
  const known = await transaction.row(sql`
    select 1 as found from core__given_views where organization_id = ${organization} limit 1`);
  if (known) return;
  await transaction.run(sql`
    insert into core__given_views (organization_id, controller, name)
    select ${organization}, v.controller, v.name from core__listviews v
    where v.organization_id = ${organization} and v.is_personal = 0 and v.controller is not null and v.name is not null
    union
    select ${organization}, v.controller, r.changes->'name'->>'from' from core__revisions r
    join core__listviews v on v.organization_id = ${organization} and v.id::text = r.related_id
    where r.organization_id = ${organization} and r.related_type = 'core/listviews'
      and r.changes->'name'->>'from' is not null and v.controller is not null
    on conflict do nothing`);
}
