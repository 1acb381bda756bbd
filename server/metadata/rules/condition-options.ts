// Takes a condition of a form, a workflow or a formula; returns the values it compares a choice with that are not options of that field.
import type { Condition } from "../../../contract/conditions.ts";
import { type Formula, parseFormula } from "../../../contract/formula/parse-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { Field } from "../../fields/field-type.ts";
import { typeOf } from "../compile.ts";

type FieldOf = (name: string) => Field | undefined;

export function unknownOptions(fieldOf: FieldOf, condition: Condition): readonly Message[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.parts.flatMap((part) => unknownOptions(fieldOf, part));
    case "not":
      return unknownOptions(fieldOf, condition.part);
    case "in":
      return unknownAmong(fieldOf(condition.field), condition.values);
    case "compare": {
      const { left, right, comparison } = condition;
      // A threshold need not be an option itself.
      if (comparison !== "=" && comparison !== "!=") return [];
      if ("field" in left && "value" in right) return unknownAmong(fieldOf(left.field), [right.value]);
      return "value" in left && "field" in right ? unknownAmong(fieldOf(right.field), [left.value]) : [];
    }
    default:
      return [];
  }
}

/** The conditions of a design as it is stored, by the names they have in it. */
export function storedConditions(stored: string | null, ...names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  if (stored !== null)
    JSON.parse(stored, (key, value: unknown) => {
      if (names.includes(key) && typeof value === "string") found.add(value);
      return value;
    });
  return found;
}

/** The same of a formula; one that cannot be read has none. */
export function unknownOptionsIn(fieldOf: FieldOf, source: string): readonly Message[] {
  const parsed = parseFormula(source);
  return parsed.ok ? inFormula(fieldOf, parsed.formula) : [];
}

function inFormula(fieldOf: FieldOf, formula: Formula): readonly Message[] {
  switch (formula.kind) {
    case "number":
    case "text":
    case "field":
      return [];
    case "call":
      return formula.of.flatMap((one) => inFormula(fieldOf, one));
    case "not":
    case "empty":
      return inFormula(fieldOf, formula.of);
    case "in":
      return formula.of.kind === "field"
        ? unknownAmong(fieldOf(formula.of.name), formula.values.flatMap(textOf))
        : [formula.of, ...formula.values].flatMap((one) => inFormula(fieldOf, one));
    default: {
      const { left, right } = formula;
      const isEquality = formula.kind === "compare" && (formula.operator === "=" || formula.operator === "!=");
      if (isEquality && left.kind === "field") return unknownAmong(fieldOf(left.name), textOf(right));
      if (isEquality && right.kind === "field") return unknownAmong(fieldOf(right.name), textOf(left));
      return [left, right].flatMap((one) => inFormula(fieldOf, one));
    }
  }
}

const textOf = (formula: Formula): readonly string[] => (formula.kind === "text" ? [formula.value] : []);

function unknownAmong(field: Field | undefined, values: readonly string[]): readonly Message[] {
  if (!field) return [];
  const { options, picks } = typeOf(field);
  const known = options?.(field);
  if (!known) return [];
  // Compared with an empty text, it is asked whether it is empty. Several options are joined by semicolons.
  const named = values.flatMap((value) => (picks === "several" ? value.split(";") : [value]));
  const unknown = named.filter((value) => value !== "" && known.every((option) => !isSame(option, value)));
  return [...new Set(unknown)].map((option) => say("no_such_option", { field: field.label, option }));
}

/** As conditions compare: numbers by what they are worth. */
const isSame = (option: string, value: string): boolean =>
  option === value || (value.trim() !== "" && Number(option) === Number(value));
