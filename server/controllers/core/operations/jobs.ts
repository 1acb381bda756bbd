// Jobs: cancel stops one, undo takes back what one did, failures tells what could not be done, what was left alone and what was kept.

import { z } from "zod";
import { Failure } from "../../../../contract/failures.ts";
import { type Message, say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { grantBulk } from "../../../access/grant.ts";
import { limitsAllow } from "../../../access/keys/limits.ts";
import { mayLook } from "../../../access/matrix.ts";
import { mayRead } from "../../../access/visibility.ts";
import type { Row } from "../../../database/database.ts";
import { ident, join, type Sql, sql } from "../../../database/sql.ts";
import { storedJson } from "../../../database/stored-json.ts";
import { undoneAs } from "../../../jobs/import.ts";
import { type Job, jobStates } from "../../../jobs/job.ts";
import { keptRecords } from "../../../jobs/job-result.ts";
import { cancelJob, startBulk } from "../../../jobs/start-bulk.ts";
import { leaveStopped, readJob, updateJob } from "../../../jobs/store.ts";
import { undoes } from "../../../jobs/undo.ts";
import { earlierUndo, isBroken, isIdle, leftBy, recordsOf, whyIdle } from "../../../jobs/undo-again.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import { answerView } from "../../../operations/answer-view.ts";
import { answerOf } from "../../../operations/bulk.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { pageOf } from "../../../operations/pages.ts";
import { runWrite } from "../../../operations/write.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { idTypeOf } from "../../../query/lock-rows.ts";
import type { Work } from "../../../records/hooks.ts";

const reasonsSchema = z.array(z.string());

/** A job that the caller can see: its own, or any for administrators. Locked, so that it is undone once. */
export const visible = (caller: Caller, type: RecordType, id: string): Sql => sql`
  select r.id from core__jobs r where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::bigint and r.deleted = 0`;

async function lockJob(work: Work, type: RecordType, sentId: string): Promise<Job> {
  const id = requireRecordId(type, sentId);
  const found = await work.transaction.row(sql`${visible(work.caller, type, id)} for no key update of r`);
  const job = found && (await readJob(work.transaction, work.caller.organizationId, id));
  if (!job) throw noSuchRecord(type);
  return job;
}

/**
 * One that was stopped may still be at its last chunk, and what that does belongs to it. Its place in the queue is taken away
 * before the job is locked, as whoever works on it does: that waits for the chunk, and nobody begins another.
 */
async function lockEnded(work: Work, type: RecordType, sentId: string): Promise<Job> {
  const { transaction, caller } = work;
  const id = requireRecordId(type, sentId);
  const isVisible = (await transaction.row(visible(caller, type, id))) !== undefined;
  const seen = isVisible ? await readJob(transaction, caller.organizationId, id) : undefined;
  if (seen?.state === "cancelled") await leaveStopped(transaction, caller.organizationId, id);
  await transaction.script("savepoint ended");
  const job = await lockJob(work, type, sentId);
  if (job.state !== "cancelled" || seen?.state === "cancelled") return job;
  // Stopped in this moment: whoever is at its last chunk waits for the job, so it is let go of first.
  await transaction.script("rollback to savepoint ended");
  return lockEnded(work, type, sentId);
}

const isOver = (job: Job): boolean => jobStates.indexOf(job.state) >= jobStates.indexOf("done");

const conflict = (reason: Message): Failure => new Failure("conflict", { with: { reason } });

export const cancel: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "view",
  run: (context) => {
    const { type } = addressed(context);
    return runWrite(context, async (work) => {
      const job = await lockJob(work, type, requireId(context));
      // A key that only looks stops nothing.
      if (!limitsAllow(work.caller, job.controller, job.kind === "import" ? "import" : "bulk"))
        throw new Failure("key_limited");
      if (isOver(job)) throw conflict(say("job_over"));
      await cancelJob(work, job.id);
      return answerView(context, job.id, say("job_stopping"));
    });
  },
};

