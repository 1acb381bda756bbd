// Runs a job that is all or nothing: every chunk in the one transaction that it was given, progress told from outside it.
// One record that cannot be changed, or a person who stops it, and nothing was ever written.
import { type Message, say } from "../../contract/messages.ts";
import type { Database } from "../database/database.ts";
import { Interrupted } from "../records/bulk/with-savepoints.ts";
import type { ChunkOutcome, Job, JobContext, RunChunk } from "./job.ts";
import { Refused } from "./refused.ts";
import { complete, finishChunk, nextChunks, sizeOf, updateJob } from "./store.ts";

export async function runAll(database: Database, job: Job, run: RunChunk, context: JobContext): Promise<void> {
  const { transaction } = context.work;
  const { organizationId, id } = job;
  let done = 0;
  const failed: Record<string, readonly Message[]> = {};
  for (;;) {
    const [chunk] = await nextChunks(transaction, organizationId, id, 1);
    if (!chunk) break;
    if (context.signal?.aborted) throw new Interrupted();
    const outcome = await run(context, chunk);
    Object.assign(failed, outcome.failed);
    done += sizeOf(chunk);
    await finishChunk(transaction, context.work.caller, id, chunk, outcome);
    // The transaction itself holds no lock that this would wait for: history only points at the job.
    const progress = { state: "running", unlessCancelled: true, started: true, doneSoFar: done } as const;
    if ((await updateJob(database, organizationId, id, progress)) === "cancelled")
      throw new Refused([say("bulk_stopped")], nothing({}));
  }
  const count = Object.keys(failed).length;
  if (count > 0) throw new Refused([notAll(count, done)], nothing(failed));
  await complete(transaction, organizationId, id);
}

const notAll = (failed: number, total: number): Message =>
  say("bulk_refused", { reason: say("bulk_not_all", { failed, total }) });

const nothing = (failed: ChunkOutcome["failed"]): ChunkOutcome => ({ changed: [], failed });
