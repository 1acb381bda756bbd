// The language of computed fields: `quantity * price`, `if(paid, "done", "open")`, `due - ordered > 14`. Reads a text into plain data
// that says where each part stands; nothing of it is ever run as code. Every condition of forms and workflows is a formula too.
import { type Message, say } from "../messages.ts";
import { MAX_DEPTH, type Patterns, Refusal, type TokenReader, understand } from "../small-language.ts";

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type Arithmetic = "+" | "-" | "*" | "/";

interface Placed {
  /** Where it begins in the text, from 1. */
  readonly at: number;
}

export type Formula = Placed &
  (
    | { readonly kind: "number" | "text"; readonly value: string }
    | { readonly kind: "field"; readonly name: string }
    | { readonly kind: "call"; readonly name: string; readonly of: readonly Formula[] }
    | { readonly kind: "calculate"; readonly operator: Arithmetic; readonly left: Formula; readonly right: Formula }
    | { readonly kind: "join"; readonly left: Formula; readonly right: Formula }
    | { readonly kind: "compare"; readonly operator: Comparison; readonly left: Formula; readonly right: Formula }
    | { readonly kind: "and" | "or"; readonly left: Formula; readonly right: Formula }
    | { readonly kind: "not" | "empty"; readonly of: Formula }
    | { readonly kind: "in"; readonly of: Formula; readonly values: readonly Formula[] }
  );

export type ParsedFormula =
  | { readonly ok: true; readonly formula: Formula }
  | { readonly ok: false; readonly error: Message };

/** Parts that a formula may have: what working it out costs is bounded by them. */
export const MAX_PARTS = 200;

