// Takes the source of a file; gives its regular expressions: literals, and those that are put together while it runs.
import { parseSync } from "vite";

export interface Literal {
  readonly pattern: string;
  readonly flags: string;
  readonly line: number;
}

export interface Literals {
  readonly found: readonly Literal[];
  /** Lines on which a pattern is made of a text. */
  readonly made: readonly number[];
}

export function literalsOf(file: string, source: string): Literals {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: Literal[] = [];
  const made: number[] = [];
  const lineOf = (offset: unknown): number => source.slice(0, Number(offset)).split("\n").length;
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (!isNode(node)) return;
    const { regex, callee } = node;
    if (node.type === "Literal" && isNode(regex)) {
      found.push({ pattern: String(regex.pattern), flags: String(regex.flags), line: lineOf(node.start) });
    }
    const isCall = node.type === "NewExpression" || node.type === "CallExpression";
    if (isCall && isNode(callee) && callee.name === "RegExp") made.push(lineOf(node.start));
    for (const child of Object.values(node)) walk(child);
  };
  walk(program);
  return { found, made };
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
