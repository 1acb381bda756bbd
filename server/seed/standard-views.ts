// The list views that an organization is given, by record type: a line per record type. Written at founding, and those that
// are shipped later at the next start (give-new-views.ts); from then on they are records like any other.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { RecordTypeKey } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { auditViews } from "../modules/core/views/audit-views.ts";
import { companyViews, personViews } from "../modules/core/views/company-views.ts";
import { exchangeRateViews } from "../modules/core/views/exchange-rate-views.ts";
import { leadViews } from "../modules/core/views/lead-views.ts";
import { opportunityViews } from "../modules/core/views/opportunity-views.ts";
import { quoteViews } from "../modules/core/views/quote-views.ts";
import { userViews } from "../modules/core/views/user-views.ts";
import { type StandardView, standardCategories } from "../modules/core/views/view-definition.ts";
import { insertRows } from "../records/save/insert-rows.ts";

export const standardViews: Readonly<Record<RecordTypeKey, readonly StandardView[]>> = {
  "crm/leads": leadViews,
  "crm/opportunities": opportunityViews,
  "crm/companies": companyViews,
  "crm/peoples": personViews,
  "crm/quotes": quoteViews,
  "access_controls/users": userViews,
  "masters/exchange_rates": exchangeRateViews,
  "access_controls/audit_events": auditViews,
};

export interface ShippedView {
  readonly controller: RecordTypeKey;
  readonly view: StandardView;
  /** Its place among those of its record type. */
  readonly sequence: number;
}

export const shippedViews: readonly ShippedView[] = Object.entries(standardViews).flatMap(([controller, views]) =>
  views.map((view, index) => ({ controller, view, sequence: index + 1 })),
);

/** Call within the transaction that founds the organization. */
export const addStandardViews = (transaction: Queryable, snapshot: Snapshot, organizationId: string): Promise<void> =>
  giveViews(transaction, snapshot, organizationId, shippedViews);

/** Writes views, with the categories that they need, and remembers that the organization has been given them. */
export async function giveViews(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  given: readonly ShippedView[],
): Promise<void> {
  const organization = sql`${organizationId}::bigint`;
  const categories = await categoriesFor(transaction, snapshot, organizationId, given);
  await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "core/listviews"),
    organizationId,
    given.map(({ controller, view, sequence }) => ({
      controller,
      name: view.name,
      sequence: String(sequence),
      category_id: categories.get(keyOf(controller, view.category)) ?? null,
      is_default: view.isDefault ? "1" : "0",
      is_personal: "0",
      is_pinned: view.pinned === undefined ? "0" : "1",
      dashboard_sequence: String(view.pinned ?? 0),
      ui_helper: view.helper,
      query: JSON.stringify({ ...view.query, ui_helper: view.helper }),
      description: view.description ?? null,
    })),
  );
  await transaction.run(sql`
    insert into core__given_views (organization_id, controller, name)
    select ${organization}, * from unnest(${given.map(({ controller }) => controller)}::text[],
      ${given.map(({ view }) => view.name)}::text[])
    on conflict do nothing`);
}

const keyOf = (controller: string, name: string): string => `${controller} ${name}`;

/** Ids by record type and name; those that are not there yet are made. */
async function categoriesFor(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  given: readonly ShippedView[],
): Promise<ReadonlyMap<string, string>> {
  const known = await transaction.rows(sql`
    select id::text as id, controller, name from core__categories
    where organization_id = ${organizationId}::bigint and deleted = 0`);
  const ids = new Map(known.map((row) => [keyOf(row.controller ?? "", row.name ?? ""), row.id ?? ""]));
  const wanted = new Map(given.map(({ controller, view }) => [keyOf(controller, view.category), { controller, view }]));
  const missing = [...wanted].filter(([key]) => !ids.has(key));
  const made = await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "core/categories"),
    organizationId,
    missing.map(([, { controller, view }]) => ({
      controller,
      name: view.category,
      sequence: String(standardCategories.indexOf(view.category) + 1),
    })),
  );
  missing.forEach(([key], index) => {
    ids.set(key, made[index] ?? "");
  });
  return ids;
}
