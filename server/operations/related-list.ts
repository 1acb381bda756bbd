// What a view can list beside its record: this controller's records that are related to another record, in a category,
// or match a text. Reads what was asked for; the list itself is made where lists are made.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { Call } from "../request/call.ts";
import { listLimits, parseListParameters } from "../request/list-parameters.ts";
import { type Q, type QCondition, queryAt } from "../request/q.ts";
import { emptyTree, textAt } from "../request/tree.ts";
import { listWithin } from "./index-records.ts";
import type { OperationContext } from "./operation.ts";

export interface RelatedRequest {
  readonly relatedTo: string | undefined;
  readonly category: string | undefined;
  /** Empty text: all. */
  readonly search: string | undefined;
  readonly q: Q | undefined;
}

const leaf = (column: string, value: string): QCondition => ({ kind: "leaf", column, operator: "=", values: [value] });

/** References that say who wrote a record, not what it is about. */
const bookkeeping = new Set(["organization_id", "created_by", "modified_by"]);

/** Through any association that leads to a record of that id, or the one that leads to the named type. */
function relatedTo(type: RecordType, snapshot: Snapshot, id: string, model: string | undefined): QCondition {
  const wanted = (key: string) => model === undefined || key === model || key.split("/")[1] === model;
  const fits = (target: RecordType | undefined) =>
    target !== undefined && (target.idKind === "uuid") === id.includes("-") && wanted(target.key);
  const of: QCondition[] = [];
  for (const association of type.associations) {
    if (association.kind === "belongs-to-any") {
      const about = leaf("related_id", id);
      const ofType =
        model === undefined ? [] : [...snapshot.types.keys()].filter(wanted).map((key) => leaf("related_type", key));
      of.push(model === undefined ? about : { kind: "all", of: [about, { kind: "any", of: ofType }] });
    } else if (fits(snapshot.types.get(association.type))) {
      if (association.kind !== "belongs-to") of.push(leaf(`${association.name}.id`, id));
      else if (!bookkeeping.has(association.via)) of.push(leaf(association.via, id));
    }
  }
  if (of.length === 0) {
    const reason = say("no_association", { type: type.key, model: model ?? "?" });
    throw new Failure("malformed_parameter", { with: { name: "related_to", reason } });
  }
  return { kind: "any", of };
}

function inCategory(type: RecordType, id: string): QCondition {
  if (type.field.has("category_id")) return leaf("category_id", id);
  const reason = say("no_categories", { type: type.key });
  throw new Failure("malformed_parameter", { with: { name: "current_category", reason } });
}

/** Gives the list as the JSON text of `paginate`. */
export function relatedList(
  context: OperationContext,
  caller: Caller,
  type: RecordType,
  { relatedTo: id, category, search, q }: RelatedRequest,
): Promise<string> {
  const { q: _q, sort, dir, page, limit } = context.call.parameters;
  const sent = Object.entries({ sort, dir, page, limit }).filter(([, value]) => value !== undefined);
  const conditions: QCondition[] = [];
  if (id !== undefined) conditions.push(relatedTo(type, context.snapshot, id, q?.relatedModelClass));
  if (category !== undefined) conditions.push(inCategory(type, category));
  if (q?.where !== undefined) conditions.push(q.where);
  const where: QCondition = { kind: "all", of: conditions };
  const { relatedModelClass: _model, showHasManyRecords: all, ...asked } = q ?? { header: true };
  const parameters = parseListParameters(Object.assign(emptyTree(), Object.fromEntries(sent)));
  return listWithin(context, caller, type, {
    ...parameters,
    limit: parameters.limit ?? (all === "all" ? listLimits.limit : undefined),
    search: search === "" ? undefined : search,
    q: conditions.length === 0 ? { ...asked } : { ...asked, where },
    track: false,
  });
}

export type ViewRequest =
  | { readonly kind: "record" }
  /** A record is looked up by its values. */
  | { readonly kind: "lookup"; readonly q: Q }
  | { readonly kind: "list"; readonly request: RelatedRequest };

export function parseViewRequest({ parameters }: Call): ViewRequest {
  const q = queryAt(parameters, "q");
  const related = q?.relatedModelClass !== undefined || q?.showHasManyRecords !== undefined;
  const request: RelatedRequest = {
    relatedTo: textAt(parameters, "related_to"),
    category: textAt(parameters, "current_category"),
    search: parameters.search_criteria === "" ? "" : textAt(parameters, "search_criteria"),
    q: related ? q : undefined,
  };
  if (Object.values(request).some((value) => value !== undefined)) return { kind: "list", request };
  return q?.where === undefined ? { kind: "record" } : { kind: "lookup", q };
}
