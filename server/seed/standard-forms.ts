// The forms that an organization is given: examples to change. Written at founding, and to organizations that were founded
// earlier at the next start, each once: who removed one, or has a form of their own in use, keeps it so.
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../database/database.ts";
import { withSchemaLock } from "../database/migrate.ts";
import { sql } from "../database/sql.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { companyForm } from "../modules/crm/forms/company-form.ts";
import type { StandardForm } from "../modules/crm/forms/form-sections.ts";
import { leadForm } from "../modules/crm/forms/lead-form.ts";
import { opportunityForm } from "../modules/crm/forms/opportunity-form.ts";
import { personForm } from "../modules/crm/forms/person-form.ts";
import { quoteForm } from "../modules/crm/forms/quote-form.ts";
import { insertRows } from "../records/save/insert-rows.ts";

export const standardForms: readonly StandardForm[] = [leadForm, personForm, companyForm, opportunityForm, quoteForm];

const MARKER = "standard forms";

/** One row tells that there is nothing to do. Gives how many forms were written. */
export async function giveNewForms(
  db: Database,
  snapshot: Snapshot,
  shipped: readonly StandardForm[] = standardForms,
): Promise<number> {
  const names = shipped.map(({ controller }) => controller);
  const print = createHash("sha256").update(JSON.stringify(names)).digest("hex");
  const before = await db.row(sql`select fingerprint from metadata__synced_tables where table_name = ${MARKER}`);
  if (before?.fingerprint === print) return 0;
  return withSchemaLock(db, async () => {
    const organizations = await db.rows(sql`
      select id::text as id from access_controls__organizations where organization_id = id and deleted = 0`);
    let count = 0;
    // One at a time: what was done for others stays done if the process ends here.
    for (const { id } of organizations) {
      count += await db.transaction((transaction) => giveForms(transaction, snapshot, id ?? "", shipped));
    }
    await db.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${MARKER}, ${print})
      on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
    return count;
  });
}

/** Call within a transaction: of the founding, or one of its own. Those that it was given before are not given again. */
export async function giveForms(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  shipped: readonly StandardForm[] = standardForms,
): Promise<number> {
  const organization = sql`${organizationId}::bigint`;
  const controllers = shipped.map(({ controller }) => controller);
  const anew = await transaction.rows(sql`
    insert into core__given_forms (organization_id, controller)
    select ${organization}, * from unnest(${controllers}::text[])
    on conflict do nothing returning controller`);
  const used = await transaction.rows(sql`
    select distinct controller from core__forms
    where organization_id = ${organization} and is_default = 1 and deleted = 0`);
  const given = new Set(anew.map(({ controller }) => controller));
  for (const { controller } of used) given.delete(controller);
  const missing = shipped.filter(({ controller }) => given.has(controller));
  await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "core/forms"),
    organizationId,
    missing.map(({ controller, name, definition }) => ({
      controller,
      name,
      definition: JSON.stringify(definition),
      is_default: "1",
      description: "The form that Dossier comes with. Change it, or replace it with your own",
    })),
  );
  return missing.length;
}
