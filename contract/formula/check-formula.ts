// Takes a formula and what the fields are that it names; gives it with the kind of each part known and all literals read, or what
// is wrong and where. What it gives can be worked out (evaluate-formula.ts) and written as SQL without failing on any value.
import { type Message, say } from "../messages.ts";
import { Refusal } from "../small-language.ts";
import { isDay } from "./days.ts";
import { decimalOf } from "./exact-number.ts";
import type { Arithmetic, Comparison, Formula } from "./parse-formula.ts";

/** What a value is to a formula. */
export const valueKinds = ["number", "text", "date", "instant", "truth"] as const;
export type ValueKind = (typeof valueKinds)[number];

export const callNames = [
  "if",
  "coalesce",
  "round",
  "abs",
  "floor",
  "ceiling",
  "min",
  "max",
  "length",
  "contains",
  "year",
  "month",
  "day",
  "date",
] as const;
export type CallName = (typeof callNames)[number];

export type Checked = { readonly is: ValueKind } & (
  | { readonly node: "value"; readonly value: string | null }
  | { readonly node: "field"; readonly name: string }
  | { readonly node: "call"; readonly name: CallName; readonly of: readonly Checked[] }
  | { readonly node: "calculate"; readonly operator: Arithmetic; readonly left: Checked; readonly right: Checked }
  /** A date so many days later (`+`) or earlier. */
  | { readonly node: "shift"; readonly operator: "+" | "-"; readonly left: Checked; readonly right: Checked }
  /** The days between two dates. */
  | { readonly node: "days"; readonly left: Checked; readonly right: Checked }
  | { readonly node: "join"; readonly left: Checked; readonly right: Checked }
  | { readonly node: "compare"; readonly operator: Comparison; readonly left: Checked; readonly right: Checked }
  | { readonly node: "and" | "or"; readonly left: Checked; readonly right: Checked }
  | { readonly node: "not" | "empty"; readonly of: Checked }
  /** A part of its own: the value stands in it once, however many it is compared with. */
  | { readonly node: "in"; readonly of: Checked; readonly values: readonly Checked[] }
);

export type CheckedFormula =
  | { readonly ok: true; readonly checked: Checked; readonly fields: ReadonlySet<string> }
  | { readonly ok: false; readonly error: Message };

/** What a field is; undefined: there is none; null: its values stand in no formula; a message: why it can't stand in this one. Also asked for `today()` and `now()`. */
export type KindOf = (field: string) => ValueKind | Message | null | undefined;

/** `wanted`: what it must give; undefined: anything. */
export function checkFormula(formula: Formula, kindOf: KindOf, wanted?: ValueKind): CheckedFormula {
  const fields = new Set<string>();
  try {
    const checked = check(formula, { kindOf, fields });
    return { ok: true, checked: wanted === undefined ? checked : fitted(checked, wanted, formula.at), fields };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.said };
    throw error;
  }
}

interface Scope {
  readonly kindOf: KindOf;
  readonly fields: Set<string>;
}

const refuse = (reason: Message, at: number): never => {
  throw new Refusal(say("at_position", { reason, position: at }));
};

const kindName = (kind: ValueKind): Message => say(`kind_${kind}`);

/** A literal text stands for a date, a number or yes and no where one is needed; a whole date for its first second. */
function fitted(one: Checked, wanted: ValueKind, at: number): Checked {
  if (one.is === wanted) return one;
  const isLiteral = one.node === "value" && one.is === "text";
  if (isLiteral) {
    const read = literal(one.value ?? "", wanted);
    if (read !== undefined) return { node: "value", is: wanted, value: read };
  }
  return refuse(say("wrong_kind", { wanted: kindName(wanted), is: kindName(one.is) }), at);
}

/** Undefined where the text is no such value. */
export function literal(text: string, wanted: ValueKind): string | null | undefined {
  if (text === "") return null;
  switch (wanted) {
    case "number":
      return decimalOf(text) ? text : undefined;
    case "date":
      return isDay(text) ? text : undefined;
    case "instant": {
      const [day = "", time = "00:00:00"] = text.split(" ");
      return isDay(day) && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time) ? `${day} ${time}` : undefined;
    }
    case "truth":
      return text === "1" || text === "0" ? text : undefined;
    case "text":
      return text;
  }
}

function check(formula: Formula, scope: Scope): Checked {
  const { at } = formula;
  const of = (one: Formula, wanted: ValueKind): Checked => fitted(check(one, scope), wanted, one.at);
  switch (formula.kind) {
    case "number":
      return { node: "value", is: "number", value: formula.value };
    case "text":
      return { node: "value", is: "text", value: formula.value === "" ? null : formula.value };
    case "field":
      return field(formula.name, at, scope);
    case "call":
      return call(formula, scope);
    case "calculate":
      return calculation(formula.operator, formula, scope);
    case "join":
      return { node: "join", is: "text", left: written(formula.left, scope), right: written(formula.right, scope) };
    case "compare": {
      const [left, right] = alike(
        [check(formula.left, scope), check(formula.right, scope)],
        [formula.left.at, formula.right.at],
      );
      if (!left || !right) throw new Error("two are given for two");
      if (left.is === "truth" && formula.operator !== "=" && formula.operator !== "!=") {
        return refuse(say("no_order", { kind: kindName("truth") }), at);
      }
      return { node: "compare", is: "truth", operator: formula.operator, left, right };
    }
    case "and":
    case "or":
      return { node: formula.kind, is: "truth", left: of(formula.left, "truth"), right: of(formula.right, "truth") };
    case "not":
      return { node: "not", is: "truth", of: of(formula.of, "truth") };
    case "empty":
      return { node: "empty", is: "truth", of: check(formula.of, scope) };
    case "in": {
      if (formula.values.length === 0) return refuse(say("wrong_arguments", { name: "in", count: 0 }), at);
      const one = check(formula.of, scope);
      const values = formula.values.map((value) => fitted(check(value, scope), one.is, value.at));
      return { node: "in", is: "truth", of: one, values };
    }
  }
}

