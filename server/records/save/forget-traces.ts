// Takes records that are being purged; removes what jobs and webhooks have kept of their values: new values that a finished job was
// started with, why one of the records failed or was left alone, and what an endpoint answered. Which records a job was about stays.
import { recordChanges } from "../../database/changes.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { eventOf } from "../followed-types.ts";
import type { Work } from "../hooks.ts";

const JOBS = "core/jobs";

export async function forgetTraces(work: Work, type: RecordType, ids: readonly string[]): Promise<void> {
  const { transaction, caller, snapshot } = work;
  const organization = sql`${caller.organizationId}::bigint`;
  const gone = sql`${ids}::text[]`;
  await transaction.run(sql`
    update core__webhook_deliveries set answer = null
    where organization_id = ${organization} and record_type = ${type.key} and record_id = any(${gone}) and answer is not null`);
  // One that still runs needs what it was started with.
  const jobs = await transaction.run(sql`
    update core__jobs j set input = j.input - 'values', result = (
      select jsonb_object_agg(e.key, case when e.key in ('failed', 'left_alone') and jsonb_typeof(e.value) = 'object'
        then e.value - ${gone} else e.value end) from jsonb_each(j.result) e)
    where j.organization_id = ${organization} and j.controller = ${type.key} and j.status in ('done', 'failed', 'cancelled')
      and exists (select from core__job_chunks c
        where c.organization_id = ${organization} and c.job_id = j.id and c.record_ids && ${gone})
    returning j.acl_id::text, j.id::text`);
  if (jobs.rows.length === 0) return;
  await transaction.run(sql`
    update core__job_chunks set failed = (failed::jsonb - ${gone})::json, left_alone = (left_alone::jsonb - ${gone})::json
    where organization_id = ${organization} and job_id = any(${jobs.rows.flatMap(([, id]) => id ?? [])}::bigint[])
      and (failed is not null or left_alone is not null)`);
  const changes = jobs.rows.map(([acl, id]) => ({
    aclId: acl ?? "0",
    delta: 0,
    ...eventOf(requireType(snapshot, JOBS), id ?? null, "edit"),
  }));
  await recordChanges(transaction, caller.organizationId, JOBS, changes);
}
