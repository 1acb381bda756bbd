// The list views that a new organisation starts with, by record type: a line per record type. Written at founding; from
// then on they are records like any other, changed by administrators and cloned by everybody.
import type { Queryable } from "../../../database/database.ts";
import type { RecordTypeKey } from "../../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../../metadata/snapshot.ts";
import { insertRows } from "../../../records/insert-rows.ts";
import { auditViews } from "./audit-views.ts";
import { companyViews, personViews } from "./company-views.ts";
import { leadViews } from "./lead-views.ts";
import { opportunityViews } from "./opportunity-views.ts";
import { userViews } from "./user-views.ts";
import { type StandardView, standardCategories } from "./view-definition.ts";

export const standardViews: Readonly<Record<RecordTypeKey, readonly StandardView[]>> = {
  "crm/leads": leadViews,
  "crm/opportunities": opportunityViews,
  "crm/companies": companyViews,
  "crm/peoples": personViews,
  "access_controls/users": userViews,
  "access_controls/audit_events": auditViews,
};

/** Call within the transaction that founds the organisation. */
export async function addStandardViews(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
): Promise<void> {
  const categories = Object.entries(standardViews).flatMap(([controller, views]) =>
    standardCategories
      .filter((name) => views.some((view) => view.category === name))
      .map((name) => ({ controller, name })),
  );
  const categoryIds = await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "core/categories"),
    organizationId,
    categories.map(({ controller, name }) => ({
      controller,
      name,
      sequence: String(standardCategories.indexOf(name) + 1),
    })),
  );
  const categoryId = (controller: string, name: string): string | null =>
    categoryIds[categories.findIndex((one) => one.controller === controller && one.name === name)] ?? null;
  await insertRows(
    transaction,
    snapshot,
    requireType(snapshot, "core/listviews"),
    organizationId,
    Object.entries(standardViews).flatMap(([controller, views]) =>
      views.map((view, index) => ({
        controller,
        name: view.name,
        sequence: String(index + 1),
        category_id: categoryId(controller, view.category),
        is_default: view.isDefault ? "1" : "0",
        is_personal: "0",
        is_pinned: view.pinned === undefined ? "0" : "1",
        dashboard_sequence: String(view.pinned ?? 0),
        ui_helper: view.helper,
        query: JSON.stringify({ ...view.query, ui_helper: view.helper }),
        description: view.description ?? null,
      })),
    ),
  );
}
