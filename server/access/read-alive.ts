// Takes callers of one organization; returns for each whether its session or key is still valid and its user may act now.
// One statement.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Caller } from "./caller.ts";

const credentialOf = ({ credential }: Caller): string =>
  credential.kind === "session" ? credential.sessionId : credential.kind === "api-key" ? credential.keyId : "";

export async function readAlive(
  db: Queryable,
  organizationId: string,
  callers: readonly Caller[],
): Promise<readonly boolean[]> {
  const organization = sql`${organizationId}::bigint`;
  const rows = await db.prepared(sql`
    select (u.id is not null and case asked.kind
      when 'session' then exists (
        select from access_controls__sessions s
        where s.organization_id = ${organization} and s.id = asked.credential::uuid and s.ended is null and s.deleted = 0)
      when 'api-key' then exists (
        select from access_controls__api_keys k
        where k.organization_id = ${organization} and k.id = asked.credential::bigint and k.revoked is null and k.deleted = 0)
      else false end)::integer as alive
    from unnest(${callers.map((caller) => caller.userId)}::bigint[],
      ${callers.map((caller) => caller.credential.kind)}::text[], ${callers.map(credentialOf)}::text[])
      with ordinality as asked(user_id, kind, credential, ord)
    left join access_controls__users u on u.organization_id = ${organization} and u.id = asked.user_id
      and u.deleted = 0 and u.is_active = 1
    order by asked.ord`);
  return rows.map(([alive]) => alive === "1");
}
