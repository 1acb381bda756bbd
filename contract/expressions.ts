// The language in which a workflow works out values: `first_name & " " & last_name`, `amount * 0.9`, `today(14)`.
// Parsed into plain data and evaluated over field values; nothing of it is ever run as code. Numbers are exact decimals.
import { type Message, say } from "./messages.ts";
import { MAX_DEPTH, type Patterns, Refusal, type TokenReader, understand } from "./small-language.ts";
import { trimEndOf } from "./trim.ts";

export type Expression =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "field"; readonly field: string }
  /** The id of a record that the same transition made. */
  | { readonly kind: "new"; readonly name: string }
  | { readonly kind: "call"; readonly name: FunctionName; readonly of: readonly Expression[] }
  | { readonly kind: Operator; readonly left: Expression; readonly right: Expression };

type Operator = "&" | "+" | "-" | "*" | "/";
const functionNames = ["now", "today", "me", "group", "currency", "coalesce"] as const;
type FunctionName = (typeof functionNames)[number];

export type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly error: Message };

/** What an expression is worked out over. Values are those of the wire. */
export interface ExpressionScope {
  readonly read: (field: string) => unknown;
  readonly made: (name: string) => string | null;
  /** UTC, as on the wire. */
  readonly now: string;
  /** The caller's own day. */
  readonly today: string;
  readonly me: string;
  /** The first group that the caller is a member of, by its id. */
  readonly group: string | null;
  /** The organization's, by its id. */
  readonly currency: string | null;
}

const patterns: Patterns<"text" | "number" | "new" | "word" | "mark"> = [
  ["text", /"(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*'/y],
  ["number", /\d+(?:\.\d+)?(?![\w.])/y],
  ["new", /new\.[a-z][a-z0-9_]*/y],
  // A path leads through references: `company.owned_by.name`.
  ["word", /[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,4}/y],
  ["mark", /[-&+*/(),]/y],
];

export function parseExpression(source: string): ParsedExpression {
  const understood = understand(source, patterns, parse);
  return understood.ok ? { ok: true, expression: understood.value } : understood;
}

function parse({ peek, take, refuse }: TokenReader<(typeof patterns)[number][0]>): Expression {
  const isMark = (...marks: string[]): boolean => peek().kind === "mark" && marks.includes(peek().text);
  const close = (): void => {
    if (!isMark(")")) refuse(")");
    take();
  };

  function factor(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new Refusal(say("formula_too_deep", { max: MAX_DEPTH }));
    const token = peek();
    if (token.kind === "text") return { kind: "value", value: take().text.slice(1, -1).replace(/\\(.)/g, "$1") };
    if (token.kind === "number") return { kind: "value", value: take().text };
    if (token.kind === "new") return { kind: "new", name: take().text.slice("new.".length) };
    if (isMark("-")) {
      take();
      return { kind: "-", left: { kind: "value", value: "0" }, right: factor(depth + 1) };
    }
    if (isMark("(")) {
      take();
      const inner = joined(depth + 1);
      close();
      return inner;
    }
    if (token.kind !== "word") return refuse(say("a_field_or_value"));
    const { text } = take();
    if (!isMark("(")) return { kind: "field", field: text };
    const name = functionNames.find((one) => one === text);
    if (name === undefined) throw new Refusal(say("no_such_function", { name: text, names: functionNames }));
    return call(name, depth);
  }

  function call(name: FunctionName, depth: number): Expression {
    take();
    const of: Expression[] = [];
    while (!isMark(")")) {
      of.push(joined(depth + 1));
      if (!isMark(",")) break;
      take();
    }
    close();
    const wrong = name === "coalesce" ? of.length === 0 : name === "today" ? of.length > 1 : of.length > 0;
    if (wrong) throw new Refusal(say("wrong_arguments", { name, count: of.length }));
    return { kind: "call", name, of };
  }

  function chain(marks: readonly Operator[], next: (depth: number) => Expression, depth: number): Expression {
    let left = next(depth);
    for (;;) {
      const mark = marks.find((one) => isMark(one));
      if (mark === undefined) return left;
      take();
      left = { kind: mark, left, right: next(depth) };
    }
  }
  const product = (depth: number): Expression => chain(["*", "/"], factor, depth);
  const sum = (depth: number): Expression => chain(["+", "-"], product, depth);
  const joined = (depth: number): Expression => chain(["&"], sum, depth);

  const expression = joined(0);
  if (peek().kind !== "end") refuse(say("operator_or_end"));
  return expression;
}

export function fieldsOfExpression(expression: Expression): ReadonlySet<string> {
  return new Set(leaves(expression).flatMap((leaf) => (leaf.kind === "field" ? [leaf.field] : [])));
}

export function newsOfExpression(expression: Expression): ReadonlySet<string> {
  return new Set(leaves(expression).flatMap((leaf) => (leaf.kind === "new" ? [leaf.name] : [])));
}

function leaves(expression: Expression): readonly Expression[] {
  if ("left" in expression) return [...leaves(expression.left), ...leaves(expression.right)];
  return expression.kind === "call" ? expression.of.flatMap(leaves) : [expression];
}

/** A wire value: a text, null, or what a single field with parts holds. */
export function evaluateExpression(expression: Expression, scope: ExpressionScope): unknown {
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "field":
      return scope.read(expression.field) ?? null;
    case "new":
      return scope.made(expression.name);
    case "call":
      return callOf(expression, scope);
    case "&":
      return (textOf(expression.left, scope) + textOf(expression.right, scope)).slice(0, LONGEST_TEXT);
    default:
      return calculate(
        expression.kind,
        evaluateExpression(expression.left, scope),
        evaluateExpression(expression.right, scope),
      );
  }
}

