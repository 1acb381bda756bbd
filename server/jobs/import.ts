// What an import does to a chunk of its file, and how the file is read before the first one. A dry run does all of it and
// keeps nothing.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { type Grant, grantWrite, type WriteOperation } from "../access/grant.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { keepStaged, withLocalCopy } from "../imports/files.ts";
import { type ImportGrants, type ImportOutcome, importRecords } from "../imports/import-records.ts";
import { inTurn } from "../imports/reading/turns.ts";
import { UnreadableFile } from "../imports/reading/unreadable.ts";
import type { ImportSpec } from "../imports/spec.ts";
import { readStaged, type Staged, stageFile } from "../imports/stage.ts";
import { Interrupted } from "../records/bulk/with-savepoints.ts";
import type { Work } from "../records/hooks.ts";
import type { Job, JobContext, JobInput, JobKind, JobPlaces, RunChunk } from "./job.ts";
import { Refused } from "./refused.ts";
import { addPlaces, updateJob } from "./store.ts";
import { withTightHeap } from "./tight-heap.ts";

export function specOf({ import: spec }: JobInput): ImportSpec {
  if (!spec) throw new Error("an import says what it imports");
  return spec;
}

/** What its starter must be granted first; who adds and changes is granted the other as well. */
export const importWrites = ({ mode }: ImportSpec): WriteOperation => (mode === "update" ? "edit" : "add");

/** What undoing an import undoes: what it added, what it changed, or both. */
export const undoneAs = ({ mode }: ImportSpec): "add" | "edit" | "upsert" =>
  mode === "update" ? "edit" : mode === "upsert" ? "upsert" : "add";

export function importGrants(grant: Grant, { mode }: ImportSpec): ImportGrants {
  const { caller, type, rules } = grant;
  if (mode === "update") return { add: undefined, edit: grant };
  return { add: grant, edit: mode === "upsert" ? grantWrite(caller, type, "edit", rules) : undefined };
}

const run: RunChunk = async ({ work, grant, input, places, signal }, { place }) => {
  const spec = specOf(input);
  if (!places || !place) throw new Error("an import has a file");
  const records = await told(() => readStaged(places.files, spec.staged, place));
  const grants = importGrants(grant, spec);
  const { overrideDuplicates, atomic } = input;
  const options = { overrideDuplicates, atomic, signal };
  const save = (own: Work) => importRecords(own, grant.type, grants, spec, records, options);
  return spec.dryRun ? withoutKeeping(places.database, work, save) : save(work);
};

class NothingKept extends Error {}

/** Everything as it would be done, in a transaction of its own that is never committed. */
export async function withoutKeeping(
  database: Database,
  work: Omit<Work, "transaction">,
  save: (work: Work) => Promise<ImportOutcome>,
): Promise<ImportOutcome> {
  let outcome: ImportOutcome | undefined;
  // History would point at a job that others cannot see yet.
  const { jobId: _, ...own } = work;
  await database
    .transaction(async (transaction) => {
      outcome = await save({ ...own, transaction, accessChanges: new Set() });
      await transaction.settled();
      throw new NothingKept();
    })
    .catch((error: unknown) => {
      if (!(error instanceof NothingKept)) throw error;
    });
  if (!outcome) throw new Error("a dry run has an outcome");
  return { ...outcome, changed: [] };
}

/** What is wrong with a file is told in words. */
export async function told<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw new Failure("unreadable_file", { with: { reason: error.reason }, cause: error });
    throw error;
  }
}

/** Reads the whole file and puts its rows where chunks take them from. `use`: while they are still on this machine. */
export async function stage<T>(
  { database, files, folder }: JobPlaces,
  caller: Caller,
  spec: ImportSpec,
  use: (staged: Staged) => Promise<T>,
  goOn?: () => Promise<void>,
): Promise<T> {
  const done = await told(() =>
    withLocalCopy(files, spec.source, folder, async (file) => {
      const staged = await inTurn(caller.organizationId, () => stageFile(file, spec, folder, goOn));
      const { path, size } = staged;
      await keepStaged(database, files, caller, { path, size, name: spec.fileName }, spec.staged);
      return { value: await use(staged) };
    }),
  );
  if (!done) throw new Failure("unreadable_file", { with: { reason: say("import_file_gone") } });
  return done.value;
}

const LOOK_EVERY_MS = 2_000;

async function prepare({ work, input, places, signal }: JobContext, { id, organizationId }: Job): Promise<void> {
  if (!places) throw new Error("an import has a file");
  const spec = specOf(input);
  // First thing as well: it may have been stopped while it waited for its turn.
  let looked = Number.NEGATIVE_INFINITY;
  const goOn = async (): Promise<void> => {
    if (signal?.aborted) throw new Interrupted();
    if (performance.now() - looked < LOOK_EVERY_MS) return;
    looked = performance.now();
    const row = await places.database.row(sql`
      select status from core__jobs where organization_id = ${organizationId}::bigint and id = ${id}::bigint`);
    if (row?.status === "cancelled") throw new Refused([say("import_stopped_early")]);
  };
  await stage(
    places,
    work.caller,
    spec,
    async ({ columns, total, places: chunks }) => {
      await addPlaces(work.transaction, organizationId, id, chunks);
      const known = { ...input, import: { ...spec, columns: [...columns] } };
      const state = await updateJob(work.transaction, organizationId, id, { total, input: known, started: true });
      if (state === "cancelled") throw new Refused([say("import_stopped_early")]);
    },
    goOn,
  );
}

export const importKind: JobKind = {
  writes: (input) => importWrites(specOf(input)),
  matrix: "import",
  // Past the first chunk it may go on in another process than it began in.
  run: (context, chunk) => withTightHeap(chunk.number > 0, () => run(context, chunk)),
  // Only files too large for a request come here.
  prepare: (context, job) => withTightHeap(true, () => prepare(context, job)),
};
