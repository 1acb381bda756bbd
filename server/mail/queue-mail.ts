// Takes a recipient and what a message is about; puts it into the outbox within the caller's transaction: it goes out if
// and only if that commits. Sends nothing itself.
import type { Queryable } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import { sql } from "../database/sql.ts";
import { uuidv7 } from "../lib/uuid.ts";
import type { MailContent } from "./content.ts";

export interface Recipient {
  readonly address: string;
  readonly name?: string | null | undefined;
  /** Decides the language; English when unknown. */
  readonly locale?: string | null | undefined;
}

/** What fits into the path of SMTP (RFC 5321, 4.5.3.1.3). */
const LONGEST_ADDRESS = 254;
const LONGEST_NAME = 200;

/** One address, whatever was stored where an address should be: no list, no name, no line break reaches a header. */
const isOneAddress = (text: string): boolean =>
  text.length <= LONGEST_ADDRESS && /^[^\s\p{C},;:<>"()[\]\\@]+@[^\s\p{C},;:<>"()[\]\\@]+$/u.test(text);

/** Gives the message's id in the outbox; undefined where the recipient is no address. */
export async function queueMail(
  transaction: Queryable,
  organizationId: string,
  to: Recipient,
  content: MailContent,
): Promise<string | undefined> {
  if (!isOneAddress(to.address)) return undefined;
  const id = uuidv7();
  const organization = sql`${organizationId}::bigint`;
  await transaction.write(sql`
    insert into core__mail_senders (organization_id) values (${organization}) on conflict do nothing`);
  const audience = await audienceOf(transaction, organizationId, to, content);
  await transaction.write(sql`
    insert into core__mails (organization_id, id, recipient, recipient_name, locale, kind, content, audience)
    values (${organization}, ${id}::uuid, ${to.address}, ${to.name?.slice(0, LONGEST_NAME) ?? null}, ${to.locale ?? "en-US"},
      ${content.kind}, ${JSON.stringify(content)}::json, ${audience})`);
  await notify(transaction, "dossier_mail", organizationId);
  return id;
}

async function audienceOf(
  transaction: Queryable,
  organizationId: string,
  { address }: Recipient,
  { kind }: MailContent,
): Promise<"account" | "member" | "outside"> {
  if (kind === "forgotten-password" || kind === "mail-confirmation") return "account";
  if (kind === "invitation") return "outside";
  const organization = sql`${organizationId}::bigint`;
  const member = await transaction.row(sql`
    select 1 as found from core__email_addresses e
    join access_controls__users u on u.organization_id = ${organization} and u.id::text = e.related_id and u.deleted = 0
      and u.is_active = 1
    where e.organization_id = ${organization} and e.email = ${address} and e.related_type = 'access_controls/users'
      and e.deleted = 0 and e.is_confirmed = 1 limit 1`);
  return member ? "member" : "outside";
}

/** To an active user's primary e-mail address (else its first). Gives the address; undefined when it has none: then there is no message. */
export async function queueMailToUser(
  transaction: Queryable,
  organizationId: string,
  userId: string,
  content: MailContent,
): Promise<string | undefined> {
  const row = await transaction.row(sql`
    select u.name, coalesce(u.locale, o.locale) as locale, e.email
    from access_controls__users u
    join access_controls__organizations o on o.organization_id = ${organizationId}::bigint and o.id = u.organization_id
    join core__email_addresses e on e.organization_id = ${organizationId}::bigint
      and e.related_type = 'access_controls/users' and e.related_id = u.id::text and e.deleted = 0
    where u.organization_id = ${organizationId}::bigint and u.id = ${userId}::bigint and u.deleted = 0 and u.is_active = 1
    order by e.is_primary desc nulls last, e.id limit 1`);
  if (!row?.email) return undefined;
  const to = { address: row.email, name: row.name, locale: row.locale };
  return (await queueMail(transaction, organizationId, to, content)) === undefined ? undefined : row.email;
}
