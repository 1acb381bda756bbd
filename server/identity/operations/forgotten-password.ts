// activate_forgotten_password and reset_forgotten_password: a one-time link by mail, and the new password it allows.
// The first answers the same, at the same cost, whether there is such a user or not.

import { Failure } from "../../../contract/failures.ts";
import { type Message, about as ofField, say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { countAttempt, throttlesOf } from "../../access/throttle.ts";
import type { Config } from "../../config.ts";
import { sql } from "../../database/sql.ts";
import { hashPassword, passwordErrors, spendPasswordTime } from "../../lib/secrets/password.ts";
import { queueMailToUser } from "../../mail/queue-mail.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { setSecret } from "../create-user.ts";
import { accountsOfName, findAccounts } from "../login-names.ts";
import { confirmMailed } from "../mail-confirmation.ts";
import {
  dropTokens,
  newOneTimeToken,
  readOneTimeToken,
  rememberMailed,
  spendOneTimeToken,
} from "../one-time-tokens.ts";
import { operatorId } from "../operator.ts";
import { endSessions } from "../session-tokens.ts";
import { sentTexts } from "./sent-values.ts";

const LINK_MINUTES = 60;

export const activateForgottenPassword: Operation = {
  methods: ["POST"],
  authentication: "none",
  reads: false,
  async run(context) {
    const { database, config } = context.services;
    const { user_name: sent, callback_url } = sentTexts(context.call, "users", "user_name", "callback_url");
    // Where a name is somebody else's address, the message goes to whom the address belongs.
    const user_name = (await findAccounts(database, sent)).at(-1)?.userName ?? sent;
    const link = callbackLink(config, callback_url);
    if (user_name === "" || link === undefined) {
      throw new Failure("invalid", {
        byField: {
          ...(user_name === "" ? { "users.user_name": [say("name_or_email")] } : {}),
          ...(link === undefined
            ? {
                "users.callback_url": [say("callback_refused")],
              }
            : {}),
        },
      });
    }
    await countAttempt(database, throttlesOf(config, "reset", [user_name], context.request.address));
    // The hash takes far longer than the writing it runs beside: both cases take the time of the hash.
    await context.time("password", () =>
      Promise.all([spendPasswordTime(user_name), sendLink(context, user_name, link)]),
    );
    return {
      message: [say("reset_sent")],
      body: { data: [] },
    };
  },
};

async function sendLink(context: OperationContext, userName: string, link: string): Promise<void> {
  const { database } = context.services;
  const [account] = await accountsOfName(database, userName);
  const found =
    account &&
    (await database.row(sql`
      select organization_id, id as user_id, user_name from access_controls__users
      where organization_id = ${account.organizationId}::bigint and id = ${account.userId}::bigint and deleted = 0 and is_active = 1
          and is_service_account is distinct from 1`));
  const organizationId = found?.organization_id ?? (await operatorId(database));
  await database.transaction(async (transaction) => {
    await audit(transaction, context.snapshot, {
      organizationId,
      event: "password_reset_requested",
      userId: found?.user_id ?? null,
      userName,
      address: context.request.address,
    });
    if (!found?.user_id) return;
    const about = { organizationId, subject: found.user_id };
    await dropTokens(transaction, organizationId, ["password"], found.user_id);
    const token = await newOneTimeToken(transaction, "password", about, LINK_MINUTES * 60);
    const sent = await queueMailToUser(transaction, organizationId, found.user_id, {
      kind: "forgotten-password",
      userName: found.user_name ?? userName,
      link: withToken(link, token),
      minutes: LINK_MINUTES,
    });
    // Whom no message reaches keeps the link that was passed on: there is no other.
    await dropTokens(transaction, organizationId, [sent === undefined ? "password" : "password-link"], found.user_id);
    if (sent !== undefined) await rememberMailed(transaction, about, token, sent, LINK_MINUTES * 60);
  });
}

const OWN_PAGE = "/access_controls/users/reset_forgotten_password";

/** Where the link leads: our own page, or a page of an origin that the operator has allowed. Undefined for any other. */
export function callbackLink(
  config: Pick<Config, "publicUrl" | "corsOrigins">,
  callbackUrl: string,
): string | undefined {
  if (callbackUrl === "") return OWN_PAGE;
  if (!URL.canParse(callbackUrl)) return undefined;
  const { protocol, origin, hostname, href } = new URL(callbackUrl);
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  // Without PUBLIC_URL the service is somebody's own machine. The Host header is never trusted: its sender writes it.
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const allowed = [...config.corsOrigins, ...(config.publicUrl ? [new URL(config.publicUrl).origin] : [])];
  return allowed.includes(origin) || (config.publicUrl === undefined && isLoopback) ? href : undefined;
}

function withToken(link: string, token: string): string {
  const [before = "", ...fragment] = link.split("#");
  const joined = `${before}${before.includes("?") ? "&" : "?"}token=${token}`;
  return fragment.length > 0 ? `${joined}#${fragment.join("#")}` : joined;
}

export const resetForgottenPassword: Operation = {
  methods: ["POST"],
  authentication: "none",
  reads: false,
  async run(context) {
    const { database, config } = context.services;
    const sent = sentTexts(context.call, "users", "token", "user_password", "confirm_password");
    const about = await readOneTimeToken(database, ["password", "password-link"], sent.token);
    const user =
      about &&
      (await database.row(sql`
        select id, user_name from access_controls__users
        where organization_id = ${about.organizationId}::bigint and id = ${about.subject}::bigint and deleted = 0 and is_active = 1
          and is_service_account is distinct from 1`));
    const byField: Record<string, Message[]> = {};
    if (!user) {
      // Only what is wrong counts: nobody guesses a link, and a good one is not kept out by the bad ones of a neighbor.
      await countAttempt(database, throttlesOf(config, "token", [], context.request.address));
      byField["users.token"] = [say("link_invalid")];
    }
    const wrong = await passwordErrors(sent.user_password, user?.user_name ?? "");
    if (wrong.length > 0) byField["users.user_password"] = wrong.map((one) => ofField(say("new_password"), one));
    if (sent.user_password !== sent.confirm_password) {
      byField["users.confirm_password"] = [say("passwords_differ")];
    }
    const hash = await context.time("password", () => hashPassword(sent.user_password.slice(0, 200)));
    if (Object.keys(byField).length > 0 || !about || !user) throw new Failure("invalid", { byField });
    const { organizationId, subject } = about;
    await database.transaction(async (transaction) => {
      if (!(await spendOneTimeToken(transaction, organizationId, sent.token))) {
        throw new Failure("invalid", { byField: { "users.token": [say("link_used")] } });
      }
      // A link that was mailed was read by whoever reads the address; one that was copied proves nothing.
      if (about.kind === "password") await confirmMailed(transaction, organizationId, subject, sent.token);
      await dropTokens(transaction, organizationId, ["password", "password-link"], subject);
      await setSecret(transaction, organizationId, "password", subject, hash);
      await endSessions(transaction, organizationId, sql`user_id = ${subject}::bigint`);
      await audit(transaction, context.snapshot, {
        organizationId,
        event: "password_reset",
        userId: subject,
        userName: user.user_name ?? undefined,
        address: context.request.address,
      });
    });
    context.services.forget(organizationId);
    return { message: [say("password_set")], body: { data: [] } };
  },
};
