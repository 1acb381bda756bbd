// Organizations, sessions, API keys, jobs, notifications and history: kept by the service, so that most of what can be done to a record
// cannot be done to these.
import { say } from "../../contract/messages.ts";
import { keptByTheService } from "../metadata/kept-by-the-service.ts";
import type { HookTable, RecordChange, Work } from "../records/hooks.ts";
import { domainsOf, isMailDomain } from "./mail-domains.ts";
import { preferenceFaults } from "./preferences.ts";

/** Set when the organization is founded, by the service itself; whatever path a change comes by, it ends here. */
const fixedForGood = ["is_operator", "principal_id"] as const;

async function organizationFaults({ transaction }: Work, { before, after }: RecordChange) {
  const changed = (name: string) => (after?.[name] !== before?.[name] ? after?.[name] : undefined);
  const faults = await preferenceFaults(transaction, { time_zone: changed("time_zone"), locale: changed("locale") });
  for (const name of fixedForGood) {
    if ((before?.[name] ?? null) !== (after?.[name] ?? null)) faults[name] = [say("not_editable", { field: name })];
  }
  const wrong = domainsOf(after?.allowed_domains).filter((domain) => !isMailDomain(domain));
  if (wrong.length > 0) faults.allowed_domains = wrong.map((domain) => say("bad_mail_domain", { domain }));
  return faults;
}

/** A key cannot make, revoke or delete keys: a leaked one must not outlive its revocation, nor end the others. */
export const KEYS_BY_PEOPLE = say("keys_by_people");

export const accountHooks: HookTable = {
  "access_controls/organizations": {
    changesAccess: "callers",
    check: organizationFaults,
    refuses: { restore: keptByTheService, purge: keptByTheService },
  },
  "access_controls/sessions": {
    changesAccess: "callers",
    bookkeeping: true,
    refuses: { restore: "refuses_session_restore" },
  },
  "access_controls/api_keys": {
    peopleOnly: KEYS_BY_PEOPLE,
    changesAccess: "callers",
    bookkeeping: true,
    refuses: { restore: "refuses_key_restore" },
  },
  "core/jobs": { bookkeeping: true },
  "core/notifications": { bookkeeping: true },
  "core/revisions": { bookkeeping: true, refuses: { restore: keptByTheService, purge: keptByTheService } },
};
