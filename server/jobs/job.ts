// What a job is: which records it works on, chunk by chunk, as whom, and what every kind of job must be able to do.

import { z } from "zod";
import type { Message, MessagesByField } from "../../contract/messages.ts";
import { languages } from "../../contract/texts/languages.ts";
import type { Grant, WriteOperation } from "../access/grant.ts";
import type { Database } from "../database/database.ts";
import type { FileStore } from "../files/file-store.ts";
import type { CellFault } from "../imports/import-records.ts";
import { specSchema } from "../imports/spec.ts";
import type { Place } from "../imports/stage.ts";
import type { Work } from "../records/hooks.ts";
import type { RowResult, SavedRow } from "../records/upsert/upsert-records.ts";

export const jobStates = ["queued", "running", "done", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** As many records are changed at once, while the sender waits; more become a job. Also the size of a chunk. */
export const AT_ONCE = 1_000;

export interface Job {
  readonly id: string;
  readonly organizationId: string;
  /** Whose rights it works with: read anew for every chunk. */
  readonly userId: string;
  readonly kind: string;
  readonly controller: string;
  readonly state: JobState;
  /** 0: what it works on is not known yet. */
  readonly total: number;
  readonly input: JobInput;
}

/** What the job was started with, as it is kept. */
export const jobInputSchema = z.object({
  /** All or nothing. */
  atomic: z.boolean(),
  /** New values by field, as `keepValues` writes them. */
  values: z.string().exactOptional(),
  /** Also past those who need the records. */
  override: z.boolean().exactOptional(),
  /** Also where records look like ones already there. */
  overrideDuplicates: z.boolean().exactOptional(),
  /** Where records of older versions of a workflow go. */
  move: z.object({ version: z.string(), stages: z.record(z.string(), z.string()) }).exactOptional(),
  /** The fields that records are found by, and whether those that are not there are added. */
  upsert: z.object({ key: z.array(z.string()), adds: z.boolean() }).exactOptional(),
  /** What is read from which file, and where it goes. */
  import: specSchema.exactOptional(),
  /** The API key that it was started with: what that is limited to, the job is. */
  byKey: z.string().exactOptional(),
  /** What its starter reads. */
  language: z.enum(languages).exactOptional(),
  /** The job that this one undoes. */
  undoes: z.object({ id: z.string(), kind: z.string() }).exactOptional(),
});
export type JobInput = Readonly<z.infer<typeof jobInputSchema>>;

export interface Chunk {
  readonly number: number;
  readonly ids: readonly string[];
  /** Records that each have values of their own, as `keepValues` writes them: to be added, by number, or edited, by id. */
  readonly rows: readonly (readonly [string, string])[];
  /** Of an import: where its rows lie in the file. */
  readonly place?: Place | undefined;
}

export interface KeptRecord {
  readonly type: string;
  readonly id: string;
  readonly reasons: readonly Message[] | undefined;
}

export interface ChunkOutcome {
  /** Ids, in the order of the chunk. */
  readonly changed: readonly string[];
  /** Id (of a record to be added: its number) → reasons. */
  readonly failed: MessagesByField;
  /** Id → fields that somebody changed or removed since: left as they are. */
  readonly leftAlone?: Readonly<Record<string, readonly string[]>>;
  /** How many of those are left alone because a field was removed: they can go back once it is restored. */
  readonly removed?: number | undefined;
  /** Of an undo: records that the job had made to be referred to, and why they stay; undefined: they are gone now. */
  readonly kept?: readonly KeptRecord[];
  /** Number → what became of the row, where each is told. */
  readonly rows?: Readonly<Record<string, SavedRow>>;
  /** How many of each, where they are counted. */
  readonly counts?: Readonly<Partial<Record<RowResult, number>>>;
  /** Faults by cell. */
  readonly faults?: readonly CellFault[];
  /** Faults by field, where the sender waits for them. */
  readonly byField?: MessagesByField;
}

/** What a job may need beside the transaction of a chunk. */
export interface JobPlaces {
  readonly database: Database;
  readonly files: FileStore;
  /** Where what is worked on is kept meanwhile. */
  readonly folder: string;
}

export interface JobContext {
  readonly work: Work;
  readonly grant: Grant;
  readonly input: JobInput;
  readonly places?: JobPlaces | undefined;
  /** The process stops: leave the chunk, it is taken up again. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs within the transaction that also marks the chunk as finished. */
export type RunChunk = (context: JobContext, chunk: Chunk) => Promise<ChunkOutcome>;

export interface JobKind {
  /** What it does to records: what its starter must be granted, then and for every turn. */
  writes(input: JobInput): WriteOperation;
  readonly run: RunChunk;
  /** The column of the role matrix that its starter needs beside; `bulk` unless said. */
  readonly matrix?: "import";
  /** Finds out what the job works on, before its first chunk. */
  prepare?(context: JobContext, job: Job): Promise<void>;
}

export type JobKinds = Readonly<Record<string, JobKind>>;
