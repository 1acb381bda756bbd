// Takes rows with values of their own; saves them at once or as a job, and answers with what became of each, in their order.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { writeByField } from "../../../contract/texts/write.ts";
import { grantWrite } from "../../access/grant.ts";
import type { ChunkOutcome } from "../../jobs/job.ts";
import { keepValues } from "../../jobs/kept-values.ts";
import { type BulkRequest, startBulk } from "../../jobs/start-bulk.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { readRows } from "../../records/read/read-rows.ts";
import { keyFields } from "../../records/upsert/key.ts";
import { echo } from "../../request/echo.ts";
import { type Tree, textAt } from "../../request/tree.ts";
import { addressed } from "../addressed.ts";
import { answerOf, startedMessage } from "../bulk.ts";
import type { JsonResult, OperationContext, RawResult } from "../operation.ts";
import { refuseParameter, sentKey } from "../sent-rows.ts";
import { runWrite } from "../write.ts";
import { streamRows } from "./stream-rows.ts";

export type NumberedRow = readonly [number: string, sent: Tree];

type Failed = Readonly<Record<string, readonly string[]>>;
/** The id that a row was saved under; called once for each row, in their order. */
type IdOf = (outcome: ChunkOutcome, failed: Failed) => (number: string) => string | undefined;

const refusedRow = (sent: Tree, errors: readonly string[]) => ({ ...echo(sent), id: null, errors });

/** What was refused gives every row back, each with what is wrong with it. */
function withRows(failure: Failure, type: RecordType, sent: readonly NumberedRow[]): Failure {
  const { data } = (failure.detail.body ?? {}) as { data?: { failed?: Failed } };
  if (data?.failed === undefined) return failure;
  const { failed } = data;
  const records = sent.map(([number, one]) => refusedRow(one, failed[number] ?? []));
  return failure.with({ body: { ...failure.detail.body, data: { ...data, [type.alias]: records } } });
}

export async function saveMany(
  context: OperationContext,
  sent: readonly NumberedRow[],
  request: Omit<BulkRequest, "selection">,
  idOf: IdOf,
): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  const rows = sent.map(([number, one]) => [number, keepValues(one)] as const);
  const answer = runWrite(context, async (work) => {
    const started = await startBulk(work, { ...request, selection: { rows } });
    const { outcome, jobId } = started;
    if (!outcome) return async () => answerOf(type, request.kind, started, context.language);
    const failed = writeByField(outcome.failed, context.language);
    const byField = writeByField(outcome.byField ?? {}, context.language);
    const idOfRow = idOf(outcome, failed);
    const ids = sent.map(([number]) => idOfRow(number));
    return async (reader) => {
      const saved = await readRows(reader, context.snapshot, type, caller, [...new Set(ids.flatMap((id) => id ?? []))]);
      const records = sent.map(([number, one], index) => {
        const errors = failed[number];
        if (errors) return refusedRow(one, errors);
        const id = ids[index] ?? null;
        const result = outcome.rows?.[number]?.result;
        const told = result === undefined ? {} : { result };
        return { ...(saved.get(id ?? "") ?? echo(one)), id, errors: [], ...told };
      });
      return {
        message: startedMessage(type, request.kind, started),
        body: {
          job_id: jobId,
          data: {
            [type.alias]: records,
            ...(outcome.counts ? { counts: outcome.counts } : {}),
            ...(Object.keys(failed).length > 0 ? { failed } : {}),
          },
          ...(Object.keys(byField).length > 0 ? { errors_by_field: byField } : {}),
        },
      };
    };
  });
  return answer.catch((error: unknown) => {
    throw error instanceof Failure ? withRows(error, type, sent) : error;
  });
}

export interface SentUpsert {
  readonly key: readonly string[];
  readonly adds: boolean;
  readonly atomic: boolean;
}

/** Who adds or changes needs both rights; who changes only, the one. */
export function upsertMany(
  context: OperationContext,
  sent: readonly NumberedRow[],
  { key, adds, atomic }: SentUpsert,
): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  keyFields(type, caller, key);
  const grant = grantWrite(caller, type, "edit", context.services.hooks);
  const overrideDuplicates = textAt(context.call.parameters, "override_duplicates") === "1";
  const input = { atomic, overrideDuplicates, upsert: { key: [...key], adds } };
  return saveMany(
    context,
    sent,
    { kind: "upsert", grant, input },
    ({ rows = {} }) =>
      (number) =>
        rows[number]?.id,
  );
}

/** As JSON lines: each thousand by itself. Without a key, records to edit are found by their ids. */
export function streamMany(context: OperationContext, adds: boolean): Promise<RawResult> {
  const { caller, type } = addressed(context);
  if (textAt(context.call.parameters, "atomic") === "1") refuseParameter("atomic", say("not_for_lines"));
  const overrideDuplicates = textAt(context.call.parameters, "override_duplicates") === "1";
  const names = sentKey(context) ?? (adds ? undefined : ["id"]);
  if (names === undefined)
    return streamRows(context, { kind: "add", writes: "add", input: { atomic: false, overrideDuplicates } });
  keyFields(type, caller, names);
  grantWrite(caller, type, "edit", context.services.hooks);
  const input = { atomic: false, overrideDuplicates, upsert: { key: [...names], adds } };
  return streamRows(context, { kind: "upsert", writes: "edit", input });
}
