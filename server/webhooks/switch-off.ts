// Turns a webhook off for a reason: what waits is not sent, its owner is told here and by email, and the audit log says so.
import { type Message, say } from "../../contract/messages.ts";
import { languageOf, write } from "../../contract/texts/write.ts";
import { audit } from "../access/audit.ts";
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { queueMailToUser } from "../mail/queue-mail.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { addNotifications } from "../records/workflow/notifications.ts";
import { WEBHOOKS, type Webhook } from "./webhook.ts";

type Named = Pick<Webhook, "organizationId" | "id">;

const LONGEST = 1_000;

/** Within a transaction. Of several who find the same reason, one tells of it. */
export async function switchOff(
  transaction: Queryable,
  snapshot: Snapshot,
  { organizationId, id }: Named,
  why: Message,
): Promise<void> {
  const organization = sql`${organizationId}::bigint`;
  const language = await languageOfOwner(transaction, organizationId, id);
  const text = write(why, language);
  const row = await transaction.row(sql`
    update core__webhooks set is_active = 0, problem = ${text.slice(0, LONGEST)}, revision = revision + 1,
      modified = now() at time zone 'utc'
    where organization_id = ${organization} and id = ${id}::bigint and is_active = 1 and deleted = 0
    returning name, owned_by::text as owned_by, acl_id::text as acl_id`);
  if (!row) return;
  const { name, owned_by: ownerId, acl_id: aclId } = row;
  const change = { aclId: aclId ?? "0", delta: 0, id, operation: "edit" as const };
  await recordChanges(transaction, organizationId, WEBHOOKS, [change]);
  await dropWaiting(transaction, organizationId, id, write(say("delivery_ended"), language));
  const record = { type: WEBHOOKS, id, name: name ?? null };
  await audit(transaction, snapshot, {
    organizationId,
    event: "webhook_changed",
    userId: null,
    subject: record,
    detail: { operation: "turn_off", reason: text },
  });
  if (ownerId == null) return;
  const said = write(say("note_webhook_off", { name: name ?? "", why }), language);
  const entry = { userId: ownerId, kind: "webhook", text: said, record, byUserId: null };
  await addNotifications(transaction, snapshot, organizationId, [entry]);
  const link = `/core/webhooks/view?id=${id}`;
  await queueMailToUser(transaction, organizationId, ownerId, {
    kind: "webhook-off",
    name: name ?? "",
    why: text,
    link,
  });
}

/** What the webhook's own records say is said in its owner's language. */
export async function languageOfOwner(db: Queryable, organizationId: string, webhookId: string) {
  const row = await db.row(sql`
    select coalesce(u.locale, o.locale) as locale from core__webhooks w
    join access_controls__organizations o on o.organization_id = ${organizationId}::bigint and o.id = w.organization_id
    left join access_controls__users u on u.organization_id = ${organizationId}::bigint and u.id = w.owned_by
    where w.organization_id = ${organizationId}::bigint and w.id = ${webhookId}::bigint`);
  return languageOf(row?.locale) ?? "en";
}

/** Whatever waits is not sent. One that is under way is told of when it is over. */
export async function dropWaiting(
  transaction: Queryable,
  organizationId: string,
  webhookId: string,
  problem: string,
): Promise<void> {
  await transaction.run(sql`
    update core__webhook_deliveries set status = 'dropped', next_attempt = null, problem = ${problem}
    where organization_id = ${organizationId}::bigint and related_type = ${WEBHOOKS} and related_id = ${webhookId}::text
      and status = 'waiting'`);
}