export const undo: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "view",
  run: (context) => {
    const { type } = addressed(context);
    return runWrite(context, async (work) => {
      const job = await lockEnded(work, type, requireId(context));
      const of = undoable(context, job);
      const { organizationId } = work.caller;
      const kind = job.input.import ? undoneAs(job.input.import) : job.kind;
      const input = { atomic: false, undoes: { id: job.id, kind } };
      const earlier = await earlierUndo(work, job.id);
      const last = earlier && !isBroken(earlier) ? earlier : undefined;
      if (last && last.status !== "done") throw conflict(say("job_undone"));
      const started = await startBulk(work, {
        kind: "undo",
        grant: grantBulk(work.caller, of, undoes(input), work.hooks),
        selection: {
          matching: last ? leftBy(work, of, job, kind, last.id) : recordsOf(organizationId, job.controller, job.id),
        },
        input,
      });
      if (last && isIdle(started)) throw conflict(await whyIdle(work, of, job.id, last));
      await updateJob(work.transaction, organizationId, job.id, { undoneBy: started.jobId });
      return async () => answerOf(of, "undo", started, context.language);
    });
  },
};

const undoableKinds = ["edit", "delete", "restore", "add", "upsert", "import"];

/** A dry run changed nothing. */
const isUndoable = ({ kind, input }: Job): boolean => undoableKinds.includes(kind) && !input.import?.dryRun;

/** The type of the records whose changes can be taken back. */
function undoable({ snapshot }: OperationContext, job: Job): RecordType {
  const of = snapshot.types.get(job.controller);
  if (!of || !isUndoable(job)) throw conflict(say("job_not_undoable"));
  if (!isOver(job)) throw conflict(say("job_running"));
  return of;
}

export const failures: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type } = addressed(context);
    const { page, limit, offset } = pageOf(context, 100);
    const { database } = context.services;
    const id = requireRecordId(type, requireId(context));
    if (!(await database.row(visible(caller, type, id)))) throw noSuchRecord(type);
    const told = (kind: "failed" | "left_alone") => sql`
      select ${kind}::text as kind, null::text as record_type, c.number, e.key as record_id, e.value::text as reasons
      from core__job_chunks c, json_each(c.${kind === "failed" ? sql`failed` : sql`left_alone`}) e
      where c.organization_id = ${caller.organizationId}::bigint and c.job_id = ${id}::bigint
        and c.${kind === "failed" ? sql`failed` : sql`left_alone`} is not null`;
    const kept = sql`(${keptRecords(caller.organizationId, id)}) k`;
    const isReadable = readableAmong(
      context,
      caller,
      await database.rows(sql`select distinct record_type from ${kept}`),
    );
    const rows = await database.rows(sql`
      select kind, record_type, record_id, reasons, count(*) over ()::text as total
      from (${told("failed")} union all ${told("left_alone")} union all
        select 'kept', k.record_type, k.number, k.record_id, k.reasons from ${kept} where ${isReadable}) t
      order by number, kind, record_type, length(record_id), record_id
      limit ${limit}::bigint offset ${offset}::bigint`);
    const list = rows.map((row) => ({
      id: row.record_id,
      kind: row.kind,
      // Of another type than the job's.
      ...(row.record_type == null ? {} : { controller: row.record_type }),
      // Reasons are sentences; what was left alone are names of fields.
      reasons: storedJson(reasonsSchema, row.reasons ?? "[]", "core__job_chunks"),
    }));
    return { body: { id, data: { failures: list }, page, limit, total_count: Number(rows[0]?.total ?? 0) } };
  },
};

/** Whether `k` names a record that the caller may read, of any of these types. */
function readableAmong({ snapshot }: OperationContext, caller: Caller, types: readonly Row[]): Sql {
  const cases = types.flatMap(({ record_type: key }) => {
    const type = snapshot.types.get(key ?? "");
    if (!type || !mayLook(caller, type.key)) return [];
    const readable = sql`exists (
      select from ${ident(type.table)} r where r.id = k.record_id::${idTypeOf(type)} and ${mayRead(caller, type, "r", "few")})`;
    return [sql`when k.record_type = ${type.key} then ${readable}`];
  });
  return cases.length === 0 ? sql`false` : sql`case ${join(cases, " ")} else false end`;
}
