// Sends invitations: to join an organization, or, to a user whom an administrator made, to choose a first password.
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { queueMail, queueMailToUser } from "../mail/queue-mail.ts";
import { dropTokens, newOneTimeToken, rememberMailed } from "./one-time-tokens.ts";

export const INVITATION_DAYS = 7;
const INVITATION_SECONDS = INVITATION_DAYS * 24 * 3600;

export interface Inviter {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly fullName: string;
  readonly locale: string;
}

/** A new link for an invitation, mailed and given to be passed on; links before stop working. */
export async function sendInvitation(
  transaction: Queryable,
  inviter: Inviter,
  invitation: { readonly id: string; readonly email: string },
): Promise<string> {
  const { organizationId } = inviter;
  await dropTokens(transaction, organizationId, ["invitation", "invitation-link"], invitation.id);
  const about = { organizationId, subject: invitation.id };
  const token = await newOneTimeToken(transaction, "invitation", about, INVITATION_SECONDS);
  const updated = await transaction.run(sql`
    update access_controls__invitations
    set expires = now() at time zone 'utc' + make_interval(days => ${INVITATION_DAYS}::integer), last_sent = now() at time zone 'utc',
      times_sent = coalesce(times_sent, 0) + 1, status = 'open'
    where organization_id = ${organizationId}::bigint and id = ${invitation.id}::uuid returning acl_id::text`);
  const changes = updated.rows.map(([aclId]) => ({
    aclId: aclId ?? "0",
    delta: 0,
    id: invitation.id,
    operation: "edit" as const,
  }));
  await recordChanges(transaction, organizationId, "access_controls/invitations", changes);
  const to = { address: invitation.email, locale: inviter.locale };
  await queueMail(transaction, organizationId, to, content(inviter, signupPath(token)));
  return signupPath(await newOneTimeToken(transaction, "invitation-link", about, INVITATION_SECONDS));
}

const signupPath = (token: string): string => `/access_controls/users/signup?invitation=${token}`;
const passwordPath = (token: string): string => `/access_controls/users/reset_forgotten_password?token=${token}`;

/** The link with which a new user chooses a password; the address it was mailed to, where there is one. */
export async function inviteUser(
  transaction: Queryable,
  inviter: Inviter,
  userId: string,
): Promise<{ readonly address: string | undefined; readonly link: string }> {
  const { organizationId } = inviter;
  const about = { organizationId, subject: userId };
  const token = await newOneTimeToken(transaction, "password", about, INVITATION_SECONDS);
  const address = await queueMailToUser(transaction, organizationId, userId, content(inviter, passwordPath(token)));
  if (address === undefined) await dropTokens(transaction, organizationId, ["password"], userId);
  else await rememberMailed(transaction, about, token, address, INVITATION_SECONDS);
  const copied = await newOneTimeToken(transaction, "password-link", about, INVITATION_SECONDS);
  return { address, link: passwordPath(copied) };
}

const content = ({ organizationName, fullName }: Inviter, link: string) =>
  ({ kind: "invitation", organization: organizationName, inviter: fullName, link, days: INVITATION_DAYS }) as const;
