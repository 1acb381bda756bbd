// Works off jobs, in every process: takes one of the organization that was served longest ago, runs its next chunk in one
// transaction with its progress, and looks again; a few organizations at a time, none of them twice. Whoever is killed
// loses the chunk under way, and any other process goes on from there.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { type Language, languageOf, writeAll, writeByField } from "../../contract/texts/write.ts";
import type { Caller } from "../access/caller.ts";
import { grantBulk } from "../access/grant.ts";
import { limitsOfKey } from "../access/keys/read-key.ts";
import { readPerson } from "../access/read-caller.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isTransient, outdatedDesign } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { tidyBetweenWrites } from "../database/upkeep/tidy-indexes.ts";
import type { Span, Tracer } from "../lib/tracing/tracer.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { Interrupted, reasonsOf } from "../records/bulk/with-savepoints.ts";
import type { AccessChange, HookTable, Work } from "../records/hooks.ts";
import { runAll } from "./atomic.ts";
import type { Job, JobKinds, JobPlaces } from "./job.ts";
import { MOST_TOLD, noRows, resultOf } from "./job-result.ts";
import { Refused } from "./refused.ts";
import {
  complete,
  finishChunk,
  leaveQueue,
  leaveStopped,
  nextChunks,
  noteTold,
  readJob,
  sizeOf,
  updateJob,
} from "./store.ts";

/** How many rows a chunk worked on, and of which table. Those that were rolled back are in the list beside the search index, too. */
interface Worked {
  readonly table: string;
  readonly rows: number;
}

export interface JobRunner {
  /** There may be something to do. */
  wake(): void;
  /** Leaves the chunk under way; it is taken up again by whoever comes next. */
  close(): Promise<void>;
}

export interface RunnerSources {
  readonly database: Database;
  readonly snapshot: () => Snapshot;
  /** Reads the design anew, where this process has not heard of a change yet. */
  readonly reload: () => Promise<void>;
  readonly hooks: HookTable;
  readonly kinds: JobKinds;
  /** For jobs that work on files. */
  readonly places?: JobPlaces | undefined;
  readonly forget: (organizationId: string) => void;
  readonly log: Pick<Logger, "error" | "debug">;
  /** Undefined: no traces are made. */
  readonly tracer?: Tracer | undefined;
}

/** Messages wake a runner; this is for those that got lost. */
const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 500;
const MOST_ATTEMPTS = 3;
/** How many organizations' jobs one process works on at once: a chunk that takes long delays its own organization alone. */
const LANES = 3;

interface Turn {
  readonly organizationId: string;
  readonly jobId: string;
  /** Whoever sent its rows is gone. */
  readonly isAbandoned?: boolean;
}

