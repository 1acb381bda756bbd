// A condition of a form or workflow as rows to choose from: all of them or any of them must hold. Reads and writes the text
// of the small language; what is nested deeper than rows can show is given back as undefined.
import { type Comparison, type Condition, parseCondition, writeCondition } from "../../../../contract/conditions.ts";

export const rowOperators = ["=", "!=", ">", ">=", "<", "<=", "in", "not in", "empty", "not empty"] as const;
export type RowOperator = (typeof rowOperators)[number];

export interface ConditionRow {
  readonly field: string;
  readonly operator: RowOperator;
  /** None for `empty`, any number for `in`, else one. */
  readonly values: readonly string[];
}

export interface ConditionRows {
  readonly join: "and" | "or";
  readonly rows: readonly ConditionRow[];
}

export const takesNone = (operator: RowOperator): boolean => operator === "empty" || operator === "not empty";
export const takesMany = (operator: RowOperator): boolean => operator === "in" || operator === "not in";

export const noRows: ConditionRows = { join: "and", rows: [] };

/** Undefined where it cannot be shown as rows: unreadable, nested, comparing two fields, or with an empty text where a row needs one. */
export function readRows(text: string | undefined): ConditionRows | undefined {
  if (text === undefined || text.trim() === "") return noRows;
  const parsed = parseCondition(text);
  if (!parsed.ok) return undefined;
  const { condition } = parsed;
  const parts = condition.kind === "and" || condition.kind === "or" ? condition.parts : [condition];
  const rows = parts.map(rowOf);
  if (rows.some((row) => row === undefined)) return undefined;
  return { join: condition.kind === "or" ? "or" : "and", rows: rows.flatMap((row) => row ?? []) };
}

function rowOf(condition: Condition): ConditionRow | undefined {
  if (condition.kind === "empty") return { field: condition.field, operator: "empty", values: [] };
  if (condition.kind === "in") {
    const { field, values } = condition;
    return values.includes("") ? undefined : { field, operator: "in", values };
  }
  if (condition.kind === "compare") {
    const { left, comparison, right } = condition;
    if (!("field" in left && "value" in right)) return undefined;
    if (right.value !== "") return { field: left.field, operator: comparison, values: [right.value] };
    if (comparison !== "=" && comparison !== "!=") return undefined;
    return { field: left.field, operator: comparison === "=" ? "empty" : "not empty", values: [] };
  }
  if (condition.kind !== "not") return undefined;
  const inner = rowOf(condition.part);
  if (inner?.operator === "empty") return { ...inner, operator: "not empty" };
  return inner?.operator === "in" ? { ...inner, operator: "not in" } : undefined;
}

/** Rows that are not complete yet are left out; undefined where none is. */
export function writeRows({ join, rows }: ConditionRows): string | undefined {
  const parts = rows.flatMap((row) => conditionOf(row) ?? []);
  const [only, ...more] = parts;
  if (only === undefined) return undefined;
  return writeCondition(more.length === 0 ? only : { kind: join, parts });
}

export const isComplete = ({ field, operator, values }: ConditionRow): boolean =>
  field !== "" && (takesNone(operator) || values.some((value) => value !== ""));

function conditionOf(row: ConditionRow): Condition | undefined {
  if (!isComplete(row)) return undefined;
  const { field, operator } = row;
  const values = row.values.filter((value) => value !== "");
  if (operator === "empty") return { kind: "empty", field };
  if (operator === "not empty") return { kind: "not", part: { kind: "empty", field } };
  if (operator === "in") return { kind: "in", field, values };
  if (operator === "not in") return { kind: "not", part: { kind: "in", field, values } };
  const comparison: Comparison = operator;
  return { kind: "compare", left: { field }, comparison, right: { value: values[0] ?? "" } };
}
