// Takes a user; sends the link that proves that its primary email address is its own. Nothing where it is proven already.
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { releaseMail } from "../mail/claim-mail.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { rememberAddress } from "./login-names.ts";
import { dropTokens, mailedAddress, newOneTimeToken, rememberMailed } from "./one-time-tokens.ts";

const CONFIRMATION_DAYS = 3;

export interface Confirmand {
  readonly organizationId: string;
  readonly userId: string;
  readonly userName: string;
  readonly locale: string | null;
}

/** `join`: the user may come in only once the address is confirmed. Gives the address; undefined when none is left to confirm. */
export async function mailConfirmation(
  transaction: Queryable,
  { organizationId, userId, userName, locale }: Confirmand,
  kind: "mail" | "join",
): Promise<string | undefined> {
  const row = await transaction.row(sql`
    select id::text as id, email, coalesce(is_confirmed, 0)::text as confirmed from core__email_addresses e
    where organization_id = ${organizationId}::bigint and related_type = 'access_controls/users' and related_id = ${userId}
      and deleted = 0
    order by is_primary desc nulls last, e.id limit 1`);
  if (!row?.id || !row.email || row.confirmed === "1") return undefined;
  const about = { organizationId, subject: kind === "join" ? userId : row.id };
  await dropTokens(transaction, organizationId, [kind], about.subject);
  const token = await newOneTimeToken(transaction, kind, about, CONFIRMATION_DAYS * 24 * 3600);
  const link = `/access_controls/users/confirm_mail?token=${token}`;
  const content = { kind: "mail-confirmation", userName, link, days: CONFIRMATION_DAYS } as const;
  await queueMail(transaction, organizationId, { address: row.email, locale }, content);
  if (kind === "join") await rememberMailed(transaction, about, token, row.email, CONFIRMATION_DAYS * 24 * 3600);
  return row.email;
}

/** A link that was mailed to a user was followed: whoever did reads the address that it was sent to. */
export async function confirmMailed(
  transaction: Queryable,
  organizationId: string,
  userId: string,
  token: string,
): Promise<void> {
  const id = await mailedAddress(transaction, { organizationId, subject: userId }, token);
  if (id === undefined) return;
  const row = await transaction.row(sql`
    update core__email_addresses set is_confirmed = 1, revision = revision + 1
    where organization_id = ${organizationId}::bigint and id = ${id}::bigint and coalesce(is_confirmed, 0) = 0
    returning email, acl_id`);
  if (!row?.email) return;
  const changes = [{ aclId: row.acl_id ?? "0", delta: 0, id, operation: "edit" as const }];
  await recordChanges(transaction, organizationId, "core/email_addresses", changes);
  await rememberAddress(transaction, organizationId, userId, row.email);
  await releaseMail(transaction, organizationId);
}
