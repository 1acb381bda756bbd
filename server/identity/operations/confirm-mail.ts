// confirm_mail: the owner of an e-mail address followed the link in it. Who joined by the domain of that address may come
// in from now on.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { countAttempt, throttlesOf } from "../../access/throttle.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { notify } from "../../database/processes/notify.ts";
import { sql } from "../../database/sql.ts";
import { releaseMail } from "../../mail/claim-mail.ts";
import type { Operation } from "../../operations/operation.ts";
import { rememberAddress } from "../login-names.ts";
import { mailedAddress, readOneTimeToken, spendOneTimeToken, type TokenSubject } from "../one-time-tokens.ts";
import { sentTexts } from "./sent-values.ts";

export const confirmMail: Operation = {
  methods: ["POST"],
  authentication: "none",
  reads: false,
  async run(context) {
    const { database, config } = context.services;
    const { token } = sentTexts(context.call, "users", "token");
    const about = await readOneTimeToken(database, ["mail", "join"], token);
    const confirmed =
      about &&
      (await database.transaction(async (transaction) => {
        if (!(await spendOneTimeToken(transaction, about.organizationId, token))) return undefined;
        const id = about.kind === "join" ? await mailedAddress(transaction, about, token) : about.subject;
        if (id === undefined) return undefined;
        if (about.kind === "join" && !(await letIn(transaction, about))) return undefined;
        const address = await markConfirmed(transaction, about, id);
        if (!address?.userId) return undefined;
        await rememberAddress(transaction, about.organizationId, address.userId, address.email);
        await releaseMail(transaction, about.organizationId);
        await audit(transaction, context.snapshot, {
          organizationId: about.organizationId,
          event: "mail_confirmed",
          userId: address.userId,
          address: context.request.address,
          subject: { type: "core/email_addresses", id: address.id, name: address.email },
        });
        return true;
      }));
    if (!confirmed) {
      // Only what is wrong counts: nobody guesses a link, and a good one is not kept out by the bad ones of a neighbor.
      await countAttempt(database, throttlesOf(config, "token", [], context.request.address));
      const reason = say("link_invalid");
      throw new Failure("invalid", { errors: [reason], byField: { "users.token": [reason] } });
    }
    context.services.forget(about.organizationId);
    return { message: [say("email_confirmed")], body: { data: [] } };
  },
};

async function letIn(transaction: Queryable, { organizationId, subject }: TokenSubject): Promise<boolean> {
  const user = await transaction.row(sql`
    update access_controls__users set is_active = 1, revision = revision + 1, modified = now() at time zone 'utc'
    where organization_id = ${organizationId}::bigint and id = ${subject}::bigint and deleted = 0 returning id, acl_id`);
  if (!user?.id) return false;
  const changes = [{ aclId: user.acl_id ?? "0", delta: 0, id: user.id, operation: "edit" as const }];
  await recordChanges(transaction, organizationId, "access_controls/users", changes);
  await notify(transaction, "dossier_access", organizationId);
  return true;
}

async function markConfirmed(transaction: Queryable, about: TokenSubject, id: string) {
  const row = await transaction.row(sql`
    update core__email_addresses set is_confirmed = 1, revision = revision + 1
    where organization_id = ${about.organizationId}::bigint and id = ${id}::bigint and deleted = 0
    returning id, email, related_id, acl_id`);
  if (!row?.id) return undefined;
  const changes = [{ aclId: row.acl_id ?? "0", delta: 0, id: row.id, operation: "edit" as const }];
  await recordChanges(transaction, about.organizationId, "core/email_addresses", changes);
  return { id: row.id, email: row.email ?? "", userId: row.related_id ?? null };
}
