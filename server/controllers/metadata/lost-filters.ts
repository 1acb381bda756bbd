// Takes a saved view's query and the record types as they are and as they would be; gives the fields whose comparisons the view would have
// to leave out: an operator or a value that the new type does not have. Pure.
import type { Caller } from "../../access/caller.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { fieldsOnPath } from "../../metadata/uses/field-path.ts";
import { unlessRefused } from "../../plan/column.ts";
import { planFilter } from "../../plan/filter.ts";
import { parseViewQuery } from "../../plan/list-view.ts";
import type { QCondition } from "../../request/q.ts";

type Comparison = Extract<QCondition, { readonly kind: "leaf" }>;

const comparisonsIn = (condition: QCondition): readonly Comparison[] =>
  condition.kind === "leaf"
    ? [condition]
    : condition.kind === "not"
      ? comparisonsIn(condition.of)
      : condition.of.flatMap(comparisonsIn);

interface Question {
  readonly snapshot: Snapshot;
  /** Undefined where nobody knows yet what the field would be: then all that are compared are given. */
  readonly after?: Snapshot;
  readonly caller: Caller;
  /** The type whose fields are wanted. */
  readonly key: string;
}

export function lostFilters(
  { snapshot, after, caller, key }: Question,
  type: RecordType,
  query: string | null,
): ReadonlySet<string> {
  const where = unlessRefused(() => parseViewQuery(query))?.query.where;
  const now = new Date();
  const fits = (known: Snapshot, comparison: Comparison): boolean => {
    const of = known.types.get(type.key);
    return (
      of !== undefined &&
      unlessRefused(() => planFilter({ snapshot: known, type: of, caller, now }, comparison)) !== undefined
    );
  };
  const lost = where ? comparisonsIn(where).filter((one) => fits(snapshot, one) && !(after && fits(after, one))) : [];
  return new Set(
    lost.flatMap(({ column }) =>
      (fieldsOnPath(snapshot, type, column) ?? []).flatMap((one) => (one.type === key ? [one.field] : [])),
    ),
  );
}
