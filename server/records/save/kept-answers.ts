// Keeps answers to requests with an Idempotency-Key for a day. An answer is stored in the transaction of its changes: both
// are committed, or neither.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

/** Gives the first answer as JSON, if there is one. A request under way with the same key is waited for. */
export async function claimKey(
  transaction: Queryable,
  caller: Caller,
  key: string,
  digest: string,
): Promise<string | undefined> {
  const [organization, user] = [sql`${caller.organizationId}::bigint`, sql`${caller.userId}::bigint`];
  await transaction.run(sql`
    delete from core__idempotency_keys
    where organization_id = ${organization} and created < now() at time zone 'utc' - interval '24 hours'`);
  const claimed = await transaction.run(sql`
    insert into core__idempotency_keys (organization_id, user_id, key, digest)
    values (${organization}, ${user}, ${key}, ${digest}) on conflict do nothing`);
  if (claimed.count > 0) return undefined;
  const row = await transaction.row(sql`
    select digest, answer from core__idempotency_keys
    where organization_id = ${organization} and user_id = ${user} and key = ${key}`);
  if (row?.digest !== digest || row.answer == null) {
    throw new Failure("conflict", { with: { reason: say("key_reused") } });
  }
  return row.answer;
}

export async function keepAnswer(
  transaction: Queryable,
  caller: Caller,
  key: string,
  status: number,
  answer: string,
): Promise<void> {
  await transaction.run(sql`
    update core__idempotency_keys set status = ${status}, answer = ${answer}::json
    where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and key = ${key}`);
}
