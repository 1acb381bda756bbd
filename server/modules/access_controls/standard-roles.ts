// The roles that a new organization starts with. Administrators change them like any other record.
import type { MatrixOperation, Permission } from "../../../contract/permissions.ts";

export interface StandardRole {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly isAdministrator?: boolean;
  readonly isSignupRole?: boolean;
  readonly operations: Readonly<Record<string, readonly MatrixOperation[]>>;
  readonly fields?: Readonly<Record<string, Readonly<Record<string, Permission>>>>;
}

const look: readonly MatrixOperation[] = ["index", "view"];
const work: readonly MatrixOperation[] = ["index", "view", "add", "edit", "delete", "comment", "export"];
/** With many of one's own records at once. */
const sell: readonly MatrixOperation[] = [...work, "bulk"];
const run: readonly MatrixOperation[] = [...sell, "import"];
/** Made for a team, and shared with it. */
const dashboards = { "core/team_dashboards": ["index", "view", "add", "edit", "delete"] } as const;
const own: readonly MatrixOperation[] = ["index", "view", "add", "edit", "delete"];
/** What reads one's lists from outside, with one's own rights. */
const feeds: readonly MatrixOperation[] = ["index", "view", "add", "delete"];
const views = { "core/listviews": own, "core/import_mappings": own, "core/feed_links": feeds } as const;

export const standardRoles: readonly StandardRole[] = [
  {
    code: "administrator",
    name: "Administrator",
    description: "Has full access to the organization",
    isAdministrator: true,
    operations: {},
  },
  {
    code: "sales_manager",
    name: "Sales manager",
    description: "Manages a sales team and all its leads and opportunities",
    operations: {
      "*": [...look, "comment", "export"],
      "crm/leads": run,
      "crm/peoples": run,
      "crm/companies": run,
      "crm/opportunities": run,
      "crm/quotes": run,
      "crm/types": work,
      "crm/sub_types": work,
      ...views,
      ...dashboards,
    },
  },
  {
    code: "sales_rep",
    name: "Sales representative",
    description: "Works on leads, people, companies and opportunities",
    isSignupRole: true,
    operations: {
      "*": [...look, "comment"],
      "crm/leads": sell,
      "crm/peoples": sell,
      "crm/companies": sell,
      "crm/opportunities": sell,
      "crm/quotes": sell,
      ...views,
    },
  },
  {
    code: "marketing",
    name: "Marketing",
    description: "Brings in leads. Can't see deal amounts",
    isSignupRole: true,
    operations: {
      "*": look,
      "crm/leads": run,
      "crm/peoples": ["index", "view", "add", "edit", "comment", "import", "export"],
      "crm/companies": ["index", "view", "add", "edit", "comment", "import", "export"],
      ...views,
    },
    fields: { "crm/opportunities": { amount: 1, probability: 4 } },
  },
  {
    code: "support",
    name: "Support",
    description: "Supports customers and keeps people and companies up to date",
    isSignupRole: true,
    operations: {
      "*": look,
      "crm/peoples": ["index", "view", "edit", "comment"],
      "crm/companies": ["index", "view", "edit", "comment"],
      ...views,
    },
    fields: { "crm/companies": { annual_revenue: 4 }, "crm/opportunities": { amount: 1 } },
  },
  {
    code: "read_only",
    name: "Read only",
    description: "Can view records but not change them",
    operations: { "*": look },
  },
];
