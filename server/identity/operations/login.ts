// login: a user name and a password for a pair of tokens, with a code where the second step is on. Says no in one way, and
// takes the same time for every no; asks for a missing code only once the password is right.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { accountKey, attempt, throttlesOf } from "../../access/throttle.ts";
import { isUnavailable } from "../../database/citus/places.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { verifyPassword } from "../../lib/secrets/password.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { licenseState } from "../current-license.ts";
import { accountsOfName, findAccounts, hasSignedInFrom, type LoginAccount } from "../login-names.ts";
import { operatorId } from "../operator.ts";
import { spendSecondFactor } from "../second-factor.ts";
import { openSession } from "../session-tokens.ts";
import { userData } from "../user-data.ts";
import { sentTexts } from "./sent-values.ts";

export const login: Operation = {
  methods: ["POST"],
  authentication: "none",
  reads: false,
  async run(context) {
    const { database, config, seal } = context.services;
    const {
      user_name: sent,
      user_password,
      otp,
    } = sentTexts(context.call, "users", "user_name", "user_password", "otp");
    const accounts = await findAccounts(database, sent);
    const { address } = context.request;
    const names = accounts.length > 0 ? accounts.map(({ userName }) => userName) : [sent];
    const spares = () => hasSignedInFrom(database, accounts, address);
    const throttles = throttlesOf(config, "login", names, address, spares);
    const judge = async () => {
      const judged: Judged[] = [];
      for (const name of names) {
        const one = await judgeAccount(context, name, user_password);
        if (one.mayEnter) return one;
        judged.push(one);
      }
      return judged[0] ?? { userName: sent, found: undefined, mayEnter: false };
    };
    const entered = await attempt(database, throttles, judge, (judged) => judged.mayEnter);
    const { found, mayEnter, userName: user_name } = entered;
    if (!mayEnter || !found?.organization_id || !found.user_id) return refuse(context, user_name, found, "password");
    const owner = { organizationId: found.organization_id, userId: found.user_id };
    const asksForCode = found.second_step != null;
    if (asksForCode && otp === "") throw new Failure("otp_required", { message: [say("login_not_done")] });
    const codeThrottles = asksForCode ? throttlesOf(config, "otp", [accountKey(owner)], address) : [];
    const open = () =>
      database.transaction(async (transaction) => {
        const used = asksForCode ? await spendSecondFactor(transaction, seal, owner, otp) : "none";
        if (used === undefined) return undefined;
        const who = { ...owner, userName: user_name, address };
        if (used === "recovery") await audit(transaction, context.snapshot, { ...who, event: "recovery_code_used" });
        await audit(transaction, context.snapshot, { ...who, event: "login" });
        return openSession(context, transaction, owner.organizationId, owner.userId);
      });
    const tokens = await attempt(database, codeThrottles, open, (opened) => opened !== undefined);
    if (tokens === undefined) return refuse(context, user_name, found, "code");
    const license = await licenseState(database, owner.organizationId, owner.userId);
    const user = await userData(context.services.database, owner.organizationId, owner.userId);
    return {
      message: [say("login_done")],
      body: { ...tokens, ...user, ...license },
    };
  },
};

interface Judged {
  readonly userName: string;
  readonly found: Readonly<Record<string, string | null>> | undefined;
  readonly mayEnter: boolean;
}

async function judgeAccount(context: OperationContext, userName: string, password: string): Promise<Judged> {
  const { database } = context.services;
  const [account] = await accountsOfName(database, userName);
  const found = account ? await readSecrets(database, account) : await spendRead(database);
  const right = await context.time("password", () => verifyPassword(found?.hash ?? undefined, password));
  return { userName, found, mayEnter: right && found?.may_enter === "1" };
}

function readSecrets(db: Queryable, { organizationId, userId }: Pick<LoginAccount, "organizationId" | "userId">) {
  const organization = sql`${organizationId}::bigint`;
  return db.row(sql`
    select n.organization_id, n.user_id, s.hash, (u.id is not null and s.hash is not null)::integer as may_enter,
      f.confirmed as second_step
    from (select ${organization} as organization_id, ${userId}::bigint as user_id) n
    left join access_controls__users u on u.organization_id = ${organization} and u.id = n.user_id and u.deleted = 0 and u.is_active = 1
      and u.is_service_account is distinct from 1
    left join access_controls__secrets s on s.organization_id = ${organization} and s.kind = 'password' and s.subject = n.user_id::text
    left join access_controls__second_factors f on f.organization_id = ${organization} and f.user_id = n.user_id`);
}

/** For a name that nobody has: as much work for PostgreSQL, on a machine that may be out of reach. */
async function spendRead(db: Queryable): Promise<undefined> {
  await readSecrets(db, { organizationId: "0", userId: "0" }).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
  });
}

/** The same statements for a name that nobody has: the answer's cost must not tell. */
async function refuse(
  context: OperationContext,
  userName: string,
  found: Readonly<Record<string, string | null>> | undefined,
  step: "password" | "code",
): Promise<never> {
  const { database } = context.services;
  const operator = await operatorId(database);
  await audit(database, context.snapshot, {
    organizationId: found?.organization_id ?? operator,
    event: step === "code" ? "mfa_failed" : "login_failed",
    userId: found?.user_id ?? null,
    userName,
    address: context.request.address,
    detail: { step },
  });
  throw new Failure("login_failed", { message: [say("login_not_done")] });
}
