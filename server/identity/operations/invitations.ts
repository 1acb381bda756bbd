// invitations resend and revoke: a new link in place of the old one, or none at all.

import { Failure } from "../../../contract/failures.ts";
import { say, verb } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { recordChanges } from "../../database/changes.ts";
import { sql } from "../../database/sql.ts";
import { addressed, requireId } from "../../operations/addressed.ts";
import { answerView } from "../../operations/answer-view.ts";
import type { Operation } from "../../operations/operation.ts";
import { actor } from "../../operations/require-caller.ts";
import { runWrite } from "../../operations/write.ts";
import { dropTokens } from "../one-time-tokens.ts";
import { sendInvitation } from "../send-invitation.ts";

const onInvitation = (what: "resend" | "revoke"): Operation => ({
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "add",
  async run(context) {
    const { caller, type } = addressed(context);
    const id = requireId(context);
    return runWrite(context, async (work) => {
      const { transaction } = work;
      if (!caller.isAdministrator) {
        throw new Failure("administrator_required", { with: { operation: verb(what), type: type.plural } });
      }
      const row = await transaction.row(sql`
        select email, status, acl_id from access_controls__invitations
        where organization_id = ${caller.organizationId}::bigint and id::text = ${id} and deleted = 0 for update`);
      if (!row) throw new Failure("record_not_found", { with: { type: type.label } });
      if (row.status === "accepted") {
        throw new Failure("conflict", { with: { reason: say("invitation_accepted") } });
      }
      if (what === "resend") {
        const link = await sendInvitation(transaction, caller, { id, email: row.email ?? "" });
        if (work.said) work.said.invitationLinks[id] = link;
      } else {
        await dropTokens(transaction, caller.organizationId, ["invitation", "invitation-link"], id);
        await transaction.run(sql`
          update access_controls__invitations set status = 'revoked', revision = revision + 1
          where organization_id = ${caller.organizationId}::bigint and id = ${id}::uuid`);
        const changes = [{ aclId: row.acl_id ?? "0", delta: 0, id, operation: "edit" as const }];
        await recordChanges(transaction, caller.organizationId, type.key, changes);
      }
      await audit(transaction, context.snapshot, {
        ...actor(context, caller),
        event: what === "resend" ? "invitation_resent" : "invitation_revoked",
        subject: { type: type.key, id, name: row.email ?? null },
      });
      const message = say(what === "resend" ? "invitation_sent" : "invitation_revoked");
      return answerView(context, id, message);
    });
  },
});

export const resend = onInvitation("resend");
export const revoke = onInvitation("revoke");
