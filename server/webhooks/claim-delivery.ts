// Takes the next delivery that may go out, one webhook after the other, and leases it. Of one record they go out in order: nothing
// is taken while something earlier of the same record waits. Any number of processes may do so: all is decided in PostgreSQL.
import { forAllOrganizations } from "../database/citus/places.ts";
import type { Database, Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Delivery } from "./render-delivery.ts";
import { WEBHOOKS } from "./webhook.ts";

export interface Claimed extends Delivery {
  readonly organizationId: string;
  readonly webhookId: string;
}

/** How long a process has for one delivery; then another takes it over, under the same id. */
const LEASE_SECONDS = 60;
/** After so many failures in a row, an endpoint gets one attempt at a time. */
export const FAILURES_IN_A_ROW = 5;
const MOST_TRIED = 20;

const now = sql`now() at time zone 'utc'`;

/** `full`: organizations that have as much under way as they get. */
export async function claimDelivery(database: Database, full: readonly string[]): Promise<Claimed | undefined> {
  const candidates = await forAllOrganizations(database, (which) =>
    database.rows<{ organization_id: string; webhook_id: string; served: string }>(sql`
      select s.organization_id::text as organization_id, s.webhook_id::text as webhook_id, s.served::text as served
      from core__webhook_state s
      where ${which} and s.organization_id <> all(${full}::bigint[]) and s.secret is not null
        and (s.retry_at is null or s.retry_at <= ${now})
        and exists (select 1 from core__webhooks w where w.organization_id = s.organization_id and w.id = s.webhook_id
          and w.is_active = 1 and w.deleted = 0)
        and exists (select 1 from core__webhook_deliveries d where d.organization_id = s.organization_id
          and d.related_type = ${WEBHOOKS} and d.related_id = s.webhook_id::text and d.status = 'waiting'
          and d.next_attempt <= ${now})
      order by s.served limit ${MOST_TRIED}::bigint`),
  );
  for (const { organization_id: organizationId, webhook_id: webhookId } of candidates.flat()) {
    const claimed = await database.transaction((transaction) => claimOf(transaction, organizationId, webhookId));
    if (claimed) return claimed;
  }
  return undefined;
}

/** Undefined where another process is at it, or everything waits for something earlier. */
async function claimOf(
  transaction: Queryable,
  organizationId: string,
  webhookId: string,
): Promise<Claimed | undefined> {
  const organization = sql`${organizationId}::bigint`;
  const state = sql`organization_id = ${organization} and webhook_id = ${webhookId}::bigint`;
  const free = await transaction.row(sql`
    select failures::text as failures, (${now})::text as now from core__webhook_state
    where organization_id = ${organization} and webhook_id = ${webhookId}::bigint
      and (retry_at is null or retry_at <= ${now}) for update skip locked`);
  if (!free) return undefined;
  const row = await transaction.row(sql`
    select d.id::text as id from core__webhook_deliveries d
    where d.organization_id = ${organization} and d.related_type = ${WEBHOOKS} and d.related_id = ${webhookId}::text
      and d.status = 'waiting' and d.next_attempt <= ${now}
      and not exists (select 1 from core__webhook_deliveries e where e.organization_id = ${organization}
        and e.related_type = ${WEBHOOKS} and e.related_id = ${webhookId}::text and e.status = 'waiting'
        and e.record_type = d.record_type and e.record_id is not distinct from d.record_id and e.position < d.position)
    order by d.next_attempt, d.position limit 1 for update of d skip locked`);
  // Even where nothing can be taken now, the others come first.
  await transaction.run(sql`
    update core__webhook_state set served = now() at time zone 'utc',
      retry_at = case when ${row ? 1 : 0}::integer = 1 and failures >= ${FAILURES_IN_A_ROW}::integer
        then ${free.now ?? null}::timestamp + make_interval(secs => ${LEASE_SECONDS}::double precision) else retry_at end
    where ${state}`);
  if (!row) return undefined;
  const taken = await transaction.row(sql`
    update core__webhook_deliveries set attempts = attempts + 1, last_attempt = ${now},
      next_attempt = (${now}) + make_interval(secs => ${LEASE_SECONDS}::double precision)
    where organization_id = ${organizationId}::bigint and id = ${row.id ?? null}::uuid
    returning id::text as id, operation, record_type, record_id, position::text as position, attempts::text as attempts,
      created`);
  if (!taken) return undefined;
  return {
    organizationId,
    webhookId,
    id: taken.id ?? "",
    operation: taken.operation ?? "",
    recordType: taken.record_type ?? null,
    recordId: taken.record_id ?? null,
    position: taken.position ?? null,
    attempts: Number(taken.attempts ?? 0),
    created: taken.created ?? "",
  };
}
