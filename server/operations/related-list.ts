// What a view can list beside its record: this controller's records that are related to another record, in a category,
// or match a text. Reads what was asked for; the list itself is made where lists are made.
import type { Caller } from "../access/caller.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Call } from "../request/call.ts";
import { parseQ, type Q } from "../request/q.ts";
import { textAt } from "../request/tree.ts";
import type { OperationContext } from "./operation.ts";

export interface RelatedRequest {
  readonly relatedTo: string | undefined;
  readonly category: string | undefined;
  /** Empty text: all. */
  readonly search: string | undefined;
  readonly q: Q | undefined;
}

/** Gives the list as the JSON text of `paginate`. */
export type RelatedList = (
  context: OperationContext,
  caller: Caller,
  type: RecordType,
  request: RelatedRequest,
) => Promise<string>;

/** Undefined while nobody makes such lists. */
export const relatedList: RelatedList | undefined = undefined;

export type ViewRequest =
  | { readonly kind: "record" }
  /** A record is looked up by its values. */
  | { readonly kind: "lookup"; readonly q: Q }
  | { readonly kind: "list"; readonly request: RelatedRequest };

export function parseViewRequest({ parameters }: Call): ViewRequest {
  const text = textAt(parameters, "q");
  const q = text === undefined ? undefined : parseQ(text);
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
