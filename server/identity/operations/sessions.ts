// sessions mine and end: where a person is logged in, and the way to end one. Administrators end anybody's.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { sql } from "../../database/sql.ts";
import { requireId } from "../../operations/addressed.ts";
import type { Operation } from "../../operations/operation.ts";
import { actor, requireCaller } from "../../operations/require-caller.ts";
import { endSessions } from "../session-tokens.ts";

export const mine: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const current = caller.credential.kind === "session" ? caller.credential.sessionId : null;
    const sessions = await context.services.database.rows(sql`
      select id, address, user_agent, created, last_used, expires, (id = ${current}::uuid)::integer as is_current
      from access_controls__sessions
      where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and ended is null
        and deleted = 0 and expires > now() at time zone 'utc'
      order by last_used desc, id`);
    return { body: { data: { sessions: sessions.map((row) => ({ ...row, is_current: row.is_current ?? "0" })) } } };
  },
};

export const end: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    const caller = requireCaller(context);
    const id = requireId(context);
    const whose = caller.isAdministrator ? sql`true` : sql`user_id = ${caller.userId}::bigint`;
    const ended = await context.services.database.transaction(async (transaction) => {
      const count = await endSessions(
        transaction,
        caller.organizationId,
        sql`id::text = ${id} and deleted = 0 and ${whose}`,
      );
      if (count === 0) return false;
      await audit(transaction, context.snapshot, {
        ...actor(context, caller),
        event: "session_ended",
        subject: { type: "access_controls/sessions", id },
      });
      return true;
    });
    if (!ended) throw new Failure("record_not_found", { with: { type: say("session") } });
    context.services.forget(caller.organizationId);
    return { message: [say("session_ended")], body: { data: [] } };
  },
};
