// Takes the next message that may go out, one organization after the other, and leases it. What may not go out yet is
// held, and the organization's administrators are told why. Any number of processes may do so: all is decided in PostgreSQL.
import { createHash } from "node:crypto";
import { forAllOrganizations } from "../database/citus/places.ts";
import type { Database, Queryable, Row } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import { type Sql, sql } from "../database/sql.ts";

export interface MailRules {
  /** Messages of one organization, those about people's own accounts aside; 0: no limit. */
  readonly perHour: number;
  readonly perDay: number;
  /** Messages to one address within an hour; 0: no limit. */
  readonly perRecipient: number;
  /** Who may write to people outside: organizations that the operator has allowed to, all, or none. */
  readonly outside: "ask" | "all" | "none";
}

export type HoldReason = "unconfirmed" | "outside" | "quota" | "recipient";

export interface Hold {
  readonly reason: HoldReason;
  /** Messages that wait because of it. */
  readonly waiting: number;
  /** Messages that waited for too long and were given up. */
  readonly expired: number;
}

export type TellAdministrators = (transaction: Queryable, organizationId: string, hold: Hold) => Promise<void>;

/** Whose turn it is not: they have as much under way as they get. */
export interface Full {
  readonly organizations: readonly string[];
  /** What stands behind the @ of recipients, in lower case. */
  readonly domains: readonly string[];
}

/** How long a process has for one message; then another takes it over. */
const LEASE_SECONDS = 300;
/** What is allowed meanwhile is looked at again after this; a confirmed address or the operator's word releases it at once. */
const LOOK_AGAIN_MINUTES = 15;
/** Nobody wants to read a message that is older. */
const HELD_DAYS = 7;

const now = sql`now() at time zone 'utc'`;
const domainOf = sql`lower(split_part(recipient, '@', 2))`;

/** How many organizations are tried, one after the other, until one is nobody else's turn. */
const MOST_SENDERS = 20;

