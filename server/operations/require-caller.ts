// Takes the context of an operation; gives who calls, where the operation is not for strangers.

import { Failure } from "../../contract/failures.ts";
import type { Message } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { mayDesign } from "../access/matrix.ts";
import type { OperationContext } from "./operation.ts";

export function requireCaller(context: OperationContext): Caller {
  if (!context.caller) throw new Failure("login_required");
  return context.caller;
}

/** Whoever designs record types, and what hangs on them for every organization. */
export function requireDesigner(context: OperationContext): void {
  if (!mayDesign(requireCaller(context))) throw new Failure("designer_required");
}

/** A caller that is logged in: not a program with an API key. */
export function requirePerson(context: OperationContext, reason: Message): { caller: Caller; sessionId: string } {
  const caller = requireCaller(context);
  if (caller.credential.kind !== "session") throw new Failure("conflict", { with: { reason } });
  return { caller, sessionId: caller.credential.sessionId };
}

/** Who did it and from where, for the audit log. */
export const actor = (context: OperationContext, caller: Caller) => ({
  organizationId: caller.organizationId,
  userId: caller.userId,
  userName: caller.userName,
  address: context.request.address,
});
