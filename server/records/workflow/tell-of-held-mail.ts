// Takes messages of an organization that are held; tells its administrators why, and what to do about it. Never says to
// whom the messages are or what they hold.

import { type Message, say } from "../../../contract/messages.ts";
import { languageOf, write } from "../../../contract/texts/write.ts";
import { audit } from "../../access/audit.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Hold, HoldReason } from "../../mail/claim-mail.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { addNotifications } from "./notifications.ts";

const emails = (count: number): Message => say("some_emails", { count });

const reasons: Readonly<Record<HoldReason, Message>> = {
  unconfirmed: say("hold_unconfirmed"),
  outside: say("hold_outside"),
  quota: say("hold_quota"),
  recipient: say("hold_recipient"),
};

export async function tellOfHeldMail(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  { reason, waiting, expired }: Hold,
): Promise<void> {
  const administrators = await transaction.rows(sql`
    select distinct m.user_id::text as id, coalesce(u.locale, o.locale) as locale from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${organizationId}::bigint and r.id = m.role_id and r.deleted = 0
      and r.is_administrator = 1
    join access_controls__users u on u.organization_id = ${organizationId}::bigint and u.id = m.user_id
    join access_controls__organizations o on o.organization_id = ${organizationId}::bigint and o.id = u.organization_id
    where m.organization_id = ${organizationId}::bigint and m.deleted = 0`);
  const held = { emails: emails(waiting), why: reasons[reason] };
  const said =
    expired === 0 ? say("note_mail_held", held) : say("note_mail_held_gone", { ...held, gone: emails(expired) });
  const entries = administrators.flatMap(({ id, locale }) =>
    id ? [{ userId: id, kind: "mail", text: write(said, languageOf(locale) ?? "en"), byUserId: null }] : [],
  );
  await addNotifications(transaction, snapshot, organizationId, entries);
  await audit(transaction, snapshot, {
    organizationId,
    event: "mail_held",
    userId: null,
    detail: { reason, waiting, expired },
  });
}
