// Every record type that the service comes with, in an order in which a type follows those that it refers to.
// A new built-in type starts with its line here.
import type { RecordTypeDefinition } from "../metadata/record-type.ts";
import { auditLog } from "./access_controls/audit-events.ts";
import { groupMembers, groups } from "./access_controls/groups.ts";
import { invitations } from "./access_controls/invitations.ts";
import { licenseAcceptances, licenseAgreements } from "./access_controls/licenses.ts";
import { organizations } from "./access_controls/organizations.ts";
import { policies, shares } from "./access_controls/policies.ts";
import { roleFields, roleOperations, roles, rolesUsers } from "./access_controls/roles.ts";
import { apiKeys, sessions } from "./access_controls/sessions.ts";
import { users } from "./access_controls/users.ts";
import { attachments } from "./core/attachments.ts";
import { comments } from "./core/comments.ts";
import { addresses, emailAddresses, phoneNumbers } from "./core/contact-points.ts";
import { feedLinks } from "./core/feed-links.ts";
import { forms } from "./core/forms.ts";
import { importMappings } from "./core/import-mappings.ts";
import { jobs, revisions } from "./core/jobs.ts";
import { categories, listviews } from "./core/listviews.ts";
import { notifications } from "./core/notifications.ts";
import { teamDashboards } from "./core/team-dashboards.ts";
import { translations } from "./core/translations.ts";
import { webhookDeliveries, webhooks } from "./core/webhooks.ts";
import { stageLog, workflowNodes, workflows, workflowVersions } from "./core/workflows.ts";
import { companies } from "./crm/companies.ts";
import { leads } from "./crm/leads.ts";
import { opportunities } from "./crm/opportunities.ts";
import { peoples } from "./crm/peoples.ts";
import { quotes } from "./crm/quotes.ts";
import { subTypes, types } from "./crm/types.ts";
import { menus, modules } from "./development_base/modules.ts";
import { countries, states } from "./masters/countries.ts";
import { currencies } from "./masters/currencies.ts";
import { exchangeRates } from "./masters/exchange-rates.ts";
import { locales } from "./masters/locales.ts";
import { timeZones } from "./masters/time-zones.ts";

export const builtInTypes: readonly RecordTypeDefinition[] = [
  currencies,
  countries,
  states,
  timeZones,
  locales,
  exchangeRates,
  modules,
  menus,
  organizations,
  users,
  groups,
  groupMembers,
  roles,
  rolesUsers,
  roleOperations,
  roleFields,
  policies,
  shares,
  sessions,
  apiKeys,
  invitations,
  licenseAgreements,
  licenseAcceptances,
  auditLog,
  categories,
  listviews,
  importMappings,
  teamDashboards,
  translations,
  forms,
  workflows,
  workflowNodes,
  workflowVersions,
  stageLog,
  jobs,
  revisions,
  comments,
  attachments,
  notifications,
  feedLinks,
  webhooks,
  webhookDeliveries,
  addresses,
  emailAddresses,
  phoneNumbers,
  types,
  subTypes,
  companies,
  peoples,
  opportunities,
  leads,
  quotes,
];
