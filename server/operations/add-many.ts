// add_many: many new records in one call, all of them or, with partial=1, those that can be.
import { authorize } from "../access/matrix.ts";
import { keepValues } from "../jobs/kept-values.ts";
import { startBulk } from "../jobs/start-bulk.ts";
import { textAt } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import { answerOf, atMostOneAction, startedMessage } from "./bulk.ts";
import type { Operation } from "./operation.ts";
import { sentRows } from "./sent-rows.ts";
import { runWrite } from "./write.ts";

export const addMany: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "bulk",
  run: async (context) => {
    atMostOneAction(context, "add");
    const { caller, type } = addressed(context);
    authorize(caller, type, "add");
    const rows = sentRows(context).map(([number, one]) => [number, keepValues(one)] as const);
    const atomic = textAt(context.call.parameters, "partial") !== "1";
    const overrideDuplicates = textAt(context.call.parameters, "override_duplicates") === "1";
    return runWrite(context, async (work) => {
      const input = { atomic, overrideDuplicates };
      const started = await startBulk(work, { kind: "add", type, selection: { rows }, input });
      const { outcome, jobId } = started;
      if (!outcome) return async () => answerOf(type, "add", started);
      const ids = outcome.changed.values();
      const records = rows.map(([number]) => {
        const errors = outcome.failed[number];
        return errors ? { id: null, errors } : { id: ids.next().value ?? null, errors: [] };
      });
      const { byField = {} } = outcome;
      return async () => ({
        message: [startedMessage(type, "add", started)],
        body: {
          job_id: jobId,
          data: { [type.alias]: records },
          ...(Object.keys(byField).length > 0 ? { errors_by_field: byField } : {}),
        },
      });
    });
  },
};