/** A leased message; `held` when one was put aside instead and there may be another; undefined when nothing is due. */
export async function claimMail(
  database: Database,
  rules: MailRules,
  tell: TellAdministrators,
  full: Full = { organizations: [], domains: [] },
): Promise<Row | "held" | undefined> {
  const isDue = sql`ended is null and due <= ${now} and ${domainOf} <> all(${full.domains}::text[])`;
  const senders = await forAllOrganizations(database, (which) =>
    database.rows<{ organization_id: string; served: string }>(sql`
      select s.organization_id, s.served from core__mail_senders s
      where ${which} and s.organization_id <> all(${full.organizations}::bigint[]) and exists (select 1 from core__mails m
        where m.organization_id = s.organization_id and ${isDue})
      order by s.served, s.organization_id limit ${MOST_SENDERS}`),
  );
  const inTurn = senders.flat().sort((one, other) => (one.served < other.served ? -1 : 1));
  for (const { organization_id: organizationId } of inTurn) {
    const claimed = await database.transaction((transaction) =>
      claimOf(transaction, organizationId, isDue, rules, tell),
    );
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}

/** The next message of one organization; undefined where another process is at it. */
async function claimOf(
  transaction: Queryable,
  organizationId: string,
  isDue: Sql,
  rules: MailRules,
  tell: TellAdministrators,
): Promise<Row | "held" | undefined> {
  const organization = sql`organization_id = ${organizationId}::bigint`;
  const sender = await transaction.row(sql`
    select organization_id, allows_outside, case when hour = date_trunc('hour', ${now}) then hour_count else 0 end as hour_count,
      case when day = (${now})::date then day_count else 0 end as day_count
    from core__mail_senders where ${organization} for update skip locked`);
  if (!sender) return undefined;
  const mail = await transaction.row(sql`
    select id, kind, audience, recipient, attempts from core__mails
    where ${organization} and ${isDue} order by due, id limit 1 for update skip locked`);
  if (!mail?.id) return undefined;
  await transaction.run(sql`update core__mail_senders set served = ${now} where ${organization}`);
  const isFirst = mail.attempts === "0";
  const reason = isFirst ? await reasonToHold(transaction, rules, sender, mail) : undefined;
  if (reason !== undefined) {
    await hold(transaction, organizationId, mail, reason, tell);
    return "held";
  }
  if (isFirst && mail.audience !== "account") {
    await transaction.run(sql`
      update core__mail_senders set hour = date_trunc('hour', ${now}), hour_count = ${sender.hour_count ?? "0"}::integer + 1,
        day = (${now})::date, day_count = ${sender.day_count ?? "0"}::integer + 1
      where ${organization}`);
  }
  return transaction.row(sql`
    update core__mails set attempts = attempts + 1, held = null, due = (${now}) + make_interval(secs => ${LEASE_SECONDS})
    where ${organization} and id = ${mail.id}::uuid
    returning organization_id, id, recipient, ${domainOf} as domain, recipient_name, locale, kind, content, attempts`);
}

async function reasonToHold(
  transaction: Queryable,
  rules: MailRules,
  sender: Row,
  mail: Row,
): Promise<HoldReason | undefined> {
  const organizationId = sender.organization_id ?? "";
  const isOutside = mail.audience === "outside";
  const trust = isOutside ? await trustOf(transaction, organizationId) : undefined;
  if (trust && !trust.isOperator && !trust.isConfirmed) return "unconfirmed";
  // Invitations say our words, not the sender's; they are bounded by the limits below.
  if (trust && mail.kind !== "invitation" && !mayWriteOutside(rules, sender, trust.isOperator)) return "outside";
  if (mail.audience !== "account") {
    const over = (limit: number, count: string | null | undefined) => limit > 0 && Number(count) >= limit;
    if (over(rules.perHour, sender.hour_count) || over(rules.perDay, sender.day_count)) return "quota";
  }
  if (rules.perRecipient === 0 || mail.audience === "member" || trust?.isOperator) return undefined;
  return (await countRecipient(transaction, rules.perRecipient, organizationId, mail)) ? undefined : "recipient";
}

const mayWriteOutside = (rules: MailRules, sender: Row, isOperator: boolean): boolean =>
  rules.outside === "all" || (rules.outside === "ask" && (isOperator || sender.allows_outside === "1"));

/** Somebody who runs the organization can be reached, so that somebody answers for what it sends. */
async function trustOf(db: Queryable, organizationId: string) {
  const organization = sql`${organizationId}::bigint`;
  const row = await db.row(sql`
    select o.is_operator, exists (
      select 1 from access_controls__roles_users m
      join access_controls__roles r on r.organization_id = ${organization} and r.id = m.role_id and r.deleted = 0
        and r.is_administrator = 1
      join access_controls__users u on u.organization_id = ${organization} and u.id = m.user_id and u.deleted = 0
        and u.is_active = 1
      join core__email_addresses e on e.organization_id = ${organization} and e.related_type = 'access_controls/users'
        and e.related_id = u.id::text and e.deleted = 0 and e.is_confirmed = 1
      where m.organization_id = ${organization} and m.deleted = 0)::integer as confirmed
    from access_controls__organizations o where o.organization_id = ${organization} and o.id = ${organization}`);
  return { isOperator: row?.is_operator === "1", isConfirmed: row?.confirmed === "1" };
}

/**
 * False when an address has had enough within this hour. About one's own account each organization counts for itself:
 * nobody can use up what another one's user needs to get a new password.
 */
async function countRecipient(
  transaction: Queryable,
  limit: number,
  organizationId: string,
  { audience, recipient }: Row,
): Promise<boolean> {
  const whose = audience === "account" ? organizationId : "all";
  const key = createHash("sha256").update(`${whose}\0${recipient?.toLowerCase()}`).digest("hex");
  const counted = await transaction.row(sql`
    insert into core__mail_recipients as r (key, hour, sent) values (${key}, date_trunc('hour', ${now}), 1)
    on conflict (key) do update set hour = excluded.hour, sent = case when r.hour = excluded.hour then r.sent + 1 else 1 end
    returning sent`);
  return Number(counted?.sent) <= limit;
}

/** Everything that waits for the same reason is put aside at once. */
async function hold(
  transaction: Queryable,
  organizationId: string,
  mail: Row,
  reason: HoldReason,
  tell: TellAdministrators,
): Promise<void> {
  const organization = sql`organization_id = ${organizationId}::bigint`;
  const which = sql`${organization} and ended is null and ${alike(reason, mail)}`;
  // A link that arrives an hour late is of no use, and who asked for it was told that it may not come.
  const giveUp =
    reason === "recipient" && mail.audience === "account"
      ? sql`true`
      : sql`held is not null and created < (${now}) - make_interval(days => ${HELD_DAYS}::integer)`;
  const expired = await transaction.run(sql`
    update core__mails set ended = ${now}, outcome = 'failed', content = null, last_error = ${`held: ${reason}`}
    where ${which} and due <= ${now} and ${giveUp}`);
  const held = await transaction.run(sql`
    update core__mails set held = ${reason}, due = ${lookAgain(reason)} where ${which} and attempts = 0 and due <= ${now}`);
  if (reason === "recipient" && mail.audience === "account") return;
  const told = await transaction.run(sql`
    update core__mail_senders set told = ${reason}, told_at = ${now}
    where ${organization} and (${expired.count}::integer > 0 or told is distinct from ${reason}
      or told_at < (${now}) - interval '1 day')`);
  if (told.count > 0) await tell(transaction, organizationId, { reason, waiting: held.count, expired: expired.count });
}

function alike(reason: HoldReason, { id }: Row): Sql {
  if (reason === "unconfirmed") return sql`audience = 'outside'`;
  if (reason === "outside") return sql`audience = 'outside' and kind <> 'invitation'`;
  return reason === "quota" ? sql`audience <> 'account'` : sql`id = ${id ?? null}::uuid`;
}

const lookAgain = (reason: HoldReason): Sql =>
  reason === "quota" || reason === "recipient"
    ? sql`date_trunc('hour', ${now}) + interval '1 hour'`
    : sql`(${now}) + make_interval(mins => ${LOOK_AGAIN_MINUTES}::integer)`;

/** What was held until somebody confirmed an address or the operator allowed it is looked at again at once. */
export async function releaseMail(transaction: Queryable, organizationId: string): Promise<void> {
  await transaction.run(sql`
    update core__mails set due = ${now}
    where organization_id = ${organizationId}::bigint and ended is null and held in ('unconfirmed', 'outside')`);
  await notify(transaction, "dossier_mail", organizationId);
}
