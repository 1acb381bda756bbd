// Takes callers of one organization; returns for each whether its session or key is still valid and its user may act now.
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Caller } from "./caller.ts";

export async function readAlive(
  db: Queryable,
  organizationId: string,
  callers: readonly Caller[],
): Promise<readonly boolean[]> {
  const organization = sql`${organizationId}::bigint`;
  const users = callers.map(({ userId }) => userId);
  const sessions = callers.flatMap(({ credential }) => (credential.kind === "session" ? [credential.sessionId] : []));
  const keys = callers.flatMap(({ credential }) => (credential.kind === "api-key" ? [credential.keyId] : []));
  const statements: Sql[] = [
    sql`select 'user'::text, u.id::text from access_controls__users u
      where u.organization_id = ${organization} and u.id = any(${users}::bigint[]) and u.deleted = 0 and u.is_active = 1`,
  ];
  if (sessions.length > 0)
    statements.push(sql`select 'session'::text, s.id::text from access_controls__sessions s
      where s.organization_id = ${organization} and s.id = any(${sessions}::uuid[]) and s.ended is null and s.deleted = 0`);
  if (keys.length > 0)
    statements.push(sql`select 'api-key'::text, k.id::text from access_controls__api_keys k
      where k.organization_id = ${organization} and k.id = any(${keys}::bigint[]) and k.revoked is null and k.deleted = 0
        and (k.expires is null or k.expires > now() at time zone 'utc')`);
  const alive = new Set((await db.readTogether(statements)).map(([kind, id]) => `${kind} ${id}`));
  return callers.map(({ userId, credential }) => alive.has(`user ${userId}`) && alive.has(nameOf(credential)));
}

const nameOf = (credential: Caller["credential"]): string =>
  credential.kind === "session"
    ? `session ${credential.sessionId}`
    : credential.kind === "api-key"
      ? `api-key ${credential.keyId}`
      : "";