export function createJobRunner(sources: RunnerSources): JobRunner {
  const { database, log } = sources;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lanes = new Set<Promise<void>>();
  /** Organizations that a lane works for. */
  const served = new Set<string>();
  let claiming: Promise<unknown> = Promise.resolve();
  const tidyAfter = tidyBetweenWrites(database);
  let again = false;

  const work = async (): Promise<void> => {
    do {
      again = false;
      let more = true;
      while (more && !signal.aborted) more = await takeTurn();
    } while (again && !signal.aborted);
  };

  /** One after the other, so that no organization is taken twice. */
  const claim = (transaction: Queryable): Promise<Turn | undefined> => {
    const next = claiming.then(async () => {
      const turn = await nextTurn(transaction, [...served]);
      if (turn) served.add(turn.organizationId);
      return turn;
    });
    claiming = next.catch(() => undefined);
    return next;
  };

  const takeTurn = async (): Promise<boolean> => {
    let turn: Turn | undefined;
    let span: Span | undefined;
    let failure: string | undefined;
    const snapshot = sources.snapshot();
    try {
      const accessChanges = new Set<AccessChange>();
      const done = await database.transaction(async (transaction) => {
        turn = await claim(transaction);
        if (turn) openLane();
        span = turn && sources.tracer?.begin("job", "consumer");
        return turn && (await runTurn(sources, turn, { transaction, snapshot, accessChanges }, signal));
      });
      if (turn && accessChanges.size > 0) sources.forget(turn.organizationId);
      if (done) await tidyAfter(done.table, done.rows);
      return turn !== undefined;
    } catch (error) {
      failure = error instanceof Failure ? error.code : "error";
      if (signal.aborted || error instanceof Interrupted) return false;
      if (outdatedDesign(error) && (await hasChanged(snapshot))) return true;
      await recover(turn, error);
      return turn !== undefined;
    } finally {
      if (turn) served.delete(turn.organizationId);
      const attributes = { "dossier.job": turn?.jobId, "dossier.organization": turn?.organizationId };
      span?.end({ attributes, failure });
    }
  };

  /** Nothing of a chunk was kept: it is begun anew with the design as it is by now, as often as that changes. */
  const hasChanged = async ({ version }: Snapshot): Promise<boolean> => {
    await sources.reload().catch((error: unknown) => log.debug(error, "the design could not be read anew"));
    return sources.snapshot().version !== version;
  };

  const recover = async (turn: Turn | undefined, error: unknown): Promise<void> => {
    try {
      if (turn && error instanceof Refused) await endJob(database, turn, error);
      else if (turn && error instanceof Failure && error.status < 500) {
        await endJob(database, turn, new Refused(reasonsOf(error)));
      } else if (turn && !isTransient(error)) {
        const request = randomUUID();
        log.error({ err: error, job: turn.jobId, request }, "a chunk of a job ended in an error");
        const words = [say("internal", { request_id: request })];
        if ((await countAttempt(database, turn)) >= MOST_ATTEMPTS) await endJob(database, turn, new Refused(words));
      }
    } catch (second) {
      log.debug(second, "a job could not be put down");
    }
    const wait = error instanceof Failure && error.status < 500 ? 0 : RETRY_MS;
    await delay(wait, undefined, { signal }).catch(() => undefined);
  };

  const wake = (): void => {
    again = true;
    openLane();
  };

  const openLane = (): void => {
    if (lanes.size >= LANES || signal.aborted) return;
    const lane = work().finally(() => lanes.delete(lane));
    lanes.add(lane);
  };

  const looking = setInterval(wake, LOOK_EVERY_MS).unref();
  wake();
  return {
    wake,
    close: async () => {
      clearInterval(looking);
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}

/** Its row stays locked until the end of the transaction: nobody else takes the same job. */
export async function nextTurn(transaction: Queryable, except: readonly string[] = []): Promise<Turn | undefined> {
  const row = await transaction.row(sql`
    select q.organization_id::text as organization_id, q.job_id::text as job_id, q.held_until::text as held_until
    from core__job_queue q left join core__job_turns t on t.organization_id = q.organization_id
    where q.organization_id <> all(${except}::bigint[])
      and (q.held_until is null or q.held_until < (clock_timestamp() at time zone 'utc'))
    order by t.served nulls first, q.turn limit 1 for update of q skip locked`);
  if (!row) return undefined;
  const organizationId = row.organization_id ?? "";
  // At once and for good: the other processes must see it while this one is at work.
  await transaction.apart(sql`
    insert into core__job_turns (organization_id, served)
    values (${organizationId}::bigint, clock_timestamp() at time zone 'utc')
    on conflict (organization_id) do update set served = excluded.served`);
  return { organizationId, jobId: row.job_id ?? "", isAbandoned: row.held_until != null };
}

async function runTurn(
  sources: RunnerSources,
  turn: Turn,
  { transaction, snapshot, accessChanges }: Pick<Work, "transaction" | "snapshot" | "accessChanges">,
  signal: AbortSignal,
): Promise<Worked | undefined> {
  const { organizationId, jobId } = turn;
  const job = await readJob(transaction, organizationId, jobId);
  if (!job || (job.state !== "queued" && job.state !== "running")) {
    const leave = job?.state === "cancelled" ? leaveStopped : leaveQueue;
    await leave(transaction, organizationId, jobId);
    return undefined;
  }
  // What came is saved; what did not come is nobody's to guess.
  if (turn.isAbandoned) throw new Refused([say("lines_cut_off", { count: job.total })]);
  const type = snapshot.types.has(job.controller) ? requireType(snapshot, job.controller) : undefined;
  const kind = sources.kinds[job.kind];
  if (!type || !kind) throw new Refused([say("type_removed")]);
  const caller = await callerOf(transaction, job);
  const grant = grantBulk(caller, type, kind.writes(job.input), sources.hooks, kind.matrix);
  const work: Work = { transaction, snapshot, caller, hooks: sources.hooks, accessChanges, jobId };
  const context = { work, grant, input: job.input, places: sources.places, signal };
  if (kind.prepare && job.total === 0) {
    await kind.prepare(context, job);
    await takeTurns(transaction, turn);
    return undefined;
  }
  const { table } = type;
  if (job.input.atomic) {
    await runAll(sources.database, job, kind.run, context);
    return { table, rows: job.total };
  }
  const [chunk, next] = await nextChunks(transaction, organizationId, jobId, 2);
  if (chunk) {
    const outcome = await kind.run(context, chunk);
    await finishChunk(transaction, caller, jobId, chunk, outcome);
    const failed = Object.keys(outcome.failed).length;
    const progress = { done: sizeOf(chunk), failed, started: true, state: "running", unlessCancelled: true } as const;
    await updateJob(transaction, organizationId, jobId, progress);
  }
  await (next ? takeTurns(transaction, turn) : complete(transaction, organizationId, jobId));
  return { table, rows: chunk ? sizeOf(chunk) : 0 };
}

/** The others of the organization come first. */
async function takeTurns(transaction: Queryable, { organizationId, jobId }: Turn): Promise<void> {
  await transaction.run(sql`
    update core__job_queue set turn = clock_timestamp() at time zone 'utc', attempts = 0
    where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint`);
}

/** Whoever started it, with the rights of this moment. */
async function callerOf(db: Queryable, job: Job): Promise<Caller> {
  const found = await readPerson(db, job.organizationId, job.userId);
  if (!found) throw new Refused([say("starter_inactive")]);
  const person = { ...found, language: job.input.language ?? found.language };
  const keyId = job.input.byKey;
  if (keyId === undefined) return { ...person, credential: { kind: "job", jobId: job.id } };
  const key = await limitsOfKey(db, job.organizationId, keyId);
  if (!key) throw new Refused([say("starter_key_revoked")]);
  return { ...person, limits: key.limits, credential: { kind: "job", jobId: job.id, keyId } };
}

async function countAttempt(db: Queryable, { organizationId, jobId }: Turn): Promise<number> {
  const row = await db.row(sql`
    update core__job_queue set attempts = attempts + 1, turn = clock_timestamp() at time zone 'utc'
    where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint returning attempts::text as attempts`);
  return Number(row?.attempts ?? 0);
}

/** In which a job's record tells what became of it. Without the rest of what it was started with: that may be what is wrong. */
async function aboutEnded(
  db: Queryable,
  organizationId: string,
  jobId: string,
): Promise<{ readonly language: Language; readonly isImport: boolean }> {
  const row = await db.row(sql`
    select j.kind, j.input->>'language' as language, u.locale, o.locale as organization_locale from core__jobs j
    join access_controls__organizations o on o.organization_id = ${organizationId}::bigint and o.id = j.organization_id
    left join access_controls__users u on u.organization_id = ${organizationId}::bigint and u.id = j.created_by
    where j.organization_id = ${organizationId}::bigint and j.id = ${jobId}::bigint`);
  const language = languageOf(row?.language) ?? languageOf(row?.locale) ?? languageOf(row?.organization_locale);
  return { language: language ?? "en", isImport: row?.kind === "import" };
}

async function endJob(database: Database, { organizationId, jobId }: Turn, refused: Refused): Promise<void> {
  await database.transaction(async (transaction) => {
    // First, as whoever sends rows of it does: no two of them wait for each other.
    await leaveQueue(transaction, organizationId, jobId);
    const kept = await resultOf(transaction, organizationId, jobId);
    const { outcome, reasons } = refused;
    const { language, isImport } = await aboutEnded(transaction, organizationId, jobId);
    const told = outcome && Object.fromEntries(Object.entries(outcome.failed).slice(0, MOST_TOLD));
    const count = Object.keys(outcome?.failed ?? {}).length;
    const counts = isImport && count > 0 ? { counts: { ...noRows, failed: count } } : {};
    const failures = told ? { failed: writeByField(told, language), ...counts } : {};
    const result = { ...kept, ...failures, message: writeAll(reasons, language) };
    const failed = outcome ? { failed: count, doneSoFar: 0 } : {};
    const end = { state: "failed", unlessCancelled: true, started: true, finished: true, result, ...failed } as const;
    await updateJob(transaction, organizationId, jobId, end);
    // Of what a purge may have to forget: the chunks themselves tell nothing, for nothing of them was kept.
    if (told) await noteTold(transaction, organizationId, jobId, Object.keys(told));
  });
}
