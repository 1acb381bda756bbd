// The POST side of add and edit: exactly one action, the record by its id or a new one, and the saved record as answer.
import { Failure } from "../../contract/failures.ts";
import { actionsOf, chosenAction, saveAndContinue } from "../forms/actions.ts";
import { echo } from "../records/echo.ts";
import { saveRecord } from "../records/save-record.ts";
import { viewRecord } from "../records/view-record.ts";
import { isTree, type Tree, textAt } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import type { JsonResult, OperationContext } from "./operation.ts";
import { withUploads } from "./receive-uploads.ts";
import { runWrite } from "./write.ts";

export async function save(context: OperationContext, operation: "add" | "edit"): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  const { call, snapshot } = context;
  const possible = actionsOf(operation);
  const action = chosenAction(call.actions, possible);
  if (!action) {
    const actions = possible.map((one) => `${one.name} (${one.label})`).join(", ");
    throw new Failure("unknown_action", { with: { actions }, body: { data: echo(call.data) } });
  }
  const sent = sentRecord(call.data, type.alias);
  const overrideDuplicates = textAt(call.parameters, "override_duplicates") === "1";
  const id = operation === "add" ? undefined : sentId(context, sent);
  return withUploads(context, type, sent, (prepared, uploads) =>
    runWrite(context, async (work) => {
      const saved = await saveRecord(
        { ...work, uploads },
        { type, id, sent: prepared, asSent: sent, operation, overrideDuplicates },
      );
      const mode = action === saveAndContinue ? "edit" : "view";
      const message = [`${type.label} is saved`];
      return async (reader) => {
        try {
          return { ...(await viewRecord(reader, snapshot, type, caller, mode, saved)), message };
        } catch (error) {
          if (!(error instanceof Failure) || error.code !== "record_not_found") throw error;
          // It was handed to somebody whose records the caller does not see.
          const gone = `${message[0]}, and you no longer see it`;
          return { message: [gone], body: { id: saved, data: { [type.alias]: { id: saved } } } };
        }
      };
    }),
  );
}

/** What was sent for the record type; anything else is refused. */
export function sentRecord(data: Tree, alias: string): Tree {
  const strangers = Object.keys(data).filter((key) => key !== alias);
  const values = data[alias];
  if (strangers.length > 0 || (values !== undefined && values !== null && !isTree(values))) {
    const name = strangers[0] === undefined ? `data[${alias}]` : `data[${strangers[0].slice(0, 100)}]`;
    const reason = strangers.length > 0 ? `only data[${alias}] belongs here` : "must hold fields";
    throw new Failure("malformed_parameter", { with: { name, reason } });
  }
  return values ?? {};
}

function sentId({ call }: OperationContext, sent: Tree): string {
  const [inData, asParameter] = [textAt(sent, "id"), textAt(call.parameters, "id")];
  if (inData !== undefined && asParameter !== undefined && inData !== asParameter) {
    throw new Failure("malformed_parameter", { with: { name: "id", reason: "names two different records" } });
  }
  const id = inData ?? asParameter;
  if (id === undefined) {
    throw new Failure("malformed_parameter", { with: { name: "id", reason: "must name the record to change" } });
  }
  return id;
}
