// add and edit: by GET the empty record, or the record, in its form; by POST exactly one action, the record by its id or a
// new one, and the saved record as answer.

import { Failure, type FailureCode } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { outdatedDesign } from "../database/errors.ts";
import { actionsOf, chosenAction, saveAndContinue } from "../forms/actions.ts";
import { planSave } from "../plan/plan-write.ts";
import type { Work } from "../records/hooks.ts";
import type { Reader } from "../records/read/display-texts.ts";
import { viewRecord } from "../records/read/view-record.ts";
import { saveRecord } from "../records/save/save-records.ts";
import type { SaveAction } from "../records/workflow/workflow-step.ts";
import { echo } from "../request/echo.ts";
import { isTree, type Tree, textAt } from "../request/tree.ts";
import { addressed, granted } from "./addressed.ts";
import type { JsonResult, Operation, OperationContext } from "./operation.ts";
import { withUploads } from "./receive-uploads.ts";
import { showRecord } from "./view.ts";
import { wantedForm } from "./wanted-form.ts";
import { runWrite } from "./write.ts";

const saves = (operation: "add" | "edit"): Operation => ({
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  writes: operation,
  // A form that nobody may fill in is shown all the same, to be read.
  askMatrix: "view",
  run: (context) => (context.call.method === "GET" ? showRecord(context, operation) : save(context, operation)),
});

export const add = saves("add");
export const edit = saves("edit");

async function save(context: OperationContext, operation: "add" | "edit"): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  const { call, snapshot } = context;
  const chosen = chosenAction(call.actions, actionsOf(operation));
  const action = saveActionOf(context, operation, chosen !== undefined);
  const sent = sentRecord(call.data, type.alias);
  const overrideDuplicates = textAt(call.parameters, "override_duplicates") === "1";
  const id = operation === "add" ? undefined : sentId(context, sent);
  const grant = granted(context);
  const trim = wantedForm(call);
  const saving = withUploads(context, type, sent, (prepared, uploads) => {
    const plan = planSave(snapshot, grant, { id, sent: prepared, asSent: sent });
    const write = async (work: Work) => {
      const saving = { grant, operation, overrideDuplicates, action, isLast: true } as const;
      const saved = await saveRecord({ ...work, uploads }, saving, plan);
      const mode = chosen === saveAndContinue ? "edit" : "view";
      const message = [say("saved", { type: type.label })];
      return async (reader: Reader): Promise<JsonResult> => {
        try {
          return { ...trim(await viewRecord(reader, snapshot, type, caller, mode, saved)), message };
        } catch (error) {
          const why = outdatedDesign(error)
            ? "saved_unshown"
            : error instanceof Failure
              ? unshown[error.code]
              : undefined;
          if (why === undefined) throw error;
          return {
            message: [say(why, { type: type.label })],
            body: { id: saved, data: { [type.alias]: { id: saved } } },
          };
        }
      };
    };
    return runWrite(context, write, { readsAtOnce: true });
  });
  return saving.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    // What is answered is about a record, saved or not: programs look for its id.
    throw error.with({ body: { id: id ?? null, ...error.detail.body } });
  });
}

/** What is saved and cannot be shown is saved all the same: whoever was told otherwise would send it again. */
const unshown: Partial<Record<FailureCode, "saved_unseen" | "saved_unshown">> = {
  // It was handed to somebody whose records the caller does not see.
  record_not_found: "saved_unseen",
  database_unavailable: "saved_unshown",
  took_too_long: "saved_unshown",
  too_much_at_once: "saved_unshown",
};

/** What a record's workflow allows is known once the record is read; a new record can only be saved. */
function saveActionOf({ call, type }: OperationContext, operation: "add" | "edit", plain: boolean): SaveAction {
  if (plain) return { kind: "save" };
  if (operation === "add" || !type?.field.has("current_stage")) {
    const actions = actionsOf(operation).map((one) => `${one.name} (${one.label})`);
    throw new Failure("unknown_action", { with: { actions }, body: { data: echo(call.data) } });
  }
  const [only, ...more] = call.actions;
  return only && more.length === 0 ? { kind: "transition", action: only } : { kind: "unclear" };
}

/** What was sent for the record type; anything else is refused. */
export function sentRecord(data: Tree, alias: string): Tree {
  const strangers = Object.keys(data).filter((key) => key !== alias);
  const values = data[alias];
  if (strangers.length > 0 || (values !== undefined && values !== null && !isTree(values))) {
    const name = strangers[0] === undefined ? `data[${alias}]` : `data[${strangers[0].slice(0, 100)}]`;
    const reason = strangers.length > 0 ? say("only_data", { alias }) : say("must_hold_fields");
    throw new Failure("malformed_parameter", { with: { name, reason } });
  }
  return values ?? {};
}

function sentId({ call }: OperationContext, sent: Tree): string {
  const [inData, asParameter] = [textAt(sent, "id"), textAt(call.parameters, "id")];
  if (inData !== undefined && asParameter !== undefined && inData !== asParameter) {
    throw new Failure("malformed_parameter", { with: { name: "id", reason: say("two_records_named") } });
  }
  const id = inData ?? asParameter;
  if (id === undefined) {
    throw new Failure("malformed_parameter", { with: { name: "id", reason: say("must_name_record") } });
  }
  return id;
}
