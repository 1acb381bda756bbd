// The patterns that a designer asks texts to have: `[A-Z]{2}-\d{4}`. A small part of regular expressions, always over the whole text, read
// into steps and walked through side by side: time grows with the text, never beyond. No RegExp is ever made of what somebody wrote.
import { type Message, say } from "./messages.ts";
import { MAX_DEPTH, Refusal } from "./small-language.ts";

/** Characters of a pattern. */
export const LONGEST_PATTERN = 200;
/** Steps that it may come to once repetitions are written out: a text is judged in at most so many looks per character. */
const MOST_STEPS = 500;
const MOST_TIMES = 200;

/** Code points from and to, both included. */
type Range = readonly [from: number, to: number];

type Node =
  | { readonly kind: "set"; readonly ranges: readonly Range[]; readonly isNegated: boolean }
  | { readonly kind: "sequence" | "either"; readonly of: readonly Node[] }
  | { readonly kind: "repeat"; readonly of: Node; readonly least: number; readonly most: number | undefined };

type Step =
  | { readonly do: "take"; readonly ranges: readonly Range[]; readonly isNegated: boolean }
  | { readonly do: "fork"; readonly to: readonly number[] };

/** The step after the last one is the end. */
export type Pattern = readonly Step[];

export type ParsedPattern =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly error: Message };

const span = (from: string, to: string): Range => [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
const one = (character: string): Range => span(character, character);
const LAST = 0x10ffff;

const digits: readonly Range[] = [span("0", "9")];
const words: readonly Range[] = [span("0", "9"), span("A", "Z"), one("_"), span("a", "z")];
const spaces: readonly Range[] = [span("\t", "\r"), one(" "), one("\u00a0")];
const shorthands: Readonly<Record<string, readonly Range[]>> = { d: digits, w: words, s: spaces };
const controls: Readonly<Record<string, string>> = { t: "\t", n: "\n" };

/** What is not in any of these. */
function outside(ranges: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  let next = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > next) found.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return next > LAST ? found : [...found, [next, LAST]];
}

export function parsePattern(source: string): ParsedPattern {
  try {
    if (source.length > LONGEST_PATTERN) throw new Refusal(say("pattern_too_long", { max: LONGEST_PATTERN }));
    const steps: Step[] = [];
    write(read([...source]), steps);
    return { ok: true, pattern: steps };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.said };
    throw error;
  }
}

