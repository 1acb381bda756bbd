// add_many: many new records in one call, all of them or, with partial=1, those that can be. With a key, records that are
// there already are changed.
import { say } from "../../contract/messages.ts";
import { flagAt, textAt } from "../request/tree.ts";
import { granted } from "./addressed.ts";
import { atMostOneAction } from "./bulk.ts";
import { saveMany, streamMany, upsertMany } from "./many/save-many.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { refuseParameter, sentKey, sentRows } from "./sent-rows.ts";

export const addMany: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "bulk",
  writes: "add",
  takesLines: true,
  run: async (context) => {
    atMostOneAction(context, "add");
    if (context.call.lines) return streamMany(context, true);
    const sent = sentRows(context);
    const key = sentKey(context);
    const atomic = isAllOrNothing(context);
    if (key !== undefined) return upsertMany(context, sent, { key, adds: true, atomic });
    const overrideDuplicates = textAt(context.call.parameters, "override_duplicates") === "1";
    const request = { kind: "add", grant: granted(context), input: { atomic, overrideDuplicates } } as const;
    return saveMany(context, sent, request, ({ changed }, failed) => {
      const ids = changed.values();
      return (number) => (failed[number] ? undefined : ids.next().value);
    });
  },
};

/** `partial=1` and `atomic=0` say the same; they cannot say different things. */
function isAllOrNothing({ call: { parameters } }: OperationContext): boolean {
  const isPartial = textAt(parameters, "partial") === "1";
  const atomic = textAt(parameters, "atomic") === undefined ? !isPartial : flagAt(parameters, "atomic");
  return atomic && isPartial ? refuseParameter("partial", say("must_be_one_of", { options: ["0"] })) : atomic;
}
