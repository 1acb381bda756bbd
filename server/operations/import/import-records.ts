// import: the rows of a file become records, or are only checked (dry_run). A small file is read and saved while the sender
// waits; a large one becomes a job. Either way there is a job to look at, to download faulty rows from, and to undo.
import path from "node:path";
import { say } from "../../../contract/messages.ts";
import { writeAll, writeByField } from "../../../contract/texts/write.ts";
import { audit } from "../../access/audit.ts";
import { grantWrite } from "../../access/grant.ts";
import { notify } from "../../database/processes/notify.ts";
import { newStorageKey } from "../../files/file-store.ts";
import { discardFiles } from "../../files/orphaned-files.ts";
import { findImportFile, holdForImport, keepImportFile, withLocalCopy } from "../../imports/files.ts";
import { findMapping } from "../../imports/find-mapping.ts";
import { placesOf } from "../../imports/import-records.ts";
import { inTurn } from "../../imports/reading/turns.ts";
import type { ImportSpec } from "../../imports/spec.ts";
import type { Staged } from "../../imports/stage.ts";
import { importKind, importWrites, stage, told } from "../../jobs/import.ts";
import type { ChunkOutcome, JobInput, JobPlaces } from "../../jobs/job.ts";
import { noRows } from "../../jobs/job-result.ts";
import { lastImport } from "../../jobs/last-import.ts";
import { addJob, addPlaces, complete, finishChunk, JOBS, nextChunks, queueJob, updateJob } from "../../jobs/store.ts";
import type { Work } from "../../records/hooks.ts";
import { emptyTree, type Tree, textAt, UploadedFile } from "../../request/tree.ts";
import { addressed } from "../addressed.ts";
import type { JsonResult, Operation, OperationContext } from "../operation.ts";
import { runWrite } from "../write.ts";
import { describe, fileLimits, received, servesImport } from "./import-columns.ts";
import { refusal } from "./refusal.ts";
import {
  type ImportPlace,
  refuse,
  refuseUnseen,
  sentDialect,
  sentHabits,
  sentImport,
  specOfSent,
} from "./sent-import.ts";

/** Up to here a file is read while its sender waits. */
const AT_ONCE_BYTES = 2 * 1024 * 1024;

export const importRecords: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  takes: fileLimits,
  matrix: "import",
  serves: servesImport,
  async run(context) {
    const { caller, type } = addressed(context);
    const { config, database, files, hooks } = context.services;
    const place = { snapshot: context.snapshot, type, caller };
    const parameters = Object.assign(emptyTree(), await keptParameters(context, place), context.call.parameters);
    const sent = sentImport(place, parameters);
    const places: JobPlaces = { database, files, folder: path.join(config.dataDir, "tmp") };
    const { file, dialect, habits, isSent } = await fileOf(
      { ...context, call: { ...context.call, parameters } },
      places,
    );
    const spec = specOfSent(file, dialect, habits, sent, newStorageKey());
    grantWrite(caller, type, importWrites(spec), hooks);
    if (spec.mode === "upsert") grantWrite(caller, type, "edit", hooks);
    await holdForImport(database, caller.organizationId, spec.source, spec.staged);
    const input: JobInput = {
      atomic: textAt(parameters, "atomic") === "1",
      overrideDuplicates: textAt(parameters, "override_duplicates") === "1",
      import: spec,
    };
    if (file.size > AT_ONCE_BYTES) return queue(context, input, undefined);
    return stage(places, caller, spec, (staged) => {
      const known = { ...spec, columns: [...staged.columns] };
      placesOf(context as Pick<Work, "snapshot" | "caller">, type, known);
      const whole = { ...input, import: known };
      return staged.places.length > 1
        ? queue(context, whole, staged)
        : runAtOnce(context, whole, staged, places, isSent);
    });
  },
};

/** Those of a saved mapping, without what is sent in their place. */
async function keptParameters({ call, services }: OperationContext, place: ImportPlace): Promise<Tree> {
  const id = textAt(call.parameters, "mapping_id");
  if (id === undefined) return emptyTree();
  const found = await findMapping(services.database, place.snapshot, place.caller, place.type.key, id);
  const isSent = (name: string): boolean => call.parameters[name] !== undefined;
  const kept = Object.fromEntries(Object.entries(found).filter(([name]) => !isSent(name)));
  refuseUnseen(place, kept);
  return kept;
}

