// What single record types add to saving and deleting: a line per type.

import { EXCHANGE_RATES } from "../plan/currency.ts";
import type { HookTable } from "../records/hooks.ts";
import { accountHooks } from "./access_controls/account-hooks.ts";
import { audited } from "./access_controls/audited.ts";
import { invitationHooks } from "./access_controls/invitation-hooks.ts";
import { licenseHooks } from "./access_controls/license-hooks.ts";
import { roleHooks } from "./access_controls/role-hooks.ts";
import { shareHooks } from "./access_controls/share-hooks.ts";
import { userHooks } from "./access_controls/user-hooks.ts";
import { formHooks } from "./core/form-hooks.ts";
import { listviewHooks } from "./core/listview-hooks.ts";
import { relatedHooks } from "./core/related-hooks.ts";
import { workflowHooks } from "./core/workflow-hooks.ts";
import { exchangeRateHooks } from "./masters/exchange-rate-hooks.ts";
import { fullName } from "./person-name.ts";

export const recordHooks: HookTable = audited({
  "access_controls/users": userHooks,
  ...roleHooks,
  ...accountHooks,
  ...licenseHooks,
  "access_controls/invitations": invitationHooks,
  "access_controls/shares": shareHooks,
  "core/forms": formHooks,
  "core/listviews": listviewHooks,
  ...relatedHooks,
  ...workflowHooks,
  [EXCHANGE_RATES]: exchangeRateHooks,
  "crm/leads": fullName,
  "crm/peoples": fullName,
});
