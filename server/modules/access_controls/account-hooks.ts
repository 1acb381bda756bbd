// Organisations, sessions, API keys, jobs, notifications and history: kept by the service, so that most of what can be done to a record
// cannot be done to these.
import type { HookTable } from "../../records/hooks.ts";

const keptByTheService = "Records of this kind are kept by the service itself";

export const accountHooks: HookTable = {
  "access_controls/organizations": {
    changesAccess: "callers",
    refuses: {
      add: "An organisation is founded by signing up",
      delete: "An organisation cannot be deleted from within",
      restore: keptByTheService,
      purge: keptByTheService,
    },
  },
  "access_controls/sessions": {
    changesAccess: "callers",
    bookkeeping: true,
    refuses: { add: "A session begins with logging in", edit: keptByTheService, restore: "Log in again instead" },
  },
  "access_controls/api_keys": {
    changesAccess: "callers",
    bookkeeping: true,
    refuses: { edit: "Revoke the key and make another", restore: "Make another key instead" },
  },
  "core/jobs": { bookkeeping: true, refuses: { add: keptByTheService, edit: keptByTheService } },
  "core/notifications": { bookkeeping: true, refuses: { add: keptByTheService, edit: keptByTheService } },
  "core/revisions": {
    bookkeeping: true,
    refuses: {
      add: keptByTheService,
      edit: keptByTheService,
      delete: keptByTheService,
      restore: keptByTheService,
      purge: keptByTheService,
    },
  },
};
