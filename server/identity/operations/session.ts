// access_token, logout, change_password: what a session can do with itself.

import { Failure } from "../../../contract/failures.ts";
import { about, type Message, say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import type { Caller } from "../../access/caller.ts";
import { attempt, throttlesOf } from "../../access/throttle.ts";
import { sql } from "../../database/sql.ts";
import { hashPassword, passwordErrors, verifyPassword } from "../../lib/secrets/password.ts";
import { parseSecret } from "../../lib/secrets/tokens.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requirePerson } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { setSecret } from "../create-user.ts";
import { licenseState } from "../current-license.ts";
import { dropTokens } from "../one-time-tokens.ts";
import { endSessions, renewSession } from "../session-tokens.ts";
import { userData } from "../user-data.ts";
import { sentTexts, sentValues } from "./sent-values.ts";

export const accessToken: Operation = {
  methods: ["POST"],
  authentication: "none",
  reads: false,
  async run(context) {
    const { call } = context;
    const token = textAt(call.parameters, "refresh_token") ?? textAt(sentValues(call, "users"), "refresh_token") ?? "";
    const { userId, ...tokens } = await renewSession(context, token);
    const organizationId = parseSecret(token)?.organizationId ?? "";
    const license = await licenseState(context.services.database, organizationId, userId);
    return { body: { ...tokens, ...(await userData(context.services.database, organizationId, userId)), ...license } };
  },
};

export const logout: Operation = {
  methods: ["POST", "GET"],
  authentication: "required",
  reads: false,
  async run(context) {
    const { caller, sessionId } = requirePerson(context, say("key_without_session"));
    await context.services.database.transaction(async (transaction) => {
      await endSessions(transaction, caller.organizationId, sql`id = ${sessionId}::uuid`);
      await audit(transaction, context.snapshot, { ...actor(context, caller), event: "logout" });
    });
    context.services.forget(caller.organizationId);
    return { message: [say("logout_done")], body: { data: [] } };
  },
};

/** Whether it is the caller's password. Guessing is slowed down, and each wrong one is in the audit log. */
export async function provesPassword(context: OperationContext, caller: Caller, password: string): Promise<boolean> {
  const { database, config } = context.services;
  const throttles = throttlesOf(config, "login", [caller.userName], context.request.address);
  const proves = async () => {
    const stored = await database.row(sql`
      select hash from access_controls__secrets
      where organization_id = ${caller.organizationId}::bigint and kind = 'password' and subject = ${caller.userId}`);
    return verifyPassword(stored?.hash ?? undefined, password);
  };
  if (await attempt(database, throttles, proves, Boolean)) return true;
  await audit(database, context.snapshot, {
    ...actor(context, caller),
    event: "password_check_failed",
    detail: { setting: context.call.operation },
  });
  return false;
}

export const changePassword: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    const { caller, sessionId } = requirePerson(context, say("by_a_person"));
    const { database } = context.services;
    const sent = sentTexts(context.call, "users", "old_password", "user_password", "confirm_password");
    const byField: Record<string, Message[]> = {};
    if (!(await provesPassword(context, caller, sent.old_password))) {
      byField["users.old_password"] = [say("wrong_password")];
    }
    const wrong = await passwordErrors(sent.user_password, caller.userName);
    if (wrong.length > 0) byField["users.user_password"] = wrong.map((one) => about(say("new_password"), one));
    if (sent.user_password !== sent.confirm_password) {
      byField["users.confirm_password"] = [say("passwords_differ")];
    }
    if (Object.keys(byField).length > 0) throw new Failure("invalid", { byField });

    const hash = await hashPassword(sent.user_password);
    await database.transaction(async (transaction) => {
      await setSecret(transaction, caller.organizationId, "password", caller.userId, hash);
      await endSessions(
        transaction,
        caller.organizationId,
        sql`user_id = ${caller.userId}::bigint and id <> ${sessionId}::uuid`,
      );
      await dropTokens(transaction, caller.organizationId, ["password", "password-link"], caller.userId);
      await audit(transaction, context.snapshot, { ...actor(context, caller), event: "password_changed" });
    });
    context.services.forget(caller.organizationId);
    return { message: [say("password_changed")], body: { data: [] } };
  },
};
