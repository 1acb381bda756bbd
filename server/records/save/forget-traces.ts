// Takes records that are being purged, while their history is still there; removes what jobs and webhooks have kept of their values: new
// values that a finished job gave them, why a job failed or left one of them alone, and what an endpoint answered. Which records a job was about stays.
import { recordChanges } from "../../database/changes.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Work } from "../hooks.ts";

const JOBS = "core/jobs";
/** Jobs that tell what failed by the id of the record. The others tell it by the number of the row. */
const TOLD_BY_ID: readonly string[] = ["edit", "delete", "restore", "move", "undo"];

export async function forgetTraces(work: Work, type: RecordType, ids: readonly string[]): Promise<void> {
  const { transaction, caller, snapshot } = work;
  await transaction.run(sql`
    update core__webhook_deliveries set answer = null
    where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key} and record_id = any(${ids}::text[])
      and answer is not null`);
  const jobs = new Map([...(await forgetValues(work, type, ids)), ...(await forgetReasons(work, type, ids))]);
  const changes = [...jobs].map(([id, aclId]) => ({
    aclId,
    delta: 0,
    ...eventOf(requireType(snapshot, JOBS), id, "edit"),
  }));
  await recordChanges(transaction, caller.organizationId, JOBS, changes);
}

type Jobs = readonly (readonly [id: string, aclId: string])[];

const jobsOf = (rows: readonly (readonly (string | null)[])[]): Jobs =>
  rows.map(([id, aclId]) => [id ?? "", aclId ?? "0"]);

/** Of jobs that changed one of them. One that still runs needs what it was started with. */
async function forgetValues({ transaction, caller }: Work, type: RecordType, ids: readonly string[]): Promise<Jobs> {
  const organization = sql`${caller.organizationId}::bigint`;
  const { rows } = await transaction.run(sql`
    update core__jobs j set input = j.input - 'values'
    where j.organization_id = ${organization} and j.id in (
        select r.job_id from core__revisions r
        where r.organization_id = ${organization} and r.related_type = ${type.key} and r.related_id = any(${ids}::text[])
          and r.job_id is not null)
      and j.controller = ${type.key} and j.status in ('done', 'failed', 'cancelled') and j.input ? 'values'
    returning j.id::text, j.acl_id::text`);
  return jobsOf(rows);
}

/** Of jobs that name one of them among what they could not do. */
async function forgetReasons({ transaction, caller }: Work, type: RecordType, ids: readonly string[]): Promise<Jobs> {
  const organization = sql`${caller.organizationId}::bigint`;
  const gone = sql`${ids}::text[]`;
  const without = (of: Sql) =>
    sql`(select json_object_agg(e.key, e.value) from json_each(${of}) e where e.key <> all(${gone}))`;
  const told = await transaction.run(sql`
    update core__job_chunks c set failed = ${without(sql`c.failed`)}, left_alone = ${without(sql`c.left_alone`)},
      told = nullif(array(select t.id from unnest(c.told) as t(id) where t.id <> all(${gone})), '{}')
    from core__jobs j
    where c.organization_id = ${organization} and c.told && ${gone}
      and j.organization_id = ${organization} and j.id = c.job_id and j.controller = ${type.key} and j.kind = any(${TOLD_BY_ID}::text[])
    returning c.job_id::text`);
  if (told.rows.length === 0) return [];
  // What is not there stays so. Citus refuses jsonb_build_object with columns in an update.
  const forgotten = (result: Sql, name: string): Sql =>
    sql`jsonb_set(${result}, ${[name]}::text[], coalesce((j.result -> ${name}::text) - ${gone}, 'null'), false)`;
  const { rows } = await transaction.run(sql`
    update core__jobs j set result = ${forgotten(forgotten(sql`j.result`, "failed"), "left_alone")}
    where j.organization_id = ${organization} and j.id = any(${told.rows.flatMap(([id]) => id ?? [])}::bigint[])
      and ((j.result -> 'failed') ?| ${gone} or (j.result -> 'left_alone') ?| ${gone})
    returning j.id::text, j.acl_id::text`);
  return jobsOf(rows);
}