function callOf({ name, of }: Extract<Expression, { kind: "call" }>, scope: ExpressionScope): unknown {
  if (name === "now") return scope.now;
  if (name === "me") return scope.me;
  if (name === "group") return scope.group;
  if (name === "currency") return scope.currency;
  if (name === "coalesce") {
    for (const one of of) {
      const value = evaluateExpression(one, scope);
      if (value !== null && value !== undefined && value !== "") return value;
    }
    return null;
  }
  const [days] = of;
  const later = days === undefined ? 0 : Number(evaluateExpression(days, scope));
  const day = new Date(`${scope.today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + later);
  return Number.isNaN(day.getTime()) ? null : day.toISOString().slice(0, 10);
}

function textOf(expression: Expression, scope: ExpressionScope): string {
  const value = evaluateExpression(expression, scope);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** No field holds so much: what is cut here is refused where it was to go. */
const LONGEST_TEXT = 1_000_001;

const decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** Digits that a division is carried to. */
const PLACES = 12;
/** What is longer is no number that anybody works with, and working with it would take its time. */
const LONGEST_NUMBER = 1_000;

function scaled(value: unknown): { readonly digits: bigint; readonly places: number } | undefined {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const parts = text.length > LONGEST_NUMBER ? null : decimal.exec(text);
  if (!parts) return undefined;
  const places = parts[3]?.length ?? 0;
  const digits = BigInt((parts[2] ?? "0") + (parts[3] ?? ""));
  return { digits: parts[1] === "-" ? -digits : digits, places };
}

/** What is no number has no sum: null. */
function calculate(operator: Exclude<Operator, "&">, left: unknown, right: unknown): string | null {
  const [a, b] = [scaled(left), scaled(right)];
  if (!a || !b) return null;
  if (operator === "*") return written(a.digits * b.digits, a.places + b.places);
  if (operator === "/") {
    if (b.digits === 0n) return null;
    const raised = a.digits * 10n ** BigInt(PLACES + b.places);
    return written(raised / (b.digits * 10n ** BigInt(a.places)), PLACES);
  }
  const places = Math.max(a.places, b.places);
  const [x, y] = [a.digits * 10n ** BigInt(places - a.places), b.digits * 10n ** BigInt(places - b.places)];
  return written(operator === "+" ? x + y : x - y, places);
}

function written(digits: bigint, places: number): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
  const [whole, fraction] = [text.slice(0, text.length - places), trimEndOf(text.slice(text.length - places), "0")];
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** A text with expressions in double braces: `{{name}} waits for you`, `{{company.name}}`. */
export type Template = readonly (string | Expression)[];

export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly error: Message };

export function parseTemplate(source: string): ParsedTemplate {
  const template: (string | Expression)[] = [];
  let at = 0;
  for (let open = source.indexOf("{{"); open !== -1; open = source.indexOf("{{", at)) {
    const close = source.indexOf("}}", open);
    if (close === -1) break;
    const parsed = parseExpression(source.slice(open + 2, close));
    if (!parsed.ok) {
      const placeholder = source.slice(open, close + 2);
      return { ok: false, error: say("in_placeholder", { placeholder, reason: parsed.error }) };
    }
    template.push(source.slice(at, open), parsed.expression);
    at = close + 2;
  }
  template.push(source.slice(at));
  return { ok: true, template };
}
