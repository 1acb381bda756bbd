// What a filter is once its names and values are known: a plain tree. Its shape is all but the values, so that
// filters of one shape share one SQL text.

import type { Checked } from "../../contract/formula/check-formula.ts";
import type { Field } from "../fields/field-type.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { AggregatePlan } from "./aggregate.ts";
import type { ColumnRef, HasMany, Step } from "./column.ts";

/** What is compared, and the SQL type that a value is cast to. */
export type Operand =
  | {
      readonly kind: "column";
      readonly ref: ColumnRef;
      /** `text`: what lists show of it, where it is not one plain column. */
      readonly by: "column" | "text";
      readonly sqlType: string;
    }
  | { readonly kind: "aggregate"; readonly aggregate: AggregatePlan; readonly sqlType: string };

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type TextOperator = "contains" | "starts with" | "ends with";

/** Every plan is true or false of a record, never unknown: what has no value is not equal, not less, not like anything. */
export type FilterPlan =
  | { readonly kind: "and" | "or"; readonly of: readonly FilterPlan[] }
  | { readonly kind: "not"; readonly of: FilterPlan }
  | { readonly kind: "compare"; readonly operand: Operand; readonly operator: Comparison; readonly value: string }
  | {
      readonly kind: "among";
      readonly operand: Operand;
      readonly values: readonly string[];
      /** NULL is one of the values. */
      readonly orNull: boolean;
    }
  | { readonly kind: "between"; readonly operand: Operand; readonly from: string; readonly to: string }
  | { readonly kind: "text"; readonly operand: Operand; readonly operator: TextOperator; readonly value: string }
  | {
      /** A reference to a record whose name has this in it. */
      readonly kind: "named";
      readonly operand: Operand;
      readonly target: RecordType;
      /** What such a record is called by. */
      readonly display: Field;
      readonly value: string;
      /** Too many records are called so to look for each of them. */
      readonly isMany?: true;
    }
  | { readonly kind: "null"; readonly operand: Operand }
  /** A formula over fields of the record, which comes to yes or no. */
  | { readonly kind: "formula"; readonly checked: Checked; readonly type: RecordType }
  | {
      /** It is the turn of one of these users in the record's workflow, or of nobody. */
      readonly kind: "turn";
      readonly users: readonly string[];
      readonly orNobody: boolean;
      /** The record types that tell who acts as what. */
      readonly deciding: readonly RecordType[];
    }
  | {
      readonly kind: "exists";
      /** To the record that has many. */
      readonly steps: readonly Step[];
      readonly owner: RecordType;
      readonly association: HasMany;
      readonly far: RecordType;
      readonly through: RecordType | undefined;
      /** Deleted records are among those looked at: the filter speaks of `deleted` itself. */
      readonly deletedToo: boolean;
      /** What must hold of one of them. */
      readonly of: FilterPlan;
    };

/** All of a plan but its values. The number of values is one of them: they are one array. */
export function shapeOf(plan: FilterPlan): string {
  switch (plan.kind) {
    case "and":
    case "or":
      return `${plan.kind}(${plan.of.map(shapeOf).join(",")})`;
    case "not":
      return `not(${shapeOf(plan.of)})`;
    case "compare":
    case "text":
      return `${operandShape(plan.operand)} ${plan.operator}`;
    case "among":
      return `${operandShape(plan.operand)} in${plan.orNull ? " or null" : ""}`;
    case "between":
    case "named":
    case "null":
      return `${operandShape(plan.operand)} ${plan.kind}`;
    case "formula":
      return `formula(${JSON.stringify(plan.checked, withoutValue)})`;
    case "turn":
      return `turn${plan.orNobody ? " or nobody" : ""}`;
    case "exists":
      return `exists(${pathShape(plan.steps, plan.owner)}.${plan.association.name}${plan.deletedToo ? "+" : ""},${shapeOf(plan.of)})`;
  }
}

/** Yes and no stand in the text of a statement; all other values beside it. */
function withoutValue(this: unknown, key: string, value: unknown): unknown {
  const isTruth = typeof this === "object" && this !== null && "is" in this && this.is === "truth";
  return key === "value" && !isTruth ? "" : value;
}

/** The values that stand in a formula. */
export function valuesIn(checked: Checked): readonly (string | null)[] {
  if (checked.node === "value") return [checked.value];
  if ("left" in checked) return [...valuesIn(checked.left), ...valuesIn(checked.right)];
  if (checked.node === "in") return [...valuesIn(checked.of), ...checked.values.flatMap(valuesIn)];
  if (checked.node === "call") return checked.of.flatMap(valuesIn);
  return "of" in checked ? valuesIn(checked.of) : [];
}

const pathShape = (steps: readonly Step[], type: RecordType): string =>
  [...steps.map((step) => step.association.name), type.key].join(".");

const operandShape = (operand: Operand): string =>
  operand.kind === "aggregate"
    ? `${operand.aggregate.aggregate}(${operand.aggregate.ref ? refShape(operand.aggregate.ref) : "*"})`
    : refShape(operand.ref);

export const refShape = (ref: ColumnRef): string => `${pathShape(ref.steps, ref.type)}.${ref.part ?? ref.field.name}`;

/** The aggregates that a condition on groups compares. */
export function aggregatesIn(filter: FilterPlan | undefined): readonly AggregatePlan[] {
  if (filter === undefined) return [];
  switch (filter.kind) {
    case "turn":
    case "formula":
      return [];
    case "and":
    case "or":
      return filter.of.flatMap(aggregatesIn);
    case "not":
    case "exists":
      return aggregatesIn(filter.of);
    default:
      return filter.operand.kind === "aggregate" ? [filter.operand.aggregate] : [];
  }
}
