// Keeps jobs: the record that people see, the queue that the runners share, the chunks with what became of them.
// Every change of the record is told to the log of changes, so that lists of jobs are never stale.
import { z } from "zod";
import { type Language, writeAll, writeByField } from "../../contract/texts/write.ts";
import { type Caller, keyOf } from "../access/caller.ts";
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { expression, ident, join, type Sql, sql, typeName } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { type Place, placeSchema } from "../imports/stage.ts";
import { requireType } from "../metadata/snapshot.ts";
import type { Work } from "../records/hooks.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import {
  AT_ONCE,
  type Chunk,
  type ChunkOutcome,
  type Job,
  type JobInput,
  type JobState,
  jobInputSchema,
  jobStates,
  type KeptRecord,
} from "./job.ts";
import { REMOVED, resultOf } from "./job-result.ts";

const texts = z.array(z.string());
const ownValues = z.array(z.tuple([z.string(), z.string()]));

export const JOBS = "core/jobs";

export interface NewJob {
  readonly kind: string;
  readonly title: string;
  readonly controller: string;
  readonly total: number;
  readonly input: JobInput;
}

const now = sql`now() at time zone 'utc'`;

/** Gives its id. It is nobody's turn yet: `queueJob` or `finishJob` follows in the same transaction. */
export async function addJob(work: Work, job: NewJob): Promise<string> {
  const { transaction, snapshot, caller } = work;
  const byKey = keyOf(caller);
  const row = {
    kind: job.kind,
    title: job.title,
    controller: job.controller,
    status: "queued",
    total: String(job.total),
    done: "0",
    failed: "0",
    input: JSON.stringify({ ...job.input, language: caller.language, ...(byKey !== undefined && { byKey }) }),
    undoes: job.input.undoes?.id ?? null,
    owned_by: caller.userId,
    created_by: caller.userId,
    modified_by: caller.userId,
  };
  const [id = ""] = await insertRows(transaction, snapshot, requireType(snapshot, JOBS), caller.organizationId, [row]);
  return id;
}

export async function queueJob(db: Queryable, organizationId: string, jobId: string): Promise<void> {
  await db.run(sql`
    insert into core__job_queue (organization_id, job_id) values (${organizationId}::bigint, ${jobId}::bigint)`);
}

/** How long a job whose rows are still being sent is nobody else's, and how often that is said again. */
const HELD = "2 minutes";
export const HOLD_EVERY_MS = 30_000;

/** A job whose rows are still being sent: no runner takes it up, unless `keepHold` no longer says so. */
export async function holdJob(db: Queryable, organizationId: string, jobId: string): Promise<void> {
  await db.run(sql`
    insert into core__job_queue (organization_id, job_id, held_until)
    values (${organizationId}::bigint, ${jobId}::bigint, (clock_timestamp() at time zone 'utc') + ${HELD}::interval)`);
}

/** Gives whether it is still the sender's. Its row stays locked until the end of the transaction. */
export async function keepHold(db: Queryable, organizationId: string, jobId: string): Promise<boolean> {
  const row = await db.row(sql`
    update core__job_queue set held_until = (clock_timestamp() at time zone 'utc') + ${HELD}::interval
    where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint returning job_id::text as id`);
  return row !== undefined;
}

/** `ids`: a statement that gives the records' ids as texts in one column. Gives how many there are. */
export async function addChunksOf(db: Queryable, organizationId: string, jobId: string, ids: Sql): Promise<number> {
  // Written out: a parameter that stands in two places is two expressions.
  const size = expression(String(AT_ONCE));
  const { rows } = await db.run(sql`
    with given(id) as (${ids}), numbered as (
      select id, row_number() over () - 1 as position from given
    ), written as (
      insert into core__job_chunks (organization_id, job_id, number, record_ids)
      select ${organizationId}::bigint, ${jobId}::bigint, position / ${size}, array_agg(id order by position)
      from numbered group by position / ${size}
      returning cardinality(record_ids) as size
    ) select coalesce(sum(size), 0)::text from written`);
  return Number(rows[0]?.[0] ?? 0);
}

