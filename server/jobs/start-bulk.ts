// Where every bulk operation starts: few records are changed at once, within the request; many become a job. Either way
// there is a job to look at afterwards, and to undo.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { type Language, writeByField } from "../../contract/texts/write.ts";
import { audit } from "../access/audit.ts";
import type { Grant } from "../access/grant.ts";
import { notify } from "../database/processes/notify.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Work } from "../records/hooks.ts";
import { AT_ONCE, type Chunk, type ChunkOutcome, type JobInput } from "./job.ts";
import { resultOf } from "./job-result.ts";
import { type BulkKind, bulkKinds } from "./kinds.ts";
import { addChunk, addChunksOf, addJob, finishChunk, JOBS, queueJob, sizeOf, updateJob } from "./store.ts";

/** Which records a bulk operation is about. */
export type Selection =
  | { readonly ids: readonly string[] }
  /** A statement that gives their ids as texts in one column, in the order in which they are to be changed. */
  | { readonly matching: Sql }
  /** Records with values of their own: to be added, by number, or edited, by id. */
  | { readonly rows: Chunk["rows"] };

export interface BulkRequest {
  readonly kind: BulkKind;
  /** Of what the kind does to records. */
  readonly grant: Grant;
  readonly selection: Selection;
  readonly input: JobInput;
}

export interface StartedBulk {
  readonly jobId: string;
  /** What became of it; undefined where it goes on as a job. */
  readonly outcome: ChunkOutcome | undefined;
  readonly total: number;
}

const verbs: Readonly<Record<BulkKind, string>> = {
  edit: "Edit",
  delete: "Delete",
  restore: "Restore",
  add: "Add",
  upsert: "Add or update",
  import: "Import",
  move: "Move",
  undo: "Undo",
};

/** `Edit 12,345 leads`. */
const titleOf = (kind: BulkKind, type: RecordType, total: number): string =>
  `${verbs[kind]} ${total.toLocaleString("en")} ${total === 1 ? type.noun : type.nouns}`;

export async function startBulk(work: Work, request: BulkRequest): Promise<StartedBulk> {
  const { kind, grant } = request;
  const { type } = grant;
  const few = await fewOf(work, request.selection);
  const started = few ? await runAtOnce(work, request, few) : await queue(work, request);
  await audit(work.transaction, work.snapshot, {
    organizationId: work.caller.organizationId,
    event: "bulk",
    userId: work.caller.userId,
    userName: work.caller.userName,
    subject: { type: JOBS, id: started.jobId, name: titleOf(kind, type, started.total) },
    detail: { kind, controller: type.key, total: started.total },
  });
  return started;
}

/** The records, unless they are more than are changed at once. */
async function fewOf({ transaction }: Work, selection: Selection): Promise<Chunk | undefined> {
  const chunk: Chunk = { number: 0, ids: [], rows: [] };
  if ("rows" in selection) return selection.rows.length > AT_ONCE ? undefined : { ...chunk, rows: selection.rows };
  if ("ids" in selection) return selection.ids.length > AT_ONCE ? undefined : { ...chunk, ids: selection.ids };
  const { rows } = await transaction.run(sql`select * from (${selection.matching}) m limit ${AT_ONCE + 1}`);
  return rows.length > AT_ONCE ? undefined : { ...chunk, ids: rows.flatMap(([id]) => id ?? []) };
}

async function runAtOnce(work: Work, { kind, grant, input }: BulkRequest, chunk: Chunk): Promise<StartedBulk> {
  const { type } = grant;
  const { transaction, caller } = work;
  const { organizationId } = caller;
  const total = sizeOf(chunk);
  const title = titleOf(kind, type, total);
  const jobId = await addJob(work, { kind, title, controller: type.key, total, input });
  await addChunk(transaction, organizationId, jobId, chunk);
  const outcome = await bulkKinds[kind].run({ work: { ...work, jobId }, grant, input }, chunk);
  const failed = Object.keys(outcome.failed).length;
  const isSaved = outcome.changed.length > 0 || Object.keys(outcome.rows ?? {}).length > 0;
  const nothing = failed > 0 && !isSaved && kind !== "undo";
  if (failed > 0 && (input.atomic || nothing)) throw refusal(outcome, total, input.atomic, caller.language);
  await finishChunk(transaction, caller, jobId, chunk, outcome);
  const result = await resultOf(transaction, organizationId, jobId);
  const counts = { done: total, failed };
  await updateJob(transaction, organizationId, jobId, {
    state: "done",
    started: true,
    finished: true,
    result,
    ...counts,
  });
  return { jobId, outcome, total };
}

/** Nothing of it is kept, the job included. */
function refusal(outcome: ChunkOutcome, total: number, atomic: boolean, language: Language): Failure {
  const failed = Object.keys(outcome.failed).length;
  const reason = atomic ? say("bulk_not_all", { failed, total }) : say("bulk_none", { total });
  const told = writeByField(outcome.failed, language);
  // Many fail for the same reason: it is said once.
  const reasons = new Map(
    Object.entries(outcome.failed).flatMap(([id, said]) => said.map((one, index) => [told[id]?.[index], one])),
  );
  return new Failure("bulk_refused", {
    with: { reason },
    errors: [...reasons.values()].slice(0, 20),
    ...(outcome.byField ? { byField: outcome.byField } : {}),
    body: { data: { changed: [], failed: told } },
  });
}

async function queue(work: Work, request: BulkRequest): Promise<StartedBulk> {
  const { transaction, caller } = work;
  const { organizationId } = caller;
  const { kind, grant, selection, input } = request;
  const { type } = grant;
  const given = "rows" in selection ? selection.rows : "ids" in selection ? selection.ids : [];
  const total = given.length;
  const title = titleOf(kind, type, total);
  const jobId = await addJob(work, { kind, title, controller: type.key, total, input });
  await queueJob(transaction, organizationId, jobId);
  if ("matching" in selection) {
    const found = await addChunksOf(transaction, organizationId, jobId, selection.matching);
    await transaction.run(sql`
      update core__jobs set total = ${found}::bigint, title = ${titleOf(kind, type, found)}
      where organization_id = ${organizationId}::bigint and id = ${jobId}::bigint`);
    await notify(transaction, "dossier_jobs", "");
    return { jobId, outcome: undefined, total: found };
  }
  for (let start = 0; start < total; start += AT_ONCE) {
    const number = start / AT_ONCE;
    const rows = "rows" in selection ? selection.rows.slice(start, start + AT_ONCE) : [];
    const ids = "ids" in selection ? selection.ids.slice(start, start + AT_ONCE) : [];
    await addChunk(transaction, organizationId, jobId, { number, ids, rows });
  }
  await notify(transaction, "dossier_jobs", "");
  return { jobId, outcome: undefined, total };
}

/** Stops a job after the chunk that it is at; what is done stays done, and can be undone. */
export async function cancelJob(work: Work, jobId: string): Promise<void> {
  const { transaction, caller } = work;
  await updateJob(transaction, caller.organizationId, jobId, { state: "cancelled", finished: true });
}
