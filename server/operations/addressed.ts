// Takes a context; gives the caller and the record type that every operation on records has.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import type { Grant } from "../access/grant.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { textAt } from "../request/tree.ts";
import type { OperationContext } from "./operation.ts";

export function addressed({ caller, type }: OperationContext): { readonly caller: Caller; readonly type: RecordType } {
  if (!caller || !type) throw new Failure("login_required");
  return { caller, type };
}

/** What the caller of an operation that writes records was granted. */
export function granted({ grant }: OperationContext): Grant {
  if (!grant) throw new Error("an operation that writes records says so");
  return grant;
}

/** The record that a call is about, where it must be about one. */
export function requireId(context: OperationContext): string {
  const id = textAt(context.call.parameters, "id");
  if (id === undefined) {
    throw new Failure("malformed_parameter", { with: { name: "id", reason: say("must_name_record") } });
  }
  return id;
}
