// Takes a saved view's query and the record types as they are and as they would be; gives what the view does with each field of a type, and
// what of that it would have to leave out: a comparison, a group, a figure or an order that the new type does not have. Pure.
import type { ViewPart } from "../../../contract/field-uses.ts";
import type { Caller } from "../../access/caller.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { fieldsOnPath } from "../../metadata/uses/field-path.ts";
import { asSaved, planView } from "../../operations/plan-view.ts";
import { resolveColumn, type Scope, unlessRefused } from "../../plan/column.ts";
import { planFilter } from "../../plan/filter.ts";
import { generatedView, parseViewQuery, type ViewQuery } from "../../plan/list-view.ts";
import { isNumeric, valueTypeOf } from "../../plan/value.ts";
import type { Q, QCondition, QField } from "../../request/q.ts";
import { readExpression } from "../../request/q-column.ts";

type Comparison = Extract<QCondition, { readonly kind: "leaf" }>;

const comparisonsIn = (condition: QCondition | undefined): readonly Comparison[] =>
  condition === undefined
    ? []
    : condition.kind === "leaf"
      ? [condition]
      : condition.kind === "not"
        ? comparisonsIn(condition.of)
        : condition.of.flatMap(comparisonsIn);

interface Question {
  readonly snapshot: Snapshot;
  /** Undefined where nobody knows yet what the field would be: then all that could be lost is given. */
  readonly after?: Snapshot;
  readonly caller: Caller;
  /** The type, and the fields of it that are wanted. */
  readonly key: string;
  readonly fields: readonly string[];
}

/** One thing that a view does with a column. */
interface DonePart {
  readonly part: ViewPart;
  readonly column: string;
  readonly fits: (scope: Scope) => boolean;
}

/** As a request, not as a view: of a view, what cannot be done is passed over. */
const canAsk =
  (q: Omit<Q, "header">) =>
  (scope: Scope): boolean =>
    unlessRefused(() => planView(scope, generatedView(scope.type), { ...asSaved, q: { header: true, ...q } })) !==
    undefined;

const innerOf = (text: string): string => readExpression(text)?.column ?? text;

function partsOf({ query, columns, look }: ViewQuery): readonly DonePart[] {
  const { where, fields = [], group = [], order = [], having } = query;
  const figures = fields.filter((field) => field.kind === "column" && field.aggregate !== undefined);
  const isGrouped = group.length + figures.length > 0;
  const namedBy = (name: string): QField | undefined =>
    fields.find((field) => field.kind === "column" && field.alias === name);
  /** What is compared or sorted by in groups: a figure, one of the groups, or one of these by its alias. */
  const ofGroups = (part: ViewPart, name: string, q: Omit<Q, "header">): DonePart => {
    const named = namedBy(name);
    const column = named?.kind === "column" ? named.column : innerOf(name);
    const groups = group.filter((one) => innerOf(one) === column);
    const fits = canAsk({
      group: groups,
      fields: named ? [named] : [{ kind: "column", column: "*", aggregate: "count" }],
      ...q,
    });
    return { part, column, fits };
  };
  return [
    ...[...comparisonsIn(where), ...look.conditions.flatMap(comparisonsIn)].map(
      (one): DonePart => ({
        part: "filter",
        column: one.column,
        fits: (scope) => unlessRefused(() => planFilter(scope, one)) !== undefined,
      }),
    ),
    ...comparisonsIn(having).map((one) => ofGroups("filter", one.column, { having: one })),
    ...[...group, ...look.sections].map(
      (text): DonePart => ({ part: "group", column: innerOf(text), fits: canAsk({ group: [text] }) }),
    ),
    ...figures.flatMap((field): DonePart[] =>
      field.kind === "column" ? [{ part: "figure", column: field.column, fits: canAsk({ fields: [field] }) }] : [],
    ),
    ...[...columns].flatMap(([column, { total }]): DonePart[] => {
      const fits = (scope: Scope): boolean =>
        unlessRefused(() => isNumeric(valueTypeOf(resolveColumn(scope, column)))) ?? false;
      return total && !isGrouped ? [{ part: "figure", column, fits }] : [];
    }),
    ...order.map((one): DonePart => {
      if (isGrouped) return ofGroups("sort", one.column, { order: [one] });
      return { part: "sort", column: one.column, fits: canAsk({ order: [one] }) };
    }),
  ];
}

export interface PartsOfField {
  readonly does: ReadonlySet<ViewPart>;
  readonly loses: ReadonlySet<ViewPart>;
}

/** By field: what the view does with it and can do now, and what of that it could not do any more. */
export function viewParts(
  { snapshot, after, caller, key, fields }: Question,
  type: RecordType,
  query: string | null,
): ReadonlyMap<string, PartsOfField> {
  const read = unlessRefused(() => parseViewQuery(query));
  const now = new Date();
  const fits = (known: Snapshot, part: DonePart): boolean => {
    const of = known.types.get(type.key);
    return of !== undefined && part.fits({ snapshot: known, type: of, caller, now });
  };
  const found = new Map<string, { does: Set<ViewPart>; loses: Set<ViewPart> }>();
  for (const part of read ? partsOf(read) : []) {
    const on = (fieldsOnPath(snapshot, type, part.column) ?? []).filter(
      (one) => one.type === key && fields.includes(one.field),
    );
    // What is lost once is lost: a view may compare a field hundreds of times.
    if (on.every(({ field }) => found.get(field)?.loses.has(part.part)) || !fits(snapshot, part)) continue;
    const isLost = !(after && fits(after, part));
    for (const { field } of on) {
      const known = found.get(field) ?? { does: new Set(), loses: new Set() };
      known.does.add(part.part);
      if (isLost) known.loses.add(part.part);
      found.set(field, known);
    }
  }
  return found;
}
