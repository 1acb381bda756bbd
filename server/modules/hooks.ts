// What single record types add to saving and deleting: a line per type.
import type { HookTable } from "../records/hooks.ts";
import { accountHooks } from "./access_controls/account-hooks.ts";
import { roleHooks } from "./access_controls/role-hooks.ts";
import { shareHooks } from "./access_controls/share-hooks.ts";
import { userHooks } from "./access_controls/user-hooks.ts";
import { formHooks } from "./core/form-hooks.ts";
import { listviewHooks } from "./core/listview-hooks.ts";
import { relatedHooks } from "./core/related-hooks.ts";
import { fullName } from "./person-name.ts";

export const recordHooks: HookTable = {
  "access_controls/users": userHooks,
  ...roleHooks,
  ...accountHooks,
  "access_controls/shares": shareHooks,
  "core/forms": formHooks,
  "core/listviews": listviewHooks,
  ...relatedHooks,
  "crm/leads": fullName,
  "crm/peoples": fullName,
};