const keywords = new Set(["and", "or", "not", "in", "is", "empty"]);
const comparisons: readonly Comparison[] = ["<=", ">=", "!=", "=", "<", ">"];
const patterns: Patterns<"text" | "number" | "field" | "record" | "word" | "mark"> = [
  ["text", /"(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*'/y],
  ["number", /\d+(?:\.\d+)?(?![\w.])/y],
  ["field", /\[[a-z][a-z0-9_]*\]/y],
  // A field of the record that is being edited, where a formula is about another one.
  ["record", /record\.[a-z][a-z0-9_]*/y],
  ["word", /[A-Za-z][A-Za-z0-9_]*/y],
  ["mark", /<=|>=|!=|[-&+*/(),=<>]/y],
];

export function parseFormula(source: string): ParsedFormula {
  const understood = understand(source, patterns, parse);
  return understood.ok ? { ok: true, formula: understood.value } : understood;
}

function parse({ peek, take, refuse }: TokenReader<(typeof patterns)[number][0]>): Formula {
  let parts = 0;
  const isMark = (mark: string): boolean => peek().kind === "mark" && peek().text === mark;
  const isWord = (word: string): boolean => peek().kind === "word" && peek().text.toLowerCase() === word;
  const takeWord = (word: string): boolean => {
    const found = isWord(word);
    if (found) take();
    return found;
  };
  const expectMark = (mark: string): void => {
    if (!isMark(mark)) refuse(mark);
    take();
  };
  const part = <One extends Formula>(one: One): One => {
    parts += 1;
    if (parts > MAX_PARTS) throw new Refusal(say("formula_too_large", { max: MAX_PARTS }));
    return one;
  };

  function factor(depth: number): Formula {
    if (depth > MAX_DEPTH) throw new Refusal(say("formula_too_deep", { max: MAX_DEPTH }));
    const token = peek();
    const at = token.at + 1;
    if (token.kind === "text") {
      return part({ kind: "text", value: take().text.slice(1, -1).replace(/\\(.)/g, "$1"), at });
    }
    if (token.kind === "number") return part({ kind: "number", value: take().text, at });
    if (token.kind === "field") return part({ kind: "field", name: take().text.slice(1, -1), at });
    if (token.kind === "record") return part({ kind: "field", name: take().text, at });
    if (isMark("-")) {
      take();
      const right = factor(depth + 1);
      return part({ kind: "calculate", operator: "-", left: { kind: "number", value: "0", at }, right, at });
    }
    if (isMark("(")) {
      take();
      const inner = either(depth + 1);
      expectMark(")");
      return inner;
    }
    if (token.kind !== "word" || keywords.has(token.text.toLowerCase())) return refuse(say("a_field_or_value"));
    const { text } = take();
    if (isMark("(")) return part({ kind: "call", name: text.toLowerCase(), of: list(depth + 1), at });
    if (!/^[a-z]/.test(text))
      throw new Refusal(say("expected_at", { expected: say("a_lowercase_field"), position: at }));
    return part({ kind: "field", name: text, at });
  }

  function list(depth: number): Formula[] {
    expectMark("(");
    const found: Formula[] = [];
    while (!isMark(")")) {
      found.push(either(depth));
      if (!isMark(",")) break;
      take();
    }
    expectMark(")");
    return found;
  }

  function product(depth: number): Formula {
    let left = factor(depth);
    while (isMark("*") || isMark("/")) {
      const { at, text } = take();
      left = part({ kind: "calculate", operator: text === "*" ? "*" : "/", left, right: factor(depth), at: at + 1 });
    }
    return left;
  }

  function sum(depth: number): Formula {
    let left = product(depth);
    while (isMark("+") || isMark("-")) {
      const { at, text } = take();
      left = part({ kind: "calculate", operator: text === "+" ? "+" : "-", left, right: product(depth), at: at + 1 });
    }
    return left;
  }

  function joined(depth: number): Formula {
    let left = sum(depth);
    while (isMark("&")) {
      const { at } = take();
      left = part({ kind: "join", left, right: sum(depth), at: at + 1 });
    }
    return left;
  }

  function comparison(depth: number): Formula {
    const left = joined(depth);
    const { at } = peek();
    const isNegated = takeWord("not");
    if (takeWord("in")) {
      const among = part({ kind: "in", of: left, values: list(depth + 1), at: at + 1 } as const);
      return isNegated ? part({ kind: "not", of: among, at: at + 1 }) : among;
    }
    if (isNegated) refuse("in");
    if (takeWord("is")) {
      const not = takeWord("not");
      if (!takeWord("empty")) refuse("empty");
      const empty = part({ kind: "empty", of: left, at: at + 1 } as const);
      return not ? part({ kind: "not", of: empty, at: at + 1 }) : empty;
    }
    const operator = comparisons.find((one) => isMark(one));
    if (operator === undefined) return left;
    take();
    return part({ kind: "compare", operator, left, right: joined(depth), at: at + 1 });
  }

  function unary(depth: number): Formula {
    if (depth > MAX_DEPTH) throw new Refusal(say("formula_too_deep", { max: MAX_DEPTH }));
    const { at } = peek();
    return takeWord("not") ? part({ kind: "not", of: unary(depth + 1), at: at + 1 }) : comparison(depth);
  }

  function chain(kind: "and" | "or", next: (depth: number) => Formula, depth: number): Formula {
    let left = next(depth);
    for (;;) {
      const { at } = peek();
      if (!takeWord(kind)) return left;
      left = part({ kind, left, right: next(depth), at: at + 1 });
    }
  }
  const both = (depth: number): Formula => chain("and", unary, depth);
  const either = (depth: number): Formula => chain("or", both, depth);

  const formula = either(0);
  if (peek().kind !== "end") refuse(say("operator_or_end"));
  return formula;
}

/** Every field that it names. */
export function fieldsOfFormula(formula: Formula): readonly string[] {
  if (formula.kind === "field") return [formula.name];
  if ("left" in formula) return [...fieldsOfFormula(formula.left), ...fieldsOfFormula(formula.right)];
  if (formula.kind === "call") return formula.of.flatMap(fieldsOfFormula);
  if (formula.kind === "in") return [formula.of, ...formula.values].flatMap(fieldsOfFormula);
  return "of" in formula ? fieldsOfFormula(formula.of) : [];
}