function read(text: readonly string[]): Node {
  let at = 0;
  const refuse = (): never => {
    throw new Refusal(say("bad_pattern_at", { position: at + 1 }));
  };
  const takes = (character: string): boolean => {
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const next = (): string => {
    const character = text[at];
    if (character === undefined) return refuse();
    at += 1;
    return character;
  };

  /** After a backslash: a kind of characters, or one that would mean something else. */
  function escaped(): readonly Range[] {
    const character = next();
    const lower = character.toLowerCase();
    const known = Object.hasOwn(shorthands, lower) ? shorthands[lower] : undefined;
    if (known) return character === lower ? known : outside(known);
    const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
    if (control !== undefined) return [one(control)];
    if (/^[A-Za-z0-9]$/u.test(character)) {
      at -= 1;
      return refuse();
    }
    return [one(character)];
  }

  function characterClass(): Node {
    const isNegated = takes("^");
    const ranges: Range[] = [];
    while (!takes("]")) {
      const first = takes("\\") ? escaped() : [one(next())];
      const [only, ...more] = first;
      const isOne = only !== undefined && more.length === 0 && only[0] === only[1];
      if (isOne && text[at] === "-" && text[at + 1] !== "]" && text[at + 1] !== undefined) {
        at += 1;
        const [last, ...others] = takes("\\") ? escaped() : [one(next())];
        if (last === undefined || others.length > 0 || last[0] !== last[1] || last[0] < only[0]) return refuse();
        ranges.push([only[0], last[0]]);
      } else ranges.push(...first);
    }
    if (ranges.length === 0) return refuse();
    return { kind: "set", ranges, isNegated };
  }

  function atom(depth: number): Node {
    if (depth > MAX_DEPTH) throw new Refusal(say("formula_too_deep", { max: MAX_DEPTH }));
    if (takes("(")) {
      if (takes("?") && !takes(":")) return refuse();
      const inner = either(depth + 1);
      if (!takes(")")) return refuse();
      return inner;
    }
    if (takes("[")) return characterClass();
    if (takes("\\")) return { kind: "set", ranges: escaped(), isNegated: false };
    if (takes(".")) return { kind: "set", ranges: [one("\n")], isNegated: true };
    if (["*", "+", "?", "{", "}", "]", "^", "$"].includes(text[at] ?? "")) return refuse();
    return { kind: "set", ranges: [one(next())], isNegated: false };
  }

  function count(): number | undefined {
    let written = "";
    while (/^[0-9]$/u.test(text[at] ?? "")) written += next();
    if (written === "") return undefined;
    if (Number(written) > MOST_TIMES) throw new Refusal(say("pattern_too_large"));
    return Number(written);
  }

  function repeated(depth: number): Node {
    const of = atom(depth);
    if (takes("*")) return { kind: "repeat", of, least: 0, most: undefined };
    if (takes("+")) return { kind: "repeat", of, least: 1, most: undefined };
    if (takes("?")) return { kind: "repeat", of, least: 0, most: 1 };
    if (!takes("{")) return of;
    const least = count() ?? refuse();
    const most = takes(",") ? count() : least;
    if (!takes("}") || (most !== undefined && most < least)) return refuse();
    return { kind: "repeat", of, least, most };
  }

  function sequence(depth: number): Node {
    const of: Node[] = [];
    while (at < text.length && text[at] !== "|" && text[at] !== ")" && !isEnd()) of.push(repeated(depth));
    return { kind: "sequence", of };
  }
  /** The sign for the end, where it is. */
  const isEnd = (): boolean => text[at] === "$" && at === text.length - 1;

  function either(depth: number): Node {
    const of = [sequence(depth)];
    while (takes("|")) of.push(sequence(depth));
    return of.length === 1 && of[0] ? of[0] : { kind: "either", of };
  }

  // All of the text is judged anyway.
  takes("^");
  const whole = either(0);
  if (isEnd()) at += 1;
  if (at < text.length) refuse();
  return whole;
}

function write(node: Node, steps: Step[]): void {
  const put = (step: Step): number => {
    if (steps.length >= MOST_STEPS) throw new Refusal(say("pattern_too_large"));
    return steps.push(step) - 1;
  };
  switch (node.kind) {
    case "set":
      put({ do: "take", ranges: node.ranges, isNegated: node.isNegated });
      return;
    case "sequence":
      for (const part of node.of) write(part, steps);
      return;
    case "either": {
      const fork = put({ do: "fork", to: [] });
      const starts: number[] = [];
      const ends: number[] = [];
      for (const part of node.of) {
        starts.push(steps.length);
        write(part, steps);
        ends.push(put({ do: "fork", to: [] }));
      }
      steps[fork] = { do: "fork", to: starts };
      for (const end of ends) steps[end] = { do: "fork", to: [steps.length] };
      return;
    }
    case "repeat": {
      for (let time = 0; time < node.least; time += 1) {
        const before = steps.length;
        write(node.of, steps);
        // What takes no step can be said any number of times: once is all of them.
        if (steps.length === before) break;
      }
      if (node.most === undefined) {
        const fork = put({ do: "fork", to: [] });
        write(node.of, steps);
        put({ do: "fork", to: [fork] });
        steps[fork] = { do: "fork", to: [fork + 1, steps.length] };
        return;
      }
      const forks: number[] = [];
      for (let time = node.least; time < node.most; time += 1) {
        forks.push(put({ do: "fork", to: [] }));
        write(node.of, steps);
      }
      for (const fork of forks) steps[fork] = { do: "fork", to: [fork + 1, steps.length] };
    }
  }
}

const isIn = (ranges: readonly Range[], point: number): boolean =>
  ranges.some(([from, to]) => point >= from && point <= to);

/** Whether the whole text has the pattern. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  let now = reached(pattern, [0]);
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const next: number[] = [];
    for (const at of now) {
      const step = pattern[at];
      if (step?.do === "take" && isIn(step.ranges, point) !== step.isNegated) next.push(at + 1);
    }
    if (next.length === 0) return false;
    now = reached(pattern, next);
  }
  return now.has(pattern.length);
}

/** All steps that can be next, each once. */
function reached(pattern: Pattern, from: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  const left = [...from];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    const step = pattern[at];
    if (step?.do === "fork") left.push(...step.to);
  }
  return found;
}
