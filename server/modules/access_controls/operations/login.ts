// login: a user name and a password for a pair of tokens. Says no in one way, and takes the same time for every no.
import { Failure } from "../../../../contract/failures.ts";
import { audit } from "../../../access/audit.ts";
import { countFailure, forgive, requireCalm, throttlesOf } from "../../../access/throttle.ts";
import { sql } from "../../../database/sql.ts";
import { verifyPassword } from "../../../lib/password.ts";
import type { Operation } from "../../../operations/operation.ts";
import { licenseState } from "../current-license.ts";
import { operatorId } from "../operator.ts";
import { openSession } from "../session-tokens.ts";
import { userData } from "../user-data.ts";
import { sentTexts } from "./sent-values.ts";

export const login: Operation = {
  methods: ["POST"],
  authentication: "none",
  reads: false,
  async run(context) {
    const { database, config } = context.services;
    const { user_name, user_password } = sentTexts(context.call, "users", "user_name", "user_password");
    const { address } = context.request;
    const throttles = throttlesOf(config, "login", user_name, address);
    await requireCalm(database, throttles);

    const found = await database.row(sql`
      select n.organization_id, n.user_id, s.hash, (u.id is not null and s.hash is not null)::integer as may_enter
      from access_controls__user_names n
      left join access_controls__users u on u.organization_id = n.organization_id and u.id = n.user_id and u.deleted = 0 and u.is_active = 1
      left join access_controls__secrets s on s.organization_id = n.organization_id and s.kind = 'password' and s.subject = n.user_id::text
      where n.user_name = ${user_name.toLowerCase()}`);
    const right = await context.time("password", () => verifyPassword(found?.hash ?? undefined, user_password));
    if (!right || found?.may_enter !== "1" || !found.organization_id || !found.user_id) {
      await countFailure(database, throttles);
      // The same statements for a name that nobody has: the answer's cost must not tell.
      const operator = await operatorId(database);
      await audit(database, context.snapshot, {
        organizationId: found?.organization_id ?? operator,
        event: "login_failed",
        userId: found?.user_id ?? null,
        userName: user_name,
        address,
      });
      throw new Failure("login_failed", { message: ["Login failed"] });
    }
    await forgive(database, throttles);
    const { organization_id, user_id } = found;
    const tokens = await database.transaction(async (transaction) => {
      await audit(transaction, context.snapshot, {
        organizationId: organization_id,
        event: "login",
        userId: user_id,
        userName: user_name,
        address,
      });
      return openSession(context, transaction, organization_id, user_id);
    });
    const license = await licenseState(database, organization_id, user_id);
    const user = await userData(context, organization_id, user_id);
    return {
      message: ["login successfully"],
      body: { ...tokens, ...user, ...license },
    };
  },
};
