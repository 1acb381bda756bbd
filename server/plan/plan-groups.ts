// Takes a list's parameters and a view that groups; gives a plain plan: which rows, by what they are grouped, which
// aggregates of each group, which groups, in which order. The same access as a plain list: what is hidden is unknown.

import { Failure } from "../../contract/failures.ts";
import { inlineLabel } from "../../contract/labels.ts";
import { type Message, say } from "../../contract/messages.ts";
import { type Language, write } from "../../contract/texts/write.ts";
import { originalLabel } from "../fields/field-type.ts";
import { titleCase } from "../lib/title-case.ts";
import { targetOf, typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { ListParameters } from "../request/list-parameters.ts";
import type { Period, QCondition, QField, QOrder } from "../request/q.ts";
import { expressionText, readExpression } from "../request/q-column.ts";
import { type AggregatePlan, planAggregate } from "./aggregate.ts";
import { type ColumnRef, resolveColumn, type Scope, unlessRefused } from "./column.ts";
import { type FilterPlan, planHaving } from "./filter.ts";
import { aggregatesIn } from "./filter-plan.ts";
import type { ColumnProperties, ListView } from "./list-view.ts";
import { groupingOf, ratesRead, refuseRepeated } from "./plan-list.ts";
import { planRows, type RowsPlan, valuesOf } from "./plan-rows.ts";
import { isGone, standingCondition } from "./standing-condition.ts";
import { tablesRead } from "./tables-read.ts";
import { valueTypeOf } from "./value.ts";

/** One of the things that rows are grouped by. */
export interface GroupKey {
  readonly kind: "group";
  readonly ref: ColumnRef;
  readonly period: Period | undefined;
  /** `leads.status`, `month(leads.created)`. */
  readonly name: string;
  /** The display text of a reference. */
  readonly display: ColumnRef | undefined;
  readonly target: RecordType | undefined;
}

export interface GroupedColumn {
  /** The row's key for the value. */
  readonly key: string;
  /** The row's key for what people read, where it is not the value. */
  readonly displayKey: string | undefined;
  readonly label: string;
  readonly properties: ColumnProperties;
  readonly of: GroupKey | AggregatePlan;
}

export interface GroupOrder {
  readonly by: GroupKey | AggregatePlan;
  readonly descending: boolean;
}

export interface GroupsPlan extends RowsPlan {
  readonly view: ListView;
  readonly groups: readonly GroupKey[];
  readonly columns: readonly GroupedColumn[];
  readonly having: FilterPlan | undefined;
  /** False where comparisons of the view's own `having` no longer hold and are left out. */
  readonly comparesAll: boolean;
  readonly order: readonly GroupOrder[];
  readonly page: number;
  readonly limit: number;
  readonly withHeader: boolean;
  readonly method: "find" | "count";
  /** Record types beside the root that anything of the plan goes through. */
  readonly through: readonly RecordType[];
  readonly signature: string;
}

/** Groups are few, and a chart wants all of them. */
export const DEFAULT_GROUPS = 1_000;
const COUNTED: QField = { kind: "column", column: "*", aggregate: "count" };
const plain: ColumnProperties = { invisible: false, link: false, total: false };

export function planGroups(scope: Scope, view: ListView, sent: ListParameters): GroupsPlan {
  const rows = planRows(scope, view, sent);
  const q = groupingOf(view, sent);
  // A view may speak of columns that this caller may not see: for it they are not there. A request may not.
  const lenient = sent.q?.group === undefined && sent.q?.fields === undefined;
  const keys = (q.group ?? []).flatMap((text) => unlessHidden(lenient, () => groupKey(scope, text)));
  // To group by the same thing again changes nothing.
  const groups = [...new Map(keys.map((group) => [group.name, group])).values()];
  const fields = q.fields ?? [
    ...groups.map(({ ref, period }): QField => ({ kind: "column", column: ref.name, ...(period ? { period } : {}) })),
    { kind: "column", column: `${scope.type.alias}.id`, aggregate: "count" },
  ];
  const known = fields.flatMap((field) => unlessHidden(lenient, () => groupedColumn(scope, view, field, groups)));
  const planned = eachOnce(lenient, known);
  const named = [...(q.group ?? []).map((text) => readExpression(text)?.column ?? text), ...columnsOf(fields)];
  // A view whose figures and groups are all gone still says how many there are. Where any is only hidden, it is not shown.
  const isEmptied = planned.length === 0 && lenient && named.every((column) => isGone(scope, column));
  const columns = isEmptied ? [groupedColumn(scope, view, COUNTED, groups)] : planned;
  if (columns.length === 0) refuse(say("no_visible_fields"));
  const selected = known.map(({ key, of }) => ({ ...of, alias: key }));
  const aliases = new Set(fields.flatMap((field) => (field.kind === "column" ? (field.alias ?? []) : [])));
  const comparable = groups.filter(({ period }) => period === undefined).map(({ ref }) => ref);
  const planCompared = (condition: QCondition): FilterPlan =>
    planHaving(scope, condition, selected, comparable, aliases);
  const ofView = sent.q?.having === undefined && sent.viewQuery === undefined;
  const asked = q.having;
  const comparesAll = !asked || !ofView || unlessRefused(() => planCompared(asked)) !== undefined;
  const compared = comparesAll
    ? asked
    : standingCondition(scope, asked, { plan: planCompared, columnOf: namedBy(fields) });
  const having = compared && planCompared(compared);
  const order = planOrder(scope, columns, groups, sent.sort === undefined ? q.order : undefined, sent);
  const parts = [...groups, ...columns.map(({ of }) => of), ...order.map(({ by }) => by)];
  const refs = parts.flatMap((part) => [part.ref, part.kind === "group" ? part.display : undefined]);
  return {
    ...rows,
    view,
    groups,
    columns,
    having,
    comparesAll,
    order,
    page: sent.page,
    limit: sent.limit ?? view.query.limit ?? DEFAULT_GROUPS,
    withHeader: sent.q?.header ?? true,
    method: sent.q?.method ?? "find",
    through: [
      ...new Set([
        ...tablesRead(
          refs.filter((ref) => ref !== undefined),
          [rows.filter, having, ...rows.shown],
        ),
        ...ratesRead(scope, [...parts.filter((part) => part.kind === "aggregate"), ...aggregatesIn(having)]),
      ]),
    ],
    signature: JSON.stringify([
      scope.type.key,
      view.id,
      view.revision,
      rows.rowsKey,
      groups.map(({ name }) => name),
      columns.map(({ key, of }) => [key, of.name]),
      q.having ?? null,
      having && valuesOf(having),
      order.map(({ by, descending }) => [by.name, descending]),
      groups.some(({ period }) => period !== undefined) ? scope.caller.timeZone : null,
    ]),
  };
}

const columnsOf = (fields: readonly QField[]): readonly string[] =>
  fields.flatMap((field) => (field.kind === "column" ? field.column : []));

/** What stands behind an alias, or in a figure. */
const namedBy =
  (fields: readonly QField[]) =>
  (name: string): string => {
    const named = fields.find((field) => field.kind === "column" && field.alias === name);
    return named?.kind === "column" ? named.column : (readExpression(name)?.column ?? name);
  };

/** The same figure under two names costs twice and says nothing more. */
function eachOnce(lenient: boolean, columns: readonly GroupedColumn[]): GroupedColumn[] {
  const seen = new Map<string, string>();
  return columns.filter(({ key, of: { name } }) => {
    const first = seen.get(name);
    if (first !== undefined && !lenient) refuseRepeated(name, first, key);
    seen.set(name, first ?? key);
    return first === undefined;
  });
}

function unlessHidden<T>(lenient: boolean, make: () => T): T[] {
  try {
    return [make()];
  } catch (error) {
    if (lenient && error instanceof Failure) return [];
    throw error;
  }
}

function groupKey(scope: Scope, text: string): GroupKey {
  const expression = readExpression(text);
  if (!expression || expression.aggregate !== undefined) refuse(say("bad_group", { name: text }));
  const { column, period } = expression;
  const ref = resolveColumn(scope, column);
  if (period !== undefined) {
    const { sqlType, type } = valueTypeOf(ref);
    if (sqlType !== "date" && !sqlType.startsWith("timestamp")) {
      refuse(say("no_period", { name: `${period}(${ref.name})`, type: type.label }));
    }
    return {
      kind: "group",
      ref,
      period,
      name: expressionText({ column: ref.name, period }),
      display: undefined,
      target: undefined,
    };
  }
  const to = targetOf(ref.field);
  const target = to === undefined ? undefined : scope.snapshot.types.get(to);
  const [display] = target ? unlessHidden(true, () => resolveColumn(scope, `${ref.name}.${target.displayField}`)) : [];
  return { kind: "group", ref, period: undefined, name: ref.name, display, target };
}

function groupedColumn(scope: Scope, view: ListView, field: QField, groups: readonly GroupKey[]): GroupedColumn {
  const of = fieldOf(scope, field, groups);
  const alias = field.kind === "column" ? field.alias : undefined;
  const asked = of.kind === "group" && of.period === undefined ? of.ref.asked : undefined;
  const key = alias ?? asked ?? of.name;
  const properties = view.columns.get(key) ?? view.columns.get(of.name) ?? plain;
  const given = properties.label ?? alias;
  const label = given === undefined ? labelOf(of, scope.caller.language) : scope.snapshot.words(given);
  const isShown = of.kind === "group" && (of.target !== undefined || hasDisplay(of));
  const titled = isShown ? titleCase(given ?? originalLabel(of.ref.field)) : undefined;
  return { key, of, label, properties, displayKey: titled === key ? `__${key}` : titled };
}

const hasDisplay = ({ ref, period }: GroupKey): boolean =>
  period === undefined && ref.part === undefined && typeOf(ref.field).display !== undefined;

function fieldOf(scope: Scope, field: QField, groups: readonly GroupKey[]): GroupKey | AggregatePlan {
  if (field.kind === "column" && field.aggregate === undefined) {
    const { name } = groupKey(scope, expressionText(field));
    return groups.find((group) => group.name === name) ?? refuse(say("not_grouped", { key: "fields", name }));
  }
  const planned = planAggregate(scope, field, []);
  return planned.kind === "aggregate" ? planned : refuse(say("not_grouped", { key: "fields", name: planned.name }));
}

function labelOf(of: GroupKey | AggregatePlan, language: Language): string {
  if (of.kind === "group") return of.ref.field.label;
  if (of.ref === undefined || (of.aggregate === "count" && of.ref.field.name === "id"))
    return write(say("aggregate_all"), language);
  return write(say(`aggregate_${of.aggregate}`, { field: inlineLabel(of.ref.field.label, language) }), language);
}

/** By what was asked for; else along the groups themselves. */
function planOrder(
  scope: Scope,
  columns: readonly GroupedColumn[],
  groups: readonly GroupKey[],
  asked: readonly QOrder[] | undefined,
  sent: ListParameters,
): GroupOrder[] {
  const find = (name: string, parameter: string): GroupKey | AggregatePlan => {
    const named = columns.find((column) => column.key === name || column.of.name === name);
    if (named) return named.of;
    const expression = readExpression(name);
    if (expression?.aggregate !== undefined) return fieldOf(scope, { kind: "column", ...expression }, groups);
    const key = expression && groupKey(scope, name).name;
    const group = groups.find((one) => one.name === key);
    if (group) return group;
    throw new Failure("malformed_parameter", {
      with: { name: parameter, reason: say("not_in_groups", { name }) },
    });
  };
  if (sent.sort !== undefined) return [{ by: find(sent.sort, "sort"), descending: sent.descending }];
  // What a view sorts by and this caller may not see is not there.
  const lenient = sent.q?.order === undefined;
  const order = (asked ?? []).flatMap(({ column, descending }) =>
    unlessHidden(lenient, () => ({ by: find(column, "q"), descending })),
  );
  return order.length > 0 ? order : groups.map((by) => ({ by, descending: false }));
}

function refuse(reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name: "q", reason } });
}
