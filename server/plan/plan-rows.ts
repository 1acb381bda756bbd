// Takes a list's parameters, the chosen view and the caller; gives which rows a list is about: conditions, search words,
// deleted or not. Pages, groups, counts, totals and exports all start from this one answer.
import { fieldMask } from "../access/field-mask.ts";
import type { Field } from "../fields/field-type.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { type ListParameters, searchWords } from "../request/list-parameters.ts";
import type { QCondition } from "../request/q.ts";
import { namesActors } from "./actors-column.ts";
import { type Scope, unlessRefused } from "./column.ts";
import { type FilterPlan, planFilter, shapeOf } from "./filter.ts";
import { valuesIn } from "./filter-plan.ts";
import type { ListView } from "./list-view.ts";
import { planChoices } from "./plan-choices.ts";
import type { RowAccess } from "./row-access.ts";
import type { RareTrigrams } from "./search/rare-trigrams.ts";
import { planShownSearch } from "./search/search-shown.ts";
import { standingCondition } from "./standing-condition.ts";
import { tablesRead } from "./tables-read.ts";

export interface RowsPlan {
  readonly scope: Scope;
  /** Which of the rows the caller may read: whoever compiles or counts the plan keeps to it. */
  readonly access: RowAccess;
  readonly filter: FilterPlan | undefined;
  /** The view's and the request's conditions, as they were read. */
  readonly condition: QCondition | undefined;
  /** Folded by the database; every one must occur. */
  readonly words: readonly string[];
  /** The fields that words are looked for in; undefined: all searchable ones, which are kept together in one column. */
  readonly searched: readonly Field[] | undefined;
  /** For each word, where it may stand instead: in what the list shows beside those texts. */
  readonly shown: readonly FilterPlan[];
  /** The same with the names that it goes by looked up already; what is found by it, `shown` would find. */
  readonly found?: readonly FilterPlan[];
  /** What of the words is looked for in the index of the texts; all of them without it. */
  readonly rare?: RareTrigrams;
  /** Texts that are looked into because the list shows them; kept in the same column. */
  readonly shownTexts: readonly Field[];
  /** False where the view or q itself filters on `deleted`. */
  readonly live: boolean;
  readonly maskKey: string;
  /** A condition goes through an association: what it matches depends on what the caller may read there. */
  readonly throughAssociations: boolean;
  /** Tells which rows the list is about, values included. */
  readonly rowsKey: string;
}

export function planRows(scope: Scope, view: ListView, sent: ListParameters): RowsPlan {
  const { type, caller } = scope;
  const mask = fieldMask(type, caller);
  const conditions = [ownCondition(scope, view, sent), sent.q?.where].filter((condition) => condition !== undefined);
  const condition: QCondition | undefined = conditions.length > 1 ? { kind: "all", of: conditions } : conditions[0];
  const words = [...new Set([...searchWords(view.query.search), ...searchWords(sent.search)])];
  const filter = both(condition && planFilter(scope, condition), sent.choices && planChoices(scope, sent.choices));
  const live = !conditions.some((one) => mentions(one, "deleted", type));
  const searchable = type.fields.filter((field) => field.searchable);
  const visible = searchable.filter((field) => mask.visible.has(field.name));
  const searched = words.length === 0 || visible.length === searchable.length ? undefined : visible;
  const { shown, shownTexts } = planShownSearch(scope, view, sent, words);
  const rowsKey = JSON.stringify([
    filter && shapeOf(filter),
    filter && valuesOf(filter),
    words,
    searched?.map((field) => field.name),
    shownTexts.map((field) => field.name),
    shown.map((one) => [shapeOf(one), valuesOf(one)]),
    live,
  ]);
  return {
    scope,
    access: { kind: "in-statement" },
    filter,
    condition,
    words,
    searched,
    shown,
    shownTexts,
    live,
    maskKey: mask.key,
    throughAssociations: (condition !== undefined && goesFurther(condition, type)) || tablesRead([], shown).size > 0,
    rowsKey,
  };
}

const both = (one: FilterPlan | undefined, other: FilterPlan | undefined): FilterPlan | undefined =>
  one && other ? { kind: "and", of: [one, other] } : (one ?? other);

/** Whether every comparison of a saved view still holds: without some of them it means other records. */
export const isWhole = (scope: Scope, { query: { where } }: ListView): boolean =>
  where === undefined || unlessRefused(() => planFilter(scope, where)) !== undefined;

/** A saved view goes on where a change of design has taken away what it compares; a draft of one is told. */
function ownCondition(
  scope: Scope,
  { query: { where } }: ListView,
  { viewQuery }: ListParameters,
): QCondition | undefined {
  if (where === undefined || viewQuery !== undefined) return where;
  return unlessRefused(() => planFilter(scope, where)) === undefined ? standingCondition(scope, where) : where;
}

export function mentions(condition: QCondition, field: string, type: RecordType): boolean {
  switch (condition.kind) {
    case "leaf":
      return (
        condition.column === field ||
        condition.column === `${type.alias}.${field}` ||
        condition.column === `{{MODEL}}.${field}`
      );
    case "not":
      return mentions(condition.of, field, type);
    default:
      return condition.of.some((one) => mentions(one, field, type));
  }
}

/** Names with more than alias and field lead to other records; so does whose turn it is. */
function goesFurther(condition: QCondition, type: RecordType): boolean {
  if (condition.kind === "not") return goesFurther(condition.of, type);
  if (condition.kind !== "leaf") return condition.of.some((one) => goesFurther(one, type));
  if (namesActors(condition.column, type)) return true;
  const [first, ...rest] = condition.column.split(".");
  return rest.length > 1 || (rest.length === 1 && first !== type.alias && first !== "{{MODEL}}");
}

/** What the conditions come to, each by itself, at this moment: `{{TODAY}}` means another day tomorrow, `{{CURRENT_USER}}` another person. */
export function valuesOf(filter: FilterPlan): readonly unknown[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.map(valuesOf);
    case "not":
    case "exists":
      return valuesOf(filter.of);
    case "compare":
    case "text":
    case "named":
      return [filter.value];
    case "among":
      return [filter.values, filter.orNull];
    case "between":
      return [filter.from, filter.to];
    case "formula":
      return valuesIn(filter.checked);
    case "turn":
      return [filter.users, filter.orNobody];
    case "null":
      return [];
  }
}
