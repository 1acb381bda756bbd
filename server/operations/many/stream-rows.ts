// Rows as JSON lines: read as they come, saved a thousand at a time, each thousand in a transaction of its own, and answered
// line by line. Memory holds a chunk, however many there are. All of them are one job to look at and to undo.
import path from "node:path";
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { writeAll, writeByField } from "../../../contract/texts/write.ts";
import { grantBulk, type WriteOperation } from "../../access/grant.ts";
import { readAgain } from "../../access/read-caller.ts";
import { currentScope } from "../../database/scope.ts";
import { AT_ONCE, type ChunkOutcome, type JobInput } from "../../jobs/job.ts";
import { keepValues } from "../../jobs/kept-values.ts";
import { bulkKinds } from "../../jobs/kinds.ts";
import { addChunk, addJob, complete, finishChunk, updateJob } from "../../jobs/store.ts";
import { openNameless } from "../../lib/writing/spool.ts";
import { reasonsOf } from "../../records/bulk/with-savepoints.ts";
import type { AccessChange, Work } from "../../records/hooks.ts";
import { parseJson } from "../../request/json.ts";
import { type NumberedLine, numberedLines } from "../../request/json-lines.ts";
import { limits } from "../../request/limits.ts";
import { isTree } from "../../request/tree.ts";
import { addressed } from "../addressed.ts";
import type { OperationContext, RawResult } from "../operation.ts";
import { refuseParameter } from "../sent-rows.ts";

export interface Streamed {
  readonly kind: "add" | "upsert";
  readonly writes: WriteOperation;
  readonly input: JobInput;
}

export async function streamRows(context: OperationContext, streamed: Streamed): Promise<RawResult> {
  const { call, services } = context;
  if (!call.lines) throw new Error("there are lines to read");
  if (call.idempotencyKey !== undefined) refuseParameter("Idempotency-Key", say("not_for_lines"));
  const out = await openNameless(path.join(services.config.dataDir, "tmp"));
  try {
    const jobId = await start(context, streamed);
    let total = 0;
    let fault: Failure | undefined;
    let lines: NumberedLine[] = [];
    const flush = async (): Promise<void> => {
      if (lines.length === 0) return;
      total += lines.length;
      await out.writeFile(await saveChunk(context, streamed, jobId, total, lines));
      lines = [];
    };
    try {
      for await (const line of numberedLines(call.lines)) {
        lines.push(line);
        if (lines.length === AT_ONCE) await flush();
      }
    } catch (error) {
      // What came before it stays saved: it is told, and so is what ended it.
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      fault = error;
    }
    await flush();
    await services.database.transaction((transaction) =>
      complete(transaction, addressed(context).caller.organizationId, jobId),
    );
    const errors = fault ? writeAll(reasonsOf(fault), context.language) : [];
    await out.writeFile(`${JSON.stringify({ job_id: jobId, total, errors })}\n`);
    const content = out.createReadStream({ start: 0 });
    return { raw: { contentType: "application/x-ndjson; charset=utf-8", content } };
  } catch (error) {
    await out.close();
    throw error;
  }
}

async function start(context: OperationContext, { kind, input }: Streamed): Promise<string> {
  const { caller, type } = addressed(context);
  const { database, hooks } = context.services;
  const title = `${kind === "add" ? "Add" : input.upsert?.adds ? "Add or update" : "Edit"} ${type.plural.toLowerCase()}`;
  return database.transaction((transaction) => {
    const work = { transaction, snapshot: context.snapshot, caller, hooks, accessChanges: new Set<AccessChange>() };
    return addJob(work, { kind, title, controller: type.key, total: 0, input });
  });
}

/** Saves up to a thousand lines with the rights of this moment; gives the lines of the answer. */
async function saveChunk(
  context: OperationContext,
  { kind, writes, input }: Streamed,
  jobId: string,
  total: number,
  lines: readonly NumberedLine[],
): Promise<string> {
  const { type } = addressed(context);
  const { database, hooks, config, forget } = context.services;
  const scope = currentScope();
  // Lines may take their time to come: each chunk has the time of a request.
  if (scope) scope.deadline = performance.now() + config.statementMs;
  const faults: Record<string, readonly Message[]> = {};
  const rows = lines.flatMap(({ number, text }): (readonly [string, string])[] => {
    const read = readLine(text);
    if (typeof read === "string") return [[String(number), read]];
    faults[number] = [read];
    return [];
  });
  const accessChanges = new Set<AccessChange>();
  const outcome = await database.transaction(async (transaction) => {
    // Who sends for hours is asked again who they are.
    const caller = await readAgain(transaction, addressed(context).caller);
    if (!caller) throw new Failure("login_required");
    const grant = grantBulk(caller, type, writes, hooks);
    const work: Work = { transaction, snapshot: context.snapshot, caller, hooks, accessChanges, jobId };
    const chunk = { number: (lines[0]?.number ?? 0) / AT_ONCE, ids: [], rows };
    const { organizationId } = caller;
    await addChunk(transaction, organizationId, jobId, { ...chunk, number: Math.floor(chunk.number) });
    const saved =
      rows.length > 0 ? await bulkKinds[kind].run({ work, grant, input }, chunk) : { changed: [], failed: {} };
    const all: ChunkOutcome = { ...saved, failed: { ...saved.failed, ...faults } };
    await finishChunk(transaction, caller, jobId, { ...chunk, number: Math.floor(chunk.number) }, all);
    const failed = Object.keys(all.failed).length;
    await updateJob(transaction, organizationId, jobId, {
      state: "running",
      total,
      done: lines.length,
      failed,
      started: true,
    });
    return all;
  });
  if (accessChanges.size > 0) forget(addressed(context).caller.organizationId);
  return answered(lines, outcome, context);
}

/** The record as it is kept, or why it is none. */
function readLine(text: string): string | Message {
  try {
    const { value } = parseJson(text, limits.levels - 2, limits.keys);
    return isTree(value) ? keepValues(value) : say("must_be_record");
  } catch (error) {
    if (error instanceof Failure) return error.said;
    throw error;
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
