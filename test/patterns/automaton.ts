// Takes a regular expression; gives the automaton that a backtracking matcher walks: one state per character that the
// pattern can read, and per state, in the order in which the matcher tries them, the states that can come next.
import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** `certain` is false past something that is not modeled (a look-around, a word boundary): it may or may not be passed. */
export interface Step {
  readonly to: number | "match" | "match at end";
  readonly certain: boolean;
}

export interface Automaton {
  /** Characters that stand for all: two that every part of the pattern treats alike are one. */
  readonly alphabet: readonly string[];
  /** Per state, what it reads: indices into the alphabet. */
  readonly reads: readonly ReadonlySet<number>[];
  readonly next: readonly (readonly Step[])[];
  /** Where a match begins: at the start of the text alone, or anywhere in it. */
  readonly first: readonly Step[];
  /** Pairs of states between which there are two ways: `(a*)*` reads a second `a` in two ways. */
  readonly doubled: ReadonlySet<string>;
}

/** Longer repetitions are taken for endless ones: their cost is what this is about. */
const MOST_COPIES = 10;
const MOST_STATES = 400;
const samples = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...["ſ", "İ", "ё", "ع", "中", "０", "\u0301", "\u200b", "\u2028", "\u3000", "\ufeff", "😀", "\ud800"],
];

type Node = Edge[];
interface Edge {
  readonly node?: Node;
  readonly read?: number;
  readonly when?: "start" | "end" | "unknown" | "never";
}

export function automatonOf(pattern: string, flags: string): Automaton {
  const unicode = flags.includes("u");
  const sets = flags.includes("v");
  const mode = flags.replace(/[gyd]/g, "");
  const ast = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(pattern, 0, pattern.length, {
    unicode,
    unicodeSets: sets,
  });
  const atoms: { readonly source: string; readonly after: Node }[] = [];
  const accept: Node = [];

  const atom = (source: string, to: Node): Node => {
    if (atoms.length >= MOST_STATES) throw new Error("The pattern is too large to be judged");
    atoms.push({ source, after: to });
    return [{ read: atoms.length - 1 }];
  };
  const optional = (node: Node, to: Node, greedy: boolean): Node =>
    greedy ? [{ node }, { node: to }] : [{ node: to }, { node }];

  /** Builds from the end: gives the node at which `element` begins when `to` comes after it. */
  function build(element: AST.Element, to: Node): Node {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return atom(element.raw, to);
      case "Group":
      case "CapturingGroup":
        return either(element.alternatives, to);
      case "Assertion":
        if (element.kind === "start" || element.kind === "end") {
          return [{ node: to, when: flags.includes("m") ? "unknown" : element.kind }];
        }
        if (!("alternatives" in element)) return [{ node: to, when: "unknown" }];
        // What a look-around reads is read again by what follows it.
        return [{ node: either(element.alternatives, []) }, { node: to, when: "unknown" }];
      case "Quantifier":
        return repeat(element, to);
      default:
        throw new Error(`${element.raw} cannot be judged: say it without`);
    }
  }
  function either(alternatives: readonly AST.Alternative[], to: Node): Node {
    return alternatives.map(({ elements }) => ({
      node: elements.reduceRight((after, element) => build(element, after), to),
    }));
  }
  function repeat({ element, min, max, greedy }: AST.Quantifier, to: Node): Node {
    const endless = max > MOST_COPIES;
    let node: Node = to;
    if (endless) {
      const exact = max === Number.POSITIVE_INFINITY && min <= MOST_COPIES;
      const loop: Node = [];
      const body = { node: build(element, loop) };
      const out: Edge = { node: to, ...(exact ? {} : { when: "unknown" as const }) };
      loop.push(...(greedy ? [body, out] : [out, body]));
      node = loop;
    } else {
      for (let copy = min; copy < max; copy += 1) node = optional(build(element, node), to, greedy);
    }
    for (let copy = 0; copy < Math.min(min, MOST_COPIES); copy += 1) node = build(element, node);
    return node;
  }

  const begin = either(ast.alternatives, accept);
  const doubled = new Set<string>();
  /** All ways from a node to what reads next; no way takes an edge twice, as no repetition repeats without reading. */
  function ways(from: Node, atStart: boolean, name: string): Step[] {
    const found: Step[] = [];
    const counts = new Map<number, number>();
    const taken = new Set<Edge>();
    let walked = 0;
    const walk = (node: Node, certain: boolean, ended: boolean): void => {
      walked += 1;
      if (walked > 100_000) throw new Error("The pattern is too tangled to be judged");
      if (node === accept) found.push({ to: ended ? "match at end" : "match", certain });
      for (const edge of node) {
        if (taken.has(edge) || (edge.when === "start" && !atStart)) continue;
        if (edge.read !== undefined) {
          if (ended) continue;
          counts.set(edge.read, (counts.get(edge.read) ?? 0) + 1);
          found.push({ to: edge.read, certain });
        } else if (edge.node) {
          taken.add(edge);
          walk(edge.node, certain && edge.when !== "unknown", ended || edge.when === "end");
          taken.delete(edge);
        }
      }
    };
    walk(from, true, false);
    for (const [to, count] of counts) if (count > 1) doubled.add(`${name}>${to}`);
    return dropRepeated(found);
  }

  // A match that may begin anywhere: an endless lazy repetition of anything stands before it, as the matcher's own loop.
  const anywhere = flags.includes("y") ? [] : [{ source: "[^]", after: [] as Node }];
  const literal = [...pattern];
  const members = (source: string) => {
    const test = new RegExp(`^(?:${source})$`, source === "[^]" ? "" : mode.replace("m", ""));
    return (char: string) => test.test(char);
  };
  const tests = atoms.map(({ source }) => members(source));
  const classes = new Map<string, string>();
  for (const char of [...new Set([...samples, ...literal])]) {
    const key = tests.map((test) => (test(char) ? "1" : "0")).join("");
    if (!classes.has(key)) classes.set(key, char);
  }
  const alphabet = [...classes.values()];
  const reads = atoms.map((_, index) => new Set(alphabet.flatMap((char, at) => (tests[index]?.(char) ? [at] : []))));
  const next = atoms.map(({ after }, index) => ways(after, false, String(index)));
  const first = ways(begin, true, "start");
  if (anywhere.length === 0) return { alphabet, reads, next, first, doubled };
  const later = ways(begin, false, "start");
  // Nothing begins anywhere but at the start: no loop of the matcher's own.
  if (later.length === 0) return { alphabet, reads, next, first, doubled };
  const loop = atoms.length;
  const again: Step[] = [...later, { to: loop, certain: true }];
  return {
    alphabet,
    reads: [...reads, new Set(alphabet.map((_, at) => at))],
    next: [...next, again],
    first: [...first, { to: loop, certain: true }],
    doubled,
  };
}

function dropRepeated(steps: readonly Step[]): Step[] {
  const seen = new Set<string>();
  return steps.filter(({ to, certain }) => {
    const key = `${to} ${certain}`;
    return !seen.has(key) && seen.add(key);
  });
}
