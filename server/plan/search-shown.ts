// Takes the words of a search and the columns that a list shows; gives for each word where it stands in what people read
// there: the labels of choices, the names of referenced records, numbers, dates, texts. What is kept for searching is
// not repeated here. A value that a column's type does not read is not looked for in it.
import { Failure } from "../../contract/failures.ts";
import type { Field } from "../fields/field-type.ts";
import type { ListParameters } from "../request/list-parameters.ts";
import type { QCondition } from "../request/q.ts";
import { type ColumnRef, resolveColumn, type Scope } from "./column.ts";
import { planFilter } from "./filter.ts";
import type { FilterPlan } from "./filter-plan.ts";
import type { ListView } from "./list-view.ts";
import { valueTypeOf } from "./value.ts";

/** Each is a condition of its own for every word. */
const MOST_COLUMNS = 40;

/** One for each word, in their order: any of its parts may hold. */
export function planShownSearch(
  scope: Scope,
  view: ListView,
  sent: ListParameters,
  words: readonly string[],
): readonly FilterPlan[] {
  if (words.length === 0) return [];
  const columns = shownColumns(scope, view, sent);
  return words.map((word) => ({ kind: "or", of: columns.flatMap((ref) => inColumn(scope, ref, word) ?? []) }));
}

function shownColumns(scope: Scope, view: ListView, sent: ListParameters): ColumnRef[] {
  const fields = sent.q?.fields ?? view.query.fields ?? [{ kind: "all" as const }];
  const names = fields.flatMap((field) => {
    if (field.kind === "all") return scope.type.fields.map(({ name }) => name);
    const isHidden = view.columns.get(field.column)?.invisible === true;
    return isHidden || field.aggregate !== undefined || field.period !== undefined ? [] : [field.column];
  });
  return [...new Set(names)]
    .slice(0, MOST_COLUMNS)
    .flatMap((name) => unlessRefused(() => resolveColumn(scope, name)) ?? []);
}

function inColumn(scope: Scope, ref: ColumnRef, word: string): FilterPlan | undefined {
  const { type, field } = valueTypeOf(ref);
  const leaf = (operator: Extract<QCondition, { kind: "leaf" }>["operator"], ...values: string[]) =>
    unlessRefused(() => planFilter(scope, { kind: "leaf", column: ref.name, operator, values }));
  switch (type.id) {
    case "reference":
      return named(scope, ref, word);
    case "choice": {
      const values = labelled(field, word);
      return values.length === 0 ? undefined : leaf("in", ...values);
    }
    case "multiple-choice": {
      const of = labelled(field, word).flatMap((value) => leaf("contains", value) ?? []);
      return of.length === 0 ? undefined : { kind: "or", of };
    }
    case "integer":
    case "decimal":
    case "money":
    case "percent":
    case "date":
      return /\d/u.test(word) ? leaf("=", word) : undefined;
    case "date-time":
      if (!/\d/u.test(word)) return undefined;
      return isTime(word) ? written(ref, word) : leaf("between", word, `${word} 23:59:59`);
    case "geo-point":
      return /\d/u.test(word) ? written(ref, word) : undefined;
    case "short-text":
    case "long-text":
    case "email":
    case "phone":
    case "url":
    case "address":
    case "auto-number":
      // The record's own searchable texts are kept together, with an index.
      return ref.steps.length === 0 && field.searchable ? undefined : leaf("contains", word);
    default:
      return undefined;
  }
}

/** A time of day. */
const isTime = (word: string): boolean => /^\d{1,2}:\d{2}(?::\d{2})?$/u.test(word);

/** In the text of the wire. */
function written(ref: ColumnRef, value: string): FilterPlan {
  const { sqlType, by } = valueTypeOf(ref);
  return { kind: "text", operand: { kind: "column", ref, by, sqlType }, operator: "contains", value };
}

/** A reference shows the name of its record. */
function named(scope: Scope, ref: ColumnRef, value: string): FilterPlan | undefined {
  const { to } = ref.field.settings as { to?: unknown }; // only references have a target
  const target = typeof to === "string" ? scope.snapshot.types.get(to) : undefined;
  const display = target && unlessRefused(() => resolveColumn(scope, `${ref.name}.${target.displayField}`));
  if (!target || !display) return undefined;
  const { sqlType, by } = valueTypeOf(ref);
  return { kind: "named", operand: { kind: "column", ref, by, sqlType }, target, display: display.field, value };
}

/** Without regard to case and accents, as everything that is searched. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function labelled(field: Field, word: string): string[] {
  const { options } = field.settings as { options: readonly { readonly value: string; readonly label: string }[] };
  const filterValue = folded(word);
  // People read the label, programs the value.
  return options
    .map(({ value }) => value)
    .filter((value, index) => {
      return [value, options[index]?.label ?? ""].some((text) => folded(text).includes(filterValue));
    });
}

function unlessRefused<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
