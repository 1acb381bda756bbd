// organizations mail_senders: for administrators of the organization that runs the service. Which organizations send mail,
// how much of it waits and why, and whether their workflows may write to people outside. Never a recipient, never a word.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { sql } from "../../database/sql.ts";
import { releaseMail } from "../../mail/claim-mail.ts";
import type { Operation } from "../../operations/operation.ts";
import { actor, requirePerson } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { sentTexts } from "./sent-values.ts";

export const mailSenders: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  async run(context) {
    const { caller } = requirePerson(context, say("by_a_person"));
    if (!caller.isAdministrator || !caller.isOperator) throw new Failure("operator_required");
    const { database } = context.services;
    const list = async () => ({
      data: {
        organizations: await database.rows(sql`
          select o.id::text as id, o.name, coalesce(s.allows_outside, 0)::text as allows_outside,
            (case when s.day = (now() at time zone 'utc')::date then s.day_count else 0 end)::text as sent_today,
            (select count(*) from core__mails m where m.organization_id = o.organization_id and m.ended is null
              and m.held is not null)::text as held, s.told as held_because
          from access_controls__organizations o left join core__mail_senders s on s.organization_id = o.organization_id
          where o.organization_id = o.id and o.deleted = 0 and o.is_operator = 0 order by o.id desc limit 1000`),
      },
    });
    if (context.call.method === "GET") return { body: await list() };

    const id = textAt(context.call.parameters, "id") ?? "";
    const { allows_outside: allows } = sentTexts(context.call, "organizations", "allows_outside");
    if (allows !== "0" && allows !== "1") {
      throw new Failure("invalid", {
        byField: { "organizations.allows_outside": [say("bad_flag", { field: "allows_outside" })] },
      });
    }
    await database.transaction(async (transaction) => {
      const organization = await transaction.row(sql`
        select id::text as id, name from access_controls__organizations
        where id::text = ${id} and organization_id = id and deleted = 0 and is_operator = 0`);
      if (!organization?.id) throw new Failure("record_not_found", { with: { type: "access_controls/organizations" } });
      await transaction.run(sql`
        insert into core__mail_senders (organization_id, allows_outside) values (${id}::bigint, ${allows}::smallint)
        on conflict (organization_id) do update set allows_outside = excluded.allows_outside, told = null`);
      await releaseMail(transaction, id);
      const subject = { type: "access_controls/organizations", id, name: organization.name ?? null };
      const event = { event: "mail_outside_changed", subject, detail: { allows_outside: allows } } as const;
      await audit(transaction, context.snapshot, { ...actor(context, caller), ...event });
      // To them it was done by the service, not by a user of theirs.
      await audit(transaction, context.snapshot, { ...event, organizationId: id, userId: null });
    });
    const message = say(allows === "1" ? "outside_mail_allowed" : "outside_mail_stopped");
    return { message: [message], body: await list() };
  },
};
