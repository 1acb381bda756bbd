// Gives the demo organization one record of each kind that people make for themselves: a form, a dashboard, an access
// policy, a finished job and an API key. None of them changes what the demo does; the key has no secret, so nobody gets in with it.
import type { Queryable } from "../server/database/database.ts";
import { sql } from "../server/database/sql.ts";
import type { FirstOrganization } from "../server/identity/first-organization.ts";
import { requireType, type Snapshot } from "../server/metadata/snapshot.ts";
import type { ColumnValues } from "../server/records/read/row-values.ts";
import { insertRows } from "../server/records/save/insert-rows.ts";

const quickLead = {
  sections: [
    {
      section: "Lead",
      columns: 2,
      elements: ["first_name", "last_name", "company_name", "email", "phone", "source"].map((field) => ({ field })),
    },
  ],
};

/** What a team looks at together, with the size of what is not as usual. */
const teamViews: readonly (readonly [controller: string, name: string, size?: "wide"])[] = [
  ["crm/opportunities", "Open amount"],
  ["crm/opportunities", "Won amount"],
  ["crm/opportunities", "New opportunities"],
  ["crm/opportunities", "By owner", "wide"],
  ["crm/opportunities", "Why we lose"],
  ["crm/opportunities", "Won by month"],
  ["crm/leads", "By status"],
  ["crm/opportunities", "Closing this month"],
];

async function tilesNamed(transaction: Queryable, first: FirstOrganization) {
  const rows = await transaction.rows(sql`
    select id::text as id, controller, name from core__listviews where organization_id = ${first.organizationId}::bigint`);
  return teamViews.flatMap(([controller, name, size = null]) => {
    const view = rows.find((row) => row.controller === controller && row.name === name);
    return view ? [{ id: view.id, size }] : [];
  });
}

export async function addSettings(
  transaction: Queryable,
  snapshot: Snapshot,
  first: FirstOrganization,
  today: string,
): Promise<void> {
  const mine = { owned_by: first.administratorId, created_by: first.administratorId };
  const followUps = await transaction.row(sql`
    select id::text as id from core__listviews
    where organization_id = ${first.organizationId}::bigint and controller = 'crm/leads' and name = 'Follow-ups'`);
  const rows: Readonly<Record<string, ColumnValues>> = {
    "core/forms": {
      name: "Quick lead",
      controller: "crm/leads",
      definition: JSON.stringify(quickLead),
      is_default: "0",
      description: "A short form for trade fairs. Activate it to try it",
    },
    "core/team_dashboards": {
      name: "Sales team",
      is_personal: "0",
      tiles: JSON.stringify(await tilesNamed(transaction, first)),
    },
    "core/translations": { label: "Quick lead", language: "ar", translation: "عميل محتمل سريع" },
    // The same as the record type says itself.
    "access_controls/policies": {
      record_type: "crm/quotes",
      policy: JSON.stringify(requireType(snapshot, "crm/quotes").access),
    },
    "core/jobs": {
      title: "Export 500 companies",
      kind: "export",
      controller: "crm/companies",
      status: "done",
      total: "500",
      done: "500",
      failed: "0",
      started: `${today} 07:00:00`,
      finished: `${today} 07:00:04`,
    },
    "core/webhooks": {
      name: "New leads to the website (example)",
      address: "https://example.com/hooks/dossier",
      record_types: "crm/leads",
      user_id: first.administratorId,
      is_active: "0",
    },
    "core/feed_links": {
      name: "Follow-ups (example)",
      listview_id: followUps?.id ?? null,
      format: "calendar",
      user_id: first.administratorId,
    },
    "access_controls/api_keys": {
      name: "Reporting (example)",
      user_id: first.administratorId,
      scope: "read",
      revoked: `${today} 07:00:00`,
    },
  };
  for (const [key, row] of Object.entries(rows)) {
    await insertRows(transaction, snapshot, requireType(snapshot, key), first.organizationId, [{ ...row, ...mine }]);
  }
}
