// Takes a call; gives the plain texts sent under `data[<controller>]`, for operations that have no form.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Call } from "../../request/call.ts";
import { isTree, type Tree, textAt } from "../../request/tree.ts";

export function sentValues(call: Call, controller: string): Tree {
  const values = call.data[controller];
  if (values === undefined || values === null) return {};
  if (!isTree(values)) {
    throw new Failure("malformed_parameter", {
      with: { name: `data[${controller}]`, reason: say("must_hold_fields") },
    });
  }
  return values;
}

/** The texts asked for, empty where nothing was sent. */
export function sentTexts<Name extends string>(call: Call, controller: string, ...names: Name[]): Record<Name, string> {
  const values = sentValues(call, controller);
  // Every name that was asked for gets its entry.
  return Object.fromEntries(names.map((name) => [name, textAt(values, name) ?? ""])) as Record<Name, string>;
}
