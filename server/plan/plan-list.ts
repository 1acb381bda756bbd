// Takes a list's parameters, the chosen view, the snapshot and the caller; gives a plain plan: which columns, which
// rows, in which order. Access is part of it (row-access.ts), and compiling cannot leave it out.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { type Field, originalLabel } from "../fields/field-type.ts";
import { Recent } from "../lib/memory/recent.ts";
import { titleCase } from "../lib/title-case.ts";
import { targetOf, typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { ListParameters } from "../request/list-parameters.ts";
import type { Q, QField } from "../request/q.ts";
import { ACTORS, ACTORS_COLUMN, actorsRef } from "./actors-column.ts";
import { type ColumnRef, resolveColumn, type Scope, unknownColumn, unlessRefused } from "./column.ts";
import { CURRENCIES, type CurrencySource, currencySource, EXCHANGE_RATES } from "./currency.ts";
import type { ColumnProperties, ListView } from "./list-view.ts";
import { planRows, type RowsPlan } from "./plan-rows.ts";
import { tablesRead } from "./tables-read.ts";

export interface ListColumn {
  /** The row's key for the value. */
  readonly key: string;
  readonly ref: ColumnRef;
  readonly label: string;
  /** The row's key for a reference's display text. */
  readonly displayKey: string | undefined;
  /** The record type that a reference column leads to. */
  readonly target: RecordType | undefined;
  /** The column holds whom the record waits for: told by its access set, so its value is `acl_id`. */
  readonly actors?: true;
  /** Of an amount: where its currency stands. */
  readonly currency?: CurrencySource;
  readonly properties: ColumnProperties;
}

export interface ListOrder {
  readonly ref: ColumnRef;
  readonly descending: boolean;
}

export interface ListPlan extends RowsPlan {
  readonly view: ListView;
  readonly columns: readonly ListColumn[];
  /** The currencies of its amounts, read along with each row. */
  readonly currencies: readonly ColumnRef[];
  readonly order: readonly ListOrder[];
  readonly page: number;
  readonly limit: number;
  readonly withHeader: boolean;
  readonly method: "find" | "count";
  /** Record types beside the root that columns, conditions or order go through. */
  readonly through: readonly RecordType[];
  /** Tells this list from any other of the same caller, whatever its page. */
  readonly signature: string;
}

export const DEFAULT_LIMIT = 25;
const plain: ColumnProperties = { invisible: false, link: false, total: false };

/** What of a plan does not depend on values: names, resolved for this caller, this view and this order. */
interface Resolved {
  readonly columns: readonly ListColumn[];
  readonly currencies: readonly ColumnRef[];
  readonly order: readonly ListOrder[];
  readonly refs: readonly ColumnRef[];
  readonly signature: string;
}

/**
 * What a person's lists have in common. A Caller is one object from its first request until anything about its access changes;
 * who has not asked for a list for long is forgotten, since much hangs on an entry.
 */
interface PlansOfCaller {
  /** Other pages, filters and words of a view have the same names. */
  readonly resolved: Map<string, Resolved & { readonly view: ListView }>;
  /** Plans without conditions come out the same every time: the same object then, so that more can be kept with it. */
  readonly plans: Map<string, ListPlan>;
}

const MOST_CALLERS = 1_000;

/** Nothing of an earlier snapshot is reached from here: it goes with all that was planned by it. */
const plansFor = new WeakMap<Snapshot, Recent<Caller, PlansOfCaller>>();

function plansOf({ caller, snapshot }: Scope): PlansOfCaller {
  const callers = plansFor.get(snapshot) ?? new Recent<Caller, PlansOfCaller>(MOST_CALLERS);
  plansFor.set(snapshot, callers);
  const known = callers.get(caller) ?? { resolved: new Recent(100), plans: new Recent(200) };
  callers.set(caller, known);
  return known;
}

function resolveNames(scope: Scope, view: ListView, sent: ListParameters): Resolved {
  if (sent.viewQuery ?? sent.q?.fields ?? sent.q?.order) return resolveAnew(scope, view, sent);
  const known = plansOf(scope).resolved;
  const key = namesKey(scope, view, sent);
  let resolved = known.get(key);
  if (resolved?.view !== view) {
    resolved = { ...resolveAnew(scope, view, sent), view };
    known.set(key, resolved);
  }
  return resolved;
}

const namesKey = ({ type }: Scope, view: ListView, sent: ListParameters): string =>
  `${type.key} ${type.alias} ${view.id} ${view.revision} ${sent.sort ?? ""} ${sent.descending}`;

function resolveAnew(scope: Scope, view: ListView, sent: ListParameters): Resolved {
  const order = planOrder(scope, view, sent);
  const columns = planColumns(scope, view, sent);
  return {
    columns,
    currencies: currenciesOf(columns),
    order,
    refs: [...columns.map(({ ref }) => ref), ...order.map(({ ref }) => ref)],
    signature: JSON.stringify([
      scope.type.key,
      scope.type.alias,
      view.id,
      view.revision,
      columns.map((column) => [column.key, column.ref.name]),
      order.map((one) => [one.ref.name, one.descending]),
    ]),
  };
}

export function planList(scope: Scope, view: ListView, sent: ListParameters): ListPlan {
  if (
    sent.q !== undefined ||
    sent.choices !== undefined ||
    sent.viewQuery !== undefined ||
    view.query.where !== undefined ||
    (sent.search ?? view.query.search) !== undefined
  ) {
    return planAnew(scope, view, sent);
  }
  const known = plansOf(scope).plans;
  const key = `${namesKey(scope, view, sent)} ${sent.page} ${sent.limit}`;
  let plan = known.get(key);
  if (plan?.view !== view) {
    plan = planAnew(scope, view, sent);
    known.set(key, plan);
  }
  return plan;
}

function planAnew(scope: Scope, view: ListView, sent: ListParameters): ListPlan {
  const rows = planRows(scope, view, sent);
  const { columns, currencies, order, refs, signature } = resolveNames(scope, view, sent);
  return {
    ...rows,
    view,
    columns,
    currencies,
    order,
    page: sent.page,
    limit: sent.limit ?? view.query.limit ?? DEFAULT_LIMIT,
    withHeader: sent.q?.header ?? true,
    method: sent.q?.method ?? "find",
    through: [...new Set([...tablesRead(refs, [rows.filter, ...rows.shown]), ...ratesRead(scope, columns)])],
    signature: `${signature} ${rows.rowsKey}`,
  };
}

/** Each once, however many amounts are in it. */
const currenciesOf = (columns: readonly ListColumn[]): readonly ColumnRef[] => [
  ...new Map(
    columns.flatMap(({ currency }) => (currency?.kind === "field" ? [[currency.ref.name, currency.ref] as const] : [])),
  ).values(),
];

/** What amounts are shown and added up by. */
export function ratesRead({ snapshot }: Scope, parts: readonly { readonly currency?: CurrencySource }[]): RecordType[] {
  if (!parts.some(({ currency }) => currency !== undefined)) return [];
  return [EXCHANGE_RATES, CURRENCIES].flatMap((key) => snapshot.types.get(key) ?? []);
}

const referenceTarget = (scope: Scope, field: Field): RecordType | undefined => {
  const to = targetOf(field);
  return to === undefined ? undefined : scope.snapshot.types.get(to);
};

/** A view may name columns that this caller may not see: for it they are not there. A request may not. */
function planColumns(scope: Scope, view: ListView, sent: ListParameters): ListColumn[] {
  const asked = sent.q?.fields;
  const fields: readonly QField[] = asked ?? view.query.fields ?? [{ kind: "all" }];
  const columns: ListColumn[] = [];
  const everything = allFields(scope.type);
  // How often each column is read decides what a row weighs: whoever names one twice, under whatever alias, is told.
  const named = new Map<string, string>();
  for (const one of fields) {
    if (one.kind === "all" && one.of !== undefined && !scope.type.names.includes(one.of) && one.of !== "{{MODEL}}") {
      unknownColumn(scope, `${one.of}.*`, "q");
    }
  }
  for (const field of fields.flatMap((one) => (one.kind === "all" ? everything : [one]))) {
    const waiting = actorsRef(scope, field.column);
    let ref: ColumnRef;
    try {
      ref = waiting ?? resolveColumn(scope, field.column);
    } catch (error) {
      if ((asked === undefined || everything.includes(field)) && error instanceof Failure) continue;
      throw error;
    }
    const key = field.alias ?? (waiting ? ACTORS : nameOf(ref, asked !== undefined));
    if (!everything.includes(field)) {
      if (named.has(ref.name) && asked !== undefined) refuseRepeated(ref.name, named.get(ref.name) ?? "", key);
      if (named.has(ref.name)) continue;
      named.set(ref.name, key);
    }
    if (columns.some((column) => column.key === key)) continue;
    const properties = view.columns.get(ref.name) ?? view.columns.get(field.column) ?? plain;
    ref = { ...ref, name: nameOf(ref, asked !== undefined) };
    const target = referenceTarget(scope, ref.field);
    const given = properties.label ?? field.alias;
    const label = given === undefined ? ref.field.label : scope.snapshot.words(given);
    const currency = waiting ? undefined : currencySource(scope, ref);
    columns.push({
      key,
      ref,
      label,
      target,
      displayKey: target && displayKeyOf(key, given ?? originalLabel(ref.field)),
      ...(waiting ? { actors: true as const } : {}),
      ...(currency ? { currency } : {}),
      properties,
    });
  }
  return columns;
}

/** A request is answered by the names that it used, a view by ours. */
const nameOf = ({ name, asked = name }: ColumnRef, isRequest: boolean): string => (isRequest ? asked : name);

export function refuseRepeated(column: string, first: string, second: string): never {
  const reason =
    first === second ? say("column_twice", { name: column }) : say("column_as_both", { name: column, first, second });
  throw new Failure("malformed_parameter", { with: { name: "q", reason } });
}

/** A reference that was given an alias has its id there; what it shows stands beside it. */
const displayKeyOf = (key: string, label: string): string => (titleCase(label) === key ? `__${key}` : titleCase(label));

const allFields = (type: RecordType): Extract<QField, { kind: "column" }>[] =>
  [...type.fields.map((field) => field.name), ...(type.field.has("current_stage") ? [ACTORS_COLUMN] : [])].map(
    (name) => ({ kind: "column", column: `${type.alias}.${name}` }),
  );

function planOrder(scope: Scope, view: ListView, sent: ListParameters): ListOrder[] {
  if (sent.sort !== undefined) {
    const ref = resolveColumn(scope, sent.sort, "sort");
    requireSortable(ref, "sort");
    return [{ ref: sortedBy(scope, ref), descending: sent.descending }];
  }
  // The order of a view of groups says nothing about rows.
  const ofView = isGrouped(view, { ...sent, q: undefined }) ? [] : (view.query.order ?? []);
  const order = (sent.q?.order ?? ofView).flatMap(({ column, descending }) => {
    const planned = () => {
      const ref = resolveColumn(scope, column);
      requireSortable(ref, "q");
      return { ref: sortedBy(scope, ref), descending };
    };
    // As with columns: what a view sorts by and this caller may not see, or has a type that has no order now, is not there.
    return (sent.q?.order ? planned() : unlessRefused(planned)) ?? [];
  });
  return order.length > 0 ? order : [{ ref: newestFirst(scope), descending: true }];
}

/** When records were created; their number for those who may not see that. */
function newestFirst(scope: Scope): ColumnRef {
  const [created, id] = ["created", "id"].map((name) => unlessRefused(() => resolveColumn(scope, name)));
  const ref = created ?? id;
  return ref ?? unknownColumn(scope, "id", "q");
}

function requireSortable(ref: ColumnRef, name: string): void {
  if (ref.field.sortable) return;
  throw new Failure("malformed_parameter", {
    with: { name, reason: say("not_sortable", { name: ref.name, type: typeOf(ref.field).label }) },
  });
}

/** People sort a reference by what it shows (stages by their place in the workflow), not by its id. */
function sortedBy(scope: Scope, ref: ColumnRef): ColumnRef {
  const target = referenceTarget(scope, ref.field);
  const display = target?.field.get(target.displayField);
  if (!target || (display && targetOf(display) !== undefined)) return ref;
  const [by] = [target.sortField, target.displayField].flatMap(
    (name) => unlessRefused(() => resolveColumn(scope, `${ref.name}.${name}`)) ?? [],
  );
  return by ?? ref;
}

/** Who names fields or groups asks for a list of its own; else the view is looked at, narrowed by what was sent. */
export const groupingOf = (view: ListView, sent: ListParameters): Q =>
  sent.q?.fields || sent.q?.group ? sent.q : { ...view.query, ...sent.q };

export function isGrouped(view: ListView, sent: ListParameters): boolean {
  const { fields = [], group = [] } = groupingOf(view, sent);
  return (
    group.length > 0 ||
    fields.some((field) => field.kind === "column" && (field.aggregate !== undefined || field.period !== undefined))
  );
}
