// Many records: rows that are saved by key or id, in parts that the service takes; and one change to all records of a selection, waited
// for where it becomes a job.
import { askBulk, type BulkAnswer } from "../records/bulk.ts";
import { isOver, type Job, type JobFailure, readFailures, readJob } from "../records/jobs.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import { WireFailure } from "../transport/wire-failure.ts";
import { chosen, type ListOptions } from "./listing.ts";
import { pause } from "./retries.ts";

/** What became of a row, by its number from 0. */
export interface RowFailure {
  readonly row: number;
  readonly errors: readonly string[];
}

export interface ManySaved {
  readonly added: number;
  readonly changed: number;
  /** There already, with the same values. */
  readonly unchanged: number;
  readonly failed: readonly RowFailure[];
  /** In the order of the rows; null for one that failed. */
  readonly ids: readonly (string | null)[];
}

export type Rows<Input> = Iterable<Input> | AsyncIterable<Input>;

const MOST_ROWS = 500;
/** A request has room for more: so that it may also hold many short values. */
const MOST_CHARACTERS = 500_000;

async function* inParts<Input>(rows: Rows<Input>): AsyncGenerator<readonly Input[], void> {
  let part: Input[] = [];
  let characters = 0;
  for await (const row of rows) {
    const size = JSON.stringify(row).length;
    if (part.length > 0 && (part.length >= MOST_ROWS || characters + size > MOST_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(row);
    characters += size;
  }
  if (part.length > 0) yield part;
}

interface SavedRow {
  readonly id?: string | null;
  readonly result?: "added" | "changed" | "unchanged";
}

/** Rows that cannot be saved are told; the others are saved. */
export async function saveMany<Input extends object>(
  call: Call,
  key: RecordTypeKey,
  operation: "add_many" | "edit_many",
  rows: Rows<Input>,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<ManySaved> {
  const alias = key.split("/")[1] ?? "";
  const ids: (string | null)[] = [];
  const failed: RowFailure[] = [];
  const counts = { added: 0, changed: 0, unchanged: 0 };
  for await (const part of inParts(rows)) {
    const { saved, refused } = await sendPart(call, `${key}/${operation}`, alias, {
      ...parameters,
      data: { [alias]: part },
    });
    const before = ids.length;
    for (const index of part.keys()) {
      const errors = refused[index];
      const row = saved[index];
      ids.push(errors === undefined ? (row?.id ?? null) : null);
      if (errors === undefined) counts[row?.result ?? "added"] += 1;
      else failed.push({ row: before + index, errors });
    }
  }
  return { ...counts, failed, ids };
}

interface ManyBody {
  readonly data: Readonly<Record<string, unknown>>;
}

type Refused = Readonly<Record<number, readonly string[]>>;

async function sendPart(
  call: Call,
  path: string,
  alias: string,
  body: object,
): Promise<{ readonly saved: readonly SavedRow[]; readonly refused: Refused }> {
  try {
    const { data } = await call<ManyBody>(path, { body });
    // As the service documents its answer.
    return { saved: (data[alias] ?? []) as readonly SavedRow[], refused: (data.failed ?? {}) as Refused };
  } catch (error) {
    // None of them could be saved: that is an answer too.
    const refused =
      error instanceof WireFailure ? (error.body.data as { readonly failed?: Refused } | undefined) : undefined;
    if (refused?.failed === undefined || Object.keys(refused.failed).length === 0) throw error;
    return { saved: [], refused: refused.failed };
  }
}

/** Which records: by their ids, or all that a list shows. `{ all: true }` is every record that the caller can read. */
export type Selection =
  | { readonly ids: readonly string[] }
  | (Pick<ListOptions, "where" | "search" | "view"> & { readonly all?: true });

export function selected(key: RecordTypeKey, selection: Selection): object {
  if ("ids" in selection) return { ids: selection.ids.join(",") };
  const { where, search, view, all } = selection;
  if (where === undefined && search === undefined && view === undefined && !all) {
    throw new TypeError(`Say which records of ${key}: ids, where, search or view, or all: true`);
  }
  const { where: conditions, ...parameters } = chosen(key, selection);
  return { all_matching: "1", ...parameters, q: JSON.stringify({ where: conditions }) };
}

export interface BulkDone {
  readonly jobId: string;
  readonly total: number;
  /** Id → reasons. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
}

export interface WaitOptions {
  /** Is told how far a job has come. */
  readonly onProgress?: ((job: Job) => void) | undefined;
}

/** A job that did not come to its end: stopped by somebody, or by what its reasons say. */
export class JobEnded extends Error {
  readonly job: Job;

  constructor(job: Job) {
    super(job.reasons[0] ?? `The job ${job.id} was ${job.state}`);
    this.name = "JobEnded";
    this.job = job;
  }
}

export async function runBulk(
  call: Call,
  path: string,
  body: object,
  options: WaitOptions,
  signal: AbortSignal | undefined,
): Promise<BulkDone> {
  const answer: BulkAnswer = await askBulk(call, path, body);
  if (!answer.isGoingOn) return { jobId: answer.jobId, total: answer.total, failed: answer.failed };
  const job = await waitForJob(call, answer.jobId, options, signal);
  const failed = job.failed === 0 ? [] : await allFailures(call, job.id, signal);
  return { jobId: job.id, total: job.total, failed: Object.fromEntries(failed.map((one) => [one.id, one.reasons])) };
}

const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 3_000;

export async function waitForJob(
  call: Call,
  id: string,
  { onProgress }: WaitOptions,
  signal: AbortSignal | undefined,
): Promise<Job> {
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, LONGEST_LOOK_MS)) {
    const job = await readJob(call, id, signal);
    onProgress?.(job);
    if (isOver(job)) {
      if (job.state !== "done") throw new JobEnded(job);
      return job;
    }
    await pause(wait, signal);
  }
}

async function allFailures(call: Call, id: string, signal: AbortSignal | undefined): Promise<readonly JobFailure[]> {
  const all: JobFailure[] = [];
  for (let page = 1; ; page += 1) {
    const { failures, total } = await readFailures(call, id, signal, page);
    all.push(...failures.filter(({ kind }) => kind === "failed"));
    if (failures.length === 0 || page * 100 >= total) return all;
  }
}
