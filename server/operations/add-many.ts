// add_many: many new records in one call, all of them or, with partial=1, those that can be.
import { Failure } from "../../contract/failures.ts";
import { authorize } from "../access/matrix.ts";
import { keepValues } from "../jobs/kept-values.ts";
import { startBulk } from "../jobs/start-bulk.ts";
import { isTree, shown, type TreeValue, textAt } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import { answerOf, atMostOneAction, startedMessage } from "./bulk.ts";
import type { Operation, OperationContext } from "./operation.ts";
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
    const rows = sentRows(context);
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

/** The records in the order in which they came, each with the number that its errors are told under. */
function sentRows({ call, type }: OperationContext): (readonly [string, string])[] {
  const alias = type?.alias ?? "";
  const refuse = (name: string, reason: string): never => {
    throw new Failure("malformed_parameter", { with: { name, reason } });
  };
  const stranger = Object.keys(call.data).find((key) => key !== alias);
  if (stranger !== undefined) refuse(`data[${shown(stranger)}]`, `only data[${alias}] belongs here`);
  if (call.files.length > 0) refuse("files", "cannot be sent with many records at once; add them to each record");
  const sent = call.data[alias] ?? null;
  const entries: (readonly [string, TreeValue])[] = Array.isArray(sent)
    ? (sent as readonly TreeValue[]).map((one, index) => [String(index), one])
    : isTree(sent)
      ? Object.entries(sent)
      : [];
  if (entries.length === 0) refuse(`data[${alias}]`, "must hold a list of records");
  return entries.map(([number, one]) =>
    isTree(one) ? [shown(number), keepValues(one)] : refuse(`data[${alias}][${shown(number)}]`, "must be a record"),
  );
}