function field(name: string, at: number, { kindOf, fields }: Scope): Checked {
  const is = kindOf(name);
  if (is === undefined) return refuse(say("missing_field", { name }), at);
  if (is === null) return refuse(say("field_without_value", { name }), at);
  if (typeof is !== "string") return refuse(is, at);
  fields.add(name);
  return { node: "field", is, name };
}

/** Yes and no have no one spelling: they are written by `if`. */
function written(formula: Formula, scope: Scope): Checked {
  const one = check(formula, scope);
  if (one.is === "truth")
    return refuse(say("wrong_kind", { wanted: kindName("text"), is: kindName("truth") }), formula.at);
  return one;
}

function calculation(
  operator: Arithmetic,
  { left: first, right: second, at }: Extract<Formula, { kind: "calculate" }>,
  scope: Scope,
): Checked {
  const [left, right] = [check(first, scope), check(second, scope)];
  if (left.is === "date" && operator === "-" && right.is === "date") return { node: "days", is: "number", left, right };
  if (left.is === "date" && (operator === "+" || operator === "-")) {
    return { node: "shift", is: "date", operator, left, right: fitted(right, "number", second.at) };
  }
  if (left.is === "instant" || right.is === "instant") return refuse(say("use_date_of", { name: "date" }), at);
  return {
    node: "calculate",
    is: "number",
    operator,
    left: fitted(left, "number", first.at),
    right: fitted(right, "number", second.at),
  };
}

/** All of one kind: that of the first that is no literal text. */
function alike(given: readonly Checked[], places: readonly number[]): Checked[] {
  const first = given.find((one) => !(one.node === "value" && one.is === "text")) ?? given[0];
  return given.map((one, index) => fitted(one, first?.is ?? "text", places[index] ?? 1));
}

const takes: Readonly<Record<CallName, readonly [least: number, most: number]>> = {
  if: [3, 3],
  coalesce: [1, 20],
  round: [1, 2],
  abs: [1, 1],
  floor: [1, 1],
  ceiling: [1, 1],
  min: [1, 20],
  max: [1, 20],
  length: [1, 1],
  contains: [2, 2],
  year: [1, 1],
  month: [1, 1],
  day: [1, 1],
  date: [1, 1],
};

/** Places that a number can be rounded to. */
const MOST_PLACES = 12;

/** They would change by themselves, and nobody would write the record. */
const moving = ["today", "now", "me"];

function call(formula: Extract<Formula, { kind: "call" }>, scope: Scope): Checked {
  const { of, at } = formula;
  if (moving.includes(formula.name)) {
    // Where a formula is worked out once, for the moment, the moment is a value like those of fields.
    const is = of.length === 0 ? scope.kindOf(`${formula.name}()`) : undefined;
    return typeof is === "string"
      ? { node: "field", is, name: `${formula.name}()` }
      : refuse(say("moves_by_itself", { name: formula.name }), at);
  }
  const name = callNames.find((one) => one === formula.name);
  if (name === undefined) return refuse(say("no_such_function", { name: formula.name, names: callNames }), at);
  const [least, most] = takes[name];
  if (of.length < least || of.length > most) return refuse(say("wrong_arguments", { name, count: of.length }), at);
  const one = (index: number, wanted: ValueKind): Checked => {
    const given = of[index];
    if (!given) throw new Error("as many as were counted");
    return fitted(check(given, scope), wanted, given.at);
  };
  const places = of.map((given) => given.at);
  const all = () =>
    alike(
      of.map((given) => check(given, scope)),
      places,
    );
  switch (name) {
    case "if": {
      const [then, otherwise] = of.slice(1).map((given) => check(given, scope));
      if (!then || !otherwise) throw new Error("as many as were counted");
      const [a, b] = alike([then, otherwise], places.slice(1));
      if (!a || !b) throw new Error("two are given for two");
      return { node: "call", is: a.is, name, of: [one(0, "truth"), a, b] };
    }
    case "coalesce": {
      const given = all();
      return { node: "call", is: given[0]?.is ?? "text", name, of: given };
    }
    case "min":
    case "max": {
      const given = all();
      const is = given[0]?.is ?? "number";
      if (is === "truth" || is === "text") return refuse(say("no_order", { kind: kindName(is) }), at);
      return { node: "call", is, name, of: given };
    }
    case "round": {
      const given = of[1];
      if (given && !(given.kind === "number" && Number(given.value) <= MOST_PLACES && !given.value.includes("."))) {
        return refuse(say("bad_places", { max: MOST_PLACES }), given.at);
      }
      const to: Checked = { node: "value", is: "number", value: given?.kind === "number" ? given.value : "0" };
      return { node: "call", is: "number", name, of: [one(0, "number"), to] };
    }
    case "abs":
    case "floor":
    case "ceiling":
      return { node: "call", is: "number", name, of: [one(0, "number")] };
    case "length":
      return { node: "call", is: "number", name, of: [one(0, "text")] };
    case "contains":
      return { node: "call", is: "truth", name, of: [one(0, "text"), one(1, "text")] };
    case "year":
    case "month":
    case "day":
      return { node: "call", is: "number", name, of: [one(0, "date")] };
    case "date":
      return { node: "call", is: "date", name, of: [one(0, "instant")] };
  }
}
