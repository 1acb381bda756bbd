// Takes a call; gives the records that a bulk operation is about: ids in any of their encodings, or everything that the
// list with the same parameters shows. Each id once, in the order in which they came.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { recordIdOf } from "../fields/record-id.ts";
import type { Selection } from "../jobs/start-bulk.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { isWhole } from "../plan/plan-rows.ts";
import { matchingIds } from "../query/matching-ids.ts";
import { limits } from "../request/limits.ts";
import { type ListParameters, listLimits, parseListParameters } from "../request/list-parameters.ts";
import type { QCondition } from "../request/q.ts";
import { checkKey, isTree, shown, type Tree, type TreeValue, textAt } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import type { OperationContext } from "./operation.ts";
import { currentView, isOwnList, planView } from "./plan-view.ts";

export async function selectionOf(context: OperationContext, sent: Tree): Promise<Selection> {
  const { type } = addressed(context);
  const { parameters } = context.call;
  const ids = new Set([
    ...idsIn(parameters.ids, "ids", type),
    ...idsIn(parameters.id, "id", type),
    ...idsIn(sent.id, `data[${type.alias}][id]`, type),
  ]);
  const all = textAt(parameters, "all_matching") === "1";
  if (all && ids.size > 0) refuse("all_matching", say("ids_or_all"));
  if (!all && ids.size === 0) refuse("ids", say("must_name_records"));
  return all ? matching(context) : { ids: [...ids] };
}

function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

/** More ids than a request may bring as a list are too many as one text, too. */
const MOST_IDS = limits.rowKeys;

/** Told before the texts are taken apart. */
function checkNumber(name: string, texts: readonly TreeValue[]): void {
  let count = texts.length;
  for (const text of texts) {
    if (typeof text !== "string") continue;
    for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) count += 1;
  }
  if (count > MOST_IDS) refuse(name, say("too_many_ids", { max: MOST_IDS, count }));
}

/** `1,2,3`, a list, or an object of numbered entries. What no record can have as its id stays as it is: it will be told. */
function idsIn(value: TreeValue | undefined, name: string, type: RecordType): string[] {
  if (value === undefined || value === null) return [];
  const texts = isTree(value) ? Object.values(value) : Array.isArray(value) ? (value as readonly TreeValue[]) : [value];
  checkNumber(name, texts);
  return texts.flatMap((text) => {
    if (text === null) return [];
    if (typeof text !== "string") return refuse(name, say("must_be_ids"));
    return text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map((one) => {
        // What could not be done is told by id, as the keys of an object.
        checkKey(one, name);
        return recordIdOf(one, type.idKind) ?? shown(one);
      });
  });
}

/** The list with `ids` alone, where they are sent, and without `except_ids`. */
export function narrowed(type: RecordType, sent: Tree, parameters: ListParameters): ListParameters {
  const conditions = (["ids", "except_ids"] as const).flatMap((name): QCondition[] => {
    const values = idsIn(sent[name], name, type);
    if (values.length > listLimits.all) {
      refuse(name, say("too_many_ids", { max: listLimits.all, count: values.length }));
    }
    const operator = name === "ids" ? "in" : "not in";
    return values.length === 0 ? [] : [{ kind: "leaf", column: `${type.alias}.id`, operator, values }];
  });
  if (conditions.length === 0) return parameters;
  const { q } = parameters;
  const where: QCondition = { kind: "all", of: [...(q?.where ? [q.where] : []), ...conditions] };
  return { ...parameters, q: { header: true, ...q, where } };
}

async function matching({ call, caller, type, services, snapshot }: OperationContext): Promise<Selection> {
  if (!caller || !type) throw new Failure("login_required");
  const parameters = narrowed(type, call.parameters, parseListParameters(call.parameters));
  // Where the caller may not see what it depends on it limits nothing, which is for choosing one record, not for changing all.
  if (parameters.choices) refuse("choices_for", say("not_with_all_matching"));
  const view = await currentView(
    services,
    () => services.lists.views.choose(snapshot, caller, type, parameters.viewId, !isOwnList(parameters)),
    caller.organizationId,
  );
  if (parameters.viewId !== undefined && view.id !== parameters.viewId) {
    refuse("current_listview", say("view_gone"));
  }
  const scope = { snapshot, type, caller, now: new Date() };
  const planned = planView(scope, view, parameters);
  // Another view in place of the one that was meant would be other records.
  const [hidden] = planned.message;
  if (hidden) refuse("current_listview", hidden);
  if (parameters.viewQuery === undefined && !isWhole(scope, view)) refuse("current_listview", say("view_gone"));
  return { matching: matchingIds(planned.plan) };
}