export async function addChunk(db: Queryable, organizationId: string, jobId: string, chunk: Chunk): Promise<void> {
  const rows = chunk.rows.length === 0 ? null : JSON.stringify(chunk.rows);
  await db.run(sql`
    insert into core__job_chunks (organization_id, job_id, number, record_ids, rows, place)
    values (${organizationId}::bigint, ${jobId}::bigint, ${chunk.number}, ${chunk.ids}::text[], ${rows}::json,
      ${chunk.place ? JSON.stringify(chunk.place) : null}::json)`);
}

/** The chunks of a file, in its order. */
export async function addPlaces(
  db: Queryable,
  organizationId: string,
  jobId: string,
  places: readonly Place[],
): Promise<void> {
  await db.run(sql`
    insert into core__job_chunks (organization_id, job_id, number, record_ids, place)
    select ${organizationId}::bigint, ${jobId}::bigint, given.number - 1, '{}', given.place::json
    from unnest(${places.map((place) => JSON.stringify(place))}::text[]) with ordinality as given(place, number)`);
}

export async function readJob(db: Queryable, organizationId: string, jobId: string): Promise<Job | undefined> {
  const row = await db.row(sql`
    select kind, controller, status, created_by, total::text as total, input from core__jobs
    where organization_id = ${organizationId}::bigint and id = ${jobId}::bigint`);
  const state = jobStates.find((one) => one === row?.status);
  if (!row || !state) return undefined;
  return {
    id: jobId,
    organizationId,
    userId: row.created_by ?? "",
    kind: row.kind ?? "",
    controller: row.controller ?? "",
    state,
    total: Number(row.total ?? 0),
    input: storedJson(jobInputSchema, row.input ?? '{"atomic":false}', "core__jobs.input"),
  };
}

/** The chunks that are still to be done, in order. */
export async function nextChunks(
  db: Queryable,
  organizationId: string,
  jobId: string,
  most: number,
): Promise<readonly Chunk[]> {
  const rows = await db.rows(sql`
    select number::text as number, array_to_json(record_ids)::text as ids, rows, place::text as place from core__job_chunks c
    where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint and finished is null
    order by c.number limit ${most}`);
  return rows.map((row) => ({
    number: Number(row.number),
    ids: storedJson(texts, row.ids ?? "[]", "core__job_chunks.record_ids"),
    rows: storedJson(ownValues, row.rows ?? "[]", "core__job_chunks.rows"),
    place: row.place == null ? undefined : storedJson(placeSchema, row.place, "core__job_chunks.place"),
  }));
}

/** In the transaction of what it tells of, in the words of whoever started the job. */
export async function finishChunk(
  db: Queryable,
  { organizationId, language }: Pick<Caller, "organizationId" | "language">,
  jobId: string,
  chunk: Chunk,
  outcome: ChunkOutcome,
): Promise<void> {
  const { changed, failed, leftAlone = {}, kept = [], removed = 0 } = outcome;
  const counts = { ...outcome.counts, ...(removed > 0 ? { [REMOVED]: removed } : {}) };
  const json = (value: object): string | null => (Object.keys(value).length === 0 ? null : JSON.stringify(value));
  // What was sent is not kept any longer than it is needed; what came of it takes its place.
  const ids = chunk.rows.length > 0 || chunk.place ? changed : chunk.ids;
  // Of what a purge may have to forget.
  const told = chunk.place ? [] : [...new Set([failed, leftAlone].flatMap((one) => Object.keys(one)))];
  const faults = (outcome.faults ?? [])
    .slice(0, MOST_FAULTS)
    .map(({ reasons, ...fault }) => ({ ...fault, reasons: writeAll(reasons, language) }));
  await db.run(sql`
    update core__job_chunks set finished = ${now}, record_ids = ${ids}::text[], rows = null, failed = ${json(writeByField(failed, language))}::json,
      left_alone = ${json(leftAlone)}::json, told = nullif(${told}::text[], '{}'), counts = ${json(counts)}::json,
      faults = ${json(faults)}::json, kept = ${json(keptTexts(kept, language))}::json
    where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint and number = ${chunk.number}`);
}

/** Of a job that was refused as a whole: which records its result tells of. Imports tell it by row. */
export async function noteTold(
  db: Queryable,
  organizationId: string,
  jobId: string,
  ids: readonly string[],
): Promise<void> {
  await db.run(sql`
    update core__job_chunks set told = nullif(${ids}::text[], '{}')
    where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint and place is null and number = (
      select min(c.number) from core__job_chunks c
      where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint)`);
}

