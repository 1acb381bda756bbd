// The operations that belong to one controller each: a line per operation. What every record type has is operations/.
import type { RecordTypeKey } from "../metadata/record-type.ts";
import type { OperationTable } from "../operations/find-operation.ts";
import { add, mine, revoke } from "./access_controls/operations/api-keys.ts";
import { login } from "./access_controls/operations/login.ts";
import { accessToken, changePassword, logout } from "./access_controls/operations/session.ts";
import { whoMay } from "./access_controls/operations/who-may.ts";
import { clone } from "./core/operations/clone-view.ts";
import { dashboard, pin, unpin } from "./core/operations/dashboard.ts";
import { mentionable } from "./core/operations/mentionable.ts";
import { markRead, mine as myNotifications, unread } from "./core/operations/notifications.ts";
import { search } from "./core/operations/search.ts";
import { appMenu } from "./development_base/app-menu.ts";
import { check, remove, save, view } from "./metadata/record-types.ts";
import { schema } from "./metadata/schema.ts";

export const ownOperations: Readonly<Record<RecordTypeKey, OperationTable>> = {
  "access_controls/users": { login, logout, access_token: accessToken, change_password: changePassword },
  "access_controls/roles": { who_may: whoMay },
  "access_controls/api_keys": { add, mine, revoke },
  "core/search": { index: search },
  "core/listviews": { clone, dashboard, pin, unpin },
  "core/comments": { mentionable },
  "core/notifications": { mine: myNotifications, unread, mark_read: markRead },
  "development_base/menus": { app_menu: appMenu },
  "metadata/schema": { index: schema },
  "metadata/record_types": { check, remove, save, view },
};
