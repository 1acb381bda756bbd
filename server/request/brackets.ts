// Takes keys in PHP's bracket notation (`a[b][]`) with their values, one at a time; gives the tree they describe.
// Past a limit it fails at once; it never guesses at a malformed key and never touches a prototype.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { limits } from "./limits.ts";
import { checkKey, checkText, emptyTree, isTree, type Leaf, shown, type Tree, type TreeValue } from "./tree.ts";

interface Branch {
  readonly entries: Map<string, Branch | Leaf>;
  /** The index that `[]` takes next. */
  next: number;
}

export interface BracketTree {
  add(key: string, value: Leaf): void;
  /** Objects whose keys are exactly 0 to n-1 become arrays; any other keys, gaps included, stay an object. */
  finish(): Tree;
}

export function bracketTree(maximumKeys: number = limits.keys): BracketTree {
  const root = branch();
  let count = 0;
  return {
    add(key, value) {
      count += 1;
      if (count > maximumKeys) throw new Failure("too_many_keys", { with: { limit: maximumKeys } });
      if (typeof value === "string") checkText(value, key);
      place(root, parseKey(key), key, value);
    },
    finish: () => object(root),
  };
}

export function parseBrackets(entries: Iterable<readonly [string, Leaf]>): Tree {
  const tree = bracketTree();
  for (const [key, value] of entries) tree.add(key, value);
  return tree.finish();
}

/** The inverse: what to send for a tree. Empty objects and arrays have no notation and vanish; null is sent as "". */
export function toBrackets(tree: Tree): [string, Exclude<Leaf, null>][] {
  const entries: [string, Exclude<Leaf, null>][] = [];
  const walk = (key: string, value: TreeValue): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(`${key}[${index}]`, item);
    else if (isTree(value)) for (const [name, item] of Object.entries(value)) walk(`${key}[${name}]`, item);
    else entries.push([key, (value as Leaf) ?? ""]); // Array.isArray does not narrow readonly arrays away.
  };
  for (const [key, value] of Object.entries(tree)) walk(key, value);
  return entries;
}

const branch = (): Branch => ({ entries: new Map(), next: 0 });
const isBranch = (node: Branch | Leaf | undefined): node is Branch =>
  typeof node === "object" && node !== null && "entries" in node;

/** `a[b][]` → ["a", "b", ""]. */
function parseKey(key: string): string[] {
  const open = key.indexOf("[");
  const name = open === -1 ? key : key.slice(0, open);
  if (name === "" || name.includes("]")) throw malformed(key);
  checkKey(name, key);
  const segments = [name];
  let position = name.length;
  while (position < key.length) {
    const close = key.indexOf("]", position);
    const segment = key.slice(position + 1, close);
    if (key[position] !== "[" || close === -1 || segment.includes("[")) throw malformed(key);
    checkKey(segment, key);
    segments.push(segment);
    if (segments.length > limits.levels) throw new Failure("too_deep", { with: { limit: limits.levels } });
    position = close + 1;
  }
  return segments;
}

function malformed(key: string): Failure {
  const reason = key === "" ? say("no_name") : say("bad_brackets");
  return new Failure("malformed_parameter", { with: { name: key === "" ? "(no name)" : shown(key), reason } });
}

function place(root: Branch, segments: readonly string[], key: string, value: Leaf): void {
  let at = root;
  const last = segments.length - 1;
  for (const [level, segment] of segments.entries()) {
    const name = segment === "" ? String(at.next) : segment;
    const existing = at.entries.get(name);
    if (isIndex(name)) at.next = Math.max(at.next, Number(name) + 1);
    if (level === last) {
      // An element that has no value of its own but parts is sent as an empty one, and so are its parts.
      if (isBranch(existing) && saysNothing(value)) return;
      if (isBranch(existing)) throw ambiguous(key, say("value_and_brackets"));
      // Equal ones mean the same thing; of others nobody can tell which was meant.
      if (existing !== undefined && existing !== value && !isTicked(existing, value)) {
        throw ambiguous(key, say("sent_differently"));
      }
      at.entries.set(name, value);
    } else {
      if (existing !== undefined && !isBranch(existing) && !saysNothing(existing))
        throw ambiguous(key, say("value_and_brackets"));
      const child = isBranch(existing) ? existing : branch();
      if (child !== existing) at.entries.set(name, child);
      at = child;
    }
  }
}

const ambiguous = (key: string, reason: Message): Failure =>
  new Failure("malformed_parameter", { with: { name: shown(key), reason } });

const saysNothing = (value: Leaf): boolean => value === null || value === "" || value === "null";

/** A page's form has a hidden 0 before each box, so that one without a tick is sent too. */
const isTicked = (first: Leaf, then: Leaf): boolean => first === "0" && then === "1";

const isIndex = (name: string): boolean => /^(?:0|[1-9]\d{0,14})$/.test(name);

function object(node: Branch): Tree {
  const result = emptyTree();
  for (const [key, child] of node.entries) result[key] = isBranch(child) ? arrayOrObject(child) : child;
  return result;
}

function arrayOrObject(node: Branch): TreeValue {
  const size = node.entries.size;
  // Distinct canonical indexes, n of them, the largest n-1: none is missing.
  if (node.next !== size || ![...node.entries.keys()].every(isIndex)) return object(node);
  return Array.from({ length: size }, (_, index) => {
    const child = node.entries.get(String(index)) ?? null;
    return isBranch(child) ? arrayOrObject(child) : child;
  });
}
