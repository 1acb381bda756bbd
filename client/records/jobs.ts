// Jobs: work on many records that goes on by itself. Reading them, stopping one, undoing what one did.

import type { Call } from "../transport/transport.ts";
import { askBulk, type BulkAnswer } from "./bulk.ts";

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface Job {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** The record type that it is about. */
  readonly controller: string;
  readonly state: JobState;
  readonly total: number;
  /** Gone through so far, those that failed included. */
  readonly done: number;
  readonly failed: number;
  readonly created: string | null;
  readonly finished: string | null;
  readonly startedBy: string | null;
  readonly undoneBy: string | null;
  /** What the service says of a job that could not go on. */
  readonly reasons: readonly string[];
  readonly leftAlone: number;
  /** How many of those keep values of a field that was removed: they can go back once it is restored. */
  readonly leftRemoved: number;
  /** Of an undo: how many of the records that the job had made to be referred to stay. */
  readonly kept: number;
  /** Of an import: rows by what became of them. */
  readonly counts: ImportCounts | undefined;
  /** Of an import: the first cells and rows that failed. */
  readonly faults: readonly ImportFault[];
  /** It only checked. */
  readonly isDryRun: boolean;
  readonly hasResult: boolean;
}

export interface ImportCounts {
  readonly added?: number;
  readonly changed?: number;
  readonly unchanged?: number;
  readonly skipped?: number;
  readonly failed?: number;
}

export interface ImportFault {
  readonly row: number;
  /** Of the file; null: the row as a whole. */
  readonly column: string | null;
  readonly value: string | null;
  readonly reasons: readonly string[];
}

export const isOver = ({ state }: Pick<Job, "state">): boolean => state !== "queued" && state !== "running";

/** A job that was stopped is still at its last records until it tells what became of them. */
export const isSettled = (job: Pick<Job, "state" | "hasResult" | "undoneBy">): boolean =>
  isOver(job) && (job.state !== "cancelled" || job.hasResult || job.undoneBy !== null);

export const canUndo = (job: Job): boolean =>
  isOver(job) &&
  !job.isDryRun &&
  job.undoneBy === null &&
  job.done > job.failed &&
  ["edit", "delete", "restore", "add", "upsert", "import"].includes(job.kind);

/** An undo that did not come to its end can be finished. One that did can be repeated for what may be restored: records and fields. */
export const canRepeat = (undo: Job): boolean =>
  undo.state === "failed" ||
  undo.state === "cancelled" ||
  (undo.state === "done" && undo.failed + undo.leftRemoved > 0);

/**
 * What there is to undo: all of it, for the first time or after an undo that came to no end; or the rest, where something may go back
 * by now. `undoing`: the job's last undo, as far as it is known.
 */
export function undoOffer(job: Job, undoing: Job | undefined): "all" | "rest" | undefined {
  if (canUndo(job)) return "all";
  if (job.undoneBy === null || undoing === undefined || !isOver(undoing) || !canRepeat(undoing)) return undefined;
  return undoing.state === "done" ? "rest" : "all";
}

const fields = [
  "id",
  "title",
  "kind",
  "controller",
  "status",
  "total",
  "done",
  "failed",
  "created",
  "finished",
  "created_by",
  "undone_by",
  "result",
];

const states: readonly JobState[] = ["queued", "running", "done", "failed", "cancelled"];

type Row = Readonly<Record<string, string | boolean | null | undefined>>;

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

function resultOf(
  text: string | null,
): Pick<Job, "reasons" | "leftAlone" | "leftRemoved" | "kept" | "counts" | "faults" | "isDryRun"> {
  const read = (): {
    message?: string[];
    left_alone?: object;
    left_alone_count?: number;
    left_alone_removed?: number;
    kept?: number | readonly unknown[];
    counts?: ImportCounts;
    faults?: ImportFault[];
    dry_run?: 1;
  } => {
    try {
      return JSON.parse(text ?? "{}");
    } catch {
      return {};
    }
  };
  const { message = [], left_alone: left = {}, kept = 0, counts, faults = [], dry_run: dry, ...result } = read();
  // Services from before named the first hundred and did not count.
  const leftAlone = result.left_alone_count ?? Object.keys(left).length;
  // Services from before named them.
  const count = typeof kept === "number" ? kept : kept.length;
  const leftRemoved = result.left_alone_removed ?? 0;
  return { reasons: message, leftAlone, leftRemoved, kept: count, counts, faults, isDryRun: dry === 1 };
}

/** `at` reads a field of the record, `called` what a reference is called. */
function jobOf(at: (name: string) => unknown, startedBy: string | null): Job {
  return {
    id: textOf(at("id")) ?? "",
    title: textOf(at("title")) ?? textOf(at("kind")) ?? "",
    kind: textOf(at("kind")) ?? "",
    controller: textOf(at("controller")) ?? "",
    state: states.find((state) => state === at("status")) ?? "queued",
    total: Number(textOf(at("total")) ?? 0),
    done: Number(textOf(at("done")) ?? 0),
    failed: Number(textOf(at("failed")) ?? 0),
    created: textOf(at("created")),
    finished: textOf(at("finished")),
    startedBy,
    undoneBy: textOf(at("undone_by")),
    hasResult: textOf(at("result")) !== null,
    ...resultOf(textOf(at("result"))),
  };
}

/** The latest jobs: one's own, or everybody's for administrators. */
export async function readJobs(call: Call, signal?: AbortSignal): Promise<readonly Job[]> {
  const q = { fields: fields.map((name) => `jobs.${name}`), order: ["jobs.created DESC", "jobs.id DESC"], limit: 100 };
  const { paginate } = await call<{ paginate: { data: readonly Row[] } }>("core/jobs/index", {
    query: { q: JSON.stringify(q), track_open: 0 },
    signal,
  });
  return paginate.data.map((row) =>
    jobOf((name) => row[`jobs.${name}`], textOf(row["Created By"] ?? row["Created by"])),
  );
}

export async function readJob(call: Call, id: string, signal?: AbortSignal): Promise<Job> {
  const { data } = await call<{ data: { jobs: Row } }>("core/jobs/view", { query: { id, form: 0 }, signal });
  return jobOf((name) => data.jobs[name], textOf(data.jobs.__created_by));
}

export const cancelJob = (call: Call, id: string): Promise<unknown> =>
  call("core/jobs/cancel", { query: { id }, method: "POST" });

export const undoJob = (call: Call, id: string): Promise<BulkAnswer> => askBulk(call, `core/jobs/undo`, { id });

export interface JobFailure {
  /** Of the record; of one that was to be added, its number. */
  readonly id: string;
  readonly kind: "failed" | "left_alone" | "kept";
  /** Of what was kept: the record type that it is of. */
  readonly controller?: string;
  /** Sentences, or the names of fields that were left alone. */
  readonly reasons: readonly string[];
}

export async function readFailures(
  call: Call,
  id: string,
  signal?: AbortSignal,
  page = 1,
): Promise<{ readonly failures: readonly JobFailure[]; readonly total: number }> {
  const answer = await call<{ data: { failures: readonly JobFailure[] }; total_count: number }>("core/jobs/failures", {
    query: { id, limit: 100, page },
    signal,
  });
  return { failures: answer.data.failures, total: answer.total_count };
}
