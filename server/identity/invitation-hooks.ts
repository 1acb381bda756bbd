// Invitations: written by administrators; the message goes out with the record.
import { say } from "../../contract/messages.ts";
import { audit } from "../access/audit.ts";
import { sql } from "../database/sql.ts";
import type { RecordHooks } from "../records/hooks.ts";
import { dropTokens } from "./one-time-tokens.ts";
import { sendInvitation } from "./send-invitation.ts";

export const invitationHooks: RecordHooks = {
  administratorsOnly: true,
  bookkeeping: true,
  refuses: { restore: "refuses_invitation_restore" },
  check: async ({ transaction, caller }, { operation, after }) => {
    if (operation !== "add" || after?.email == null) return {};
    const open = await transaction.row(sql`
      select 1 as found from access_controls__invitations
      where organization_id = ${caller.organizationId}::bigint and lower(email) = lower(${after.email}) and status = 'open'
        and deleted = 0 and expires > now() at time zone 'utc' limit 1`);
    return open ? { email: [say("already_invited")] } : {};
  },
  follow: async ({ transaction, snapshot, caller, said }, { type, id, operation, after }) => {
    if (operation === "add") {
      const link = await sendInvitation(transaction, caller, { id, email: after?.email ?? "" });
      if (said) said.invitationLinks[id] = link;
    } else await dropTokens(transaction, caller.organizationId, ["invitation", "invitation-link"], id);
    await audit(transaction, snapshot, {
      organizationId: caller.organizationId,
      event: operation === "add" ? "invitation_created" : "invitation_revoked",
      userId: caller.userId,
      userName: caller.userName,
      subject: { type: type.key, id, name: after?.email ?? null },
    });
  },
};
