// Takes a condition as it was read; gives the same condition over columns that exist for the caller, with operators
// that their types have and values that their types read. Anything else is a 400 that names column, operator or value.

import { Failure } from "../../contract/failures.ts";
import { about, type Message, say } from "../../contract/messages.ts";
import type { Operator } from "../fields/field-type.ts";
import { type QCondition, qLimits } from "../request/q-types.ts";
import { shown } from "../request/tree.ts";
import { actorsRef, actorsValue, asTurn } from "./actors-column.ts";
import { type AggregatePlan, aggregateValue, type GroupPlan, readAggregate } from "./aggregate.ts";
import {
  type ColumnRef,
  isMany,
  type ManyRef,
  resolveColumn,
  resolveFilterColumn,
  type Scope,
  unknownColumn,
} from "./column.ts";
import type { FilterPlan, Operand } from "./filter-plan.ts";
import { readValue, type ValueType, valueTypeOf } from "./value.ts";

export type { FilterPlan, Operand } from "./filter-plan.ts";
export { shapeOf } from "./filter-plan.ts";

type Leaf = Extract<QCondition, { kind: "leaf" }>;

export function planFilter(scope: Scope, condition: QCondition): FilterPlan {
  let many = 0;
  return planCondition(condition, (leaf) => {
    const actors = actorsRef(scope, leaf.column);
    if (actors) return asTurn(scope, planLeaf(scope, operandOf(actors, actorsValue(actors)), actors.name, leaf));
    const ref = resolveFilterColumn(scope, leaf.column);
    if (!isMany(ref)) return planLeaf(scope, columnOperand(ref), ref.name, leaf);
    many += 1;
    if (many > qLimits.many) refuse(say("too_many_far_conditions", { max: qLimits.many }));
    return planMany(scope, ref, leaf);
  });
}

/** As planFilter, over the groups: a leaf names an aggregate, a group column, or the alias of either. What is an alias means nothing else. */
export function planHaving(
  scope: Scope,
  condition: QCondition,
  selected: readonly (AggregatePlan | GroupPlan)[],
  groupColumns: readonly ColumnRef[],
  aliases: ReadonlySet<string> = new Set(),
): FilterPlan {
  return planCondition(condition, (leaf) => {
    const named = selected.find(({ alias }) => alias === leaf.column);
    if (!named && aliases.has(leaf.column)) unknownColumn(scope, leaf.column, "q");
    const aggregate = named?.kind === "aggregate" ? named : named ? undefined : readAggregate(scope, leaf.column);
    if (aggregate) {
      const value = aggregateValue(scope, aggregate);
      const operand: Operand = { kind: "aggregate", aggregate, sqlType: value.sqlType };
      return planLeaf(scope, { operand, value }, aggregate.name, leaf);
    }
    const ref = named?.kind === "group" ? named.ref : resolveColumn(scope, leaf.column);
    if (!groupColumns.some((group) => group.name === ref.name)) {
      refuse(say("not_grouped", { key: "having", name: ref.name }));
    }
    return planLeaf(scope, columnOperand(ref), ref.name, leaf);
  });
}

function planCondition(condition: QCondition, leaf: (leaf: Leaf) => FilterPlan): FilterPlan {
  if (condition.kind === "leaf") return leaf(condition);
  if (condition.kind === "not") return { kind: "not", of: planCondition(condition.of, leaf) };
  const kind = condition.kind === "all" ? "and" : "or";
  return { kind, of: condition.of.map((part) => planCondition(part, leaf)) };
}

/** Some record on the far side is so. */
function planMany(scope: Scope, ref: ManyRef, leaf: Leaf): FilterPlan {
  const { steps, owner, association, inner } = ref;
  const far = scope.snapshot.types.get(association.type);
  if (!far) throw new Error(`${association.type} is in no snapshot`);
  const through = association.kind === "has-many-through" ? scope.snapshot.types.get(association.through) : undefined;
  const deletedToo = !isMany(inner) && inner.steps.length === 0 && inner.field.name === "deleted";
  const of = isMany(inner) ? planMany(scope, inner, leaf) : planLeaf(scope, columnOperand(inner), ref.name, leaf);
  return { kind: "exists", steps, owner, association, far, through, deletedToo, of };
}

interface Compared {
  readonly operand: Operand;
  readonly value: ValueType;
}

const columnOperand = (ref: ColumnRef): Compared => operandOf(ref, valueTypeOf(ref));

const operandOf = (ref: ColumnRef, value: ValueType): Compared => ({
  operand: { kind: "column", ref, by: value.by, sqlType: value.sqlType },
  value,
});

function planLeaf(scope: Scope, { operand, value }: Compared, name: string, leaf: Leaf): FilterPlan {
  const { operator } = leaf;
  checkOperator(operator, value, name);
  const read = (text: string): string | null => {
    const result = readValue(scope, text, value);
    if ("value" in result) return result.value;
    return refuse(
      say("bad_filter_value", { name, reasons: result.faults.map((one) => about(`"${shown(text)}"`, one)) }),
    );
  };
  const readAll = (): (string | null)[] => leaf.values.map((text) => (text === null ? null : read(text)));
  const needed = (found: string | null | undefined): string =>
    found ?? refuse(say("operator_needs_value", { name, operator }));

  switch (operator) {
    case "is null":
      return { kind: "null", operand };
    case "is not null":
      return { kind: "not", of: { kind: "null", operand } };
    case "in":
    case "not in": {
      const all = readAll();
      const values = [...new Set(all.filter((one) => one !== null))];
      const among: FilterPlan = { kind: "among", operand, values, orNull: all.includes(null) };
      return operator === "in" ? among : { kind: "not", of: among };
    }
    case "between": {
      const [from, to] = readAll();
      return { kind: "between", operand, from: needed(from), to: needed(to) };
    }
    case "contains":
    case "starts with":
    case "ends with":
      return { kind: "text", operand, operator, value: needed(leaf.values[0] || null).normalize("NFC") };
    case "=":
    case "!=": {
      const [filterValue = null] = readAll();
      if (filterValue !== null) return { kind: "compare", operand, operator, value: filterValue };
      return operator === "=" ? { kind: "null", operand } : { kind: "not", of: { kind: "null", operand } };
    }
    default:
      return { kind: "compare", operand, operator, value: needed(readAll()[0]) };
  }
}

/** Whatever can be equal can also be one of several. */
function checkOperator(operator: Operator, { type }: ValueType, name: string): void {
  const asked = operator === "in" ? "=" : operator === "not in" ? "!=" : operator;
  if (type.operators.includes(operator) || type.operators.includes(asked)) return;
  refuse(say("operator_unavailable", { name, operator, type: type.label, operators: type.operators }));
}

function refuse(reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name: "q", reason } });
}
