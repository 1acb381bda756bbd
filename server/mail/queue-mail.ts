// Takes a recipient and what a message is about; puts it into the outbox within the caller's transaction: it goes out if
// and only if that commits. Sends nothing itself.
import type { Queryable } from "../database/database.ts";
import { notify } from "../database/notify.ts";
import { sql } from "../database/sql.ts";
import { uuidv7 } from "../lib/uuid.ts";
import type { MailContent } from "./content.ts";

export interface Recipient {
  readonly address: string;
  readonly name?: string | null | undefined;
  /** Decides the language; English when unknown. */
  readonly locale?: string | null | undefined;
}

/** Gives the message's id in the outbox. */
export async function queueMail(
  transaction: Queryable,
  organizationId: string,
  to: Recipient,
  content: MailContent,
): Promise<string> {
  const id = uuidv7();
  await transaction.run(sql`
    insert into core__mails (organization_id, id, recipient, recipient_name, locale, kind, content)
    values (${organizationId}::bigint, ${id}::uuid, ${to.address}, ${to.name ?? null}, ${to.locale ?? "en-US"},
      ${content.kind}, ${JSON.stringify(content)}::json)`);
  await notify(transaction, "dossier_mail", organizationId);
  return id;
}

/** To an active user's primary e-mail address (else its first). False when it has none: then there is no message. */
export async function queueMailToUser(
  transaction: Queryable,
  organizationId: string,
  userId: string,
  content: MailContent,
): Promise<boolean> {
  const row = await transaction.row(sql`
    select u.name, u.locale, e.email
    from access_controls__users u
    join core__email_addresses e on e.organization_id = ${organizationId}::bigint
      and e.related_type = 'access_controls/users' and e.related_id = u.id::text and e.deleted = 0
    where u.organization_id = ${organizationId}::bigint and u.id = ${userId}::bigint and u.deleted = 0 and u.is_active = 1
    order by e.is_primary desc nulls last, e.id limit 1`);
  if (!row?.email) return false;
  await queueMail(transaction, organizationId, { address: row.email, name: row.name, locale: row.locale }, content);
  return true;
}