const keptTexts = (kept: readonly KeptRecord[], language: Language) =>
  Object.fromEntries(
    kept.map(({ type, id, reasons }) => [`${type} ${id}`, reasons ? writeAll(reasons, language) : null]),
  );

/** Faults by cell that one chunk tells; a value is told as far as a person reads it. */
const MOST_FAULTS = 1_000;

export const sizeOf = ({ place, rows, ids }: Chunk): number =>
  place?.count ?? (rows.length > 0 ? rows.length : ids.length);

export interface JobUpdate {
  readonly state?: JobState;
  /** A job that was canceled in the meantime stays so. */
  readonly unlessCancelled?: boolean;
  /** Added to what is there. */
  readonly done?: number;
  readonly failed?: number;
  /** In place of what is there. */
  readonly doneSoFar?: number;
  readonly total?: number;
  readonly started?: boolean;
  readonly finished?: boolean;
  readonly result?: object;
  readonly undoneBy?: string;
  readonly input?: JobInput;
}

/** Gives the job's state afterwards. */
export async function updateJob(
  db: Queryable,
  organizationId: string,
  jobId: string,
  update: JobUpdate,
): Promise<string | undefined> {
  const sets: Sql[] = [sql`modified = ${now}`];
  const set = (column: string, value: Sql) => sets.push(sql`${ident(column)} = ${value}`);
  const { state, done, failed, doneSoFar, total, result, undoneBy } = update;
  if (state !== undefined) {
    set(
      "status",
      update.unlessCancelled ? sql`case when status = 'cancelled' then status else ${state} end` : sql`${state}`,
    );
  }
  if (done !== undefined) set("done", sql`done + ${done}::${typeName("bigint")}`);
  if (failed !== undefined) set("failed", sql`failed + ${failed}::${typeName("bigint")}`);
  if (doneSoFar !== undefined) set("done", sql`${doneSoFar}::${typeName("bigint")}`);
  if (total !== undefined) set("total", sql`${total}::${typeName("bigint")}`);
  if (update.started) set("started", sql`least(started, ${now})`);
  if (update.finished) set("finished", sql`least(finished, ${now})`);
  if (result !== undefined) set("result", sql`${JSON.stringify(result)}::jsonb`);
  if (update.input !== undefined) set("input", sql`${JSON.stringify(update.input)}::jsonb`);
  if (undoneBy !== undefined) set("undone_by", sql`${undoneBy}::bigint`);
  const row = await db.row(sql`
    update core__jobs set ${join(sets)} where organization_id = ${organizationId}::bigint and id = ${jobId}::bigint
    returning status, acl_id::text as acl_id`);
  if (row) {
    const change = { aclId: row.acl_id ?? "0", delta: 0, id: jobId, operation: "edit" as const };
    await recordChanges(db, organizationId, JOBS, [change]);
  }
  return row?.status ?? undefined;
}

/** Waits for whoever works on the job; then nobody does, and the files of an import begin to rest. */
export async function leaveQueue(db: Queryable, organizationId: string, jobId: string): Promise<void> {
  await db.run(sql`
    delete from core__job_queue where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint`);
  await db.run(sql`
    update core__import_files f set used = ${now} from core__jobs j
    where f.organization_id = ${organizationId}::bigint and j.organization_id = ${organizationId}::bigint
      and j.id = ${jobId}::bigint and j.kind = 'import'
      and f.storage_key in (j.input->'import'->>'source', j.input->'import'->>'staged')`);
}

/** As `leaveQueue`, for a job that was stopped: what was done before is told, too. */
export async function leaveStopped(db: Queryable, organizationId: string, jobId: string): Promise<void> {
  await leaveQueue(db, organizationId, jobId);
  const untold = await db.row(sql`
    select id from core__jobs where organization_id = ${organizationId}::bigint and id = ${jobId}::bigint and result is null`);
  if (!untold) return;
  const result = await resultOf(db, organizationId, jobId);
  await updateJob(db, organizationId, jobId, { result });
}

export async function complete(transaction: Queryable, organizationId: string, jobId: string): Promise<void> {
  const result = await resultOf(transaction, organizationId, jobId);
  const end = { state: "done", unlessCancelled: true, started: true, finished: true, result } as const;
  await updateJob(transaction, organizationId, jobId, end);
  await leaveQueue(transaction, organizationId, jobId);
}
