// Takes a formula and which of the fields it names are amounts of money; gives the currency that its result is in, or what is wrong:
// amounts in different currencies, or an amount and a plain number, put together. Says nothing of what else may be wrong with it.
import { type Message, say } from "../messages.ts";
import { Refusal } from "../small-language.ts";
import type { Formula } from "./parse-formula.ts";

/** An amount of money: the field that its currency stands in, or null where that is the organization's. */
export interface Amount {
  readonly currency: string | null;
}

/** What a field holds: an amount, a plain number, or neither. */
export type UnitOf = (field: string) => Amount | "number" | undefined;

interface HeldValues {
  /** Undefined where they are no amounts of money. */
  readonly amount: Amount | undefined;
  readonly isNumber: boolean;
  readonly isLookup: boolean;
}

/** A number that is looked up may be an amount in a currency that only the other record knows. */
export const unitOfField = ({ amount, isNumber, isLookup }: HeldValues): ReturnType<UnitOf> =>
  amount ?? (isNumber && !isLookup ? "number" : undefined);

export type AmountOfFormula =
  | { readonly ok: true /** Undefined where it gives no amount. */; readonly amount: Amount | undefined }
  | { readonly ok: false; readonly error: Message };

/** `free`: goes with anything, as a number that is written out does. `from`: the field that it comes from. */
type Unit = "free" | { readonly from: string; readonly amount: Amount | undefined };

export function amountOfFormula(formula: Formula, unitOf: UnitOf): AmountOfFormula {
  try {
    const unit = unitIn(formula, unitOf);
    return { ok: true, amount: unit === "free" ? undefined : unit.amount };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.said };
    throw error;
  }
}

const refuse = (reason: Message, at: number): never => {
  throw new Refusal(say("at_position", { reason, position: at }));
};

const amountIn = (unit: Unit): Amount | undefined => (unit === "free" ? undefined : unit.amount);

function unitIn(formula: Formula, unitOf: UnitOf): Unit {
  const of = (one: Formula): Unit => unitIn(one, unitOf);
  const { at } = formula;
  switch (formula.kind) {
    case "number":
    case "text":
      return "free";
    case "field": {
      const unit = unitOf(formula.name);
      if (unit === undefined) return "free";
      return { from: formula.name, amount: unit === "number" ? undefined : unit };
    }
    case "calculate": {
      const [left, right] = [of(formula.left), of(formula.right)];
      if (formula.operator === "*") return product(left, right, at);
      if (formula.operator === "/") return quotient(left, right, at);
      return together([left, right], at);
    }
    case "compare":
      together([of(formula.left), of(formula.right)], at);
      return "free";
    case "in":
      together([formula.of, ...formula.values].map(of), at);
      return "free";
    case "join":
    case "and":
    case "or":
      of(formula.left);
      of(formula.right);
      return "free";
    case "not":
    case "empty":
      of(formula.of);
      return "free";
    case "call": {
      const units = formula.of.map(of);
      if (formula.name === "if") return together(units.slice(1), at);
      if (["coalesce", "min", "max"].includes(formula.name)) return together(units, at);
      return ["round", "abs", "floor", "ceiling"].includes(formula.name) ? (units[0] ?? "free") : "free";
    }
  }
}

/** What is added, compared or chosen from. */
function together(units: readonly Unit[], at: number): Unit {
  const fixed = units.filter((unit) => unit !== "free");
  const [first] = fixed;
  if (!first) return "free";
  for (const other of fixed) {
    if (first.amount && other.amount && first.amount.currency !== other.amount.currency)
      return refuse(say("mixed_currencies", { one: first.from, other: other.from }), at);
    if ((first.amount === undefined) === (other.amount === undefined)) continue;
    const [money, number] = first.amount ? [first.from, other.from] : [other.from, first.from];
    return refuse(say("money_and_number", { money, number }), at);
  }
  return first;
}

function product(left: Unit, right: Unit, at: number): Unit {
  if (left !== "free" && right !== "free" && left.amount && right.amount)
    return refuse(say("money_times_money", { one: left.from, other: right.from }), at);
  return amountIn(right) || left === "free" ? right : left;
}

/** By an amount: a plain number that no field is named for. */
function quotient(left: Unit, right: Unit, at: number): Unit {
  if (amountIn(right) === undefined) return left;
  if (amountIn(left) !== undefined) together([left, right], at);
  return "free";
}
