// Takes a call with many records in its body; gives them in the order in which they came, each with its number.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { isTree, shown, type Tree, type TreeValue, textAt } from "../request/tree.ts";
import type { OperationContext } from "./operation.ts";

export function refuseParameter(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

export function sentRows({ call, type }: OperationContext): (readonly [string, Tree])[] {
  const alias = type?.alias ?? "";
  const stranger = Object.keys(call.data).find((key) => key !== alias);
  if (stranger !== undefined) refuseParameter(`data[${shown(stranger)}]`, say("only_data", { alias }));
  if (call.files.length > 0) refuseParameter("files", say("no_files_for_many"));
  const sent = call.data[alias] ?? null;
  const entries: (readonly [string, TreeValue])[] = Array.isArray(sent)
    ? (sent as readonly TreeValue[]).map((one, index) => [String(index), one])
    : isTree(sent)
      ? Object.entries(sent)
      : [];
  if (entries.length === 0) refuseParameter(`data[${alias}]`, say("must_list_records"));
  return entries.map(([number, one]) =>
    isTree(one) ? [shown(number), one] : refuseParameter(`data[${alias}][${shown(number)}]`, say("must_be_record")),
  );
}

/** The names of `key=<field>[,<field>]`; undefined where none was sent. */
export const sentKey = ({ call }: OperationContext): readonly string[] | undefined =>
  textAt(call.parameters, "key")
    ?.split(",", 20)
    .map((name) => name.trim());
