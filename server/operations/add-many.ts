// add_many: many new records in one call, all of them or, with partial=1, those that can be.
import { Failure } from "../../contract/failures.ts";
import { writeByField } from "../../contract/texts/write.ts";
import { keepValues } from "../jobs/kept-values.ts";
import { startBulk } from "../jobs/start-bulk.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { readRows } from "../records/read/read-rows.ts";
import { echo } from "../records/save/echo.ts";
import { type Tree, textAt } from "../request/tree.ts";
import { addressed, granted } from "./addressed.ts";
import { answerOf, atMostOneAction, startedMessage } from "./bulk.ts";
import type { Operation } from "./operation.ts";
import { sentRows } from "./sent-rows.ts";
import { runWrite } from "./write.ts";

const refusedRow = (sent: Tree, errors: readonly string[]) => ({ ...echo(sent), id: null, errors });

/** What was refused gives every row back, each with what is wrong with it. */
function withRows(failure: Failure, type: RecordType, sent: readonly (readonly [string, Tree])[]): Failure {
  const { data } = (failure.detail.body ?? {}) as { data?: { failed?: Record<string, readonly string[]> } };
  if (data?.failed === undefined) return failure;
  const { failed } = data;
  const records = sent.map(([number, one]) => refusedRow(one, failed[number] ?? []));
  return failure.with({ body: { ...failure.detail.body, data: { ...data, [type.alias]: records } } });
}

export const addMany: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "bulk",
  writes: "add",
  run: async (context) => {
    atMostOneAction(context, "add");
    const { caller, type } = addressed(context);
    const sent = sentRows(context);
    const rows = sent.map(([number, one]) => [number, keepValues(one)] as const);
    const atomic = textAt(context.call.parameters, "partial") !== "1";
    const overrideDuplicates = textAt(context.call.parameters, "override_duplicates") === "1";
    const answer = runWrite(context, async (work) => {
      const input = { atomic, overrideDuplicates };
      const started = await startBulk(work, { kind: "add", grant: granted(context), selection: { rows }, input });
      const { outcome, jobId } = started;
      if (!outcome) return async () => answerOf(type, "add", started, context.language);
      const { changed } = outcome;
      const failed = writeByField(outcome.failed, context.language);
      const byField = writeByField(outcome.byField ?? {}, context.language);
      return async (reader) => {
        const saved = await readRows(reader, context.snapshot, type, caller, changed);
        const ids = changed.values();
        const records = sent.map(([number, one]) => {
          const errors = failed[number];
          if (errors) return refusedRow(one, errors);
          const id = ids.next().value ?? null;
          return { ...(saved.get(id ?? "") ?? echo(one)), id, errors: [] };
        });
        return {
          message: startedMessage(type, "add", started),
          body: {
            job_id: jobId,
            data: { [type.alias]: records, ...(Object.keys(failed).length > 0 ? { failed } : {}) },
            ...(Object.keys(byField).length > 0 ? { errors_by_field: byField } : {}),
          },
        };
      };
    });
    return answer.catch((error: unknown) => {
      throw error instanceof Failure ? withRows(error, type, sent) : error;
    });
  },
};
