// The language of conditions in forms: `status = "lost" and (amount > 1000 or rating in ("hot", "warm"))`.
// Parsed into plain data and evaluated over field values; nothing of it is ever run as code. Server and browser use
// this very file, so that both come to the same answer.
import { type Message, say } from "./messages.ts";
import { MAX_DEPTH, type Patterns, Refusal, type TokenReader, understand } from "./small-language.ts";

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type Operand = { readonly field: string } | { readonly value: string };

export type Condition =
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | { readonly kind: "compare"; readonly left: Operand; readonly comparison: Comparison; readonly right: Operand }
  | { readonly kind: "in"; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: "empty"; readonly field: string };

export type ParsedCondition =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly error: Message };

/** Wire values: texts, null, and the objects of fields that have parts. */
export type ValueOf = (field: string) => unknown;

const keywords = new Set(["and", "or", "not", "in", "is", "empty"]);
const patterns: Patterns<"word" | "field" | "text" | "number" | "mark"> = [
  ["text", /"(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*'/y],
  ["number", /-?\d+(?:\.\d+)?(?![\w.])/y],
  ["field", /\[[a-z][a-z0-9_]*\]/y],
  ["word", /[A-Za-z][A-Za-z0-9_]*/y],
  ["mark", /<=|>=|!=|[=<>(),]/y],
];

export function parseCondition(source: string): ParsedCondition {
  const understood = understand(source, patterns, parse);
  return understood.ok ? { ok: true, condition: understood.value } : understood;
}

function parse({ peek, take, refuse }: TokenReader<(typeof patterns)[number][0]>): Condition {
  const isWord = (word: string): boolean => peek().kind === "word" && peek().text.toLowerCase() === word;
  const isMark = (mark: string): boolean => peek().kind === "mark" && peek().text === mark;
  const takeWord = (word: string): boolean => {
    const found = isWord(word);
    if (found) take();
    return found;
  };
  const expectMark = (mark: string): void => {
    if (!isMark(mark)) refuse(mark);
    take();
  };

  function operand(): Operand {
    const token = peek();
    if (token.kind === "text") return { value: unquote(take().text) };
    if (token.kind === "number") return { value: take().text };
    if (token.kind === "field") return { field: take().text.slice(1, -1) };
    if (token.kind === "word" && !keywords.has(token.text.toLowerCase())) {
      if (!/^[a-z]/.test(token.text)) return refuse(say("a_lowercase_field"));
      return { field: take().text };
    }
    return refuse(say("a_field_or_value"));
  }

  function literal(): string {
    const found = operand();
    return "value" in found ? found.value : refuse(say("a_quoted_value"));
  }

  function comparison(depth: number): Condition {
    if (isMark("(")) {
      take();
      const inner = either(depth + 1);
      expectMark(")");
      return inner;
    }
    const left = operand();
    if ("field" in left) {
      const negated = takeWord("not");
      if (takeWord("in")) return negate(negated, { kind: "in", field: left.field, values: list() });
      if (negated) refuse("in");
      if (takeWord("is")) {
        const not = takeWord("not");
        if (!takeWord("empty")) refuse("empty");
        return negate(not, { kind: "empty", field: left.field });
      }
    }
    const mark = comparisons.find((one) => isMark(one));
    if (mark === undefined) return refuse(say("a_comparison"));
    take();
    return { kind: "compare", left, comparison: mark, right: operand() };
  }

  function list(): string[] {
    expectMark("(");
    const values = [literal()];
    while (isMark(",")) {
      take();
      values.push(literal());
    }
    expectMark(")");
    return values;
  }

  function unary(depth: number): Condition {
    if (depth > MAX_DEPTH) throw new Refusal(say("formula_too_deep", { max: MAX_DEPTH }));
    return takeWord("not") ? { kind: "not", part: unary(depth + 1) } : comparison(depth);
  }

  function chain(word: "and" | "or", next: (depth: number) => Condition, depth: number): Condition {
    const first = next(depth);
    const parts = [first];
    while (takeWord(word)) parts.push(next(depth));
    return parts.length === 1 ? first : { kind: word, parts };
  }

  const both = (depth: number): Condition => chain("and", unary, depth);
  const either = (depth: number): Condition => chain("or", both, depth);

  const condition = either(0);
  if (peek().kind !== "end") refuse(say("joint_or_end"));
  return condition;
}

const comparisons: readonly Comparison[] = ["<=", ">=", "!=", "=", "<", ">"];
const negate = (negated: boolean, part: Condition): Condition => (negated ? { kind: "not", part } : part);
const unquote = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, "$1");

