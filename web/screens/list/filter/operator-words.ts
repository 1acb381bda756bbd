// Which operators a field offers, in the order in which people look for them, and by which words.
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { readSpan, writeSpan } from "../../../fields/filter/relative-dates.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { type Leaf, type Operator, operators, takesMany, takesNone } from "./condition.ts";

/** `within`: between two days that are named together, such as "last month". */
export type OfferedOperator = Operator | "within";

const wordKeys = {
  "=": "eq",
  "!=": "ne",
  contains: "contains",
  "starts with": "starts",
  "ends with": "ends",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  between: "between",
  in: "in",
  "not in": "not_in",
  "is null": "empty",
  "is not null": "present",
  within: "within",
} as const satisfies Record<OfferedOperator, string>;

const dayWordKeys = { ...wordKeys, "<": "before", "<=": "until", ">": "after", ">=": "since" } as const;

/** The name of the words for an operator: days come before and after one another, numbers are less and more. */
export const wordKeyOf = (operator: OfferedOperator, field: Comparable | undefined) =>
  (field && fieldTypes[field.type].days !== undefined ? dayWordKeys : wordKeys)[operator];

type Comparable = Pick<SchemaField, "type" | "operators">;

export function offeredOperators(field: Comparable | undefined): readonly OfferedOperator[] {
  if (field === undefined) return operators;
  // Whatever can be equal can also be one of several.
  const known = new Set([
    ...field.operators,
    ...(field.operators.includes("=") ? ["in"] : []),
    ...(field.operators.includes("!=") ? ["not in"] : []),
  ]);
  const offered = operators.filter((operator) => known.has(operator));
  return fieldTypes[field.type].days === undefined ? offered : ["within", ...offered];
}

export function offeredOperatorOf(leaf: Leaf, field: Comparable | undefined): OfferedOperator {
  const days = field && fieldTypes[field.type].days;
  return days !== undefined && leaf.operator === "between" && readSpan(leaf.values, days === "instant")
    ? "within"
    : leaf.operator;
}

/** What a condition on a field begins with. */
export function newLeaf(column: string, field: SchemaField): Leaf {
  const offered = offeredOperators(field);
  const usual: readonly OfferedOperator[] = ["within", "contains", ...(field.options ? (["in"] as const) : []), "="];
  const operator = usual.find((each) => offered.includes(each)) ?? offered[0] ?? "is not null";
  return withOperator({ kind: "leaf", column, operator: "=", values: [""] }, operator, field);
}

/** The same condition by another operator, with as much of its values as still fits. */
export function withOperator(leaf: Leaf, operator: OfferedOperator, field: Comparable | undefined): Leaf {
  const isInstant = field !== undefined && fieldTypes[field.type].days === "instant";
  if (operator === "within") {
    return { ...leaf, operator: "between", values: [...writeSpan({ name: "this_month" }, isInstant)] };
  }
  if (takesNone(operator)) return { ...leaf, operator, values: [] };
  const given = readSpan(leaf.values, isInstant) ? [] : leaf.values.filter((value) => value !== "");
  if (takesMany(operator)) return { ...leaf, operator, values: given };
  const [first = "", second = ""] = given;
  return { ...leaf, operator, values: operator === "between" ? [first, second] : [first] };
}
