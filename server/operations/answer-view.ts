// Takes a record that was just written; gives the answer that most writes have: its view as it is now, and a message.
import type { Message } from "../../contract/messages.ts";
import type { FormMode } from "../forms/actions.ts";
import { viewRecord } from "../records/read/view-record.ts";
import { addressed } from "./addressed.ts";
import type { OperationContext } from "./operation.ts";
import { wantedForm } from "./wanted-form.ts";
import type { Answer } from "./write.ts";

/** `more`: what else there is to say. */
export function answerView(
  context: OperationContext,
  id: string,
  message: Message,
  more: readonly Message[] = [],
): Answer {
  return answerForm(context, id, "view", [message, ...more]);
}

export function answerForm(context: OperationContext, id: string, mode: FormMode, message: readonly Message[]): Answer {
  const { caller, type } = addressed(context);
  const trim = wantedForm(context.call);
  return async (reader) => ({ ...trim(await viewRecord(reader, context.snapshot, type, caller, mode, id)), message });
}
