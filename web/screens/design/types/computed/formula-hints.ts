// Takes a formula as it was typed and the fields that it can name; gives what would surprise its author: fields that could no longer
// be empty, and texts that are no option of the choice they are compared with. Pure; refuses nothing.
import type { FieldTypeId } from "../../../../../contract/field-types.ts";
import { type Formula, parseFormula } from "../../../../../contract/formula/parse-formula.ts";
import { fieldTypes } from "../../../../fields/index.ts";

interface NamedField {
  readonly name: string;
  readonly label?: string | undefined;
  readonly required?: boolean | undefined;
}

interface Outcome {
  readonly canBeTrue: boolean;
  readonly canBeFalse: boolean;
}
const either: Outcome = { canBeTrue: true, canBeFalse: true };
const never: Outcome = { canBeTrue: false, canBeFalse: true };

/** Optional fields without which the formula is never true, in the order of `fields`. */
export function neededFields<Field extends NamedField>(source: string, fields: readonly Field[]): readonly Field[] {
  const parsed = parseFormula(source);
  if (!parsed.ok) return [];
  return fields.filter(
    ({ name, required }) => name !== "" && required !== true && !outcome(parsed.formula, name).canBeTrue,
  );
}

/** The same formula, also true of records without a value for these fields. */
export const withEmptyAllowed = (source: string, names: readonly string[]): string =>
  [...names.map((name) => `${name} is empty`), needsBrackets(source) ? `(${source.trim()})` : source.trim()].join(
    " or ",
  );

function needsBrackets(source: string): boolean {
  const parsed = parseFormula(source);
  return parsed.ok && parsed.formula.kind === "and";
}

/** What the formula can be while that field is empty, whatever the others say. */
function outcome(formula: Formula, field: string): Outcome {
  switch (formula.kind) {
    case "compare": {
      const isOrder = formula.operator !== "=" && formula.operator !== "!=";
      const [left, right] = [isEmpty(formula.left, field), isEmpty(formula.right, field)];
      if (isOrder) return left || right ? never : either;
      if (!(left && isValue(formula.right)) && !(right && isValue(formula.left))) return either;
      return formula.operator === "=" ? never : { canBeTrue: true, canBeFalse: false };
    }
    case "in":
      return isEmpty(formula.of, field) ? never : either;
    case "empty":
      return isEmpty(formula.of, field) ? { canBeTrue: true, canBeFalse: false } : either;
    case "not": {
      const of = outcome(formula.of, field);
      return { canBeTrue: of.canBeFalse, canBeFalse: of.canBeTrue };
    }
    case "and":
    case "or": {
      const [left, right] = [outcome(formula.left, field), outcome(formula.right, field)];
      return formula.kind === "and"
        ? { canBeTrue: left.canBeTrue && right.canBeTrue, canBeFalse: left.canBeFalse || right.canBeFalse }
        : { canBeTrue: left.canBeTrue || right.canBeTrue, canBeFalse: left.canBeFalse && right.canBeFalse };
    }
    default:
      return either;
  }
}

/** Surely empty, because it is worked out from the field. */
function isEmpty(formula: Formula, field: string): boolean {
  if (formula.kind === "field") return formula.name === field;
  return formula.kind === "calculate" && (isEmpty(formula.left, field) || isEmpty(formula.right, field));
}

const isValue = (formula: Formula): boolean =>
  formula.kind === "number" || (formula.kind === "text" && formula.value !== "");

export interface ChoiceField {
  readonly name: string;
  readonly label?: string | undefined;
  readonly options?: readonly { readonly value: string; readonly label?: string | undefined }[] | undefined;
}

export interface StrangeOption {
  readonly field: ChoiceField;
  readonly text: string;
  /** Where the text begins in the formula, from 1. */
  readonly at: number;
  /** The option that is called so. */
  readonly meant: string | undefined;
}

/** The first text that is compared with a choice and is none of its options. */
export function strangeOption(source: string, fields: readonly ChoiceField[]): StrangeOption | undefined {
  const parsed = parseFormula(source);
  if (!parsed.ok) return undefined;
  for (const [one, other] of comparedIn(parsed.formula)) {
    if (one.kind !== "field" || other.kind !== "text" || other.value === "") continue;
    const field = fields.find(({ name }) => name === one.name);
    const { options = [] } = field ?? {};
    if (!field || options.length === 0 || options.some(({ value }) => value === other.value)) continue;
    const called = other.value.toLowerCase();
    const meant = options.find(({ value, label }) => label?.toLowerCase() === called || value.toLowerCase() === called);
    return { field, text: other.value, at: other.at, meant: meant?.value };
  }
  return undefined;
}

/** The formula with the option that was meant; undefined where it is unknown, or the text is written in another way than it reads. */
export function withOption(source: string, { text, at, meant }: StrangeOption): string | undefined {
  const end = at + text.length + 1;
  if (meant === undefined || source.slice(at, end - 1) !== text) return undefined;
  return `${source.slice(0, at)}${meant}${source.slice(end - 1)}`;
}

/** Of what was designed or is stored: choices of one option are compared with it, those of several with none. */
export const choiceFields = (
  fields: readonly {
    readonly name: string;
    readonly label?: string | undefined;
    readonly type: FieldTypeId;
    readonly options?: ChoiceField["options"] | null;
    readonly settings?: Readonly<Record<string, unknown>> | undefined;
  }[],
): readonly ChoiceField[] =>
  fields.flatMap(({ name, label, type, options, settings }) => {
    const designed = settings?.options;
    // The designer writes nothing else into it.
    const known = options ?? (Array.isArray(designed) ? (designed as NonNullable<ChoiceField["options"]>) : undefined);
    return fieldTypes[type].picks === "one" && known ? [{ name, label, options: known }] : [];
  });

function comparedIn(formula: Formula): readonly (readonly [Formula, Formula])[] {
  switch (formula.kind) {
    case "compare":
      return [
        ...(formula.operator === "=" || formula.operator === "!="
          ? ([
              [formula.left, formula.right],
              [formula.right, formula.left],
            ] as const)
          : []),
        ...comparedIn(formula.left),
        ...comparedIn(formula.right),
      ];
    case "in":
      return formula.values.map((value) => [formula.of, value] as const);
    case "and":
    case "or":
    case "join":
    case "calculate":
      return [...comparedIn(formula.left), ...comparedIn(formula.right)];
    case "not":
    case "empty":
      return comparedIn(formula.of);
    case "call":
      return formula.of.flatMap(comparedIn);
    default:
      return [];
  }
}
