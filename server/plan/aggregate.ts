// Takes one of the fields of a grouped query; gives the aggregate or the group column that it asks for.
// Sums are of numbers, least and greatest are of what has an order; everything else is a 400 that says so.

import { Failure } from "../../contract/failures.ts";
import type { FieldTypeId } from "../../contract/field-types.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { Field } from "../fields/field-type.ts";
import { fieldTypes } from "../fields/index.ts";
import { expressionText, readExpression } from "../request/q-column.ts";
import type { Aggregate, QField } from "../request/q-types.ts";
import { type ColumnRef, resolveColumn, type Scope } from "./column.ts";
import { type CurrencySource, currencySource } from "./currency.ts";
import { isNumeric, isOrdered, type ValueType, valueTypeOf } from "./value.ts";

export interface AggregatePlan {
  readonly kind: "aggregate";
  readonly aggregate: Aggregate;
  /** Undefined for count(*). */
  readonly ref: ColumnRef | undefined;
  /** Of amounts: where their currency stands. */
  readonly currency?: CurrencySource;
  /** `count(leads.id)`. */
  readonly name: string;
  readonly alias?: string;
}

export interface GroupPlan {
  readonly kind: "group";
  readonly ref: ColumnRef;
  readonly name: string;
  readonly alias?: string;
}

export function planAggregate(
  scope: Scope,
  field: QField,
  groupColumns: readonly ColumnRef[],
): AggregatePlan | GroupPlan {
  if (field.kind === "all") refuse(say("star_not_grouped"));
  const alias = field.alias === undefined ? {} : { alias: field.alias };
  if (field.aggregate !== undefined) return { ...aggregateOf(scope, field.aggregate, field.column), ...alias };
  const ref = resolveColumn(scope, field.column);
  if (!groupColumns.some((group) => group.name === ref.name)) {
    refuse(say("not_grouped", { key: "fields", name: ref.name }));
  }
  return { kind: "group", ref, name: ref.name, ...alias };
}

/** The aggregate that a text such as `count(leads.id)` writes; undefined for what is none. */
export function readAggregate(scope: Scope, text: string): AggregatePlan | undefined {
  const { aggregate, column = "" } = readExpression(text) ?? {};
  return aggregate === undefined ? undefined : aggregateOf(scope, aggregate, column);
}

function aggregateOf(scope: Scope, aggregate: Aggregate, column: string): AggregatePlan {
  if (column === "*") return { kind: "aggregate", aggregate, ref: undefined, name: `${aggregate}(*)` };
  const ref = resolveColumn(scope, column);
  const value = valueTypeOf(ref);
  if ((aggregate === "sum" || aggregate === "avg") && !isNumeric(value)) {
    refuse(say("not_addable", { name: `${aggregate}(${ref.name})`, type: value.type.label }));
  }
  if ((aggregate === "min" || aggregate === "max") && !isOrdered(value)) {
    refuse(say("not_ordered", { name: `${aggregate}(${ref.name})`, type: value.type.label }));
  }
  const currency = aggregate === "count" ? undefined : currencySource(scope, ref);
  const name = expressionText({ aggregate, column: ref.name });
  return { kind: "aggregate", aggregate, ref, name, ...(currency ? { currency } : {}) };
}

/** How a value is held against an aggregate: counts are whole, sums and averages have any decimals. */
export function aggregateValue({ type }: Scope, { aggregate, ref }: AggregatePlan): ValueType {
  const base = ref?.field ?? type.field.get("id");
  if (!base) throw new Error(`${type.key} has no id`);
  const computed = (id: FieldTypeId, settings: unknown, sqlType: string): ValueType => {
    const field: Field = { ...base, type: id, settings };
    return { type: fieldTypes[id], field, columns: [], by: "column", parsed: true, sqlType };
  };
  if (ref === undefined || aggregate === "count") return computed("integer", {}, "bigint");
  if (aggregate === "sum" || aggregate === "avg") return computed("decimal", { precision: 38, scale: 12 }, "numeric");
  return valueTypeOf(ref);
}

function refuse(reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name: "q", reason } });
}
