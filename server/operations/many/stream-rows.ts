// Rows as JSON lines: read as they come, saved a thousand at a time, each thousand in a transaction of its own, and answered
// line by line. Memory holds a chunk, however many there are. All of them are one job to look at and to undo.
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { writeAll, writeByField } from "../../../contract/texts/write.ts";
import { grantBulk, type WriteOperation } from "../../access/grant.ts";
import { readAlive } from "../../access/read-alive.ts";
import { readAgain } from "../../access/read-caller.ts";
import { AT_ONCE, type ChunkOutcome, type JobInput } from "../../jobs/job.ts";
import { keepValues } from "../../jobs/kept-values.ts";
import { bulkKinds } from "../../jobs/kinds.ts";
import {
  addChunk,
  addJob,
  complete,
  finishChunk,
  HOLD_EVERY_MS,
  holdJob,
  keepHold,
  readJob,
  updateJob,
} from "../../jobs/store.ts";
import { openNameless } from "../../lib/writing/spool.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { reasonsOf } from "../../records/bulk/with-savepoints.ts";
import type { AccessChange, Work } from "../../records/hooks.ts";
import { parseJson } from "../../request/json/json.ts";
import { type NumberedLine, numberedLines } from "../../request/json/json-lines.ts";
import { limits } from "../../request/limits.ts";
import { isTree } from "../../request/tree.ts";
import { addressed } from "../addressed.ts";
import type { OperationContext, RawResult } from "../operation.ts";
import { refuseParameter } from "../sent-rows.ts";
import { againAfterDeadlock } from "../write.ts";

export interface Streamed {
  readonly kind: "add" | "upsert";
  readonly writes: WriteOperation;
  readonly input: JobInput;
}

/** Lines are saved once so many characters of them are held, however few they are. */
const MOST_HELD = 8 * 1024 * 1024;

export async function streamRows(context: OperationContext, streamed: Streamed): Promise<RawResult> {
  const { call, services } = context;
  if (!call.lines) throw new Error("there are lines to read");
  if (call.idempotencyKey !== undefined) refuseParameter("Idempotency-Key", say("not_for_lines"));
  const out = await openNameless(path.join(services.config.dataDir, "tmp"));
  try {
    const jobId = await context.inTurn(() => start(context, streamed));
    const letGo = holding(context, jobId);
    const finish = () =>
      context.inTurn(() =>
        services.database.transaction(async (transaction) => {
          const { organizationId } = addressed(context).caller;
          // One that was ended because nobody seemed to send it any more stays as it was told.
          if (await keepHold(transaction, organizationId, jobId)) await complete(transaction, organizationId, jobId);
        }),
      );
    const { total, fault } = await saveLines(context, call.lines, streamed, jobId, out)
      .catch(async (error: unknown) => {
        // What was saved is still there to be looked at and undone.
        await finish().catch(() => undefined);
        throw error;
      })
      .finally(letGo);
    await finish();
    const errors = fault ? writeAll(reasonsOf(fault), context.language) : [];
    await out.writeFile(`${JSON.stringify({ job_id: jobId, total, errors })}\n`);
    const content = out.createReadStream({ start: 0 });
    return { raw: { contentType: "application/x-ndjson; charset=utf-8", content } };
  } catch (error) {
    await out.close();
    throw error;
  }
}

/** Says that the job is being sent for as long as it is: a process that is killed says nothing more. */
function holding(context: OperationContext, jobId: string): () => void {
  const { organizationId } = addressed(context).caller;
  const hold = () => void keepHold(context.services.database, organizationId, jobId).catch(() => undefined);
  const timer = setInterval(hold, HOLD_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** `fault`: what ended it early. What came before stays saved: it is told, and so is what ended it. */
async function saveLines(
  context: OperationContext,
  sent: AsyncIterable<Uint8Array>,
  streamed: Streamed,
  jobId: string,
  out: FileHandle,
): Promise<{ readonly total: number; readonly fault?: Failure }> {
  let total = 0;
  let chunks = 0;
  let lines: NumberedLine[] = [];
  let held = 0;
  let isSaving = false;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const own = lines;
    lines = [];
    held = 0;
    isSaving = true;
    const part = { jobId, number: chunks, total: total + own.length, lines: own };
    const { answer, isStopped } = await context.inTurn(() => saveChunk(context, streamed, part));
    await out.writeFile(answer);
    total += own.length;
    chunks += 1;
    if (isStopped) throw stopped();
    isSaving = false;
  };
  const told = async (work: () => Promise<void>, isTold: (fault: Failure) => boolean): Promise<Failure | undefined> => {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof Failure && isTold(error)) return error;
      throw error;
    }
  };
  const read = async (): Promise<void> => {
    for await (const line of numberedLines(sent)) {
      lines.push(line);
      held += line.text.length;
      if (lines.length === AT_ONCE || held > MOST_HELD) await flush();
    }
  };
  const fault = await told(read, ({ status }) => chunks > 0 || (!isSaving && status < 500));
  const last = await told(flush, () => chunks > 0);
  const ended = fault ?? last;
  return ended ? { total, fault: ended } : { total };
}

