// Takes held messages of an organization; tells its administrators why they are held and what to do. Never reveals
// recipients or contents.

import { type Message, say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import type { Queryable } from "../../database/database.ts";
import type { Hold, HoldReason } from "../../mail/claim-mail.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { tellAdministrators } from "./tell-administrators.ts";

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
  const held = { emails: emails(waiting), why: reasons[reason] };
  const said =
    expired === 0 ? say("note_mail_held", held) : say("note_mail_held_gone", { ...held, gone: emails(expired) });
  await tellAdministrators(transaction, snapshot, organizationId, "mail", said);
  await audit(transaction, snapshot, {
    organizationId,
    event: "mail_held",
    userId: null,
    detail: { reason, waiting, expired },
  });
}