async function fileOf(context: OperationContext, { database, files, folder }: JobPlaces) {
  const { caller, type } = addressed(context);
  const sent = context.call.parameters;
  if (sent.file instanceof UploadedFile) {
    const { name, path: local, size, found } = await received(context, sent.file);
    const file = await keepImportFile(database, files, caller, { path: local, name, size }, found.dialect, true);
    return { file, dialect: found.dialect, habits: found.habits, isSent: true };
  }
  const file = await findImportFile(
    database,
    caller,
    textAt(sent, "file") ?? refuse("file", say("import_file_missing")),
  );
  const dialect = sentDialect(sent, file.dialect);
  const { dateOrder, decimalSign } = sentHabits(sent);
  if (dateOrder && decimalSign) return { file, dialect, habits: { dateOrder, decimalSign }, isSent: false };
  // As it was proposed when the file was looked at.
  const last = await lastImport(database, caller, type.key);
  const found = await told(() =>
    inTurn(caller.organizationId, () =>
      withLocalCopy(files, file.storageKey, folder, (local) =>
        describe(context, local, dialect, { isChosen: true, last }),
      ),
    ),
  );
  return found ? { file, dialect, habits: found.habits, isSent: false } : refuse("file", say("import_file_gone"));
}

const titleOf = ({ dryRun, fileName }: ImportSpec): string =>
  `${dryRun ? "Check" : "Import"} ${fileName}`.slice(0, 200);

async function startJob(
  context: OperationContext,
  work: Work,
  input: JobInput,
  spec: ImportSpec,
  total: number,
): Promise<string> {
  const { caller, type } = addressed(context);
  const title = titleOf(spec);
  const jobId = await addJob(work, { kind: "import", title, controller: type.key, total, input });
  await audit(work.transaction, work.snapshot, {
    organizationId: caller.organizationId,
    event: "bulk",
    userId: caller.userId,
    userName: caller.userName,
    subject: { type: JOBS, id: jobId, name: title },
    detail: { kind: "import", controller: type.key, total },
  });
  return jobId;
}

async function queue(context: OperationContext, input: JobInput, staged: Staged | undefined): Promise<JsonResult> {
  const { caller } = addressed(context);
  const spec = input.import as ImportSpec;
  return runWrite(context, async (work) => {
    const total = staged?.total ?? 0;
    const jobId = await startJob(context, work, input, spec, total);
    if (staged) await addPlaces(work.transaction, caller.organizationId, jobId, staged.places);
    await queueJob(work.transaction, caller.organizationId, jobId);
    await notify(work.transaction, "dossier_jobs", "");
    return async () => ({
      status: 202,
      message: [say("import_queued", { file: spec.fileName })],
      body: { job_id: jobId, is_queued: 1, total, dry_run: spec.dryRun ? 1 : 0 },
    });
  });
}

async function runAtOnce(
  context: OperationContext,
  input: JobInput,
  staged: Staged,
  places: JobPlaces,
  /** With the request: its file has no name that anybody could import it by again. */
  isSent: boolean,
): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  const { organizationId } = caller;
  const spec = input.import as ImportSpec;
  const { hooks } = context.services;
  const chunk = { number: 0, ids: [], rows: [], place: staged.places[0] };
  const run = (work: Work) =>
    importKind.run({ work, grant: grantWrite(caller, type, importWrites(spec), hooks), input, places }, chunk);
  // Nothing of a dry run is kept, so it goes before anything that is.
  const bare = { snapshot: context.snapshot, caller, hooks, accessChanges: new Set<never>() };
  const checked = spec.dryRun ? await run(bare as unknown as Work) : undefined;
  const useless = isSent ? [spec.source] : [];
  const written = runWrite(context, async (work) => {
    const { transaction } = work;
    const jobId = await startJob(context, work, input, spec, staged.total);
    await addPlaces(transaction, organizationId, jobId, staged.places);
    const [own] = await nextChunks(transaction, organizationId, jobId, 1);
    const outcome = checked ?? (await run({ ...work, jobId }));
    const failed = Object.keys(outcome.failed).length;
    // All or nothing: what was written of it is not kept.
    const isRefused = input.atomic && failed > 0 && !spec.dryRun;
    if (isRefused || failed === 0) useless.push(spec.staged);
    if (isRefused) throw refusal(outcome, staged.total, context.language);
    if (own) await finishChunk(transaction, caller, jobId, own, outcome);
    await updateJob(transaction, organizationId, jobId, { done: staged.total, failed, started: true });
    await complete(transaction, organizationId, jobId);
    return async () => answerOf(jobId, spec, staged.total, outcome, context);
  });
  // What is not removed now goes when its time is over.
  return written.finally(() => discardFiles(places.database, places.files, organizationId, useless).catch(() => 0));
}

const MOST_FAULTS = 100;

function answerOf(
  jobId: string,
  spec: ImportSpec,
  total: number,
  { counts = {}, failed, faults = [] }: ChunkOutcome,
  { language }: OperationContext,
): JsonResult {
  const numbers = { ...noRows, ...counts, failed: Object.keys(failed).length };
  return {
    message: [say(spec.dryRun ? "import_checked" : "import_done", numbers)],
    body: {
      job_id: jobId,
      is_queued: 0,
      total,
      dry_run: spec.dryRun ? 1 : 0,
      data: {
        counts: numbers,
        failed: writeByField(failed, language),
        faults: faults
          .slice(0, MOST_FAULTS)
          .map(({ reasons, ...fault }) => ({ ...fault, reasons: writeAll(reasons, language) })),
      },
    },
  };
}
