// Takes messages of an organization that are held; tells its administrators why, and what to do about it. Never says to
// whom the messages are or what they hold.
import { audit } from "../../access/audit.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Hold, HoldReason } from "../../mail/claim-mail.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { addNotifications } from "./notifications.ts";

const explanations: Readonly<Record<HoldReason, string>> = {
  unconfirmed: "An administrator must confirm their own email address before this organization can email anyone else.",
  outside: "This organization isn't allowed to email people outside it yet. Ask whoever runs this service to allow it.",
  quota: "This organization reached its email limit. The emails are sent as soon as the limit allows.",
  recipient: "The recipient has received too many emails within an hour. The email is sent later.",
};

const emails = (count: number): string => (count === 1 ? "1 email" : `${count} emails`);

export async function tellOfHeldMail(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  { reason, waiting, expired }: Hold,
): Promise<void> {
  const administrators = await transaction.rows(sql`
    select distinct m.user_id::text as id from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${organizationId}::bigint and r.id = m.role_id and r.deleted = 0
      and r.is_administrator = 1
    where m.organization_id = ${organizationId}::bigint and m.deleted = 0`);
  const gone = expired === 0 ? "" : ` ${emails(expired)} waited for 7 days and will not be sent.`;
  const text = `${emails(waiting)} on hold. ${explanations[reason]}${gone}`;
  const entries = administrators.flatMap(({ id }) => (id ? [{ userId: id, kind: "mail", text, byUserId: null }] : []));
  await addNotifications(transaction, snapshot, organizationId, entries);
  await audit(transaction, snapshot, {
    organizationId,
    event: "mail_held",
    userId: null,
    detail: { reason, waiting, expired },
  });
}