async function start(context: OperationContext, { kind, input }: Streamed): Promise<string> {
  const { caller, type } = addressed(context);
  const { database, hooks } = context.services;
  const title = `${kind === "add" ? "Add" : input.upsert?.adds ? "Add or update" : "Edit"} ${type.nouns}`;
  return database.transaction(async (transaction) => {
    const work = { transaction, snapshot: context.snapshot, caller, hooks, accessChanges: new Set<AccessChange>() };
    const id = await addJob(work, { kind, title, controller: type.key, total: 0, input });
    await holdJob(transaction, caller.organizationId, id);
    return id;
  });
}

interface Part {
  readonly jobId: string;
  readonly number: number;
  readonly total: number;
  readonly lines: readonly NumberedLine[];
}

/** Saves up to a thousand lines with the rights and the design of this moment; gives the lines of the answer. */
async function saveChunk(
  context: OperationContext,
  { kind, writes, input }: Streamed,
  { jobId, number, total, lines }: Part,
): Promise<{ readonly answer: string; readonly isStopped: boolean }> {
  const { organizationId } = addressed(context).caller;
  const { database, hooks, metadata, forget } = context.services;
  const faults: Record<string, readonly Message[]> = {};
  const rows = lines.flatMap((line): (readonly [string, string])[] => {
    const read = readLine(line);
    if (typeof read === "string") return [[String(line.number), read]];
    faults[line.number] = [read];
    return [];
  });
  const chunk = { number, ids: [], rows };
  const accessChanges = new Set<AccessChange>();
  const { outcome, state } = await againAfterDeadlock(database, async (transaction) => {
    // Who sends for hours is asked again who they are, and the design may be another by then.
    const { caller: sender } = addressed(context);
    const [isAlive] = await readAlive(transaction, organizationId, [sender]);
    const caller = isAlive ? await readAgain(transaction, sender) : undefined;
    if (!caller) throw new Failure("login_required");
    const snapshot = metadata.current();
    const grant = grantBulk(caller, requireType(snapshot, addressed(context).type.key), writes, hooks);
    const work: Work = { transaction, snapshot, caller, hooks, accessChanges, jobId };
    if (!(await keepHold(transaction, organizationId, jobId))) {
      const job = await readJob(transaction, organizationId, jobId);
      throw job?.state === "cancelled" ? stopped() : cutOff(total - lines.length);
    }
    await addChunk(transaction, organizationId, jobId, chunk);
    const saved =
      rows.length > 0 ? await bulkKinds[kind].run({ work, grant, input }, chunk) : { changed: [], failed: {} };
    const outcome: ChunkOutcome = { ...saved, failed: { ...saved.failed, ...faults } };
    await finishChunk(transaction, caller, jobId, chunk, outcome);
    const failed = Object.keys(outcome.failed).length;
    const told = { state: "running", unlessCancelled: true, total, done: lines.length, failed, started: true } as const;
    return { outcome, state: await updateJob(transaction, organizationId, jobId, told) };
  });
  if (accessChanges.size > 0) forget(organizationId);
  return { answer: answered(lines, outcome, context), isStopped: state === "cancelled" };
}

const stopped = (): Failure => new Failure("conflict", { with: { reason: say("job_stopping") } });

const cutOff = (count: number): Failure =>
  new Failure("conflict", { with: { reason: say("lines_cut_off", { count }) } });

/** The record as it is kept, or why it is none. */
function readLine({ line, text }: NumberedLine): string | Message {
  try {
    const { value } = parseJson(text, limits.levels - 2, limits.keys);
    return isTree(value) ? keepValues(value) : say("must_be_record");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { reason } = error.said.params as { readonly reason?: Message };
    return say("import_in_line", { line, reason: reason ?? error.said });
  }
}

function answered(lines: readonly NumberedLine[], outcome: ChunkOutcome, { language }: OperationContext): string {
  const failed = writeByField(outcome.failed, language);
  const ids = outcome.changed.values();
  return lines
    .map(({ number }) => {
      const errors = failed[number];
      if (errors) return { row: number, id: null, errors };
      const told = outcome.rows?.[number] ?? { id: ids.next().value ?? null, result: "added" };
      return { row: number, id: told.id, result: told.result, errors: [] };
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}
