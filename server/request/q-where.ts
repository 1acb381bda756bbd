// Takes `where` or `having` as it was sent; gives the condition it states. Every array and nesting is bounded before
// it is walked. Shorthands (a value, a list, null) become operators; no name and no value is looked at.
import { say } from "../../contract/messages.ts";
import { type Operator, operators } from "../fields/field-type.ts";
import { readColumn } from "./q-column.ts";
import { type QCondition, qLimits, refuseKey, sent } from "./q-types.ts";
import { isTree, shown, type Tree, type TreeValue } from "./tree.ts";

interface Reading {
  readonly key: string;
  conditions: number;
  texts: number;
}

export function parseWhere(value: TreeValue, key: "where" | "having" = "where"): QCondition {
  return readAll(value, 0, { key, conditions: 0, texts: 0 });
}

function readAll(value: TreeValue, depth: number, reading: Reading): QCondition {
  const parts = partsOf(value, depth, reading);
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "all", of: parts };
}

/** An object's entries, or an array's objects. */
function partsOf(value: TreeValue, depth: number, reading: Reading): readonly QCondition[] {
  if (isTree(value)) return entriesOf(value, depth, reading);
  if (!Array.isArray(value)) refuseKey(reading.key, say("must_be_objects_not", { sent: sent(value) }));
  const items: readonly TreeValue[] = value;
  if (items.length > qLimits.conditions) tooMany(reading, items.length);
  return items.map((item) => {
    if (!isTree(item)) refuseKey(reading.key, say("must_be_objects_not", { sent: sent(item) }));
    return readAll(item, depth, reading);
  });
}

const textOperators: ReadonlySet<Operator> = new Set(["contains", "starts with", "ends with"]);

function tooMany(reading: Reading, count: number): never {
  refuseKey(reading.key, say("too_many_conditions", { max: qLimits.conditions, count }));
}

function entriesOf(tree: Tree, depth: number, reading: Reading): readonly QCondition[] {
  return Object.entries(tree).map(([name, value]) => {
    const word = name.toUpperCase();
    if (word !== "AND" && word !== "OR" && word !== "NOT") return readLeaf(name, value, reading);
    if (depth >= qLimits.depth) refuseKey(reading.key, say("q_too_deep", { max: qLimits.depth }));
    if (word === "NOT") return { kind: "not", of: readAll(value, depth + 1, reading) };
    return { kind: word === "AND" ? "all" : "any", of: partsOf(value, depth + 1, reading) };
  });
}

function readLeaf(name: string, value: TreeValue, reading: Reading): QCondition {
  reading.conditions += 1;
  if (reading.conditions > qLimits.conditions) tooMany(reading, reading.conditions);
  const column = readColumn(name, reading.key);
  const at = `${reading.key}: ${shown(column)}`;
  if (value === null) return { kind: "leaf", column, operator: "is null", values: [] };
  if (typeof value === "string") return { kind: "leaf", column, operator: "=", values: [value] };
  if (!isTree(value)) return { kind: "leaf", column, operator: "in", values: readValues(value, "in", at) };
  for (const key of Object.keys(value)) {
    if (key !== "op" && key !== "value") refuseKey(at, say("unknown_condition_key", { key: shown(key) }));
  }
  const operator = readOperator(value.op, at);
  if (textOperators.has(operator)) reading.texts += 1;
  if (reading.texts > qLimits.texts) {
    refuseKey(reading.key, say("too_many_text_conditions", { max: qLimits.texts, operators: [...textOperators] }));
  }
  return { kind: "leaf", column, operator, values: readOperands(operator, value.value, at) };
}

function readOperator(value: TreeValue | undefined, at: string): Operator {
  const text = typeof value === "string" ? value.trim().toLowerCase().replace(/\s+/gu, " ") : undefined;
  const operator = operators.find((known) => known === text);
  return operator ?? refuseKey(at, say("bad_operator", { operators, sent: sent(value) }));
}

function readOperands(operator: Operator, value: TreeValue | undefined, at: string): readonly (string | null)[] {
  if (operator === "is null" || operator === "is not null") {
    if (value !== undefined && value !== null)
      refuseKey(at, say("operator_takes_none", { operator, sent: sent(value) }));
    return [];
  }
  if (operator === "in" || operator === "not in") return readValues(value, operator, at);
  if (operator === "between") {
    const values = readValues(value, operator, at);
    if (values.length !== 2) refuseKey(at, say("between_takes_two", { count: values.length }));
    return values;
  }
  if (typeof value !== "string" && value !== null)
    refuseKey(at, say("operator_takes_one", { operator, sent: sent(value) }));
  return [value];
}

function readValues(value: TreeValue | undefined, operator: Operator, at: string): readonly (string | null)[] {
  if (!Array.isArray(value)) refuseKey(at, say("operator_takes_array", { operator, sent: sent(value) }));
  const items: readonly TreeValue[] = value;
  if (items.length > qLimits.values) {
    refuseKey(at, say("operator_takes_at_most", { operator, max: qLimits.values, count: items.length }));
  }
  return items.map((item) => {
    if (item !== null && typeof item !== "string") refuseKey(at, say("must_be_scalar_not", { sent: sent(item) }));
    return item;
  });
}
