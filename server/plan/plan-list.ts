// Takes a list's parameters, the chosen view, the snapshot and the caller; gives a plain plan: which columns, which
// rows, in which order. Access is not asked for here: it is in the plan's scope, and compiling cannot leave it out.
import { Failure } from "../../contract/failures.ts";
import { fieldMask } from "../access/field-mask.ts";
import type { Field } from "../fields/field-type.ts";
import { titleCase } from "../lib/humanize.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { type ListParameters, searchWords } from "../request/list-parameters.ts";
import type { QCondition, QField } from "../request/q.ts";
import { type ColumnRef, resolveColumn, type Scope } from "./column.ts";
import { type FilterPlan, planFilter, shapeOf } from "./filter.ts";
import type { ColumnProperties, ListView } from "./list-view.ts";

export interface ListColumn {
  /** The row's key for the value. */
  readonly key: string;
  readonly ref: ColumnRef;
  readonly label: string;
  /** The row's key for a reference's display text. */
  readonly displayKey: string | undefined;
  /** The record type that a reference column leads to. */
  readonly target: RecordType | undefined;
  readonly properties: ColumnProperties;
}

export interface ListOrder {
  readonly ref: ColumnRef;
  readonly descending: boolean;
}

export interface ListPlan {
  readonly scope: Scope;
  readonly view: ListView;
  readonly columns: readonly ListColumn[];
  readonly filter: FilterPlan | undefined;
  /** Folded by the database; every one must occur. */
  readonly words: readonly string[];
  /** False where the view or q itself filters on `deleted`. */
  readonly live: boolean;
  readonly order: readonly ListOrder[];
  readonly page: number;
  readonly limit: number;
  readonly withHeader: boolean;
  readonly method: "find" | "count";
  readonly maskKey: string;
  /** A condition goes through an association: what it matches depends on what the caller may read there. */
  readonly throughAssociations: boolean;
  /** Tells which rows the list is about, values included. */
  readonly rowsKey: string;
  /** Tells this list from any other of the same caller, whatever its page. */
  readonly signature: string;
}

export const DEFAULT_LIMIT = 25;
const plain: ColumnProperties = { invisible: false, link: false, total: false };

export function planList(scope: Scope, view: ListView, sent: ListParameters): ListPlan {
  const { type, caller } = scope;
  const mask = fieldMask(type, caller);
  const conditions = [view.query.where, sent.q?.where].filter((condition) => condition !== undefined);
  const condition: QCondition | undefined = conditions.length > 1 ? { kind: "all", of: conditions } : conditions[0];
  const order = planOrder(scope, view, sent);
  const words = searchWords(sent.search ?? view.query.search);
  const columns = planColumns(scope, view, sent);
  const filter = condition === undefined ? undefined : planFilter(scope, condition);
  const live = !conditions.some((one) => mentions(one, "deleted", type));
  const rowsKey = JSON.stringify([filter && shapeOf(filter), filter && valuesOf(filter), words, live]);
  return {
    scope,
    view,
    columns,
    filter,
    words,
    live,
    order,
    page: sent.page,
    limit: sent.limit ?? view.query.limit ?? DEFAULT_LIMIT,
    withHeader: sent.q?.header ?? true,
    method: sent.q?.method ?? "find",
    maskKey: mask.key,
    throughAssociations: condition !== undefined && goesFurther(condition, type),
    rowsKey,
    signature: JSON.stringify([
      type.key,
      view.id,
      view.revision,
      rowsKey,
      columns.map((column) => column.key),
      order.map((one) => [one.ref.name, one.descending]),
    ]),
  };
}

