// Takes `where` or `having` as it was sent; gives the condition it states. Every array and nesting is bounded before
// it is walked. Shorthands (a value, a list, null) become operators; no name and no value is looked at.
import { type Operator, operators } from "../fields/field-type.ts";
import { readColumn } from "./q-column.ts";
import { type QCondition, qLimits, refuseQ, sent } from "./q-types.ts";
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
  if (!Array.isArray(value)) refuseQ(`${reading.key}: must be an object or an array of objects, not ${sent(value)}`);
  const items: readonly TreeValue[] = value;
  if (items.length > qLimits.conditions) tooMany(reading, items.length);
  return items.map((item) => {
    if (!isTree(item)) refuseQ(`${reading.key}: an array must hold objects, not ${sent(item)}`);
    return readAll(item, depth, reading);
  });
}

const textOperators: ReadonlySet<Operator> = new Set(["contains", "starts with", "ends with"]);

function tooMany(reading: Reading, count: number): never {
  refuseQ(`${reading.key}: at most ${qLimits.conditions} conditions, not ${count}`);
}

function entriesOf(tree: Tree, depth: number, reading: Reading): readonly QCondition[] {
  return Object.entries(tree).map(([name, value]) => {
    const word = name.toUpperCase();
    if (word !== "AND" && word !== "OR" && word !== "NOT") return readLeaf(name, value, reading);
    if (depth >= qLimits.depth) refuseQ(`${reading.key}: AND, OR and NOT nest at most ${qLimits.depth} deep`);
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
    if (key !== "op" && key !== "value") refuseQ(`${at}: has the unknown key "${shown(key)}", only op and value`);
  }
  const operator = readOperator(value.op, at);
  if (textOperators.has(operator)) reading.texts += 1;
  if (reading.texts > qLimits.texts) {
    refuseQ(
      `${reading.key}: at most ${qLimits.texts} conditions with ${[...textOperators].join(", ")}; use search_basic`,
    );
  }
  return { kind: "leaf", column, operator, values: readOperands(operator, value.value, at) };
}

function readOperator(value: TreeValue | undefined, at: string): Operator {
  const text = typeof value === "string" ? value.trim().toLowerCase().replace(/\s+/gu, " ") : undefined;
  const operator = operators.find((known) => known === text);
  return operator ?? refuseQ(`${at}: op must be one of ${operators.join(", ")}, not ${sent(value)}`);
}

function readOperands(operator: Operator, value: TreeValue | undefined, at: string): readonly (string | null)[] {
  if (operator === "is null" || operator === "is not null") {
    if (value !== undefined && value !== null) refuseQ(`${at}: ${operator} takes no value, not ${sent(value)}`);
    return [];
  }
  if (operator === "in" || operator === "not in") return readValues(value, operator, at);
  if (operator === "between") {
    const values = readValues(value, operator, at);
    if (values.length !== 2) refuseQ(`${at}: between takes two values, not ${values.length}`);
    return values;
  }
  if (typeof value !== "string" && value !== null) refuseQ(`${at}: ${operator} takes one value, not ${sent(value)}`);
  return [value];
}

function readValues(value: TreeValue | undefined, operator: Operator, at: string): readonly (string | null)[] {
  if (!Array.isArray(value)) refuseQ(`${at}: ${operator} takes an array of values, not ${sent(value)}`);
  const items: readonly TreeValue[] = value;
  if (items.length > qLimits.values) {
    refuseQ(`${at}: ${operator} takes at most ${qLimits.values} values, not ${items.length}`);
  }
  return items.map((item) => {
    if (item !== null && typeof item !== "string") refuseQ(`${at}: a value must be a scalar, not ${sent(item)}`);
    return item;
  });
}