/** The inverse of parsing. */
export function writeCondition(condition: Condition): string {
  const quote = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`;
  const operand = (one: Operand) => ("field" in one ? `[${one.field}]` : quote(one.value));
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.parts.map((part) => `(${writeCondition(part)})`).join(` ${condition.kind} `);
    case "not":
      return `not (${writeCondition(condition.part)})`;
    case "compare":
      return `${operand(condition.left)} ${condition.comparison} ${operand(condition.right)}`;
    case "in":
      return `[${condition.field}] in (${condition.values.map(quote).join(", ")})`;
    case "empty":
      return `[${condition.field}] is empty`;
  }
}

export function fieldsOf(condition: Condition): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (one: Condition): void => {
    if ("parts" in one) for (const part of one.parts) visit(part);
    else if (one.kind === "not") visit(one.part);
    else if (one.kind === "compare") {
      for (const side of [one.left, one.right]) if ("field" in side) found.add(side.field);
    } else found.add(one.field);
  };
  visit(condition);
  return found;
}

const isEmptyValue = (value: unknown): boolean => value === null || value === undefined || value === "";

export function evaluate(condition: Condition, read: ValueOf): boolean {
  switch (condition.kind) {
    case "and":
      return condition.parts.every((part) => evaluate(part, read));
    case "or":
      return condition.parts.some((part) => evaluate(part, read));
    case "not":
      return !evaluate(condition.part, read);
    case "empty":
      return isEmptyValue(read(condition.field));
    case "in": {
      const value = textOf(read(condition.field));
      return value !== undefined && condition.values.some((one) => order(value, one) === 0);
    }
    case "compare": {
      const side = (one: Operand) => ("field" in one ? textOf(read(one.field)) : one.value);
      return compare(side(condition.left), condition.comparison, side(condition.right));
    }
  }
}

/** Only texts and numbers compare; what has parts is never equal to anything. */
function textOf(value: unknown): string | undefined {
  if (isEmptyValue(value)) return undefined;
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}

/** Nothing is smaller or larger than an empty value; it equals only another empty one. */
function compare(left: string | undefined, comparison: Comparison, right: string | undefined): boolean {
  if (comparison === "=" || comparison === "!=") {
    const same =
      left === undefined || right === undefined || right === ""
        ? emptyText(left) === emptyText(right)
        : order(left, right) === 0;
    return same === (comparison === "=");
  }
  if (left === undefined || right === undefined) return false;
  const sign = order(left, right);
  return comparison === "<" ? sign < 0 : comparison === "<=" ? sign <= 0 : comparison === ">" ? sign > 0 : sign >= 0;
}

const emptyText = (text: string | undefined): string => text ?? "";

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Numbers by their exact value, all else by its characters: dates and instants of the wire sort rightly so. */
function order(left: string, right: string): number {
  const [a, b] = [decimal.exec(left), decimal.exec(right)];
  if (a && b) {
    const places = Math.max(a[3]?.length ?? 0, b[3]?.length ?? 0);
    const scaled = (parts: RegExpExecArray) => {
      const digits = BigInt((parts[2] ?? "") + (parts[3] ?? "").padEnd(places, "0"));
      return parts[1] === "-" ? -digits : digits;
    };
    const [x, y] = [scaled(a), scaled(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}
