// The second step of one's own login: turned on with a code, turned off with password and code; recovery codes; and an
// administrator's way to help somebody who has lost both. Secrets are answered once and audited never.

import { Failure } from "../../../contract/failures.ts";
import { type Message, say, verb } from "../../../contract/messages.ts";
import { type AuditEventName, audit } from "../../access/audit.ts";
import type { Caller } from "../../access/caller.ts";
import { accountKey, attempt, throttlesOf } from "../../access/throttle.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { totpAddress } from "../../lib/secrets/totp.ts";
import { addressed, requireId } from "../../operations/addressed.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requirePerson } from "../../operations/require-caller.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  dropSecondFactor,
  newRecoveryCodes,
  readSecondFactor,
  spendSecondFactor,
} from "../second-factor.ts";
import { endSessions } from "../session-tokens.ts";
import { sentTexts } from "./sent-values.ts";
import { provesPassword } from "./session.ts";

const BY_A_PERSON = say("by_a_person");

export const mfa: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller } = addressed(context);
    const { since, recoveryCodesLeft } = await readSecondFactor(context.services.database, caller);
    const state = {
      is_on: since === undefined ? "0" : "1",
      since: since ?? null,
      recovery_codes_left: String(recoveryCodesLeft),
    };
    return { body: { data: { mfa: state } } };
  },
};

const changes = (run: Operation["run"]): Operation => ({
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run,
});

export const beginMfa = changes(async (context) => {
  const { caller } = requirePerson(context, BY_A_PERSON);
  const { user_password } = sentTexts(context.call, "users", "user_password");
  await prove(context, caller, { user_password });
  const { database, seal } = context.services;
  const secret = await beginSecondFactor(database, seal, caller);
  if (secret === undefined) {
    throw new Failure("conflict", { with: { reason: say("mfa_already_on") } });
  }
  const otpauth_url = totpAddress(secret, `Dossier ${caller.organizationName}`, caller.userName);
  return { message: [say("mfa_confirm")], body: { data: { mfa: { secret, otpauth_url } } } };
});

export const confirmMfa = changes(async (context) => {
  const { caller, sessionId } = requirePerson(context, BY_A_PERSON);
  const { otp } = sentTexts(context.call, "users", "otp");
  const { database, seal, config } = context.services;
  const throttles = throttlesOf(config, "otp", [accountKey(caller)], context.request.address);
  const confirm = () =>
    database.transaction(async (transaction) => {
      if (!(await confirmSecondFactor(transaction, seal, caller, otp))) return undefined;
      // Sessions that were opened without it are not trusted any more.
      const others = sql`user_id = ${caller.userId}::bigint and id <> ${sessionId}::uuid`;
      await endSessions(transaction, caller.organizationId, others);
      await tell(context, transaction, caller, "mfa_turned_on");
      return newRecoveryCodes(transaction, caller);
    });
  const codes = await attempt(database, throttles, confirm, (made) => made !== undefined);
  if (codes === undefined) {
    await tellWrongCode(context, caller);
    throw wrong({ otp: say("wrong_code") });
  }
  context.services.forget(caller.organizationId);
  return { message: [say("mfa_on")], body: { data: { mfa: { recovery_codes: codes } } } };
});

export const renewRecoveryCodes = changes(async (context) => {
  const { caller } = requirePerson(context, BY_A_PERSON);
  const sent = sentTexts(context.call, "users", "user_password", "otp");
  const codes = await prove(context, caller, sent, async (transaction) => {
    await tell(context, transaction, caller, "recovery_codes_renewed");
    return newRecoveryCodes(transaction, caller);
  });
  return { message: [say("recovery_renewed")], body: { data: { mfa: { recovery_codes: codes } } } };
});

export const endMfa = changes(async (context) => {
  const { caller } = requirePerson(context, BY_A_PERSON);
  const sent = sentTexts(context.call, "users", "user_password", "otp");
  await prove(context, caller, sent, async (transaction) => {
    await dropSecondFactor(transaction, caller);
    await tell(context, transaction, caller, "mfa_turned_off");
  });
  return { message: [say("mfa_off")], body: { data: [] } };
});

export const resetMfa: Operation = {
  ...changes(async (context) => {
    const { caller, type } = addressed(context);
    requireAdministrator(context, caller);
    const id = requireId(context);
    if (id === caller.userId) {
      throw new Failure("conflict", { with: { reason: say("mfa_own") } });
    }
    const user = await context.services.database.row(sql`
      select name from access_controls__users
      where organization_id = ${caller.organizationId}::bigint and id::text = ${id} and deleted = 0`);
    if (!user) throw new Failure("record_not_found", { with: { type: type.label } });
    const wasOn = await context.services.database.transaction(async (transaction) => {
      const owner = { organizationId: caller.organizationId, userId: id };
      if (!(await dropSecondFactor(transaction, owner))) return false;
      const subject = { type: type.key, id, name: user.name ?? null };
      await audit(transaction, context.snapshot, { ...actor(context, caller), event: "mfa_reset", subject });
      return true;
    });
    const message = say(wasOn ? "mfa_reset" : "mfa_was_off");
    return { message: [message], body: { data: [] } };
  }),
  matrix: "edit",
};

export const mfaUsers: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller } = addressed(context);
    requireAdministrator(context, caller);
    const users = await context.services.database.rows(sql`
      select user_id as id, confirmed as since from access_controls__second_factors
      where organization_id = ${caller.organizationId}::bigint and confirmed is not null order by user_id`);
    return { body: { data: { users } } };
  },
};

function requireAdministrator({ type }: OperationContext, caller: Caller): void {
  if (caller.isAdministrator) return;
  throw new Failure("administrator_required", { with: { operation: verb("reset_mfa"), type: type?.plural ?? "" } });
}

const tell = (context: OperationContext, transaction: Queryable, caller: Caller, event: AuditEventName) =>
  audit(transaction, context.snapshot, { ...actor(context, caller), event });

/** Which of the calls that ask for a code it was; the code itself is never written down. */
const tellWrongCode = (context: OperationContext, caller: Caller) =>
  audit(context.services.database, context.snapshot, {
    ...actor(context, caller),
    event: "mfa_failed",
    detail: { step: context.call.operation },
  });

const wrong = (faults: Readonly<Record<string, Message>>): Failure =>
  new Failure("invalid", {
    byField: Object.fromEntries(Object.entries(faults).map(([name, said]) => [`users.${name}`, [said]])),
  });

/** The password, and where one is asked for a code that is spent by it; only then `write`. Guessing is slowed down. */
async function prove<Result>(
  context: OperationContext,
  caller: Caller,
  { user_password, otp }: { readonly user_password: string; readonly otp?: string },
  write?: (transaction: Queryable) => Promise<Result>,
): Promise<Result | undefined> {
  const { database, seal, config } = context.services;
  const { address } = context.request;
  if (!(await provesPassword(context, caller, user_password))) throw wrong({ user_password: say("wrong_password") });
  if (otp === undefined || write === undefined) return undefined;
  const codes = throttlesOf(config, "otp", [accountKey(caller)], address);
  const spend = () =>
    database.transaction(async (transaction) => {
      const spent = await spendSecondFactor(transaction, seal, caller, otp);
      return spent === undefined ? undefined : { result: await write(transaction) };
    });
  const done = await attempt(database, codes, spend, (spent) => spent !== undefined);
  if (done === undefined) {
    await tellWrongCode(context, caller);
    throw wrong({ otp: say("wrong_code") });
  }
  return done.result;
}
