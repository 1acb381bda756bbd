// What single record types add to saving and deleting: a line per type.

import { accountHooks } from "../identity/account-hooks.ts";
import { invitationHooks } from "../identity/invitation-hooks.ts";
import { licenseHooks } from "../identity/license-hooks.ts";
import { fullName } from "../identity/person-name.ts";
import { roleHooks } from "../identity/role-hooks.ts";
import { shareHooks } from "../identity/share-hooks.ts";
import { userHooks } from "../identity/user-hooks.ts";
import { type AddressRule, publicOnly } from "../lib/public-address.ts";
import { EXCHANGE_RATES } from "../plan/currency.ts";
import type { HookTable } from "../records/hooks.ts";
import { audited } from "./audited.ts";
import { feedLinkHooks } from "./core/feed-link-hooks.ts";
import { formHooks } from "./core/form-hooks.ts";
import { importMappingHooks } from "./core/import-mapping-hooks.ts";
import { listviewHooks } from "./core/listview-hooks.ts";
import { relatedHooks } from "./core/related-hooks.ts";
import { teamDashboardHooks } from "./core/tiles.ts";
import { translationHooks } from "./core/translation-hooks.ts";
import { webhookHooks } from "./core/webhook-hooks.ts";
import { workflowHooks } from "./core/workflow-hooks.ts";
import { exchangeRateHooks } from "./masters/exchange-rate-hooks.ts";

/** `addresses`: where webhooks may be sent. */
export const recordHooksWith = (addresses: AddressRule): HookTable =>
  audited({
    "access_controls/users": userHooks,
    ...roleHooks,
    ...accountHooks,
    ...licenseHooks,
    "access_controls/invitations": invitationHooks,
    "access_controls/shares": shareHooks,
    "core/feed_links": feedLinkHooks,
    "core/forms": formHooks,
    "core/import_mappings": importMappingHooks,
    "core/listviews": listviewHooks,
    "core/team_dashboards": teamDashboardHooks,
    "core/translations": translationHooks,
    "core/webhook_deliveries": { bookkeeping: true },
    "core/webhooks": webhookHooks(addresses),
    ...relatedHooks,
    ...workflowHooks,
    [EXCHANGE_RATES]: exchangeRateHooks,
    "crm/leads": fullName,
    "crm/peoples": fullName,
  });

/** Webhooks only to the internet. */
export const recordHooks = recordHooksWith(publicOnly);
