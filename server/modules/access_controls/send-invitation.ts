// Sends invitations: to join an organisation, or, to a user whom an administrator made, to choose a first password.
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { queueMail, queueMailToUser } from "../../mail/queue-mail.ts";
import { dropTokens, newOneTimeToken } from "./one-time-tokens.ts";

export const INVITATION_DAYS = 7;
const INVITATION_SECONDS = INVITATION_DAYS * 24 * 3600;

export interface Inviter {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly fullName: string;
  readonly locale: string;
}

/** A new link for an invitation; links sent before stop working. */
export async function sendInvitation(
  transaction: Queryable,
  inviter: Inviter,
  invitation: { readonly id: string; readonly email: string },
): Promise<void> {
  const { organizationId } = inviter;
  await dropTokens(transaction, organizationId, ["invitation"], invitation.id);
  const about = { organizationId, subject: invitation.id };
  const token = await newOneTimeToken(transaction, "invitation", about, INVITATION_SECONDS);
  const updated = await transaction.run(sql`
    update access_controls__invitations
    set expires = now() at time zone 'utc' + make_interval(days => ${INVITATION_DAYS}::integer), last_sent = now() at time zone 'utc',
      times_sent = coalesce(times_sent, 0) + 1, status = 'open'
    where organization_id = ${organizationId}::bigint and id = ${invitation.id}::uuid returning acl_id::text`);
  const changes = updated.rows.map(([aclId]) => ({ aclId: aclId ?? "0", delta: 0 }));
  await recordChanges(transaction, organizationId, "access_controls/invitations", changes);
  const to = { address: invitation.email, locale: inviter.locale };
  await queueMail(
    transaction,
    organizationId,
    to,
    content(inviter, `/access_controls/users/signup?invitation=${token}`),
  );
}

/** False when the user has no e-mail address to write to. */
export async function inviteUser(transaction: Queryable, inviter: Inviter, userId: string): Promise<boolean> {
  const { organizationId } = inviter;
  const about = { organizationId, subject: userId };
  const token = await newOneTimeToken(transaction, "password", about, INVITATION_SECONDS);
  const link = `/access_controls/users/reset_forgotten_password?token=${token}`;
  const sent = await queueMailToUser(transaction, organizationId, userId, content(inviter, link));
  if (!sent) await dropTokens(transaction, organizationId, ["password"], userId);
  return sent;
}

const content = ({ organizationName, fullName }: Inviter, link: string) =>
  ({ kind: "invitation", organization: organizationName, inviter: fullName, link, days: INVITATION_DAYS }) as const;
