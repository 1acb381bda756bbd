// Takes what was sent to signup; gives every fault of it at once, and what is left to write when there is none.
import { about, type Message, say } from "../../../contract/messages.ts";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { passwordErrors } from "../../lib/secrets/password.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { textAt } from "../../request/tree.ts";
import { USER_NAME } from "../create-user.ts";
import { isOthersAddress } from "../login-names.ts";
import { type Preferences, preferenceFaults } from "../preferences.ts";
import { sanitizeName } from "../sanitize-name.ts";
import { type ContactRows, readContactRows } from "./contact-rows.ts";
import { findTarget, type Target } from "./find-target.ts";
import type { SentSignup } from "./read-signup.ts";

export interface CheckedSignup {
  readonly faults: Readonly<Record<string, readonly Message[]>>;
  /** The only fault is that somebody has the name already. */
  readonly isTaken: boolean;
  readonly target: Target | undefined;
  readonly contact: ContactRows["columns"];
  readonly firstName: string | null;
  readonly lastName: string;
}

export async function checkSignup(
  db: Queryable,
  snapshot: Snapshot,
  config: Pick<Config, "multiTenant">,
  sent: SentSignup,
): Promise<CheckedSignup> {
  const faults: Record<string, readonly Message[]> = {};
  const taken = await nameFault(db, sent.userName, faults);
  const lastName = sanitizeName(sent.lastName);
  if (lastName === "") faults["users.last_name"] = [say("required", { field: say("last_name") })];
  const wrong = await passwordErrors(sent.password.text, sent.userName);
  if (wrong.length > 0) faults[sent.password.at] = wrong.map((error) => about(say("password"), error));
  if (sent.password.text !== sent.confirmation.text) {
    faults[sent.confirmation.at] = [say("passwords_differ")];
  }
  if (!sent.isLicenseAccepted) {
    faults["users.is_license_agreement_accepted"] = [say("accept_terms")];
  }
  const contact = await readContactRows(db, snapshot, sent);
  const emails = contact.columns.email_addresses.map((row) => row.email ?? "");
  const { target, faults: targetFaults } = await findTarget(db, config, sent, emails);
  Object.assign(faults, targetFaults, contact.faults, roleRowFaults(sent));
  for (const [name, said] of Object.entries(await preferenceFaults(db, preferencesOf(sent)))) {
    faults[sent.preferences[name as keyof SentSignup["preferences"]].at] = said; // faults are named by preference
  }
  return {
    faults,
    isTaken: taken && Object.keys(faults).length === 1,
    target,
    contact: contact.columns,
    firstName: sanitizeName(sent.firstName) || null,
    lastName,
  };
}

export const preferencesOf = ({ preferences }: SentSignup): Preferences =>
  Object.fromEntries(Object.entries(preferences).map(([name, { text }]) => [name, text.trim()]));

/** True when the name is taken. */
async function nameFault(db: Queryable, name: string, faults: Record<string, readonly Message[]>): Promise<boolean> {
  if (name === "") faults["users.user_name"] = [say("required", { field: say("user_name") })];
  else if (!USER_NAME.test(name)) {
    faults["users.user_name"] = [say("bad_user_name")];
  } else {
    const taken = await db.row(sql`
      select 1 as found from access_controls__user_names where user_name = ${name.toLowerCase()}`);
    const isTaken = taken !== undefined || (await isOthersAddress(db, name));
    if (isTaken) faults["users.user_name"] = [say("taken", { field: say("user_name") })];
    return isTaken;
  }
  return false;
}

/** In the nested encoding a row of roles_users must not name nothing. */
function roleRowFaults(sent: SentSignup): Record<string, Message[]> {
  const faults: Record<string, Message[]> = {};
  for (const { values, at } of sent.rolesUsers) {
    if ("role_id" in values && textAt(values, "role_id") === undefined)
      faults[`${at}.role_id`] = [say("required", { field: say("role") })];
    if ("user_id" in values && textAt(values, "user_id") === undefined)
      faults[`${at}.user_id`] = [say("required", { field: say("user") })];
  }
  return faults;
}