function mentions(condition: QCondition, field: string, type: RecordType): boolean {
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

/** Names with more than alias and field lead to other records. */
function goesFurther(condition: QCondition, type: RecordType): boolean {
  if (condition.kind === "not") return goesFurther(condition.of, type);
  if (condition.kind !== "leaf") return condition.of.some((one) => goesFurther(one, type));
  const [first, ...rest] = condition.column.split(".");
  return rest.length > 1 || (rest.length === 1 && first !== type.alias && first !== "{{MODEL}}");
}

/** What the conditions come to at this moment: `{{TODAY}}` means another day tomorrow, `{{CURRENT_USER}}` another person. */
function valuesOf(filter: FilterPlan): readonly string[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.flatMap(valuesOf);
    case "not":
    case "exists":
      return valuesOf(filter.of);
    case "compare":
    case "text":
      return [filter.value];
    case "among":
      return [...filter.values, String(filter.orNull)];
    case "between":
      return [filter.from, filter.to];
    case "null":
      return [];
  }
}

const referenceTarget = (scope: Scope, field: Field): RecordType | undefined => {
  const { to } = field.settings as { to?: unknown }; // only references have a target
  return field.type === "reference" && typeof to === "string" ? scope.snapshot.types.get(to) : undefined;
};

/** A view may name columns that this caller may not see: for it they are not there. A request may not. */
function planColumns(scope: Scope, view: ListView, sent: ListParameters): ListColumn[] {
  const asked = sent.q?.fields?.some((field) => field.kind === "column") ? sent.q.fields : undefined;
  const fields: readonly QField[] = asked ?? view.query.fields ?? allFields(scope.type);
  const columns: ListColumn[] = [];
  for (const field of fields.flatMap((one) => (one.kind === "all" ? allFields(scope.type) : [one]))) {
    if (field.kind === "all") continue;
    if (field.aggregate !== undefined) {
      throw new Failure("malformed_parameter", {
        with: { name: "q", reason: `${field.aggregate}(${field.column}) needs a group` },
      });
    }
    let ref: ColumnRef;
    try {
      ref = resolveColumn(scope, field.column);
    } catch (error) {
      if (asked === undefined && error instanceof Failure) continue;
      throw error;
    }
    const key = field.alias ?? ref.name;
    if (columns.some((column) => column.key === key)) continue;
    const properties = view.columns.get(ref.name) ?? view.columns.get(field.column) ?? plain;
    const target = referenceTarget(scope, ref.field);
    const label = properties.label ?? field.alias ?? ref.field.label;
    columns.push({
      key,
      ref,
      label,
      target,
      displayKey: target === undefined ? undefined : titleCase(label),
      properties,
    });
  }
  return columns;
}

const allFields = (type: RecordType): QField[] =>
  type.fields.map((field) => ({ kind: "column", column: `${type.alias}.${field.name}` }));

function planOrder(scope: Scope, view: ListView, sent: ListParameters): ListOrder[] {
  const { type } = scope;
  if (sent.sort !== undefined) {
    const ref = resolveColumn(scope, sent.sort, "sort");
    requireSortable(ref, "sort");
    return [{ ref: sortedBy(scope, ref), descending: sent.descending }];
  }
  const asked = sent.q?.order ?? view.query.order;
  if (asked === undefined || asked.length === 0) {
    return [{ ref: resolveColumn(scope, `${type.alias}.created`), descending: true }];
  }
  return asked.map((order) => {
    const ref = resolveColumn(scope, order.column);
    requireSortable(ref, "q");
    return { ref: sortedBy(scope, ref), descending: order.descending };
  });
}

function requireSortable(ref: ColumnRef, name: string): void {
  if (ref.field.sortable) return;
  throw new Failure("malformed_parameter", {
    with: { name, reason: `${ref.name} (${typeOf(ref.field).label}) cannot be sorted by` },
  });
}

/** People sort a reference by what it shows, not by its id. */
function sortedBy(scope: Scope, ref: ColumnRef): ColumnRef {
  const target = referenceTarget(scope, ref.field);
  if (!target || target.field.get(target.displayField)?.type === "reference") return ref;
  return resolveColumn(scope, `${ref.name}.${target.displayField}`);
}

export const isGrouped = (view: ListView, sent: ListParameters): boolean =>
  (sent.q?.group ?? view.query.group ?? []).length > 0 ||
  (sent.q?.fields ?? view.query.fields ?? []).some((field) => field.kind === "column" && field.aggregate !== undefined);
