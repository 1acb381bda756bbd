// Opens, renews and ends sessions. Refresh tokens are kept as digests and used once; one presented a second time ends
// its whole session, because then somebody else has it. Whoever renews under an Idempotency-Key and did not get to read the
// answer asks again under the same key, and is given the same refresh token.
import { Failure } from "../../contract/failures.ts";
import type { Queryable } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import { sql } from "../database/sql.ts";
import { secondsFromNow } from "../lib/instant.ts";
import { ACCESS_TOKEN_SECONDS, digest, newSecret, parseSecret } from "../lib/secrets/tokens.ts";
import { uuidv7 } from "../lib/uuid.ts";
import { requireType } from "../metadata/snapshot.ts";
import type { OperationContext } from "../operations/operation.ts";
import { insertRows } from "../records/save/insert-rows.ts";

const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
}

async function newRefreshToken(
  db: Queryable,
  organizationId: string,
  sessionId: string,
  token = newSecret("dr", organizationId, sessionId),
): Promise<string> {
  await db.run(sql`
    insert into access_controls__refresh_tokens (organization_id, hash, session_id, expires)
    values (${organizationId}::bigint, ${digest(token)}, ${sessionId}::uuid, ${secondsFromNow(REFRESH_TOKEN_SECONDS)}::timestamp)`);
  return token;
}

export async function openSession(
  { snapshot, services, request }: OperationContext,
  transaction: Queryable,
  organizationId: string,
  userId: string,
): Promise<TokenPair> {
  const sessionId = uuidv7();
  await transaction.run(sql`
    update access_controls__users set last_login = now() at time zone 'utc'
    where organization_id = ${organizationId}::bigint and id = ${userId}::bigint`);
  await insertRows(transaction, snapshot, requireType(snapshot, "access_controls/sessions"), organizationId, [
    {
      id: sessionId,
      user_id: userId,
      owned_by: userId,
      created_by: userId,
      modified_by: userId,
      address: request.address,
      user_agent: request.userAgent.slice(0, 400),
      last_used: secondsFromNow(0),
      expires: secondsFromNow(REFRESH_TOKEN_SECONDS),
    },
  ]);
  return {
    access_token: await services.signer.sign({ userId, organizationId, sessionId }),
    refresh_token: await newRefreshToken(transaction, organizationId, sessionId),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}

/** A shorter key could be guessed by whoever has found a spent token. */
const LEAST_KEY = 16;

/** Whether a refresh token was given out and not spent yet. */
const isUnspent = async (db: Queryable, organizationId: string, token: string): Promise<boolean> =>
  (await db.row(sql`
    select hash from access_controls__refresh_tokens
    where organization_id = ${organizationId}::bigint and hash = ${digest(token)} and spent is null`)) !== undefined;

/** Spends a refresh token for a new pair. */
export async function renewSession(
  { services, call }: OperationContext,
  token: string,
): Promise<TokenPair & { userId: string }> {
  const secret = parseSecret(token);
  if (secret?.prefix !== "dr") throw new Failure("token_refused");
  const { organizationId, subject: sessionId } = secret;
  const key = call.idempotencyKey ?? "";
  const successor = key.length < LEAST_KEY ? undefined : services.signer.successor(secret, key);
  const renewed = await services.database.transaction(async (transaction) => {
    const stored = await transaction.row(sql`
      select t.spent, s.user_id, u.id as active_user,
        (t.expires > now() at time zone 'utc' and s.ended is null and s.deleted = 0)::integer as alive
      from access_controls__refresh_tokens t
      join access_controls__sessions s on s.organization_id = ${organizationId}::bigint and s.id = t.session_id
      left join access_controls__users u on u.organization_id = ${organizationId}::bigint and u.id = s.user_id
        and u.deleted = 0 and u.is_active = 1
      where t.organization_id = ${organizationId}::bigint and t.hash = ${digest(token)}
      for update of t`);
    if (stored?.alive !== "1" || !stored.active_user || !stored.user_id) return undefined;
    const { user_id: userId } = stored;
    if (stored.spent !== null) {
      // Only who spent it knows the key; the answer was lost on its way.
      if (successor !== undefined && (await isUnspent(transaction, organizationId, successor)))
        return { userId, refreshToken: successor };
      await endSessions(transaction, organizationId, sql`id = ${sessionId}::uuid`);
      return undefined;
    }
    await transaction.run(sql`
      update access_controls__refresh_tokens set spent = now() at time zone 'utc'
      where organization_id = ${organizationId}::bigint and hash = ${digest(token)}`);
    await transaction.run(sql`
      update access_controls__sessions set last_used = now() at time zone 'utc', expires = ${secondsFromNow(REFRESH_TOKEN_SECONDS)}::timestamp
      where organization_id = ${organizationId}::bigint and id = ${sessionId}::uuid`);
    return { userId, refreshToken: await newRefreshToken(transaction, organizationId, sessionId, successor) };
  });
  if (!renewed) {
    services.forget(organizationId);
    throw new Failure("token_refused");
  }
  return {
    userId: renewed.userId,
    access_token: await services.signer.sign({ userId: renewed.userId, organizationId, sessionId }),
    refresh_token: renewed.refreshToken,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}

/** Ends the sessions of an organization that `which` picks; every process forgets them. */
export async function endSessions(
  db: Queryable,
  organizationId: string,
  which: ReturnType<typeof sql>,
): Promise<number> {
  const ended = await db.run(sql`
    update access_controls__sessions set ended = now() at time zone 'utc'
    where organization_id = ${organizationId}::bigint and ended is null and ${which}`);
  await notify(db, "dossier_access", organizationId);
  return ended.count;
}
