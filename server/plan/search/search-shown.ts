// Takes the words of a search and the columns that a list shows; gives for each word where it stands in what people read
// there: the labels of choices, the names of referenced records, numbers, dates, texts. What is kept for searching is
// not repeated here. A value that a column's type does not read is not looked for in it.
import type { Field, Operator } from "../../fields/field-type.ts";
import { targetOf } from "../../metadata/compile.ts";
import { otherTexts } from "../../metadata/search-text.ts";
import type { ListParameters } from "../../request/list-parameters.ts";
import { type ColumnRef, resolveColumn, type Scope, unlessRefused } from "../column.ts";
import { planFilter } from "../filter.ts";
import type { FilterPlan } from "../filter-plan.ts";
import type { ListView } from "../list-view.ts";
import { valueTypeOf } from "../value.ts";

/** Each is a condition of its own for every word. */
const MOST_COLUMNS = 40;

export interface ShownSearch {
  /** One for each word, in their order: any of its parts may hold. */
  readonly shown: readonly FilterPlan[];
  /** The record's own texts that are kept together for this: each word may stand in one of them. */
  readonly shownTexts: readonly Field[];
}

export function planShownSearch(
  scope: Scope,
  view: ListView,
  sent: ListParameters,
  words: readonly string[],
): ShownSearch {
  if (words.length === 0) return { shown: [], shownTexts: [] };
  const columns = shownColumns(scope, view, sent);
  const isWhole = ({ steps, part }: ColumnRef) => steps.length === 0 && part === undefined;
  const shownTexts = otherTexts(scope.type).filter((field) =>
    columns.some((ref) => isWhole(ref) && ref.field.name === field.name),
  );
  const others = columns.filter((ref) => !(isWhole(ref) && shownTexts.some(({ name }) => name === ref.field.name)));
  return {
    shown: words.map((word) => ({ kind: "or", of: others.flatMap((ref) => inColumn(scope, ref, word) ?? []) })),
    shownTexts,
  };
}

function shownColumns(scope: Scope, view: ListView, sent: ListParameters): ColumnRef[] {
  const fields = sent.q?.fields ?? view.query.fields ?? [{ kind: "all" as const }];
  const names = fields.flatMap((field) => {
    if (field.kind === "all") return scope.type.fields.map(({ name }) => name);
    const isHidden = view.columns.get(field.column)?.invisible === true;
    return isHidden || field.aggregate !== undefined || field.period !== undefined ? [] : [field.column];
  });
  const columns = [...new Set(names)]
    .slice(0, MOST_COLUMNS)
    .flatMap((name) => unlessRefused(() => resolveColumn(scope, name)) ?? []);
  // Whoever sees which record it is sees its name.
  const isOwn = ({ steps, field }: ColumnRef, name: string) => steps.length === 0 && field.name === name;
  const { displayField } = scope.type;
  if (!columns.some((ref) => isOwn(ref, "id")) || columns.some((ref) => isOwn(ref, displayField))) return columns;
  return [...columns, ...(unlessRefused(() => [resolveColumn(scope, displayField)]) ?? [])];
}

function inColumn(scope: Scope, ref: ColumnRef, word: string): FilterPlan | undefined {
  const { type, field } = valueTypeOf(ref);
  const leaf = ({ operator, values }: { readonly operator: Operator; readonly values: readonly string[] }) =>
    unlessRefused(() => planFilter(scope, { kind: "leaf", column: ref.name, operator, values }));
  const found = type.findWord?.(word, field);
  switch (found?.by) {
    case "name":
      return named(scope, ref, word);
    case "text":
      return written(ref, word);
    case "words":
      // The record's own searchable texts are kept together, with an index.
      return ref.steps.length === 0 && field.searchable ? undefined : leaf({ operator: "contains", values: [word] });
    case "value": {
      const of = found.any.flatMap((one) => leaf(one) ?? []);
      return of.length > 1 ? { kind: "or", of } : of[0];
    }
    default:
      return undefined;
  }
}

/** In the text of the wire. */
function written(ref: ColumnRef, value: string): FilterPlan {
  const { sqlType, by } = valueTypeOf(ref);
  return { kind: "text", operand: { kind: "column", ref, by, sqlType }, operator: "contains", value };
}

/** A reference shows the name of its record. */
function named(scope: Scope, ref: ColumnRef, value: string): FilterPlan | undefined {
  const to = targetOf(ref.field);
  const target = to === undefined ? undefined : scope.snapshot.types.get(to);
  const display = target && unlessRefused(() => resolveColumn(scope, `${ref.name}.${target.displayField}`));
  if (!target || !display) return undefined;
  const { sqlType, by } = valueTypeOf(ref);
  return { kind: "named", operand: { kind: "column", ref, by, sqlType }, target, display: display.field, value };
}
