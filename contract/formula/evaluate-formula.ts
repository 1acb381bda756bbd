// Works a checked formula out over the values of the wire. Never fails on a value: what cannot be worked out is empty (null), as
// in SQL (server/query/computed/formula-sql.ts), which comes to the same result. An empty text is no value; yes and no are never empty.
import type { Checked } from "./check-formula.ts";
import { dayNumber, dayText } from "./days.ts";
import {
  absolute,
  calculate,
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  rounded,
  truncated,
  whole,
  wholeBeside,
} from "./exact-number.ts";

/** Of a number a Decimal, of yes and no a boolean, else the text of the wire. */
export type FormulaValue = Decimal | string | boolean | null;

/** A wire value: a text or nothing. */
export type ReadValue = (field: string) => unknown;

export function evaluateFormula(formula: Checked, read: ReadValue): FormulaValue {
  const of = (one: Checked): FormulaValue => evaluateFormula(one, read);
  switch (formula.node) {
    case "value":
      return readAs(formula.is, formula.value);
    case "field": {
      const sent = read(formula.name);
      return readAs(formula.is, typeof sent === "string" && sent !== "" ? sent : null);
    }
    case "calculate": {
      const [left, right] = [of(formula.left), of(formula.right)];
      return isDecimal(left) && isDecimal(right) ? calculate(formula.operator, left, right) : null;
    }
    case "shift": {
      const [day, by] = [dayOf(of(formula.left)), of(formula.right)];
      if (day === undefined || !isDecimal(by)) return null;
      const days = truncated(by);
      if (days > FARTHEST || days < -FARTHEST) return null;
      return dayText(day + (formula.operator === "+" ? 1 : -1) * Number(days)) ?? null;
    }
    case "days": {
      const [left, right] = [dayOf(of(formula.left)), dayOf(of(formula.right))];
      return left === undefined || right === undefined ? null : whole(left - right);
    }
    case "join":
      return textOf(of(formula.left)) + textOf(of(formula.right)) || null;
    case "compare":
      return compare(formula.operator, of(formula.left), of(formula.right));
    case "and":
      return of(formula.left) === true && of(formula.right) === true;
    case "or":
      return of(formula.left) === true || of(formula.right) === true;
    case "not":
      return of(formula.of) !== true;
    case "empty":
      return of(formula.of) === null;
    case "in": {
      // Nothing is among nothing: `in` asks for a value, as conditions do.
      const one = of(formula.of);
      return one !== null && formula.values.some((value) => compare("=", one, of(value)));
    }
    case "call":
      return callOf(formula, of);
  }
}

/** More days than there are between the first and the last. */
const FARTHEST = 10_000_000n;

function readAs(kind: Checked["is"], text: string | null): FormulaValue {
  if (kind === "truth") return text === "1";
  if (text === null) return null;
  return kind === "number" ? decimalOf(text) : text;
}

const isDecimal = (value: FormulaValue | undefined): value is Decimal => typeof value === "object" && value !== null;

const dayOf = (value: FormulaValue): number | undefined => (typeof value === "string" ? dayNumber(value) : undefined);

const textOf = (value: FormulaValue): string =>
  isDecimal(value) ? decimalText(value) : typeof value === "string" ? value : "";

function compare(
  operator: Extract<Checked, { node: "compare" }>["operator"],
  left: FormulaValue,
  right: FormulaValue,
): boolean {
  if (left === null || right === null) {
    // Nothing is smaller or larger than an empty value; it equals only another empty one.
    return operator === "=" ? left === right : operator === "!=" ? left !== right : false;
  }
  const sign = order(left, right);
  switch (operator) {
    case "=":
      return sign === 0;
    case "!=":
      return sign !== 0;
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
  }
}

function order(left: FormulaValue, right: FormulaValue): number {
  if (isDecimal(left) && isDecimal(right)) return compareDecimals(left, right);
  return byCharacters(String(left), String(right));
}

/** By code points, as PostgreSQL's "C": UTF-16 puts some of the last ones elsewhere. */
function byCharacters(left: string, right: string): number {
  const [a, b] = [left[Symbol.iterator](), right[Symbol.iterator]()];
  for (;;) {
    const [x, y] = [a.next(), b.next()];
    if (x.done || y.done) return x.done ? (y.done ? 0 : -1) : 1;
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}

function callOf(
  { name, of: given }: Extract<Checked, { node: "call" }>,
  of: (one: Checked) => FormulaValue,
): FormulaValue {
  const at = (index: number): FormulaValue => {
    const one = given[index];
    return one ? of(one) : null;
  };
  if (name === "if") return at(at(0) === true ? 1 : 2);
  // Each part is worked out once: twice on every level would double with the depth.
  switch (name) {
    case "coalesce": {
      for (const one of given) {
        const value = of(one);
        if (value !== null) return value;
      }
      return null;
    }
    case "min":
    case "max": {
      const values = given.map(of).filter((value) => value !== null);
      const side = name === "min" ? 1 : -1;
      return values.reduce<FormulaValue>(
        (best, value) => (best === null || side * order(value, best) < 0 ? value : best),
        null,
      );
    }
  }
  const first = at(0);
  switch (name) {
    case "round": {
      const places = at(1);
      return isDecimal(first) && isDecimal(places) ? rounded(first, Number(places.digits)) : null;
    }
    case "abs":
      return isDecimal(first) ? absolute(first) : null;
    case "floor":
      return isDecimal(first) ? wholeBeside(first, "down") : null;
    case "ceiling":
      return isDecimal(first) ? wholeBeside(first, "up") : null;
    case "length":
      return whole(typeof first === "string" ? characters(first) : 0);
    case "contains":
      return typeof first === "string" && first.includes(textOf(at(1)));
    case "year":
    case "month":
    case "day": {
      if (typeof first !== "string" || dayNumber(first) === undefined) return null;
      const [year, month, day] = first.split("-");
      return decimalOf((name === "year" ? year : name === "month" ? month : day) ?? "");
    }
    case "date":
      return typeof first === "string" ? first.slice(0, "2026-11-16".length) : null;
  }
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What the field of a result can hold. */
export interface ResultShape {
  /** Of a number: digits in all, and how many of them stand behind the point. */
  readonly digits?: number;
  readonly places?: number;
  /** Of a text, in characters. */
  readonly longest?: number;
}

/** As the wire writes it: a number that does not fit is empty, a text is cut. */
export function resultText(value: FormulaValue, { digits, places = 0, longest }: ResultShape): string | null {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? "1" : "0";
  if (isDecimal(value)) {
    const fitting = rounded(value, places);
    if (digits !== undefined && absolute(fitting).digits >= 10n ** BigInt(digits)) return null;
    return decimalText(fitting, true);
  }
  if (longest === undefined) return value;
  return [...value.slice(0, 2 * longest)].slice(0, longest).join("");
}
