// Takes a signup without faults; writes everything that it makes, or nothing: the organization where one is founded, the
// user, how to reach it, what it agreed to, the message that confirms its address. Call within a transaction.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { refreshAcl } from "../../access/acl-sets.ts";
import { audit } from "../../access/audit.ts";
import { lockAccess } from "../../access/principal-lookup.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { settleComputed } from "../../records/computed/settle.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { insertRows } from "../../records/save/insert-rows.ts";
import { createUser } from "../create-user.ts";
import { currentLicense, recordAcceptance } from "../current-license.ts";
import { foundOrganization } from "../found-organization.ts";
import { rememberAddress } from "../login-names.ts";
import { mailConfirmation } from "../mail-confirmation.ts";
import { dropTokens, spendOneTimeToken } from "../one-time-tokens.ts";
import { type CheckedSignup, preferencesOf } from "./check-signup.ts";
import type { Target } from "./find-target.ts";
import { type ContactKind, contactKinds, type SentSignup } from "./read-signup.ts";

export interface NewAccount {
  readonly organizationId: string;
  readonly userId: string;
  /** Has to confirm its address before it may log in. */
  readonly isWaiting: boolean;
}

interface Place {
  readonly organizationId: string;
  readonly roleIds: readonly string[];
}

export async function createAccount(
  transaction: Queryable,
  snapshot: Snapshot,
  sent: SentSignup,
  checked: CheckedSignup & { readonly target: Target },
  passwordHash: string,
  address: string,
): Promise<NewAccount> {
  const { target } = checked;
  const isWaiting = target.kind === "domain";
  if (target.kind !== "found") await lockAccess(transaction, target.organizationId, "exclusive");
  const { organizationId, roleIds } = await findPlace(transaction, snapshot, sent, target);
  const chosen = preferencesOf(sent);
  const preferences = Object.fromEntries(Object.entries(chosen).filter(([, text]) => text !== ""));
  const userId = await createUser(transaction, snapshot, organizationId, {
    userName: sent.userName,
    firstName: checked.firstName,
    lastName: checked.lastName,
    roleIds,
    passwordHash,
    columns: {
      ...preferences,
      is_active: isWaiting ? "0" : "1",
      ...(sent.title === "" ? {} : { title: sent.title.slice(0, 255) }),
    },
  });
  await addContacts(transaction, snapshot, organizationId, userId, checked, target);
  const license = await currentLicense(transaction, organizationId);
  if (license) await recordAcceptance(transaction, snapshot, organizationId, userId, license, address);
  const to = { userId, organizationId, userName: sent.userName, locale: chosen.locale ?? null };
  await mailConfirmation(transaction, to, isWaiting ? "join" : "mail");
  if (target.kind === "invited") await acceptInvitation(transaction, sent, target, userId);
  const who = { organizationId, userId, userName: sent.userName, address };
  await audit(transaction, snapshot, { ...who, event: "signup", detail: { how: target.kind } });
  if (target.kind === "invited") {
    const subject = { type: "access_controls/invitations", id: target.invitation.id, name: target.invitation.email };
    await audit(transaction, snapshot, { ...who, event: "invitation_accepted", subject });
  }
  await settleComputed({ transaction, snapshot, organizationId });
  // The sets made above spoke of a user who was not there yet.
  await refreshAcl(transaction, snapshot, organizationId);
  return { organizationId, userId, isWaiting };
}

/** The founder of an organization is its administrator, beside the role it chose: somebody must be in charge. */
async function findPlace(transaction: Queryable, snapshot: Snapshot, sent: SentSignup, target: Target): Promise<Place> {
  if (target.kind === "domain") return { organizationId: target.organizationId, roleIds: [target.roleId] };
  if (target.kind === "invited") {
    return { organizationId: target.organizationId, roleIds: [target.invitation.roleId] };
  }
  const { name, currencyId, roleCode } = target;
  const founded = await foundOrganization(transaction, snapshot, { name, currencyId, isOperator: false });
  const { time_zone, locale } = preferencesOf(sent);
  await transaction.run(sql`
    update access_controls__organizations
    set time_zone = coalesce(nullif(${time_zone ?? ""}, ''), time_zone), locale = coalesce(nullif(${locale ?? ""}, ''), locale)
    where organization_id = ${founded.id}::bigint and id = ${founded.id}::bigint`);
  const roleIds = ["administrator", roleCode].flatMap((code) => founded.roles.get(code) ?? []);
  return { organizationId: founded.id, roleIds: [...new Set(roleIds)] };
}

async function addContacts(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  userId: string,
  { contact }: CheckedSignup,
  target: Target,
): Promise<void> {
  const own = {
    related_type: "access_controls/users",
    related_id: userId,
    owned_by: userId,
    created_by: userId,
    modified_by: userId,
  };
  const rowsOf = (kind: ContactKind): ColumnValues[] => {
    if (kind !== "email_addresses" || target.kind !== "invited") return [...contact[kind]];
    // An invitation that reached this address leaves nothing to confirm.
    const { email, isMailed } = target.invitation;
    const others = contact[kind].filter((row) => row.email?.toLowerCase() !== email.toLowerCase());
    return [{ email, is_confirmed: isMailed ? "1" : "0" }, ...others];
  };
  for (const kind of contactKinds) {
    const rows = rowsOf(kind).map((row, index) => ({ ...row, ...own, is_primary: index === 0 ? "1" : "0" }));
    await insertRows(transaction, snapshot, requireType(snapshot, `core/${kind}`), organizationId, rows);
  }
}

async function acceptInvitation(
  transaction: Queryable,
  sent: SentSignup,
  { organizationId, invitation }: Extract<Target, { kind: "invited" }>,
  userId: string,
): Promise<void> {
  if (!(await spendOneTimeToken(transaction, organizationId, sent.invitation))) {
    const reason = say("invitation_used");
    throw new Failure("conflict", { with: { reason }, byField: { "users.invitation": [reason] } });
  }
  await dropTokens(transaction, organizationId, ["invitation", "invitation-link"], invitation.id);
  if (invitation.isMailed) await rememberAddress(transaction, organizationId, userId, invitation.email);
  const row = await transaction.row(sql`
    update access_controls__invitations set status = 'accepted', accepted = now() at time zone 'utc',
      accepted_by = ${userId}::bigint, revision = revision + 1
    where organization_id = ${organizationId}::bigint and id = ${invitation.id}::uuid returning acl_id`);
  const changes = [{ aclId: row?.acl_id ?? "0", delta: 0, id: invitation.id, operation: "edit" as const }];
  await recordChanges(transaction, organizationId, "access_controls/invitations", changes);
}
