// Takes JSON text; gives the tree it describes, with every number as the text it was written in (no float in between),
// true and false as 1 and 0. Fails at the first value too many or too deep; refuses duplicate and prototype keys,
// except where keys are names that somebody else gave: the columns of a file.

import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { rememberSource } from "../../lib/json/json-source.ts";
import { limits } from "../limits.ts";
import { checkKey, checkText, emptyTree, shown, type Tree, type TreeValue } from "../tree.ts";

export interface JsonDocument {
  readonly value: TreeValue;
  /** How many keys lead to the deepest value. */
  readonly levels: number;
  /** The members of a top-level object as they were written. */
  readonly written: ReadonlyMap<string, string>;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON itself forbids them unescaped in strings.
const CONTROL = /[\u0000-\u001f]/;

const noneFree: ReadonlySet<string> = new Set();

export function parseJson(
  text: string,
  maximumLevels: number = limits.levels,
  maximumKeys: number = limits.keys,
  /** Members whose keys can be any text: of the whole, or of `params` in it. */
  free: ReadonlySet<string> | "all" = noneFree,
): JsonDocument {
  let at = 0;
  let count = 0;
  let levels = 0;
  let isFree = free === "all";
  const written = new Map<string, string>();

  function fail(reason: Message): never {
    throw new Failure("malformed_body", { with: { reason: say("json_at", { reason, position: at + 1 }) } });
  }

  function placed(failure: Failure): Failure {
    places.set(failure, at + 1);
    return failure;
  }

  function skipSpace(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at += 1;
    }
  }

  function expectMark(mark: string): void {
    if (text[at] !== mark) fail(say("mark_missing", { mark }));
    at += 1;
  }

  function countLeaf(): void {
    count += 1;
    if (count > maximumKeys) throw placed(new Failure("too_many_keys", { with: { limit: maximumKeys } }));
  }

  function readString(key: string): string {
    const start = at + 1;
    let end = start;
    for (;;) {
      end = text.indexOf('"', end);
      if (end === -1) fail(say("text_open"));
      let escapes = 0;
      while (text.charCodeAt(end - 1 - escapes) === 92) escapes += 1;
      if (escapes % 2 === 0) break;
      end += 1;
    }
    const raw = text.slice(start, end);
    if (CONTROL.test(raw)) fail(say("control_unescaped"));
    const value = raw.includes("\\") ? resolveEscapes(raw) : raw;
    at = end + 1;
    checkText(value, key);
    return value;
  }

  function resolveEscapes(raw: string): string {
    try {
      return String(JSON.parse(`"${raw}"`));
    } catch {
      return fail(say("bad_escape"));
    }
  }

  function readWord(): TreeValue {
    for (const [word, value] of words) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(text);
    if (found === null) return fail(say("value_missing"));
    at = NUMBER.lastIndex;
    return found[0];
  }

  function isFreeBelow(level: number, within: string, key: string): boolean {
    return free !== "all" && (level === 0 || (level === 1 && within === "params")) && free.has(key);
  }

  function readObject(level: number, within: string): TreeValue {
    const node = emptyTree();
    at += 1;
    skipSpace();
    if (text[at] === "}") return closeEmpty(node);
    for (;;) {
      skipSpace();
      if (text[at] !== '"') fail(say("key_missing"));
      const key = readString("a key");
      if (!isFree) checkKey(key, key);
      if (key in node) fail(say("key_twice", { key: shown(key) }));
      skipSpace();
      expectMark(":");
      skipSpace();
      const start = at;
      const wasFree = isFree;
      isFree ||= isFreeBelow(level, within, key);
      node[key] = readValue(level + 1, key);
      isFree = wasFree;
      if (level === 0) written.set(key, text.slice(start, at));
      skipSpace();
      if (text[at] === "}") break;
      expectMark(",");
    }
    at += 1;
    return node;
  }

  function readArray(level: number, key: string): TreeValue {
    const node: TreeValue[] = [];
    at += 1;
    skipSpace();
    if (text[at] === "]") return closeEmpty(node);
    for (;;) {
      skipSpace();
      node.push(readValue(level + 1, key));
      skipSpace();
      if (text[at] === "]") break;
      expectMark(",");
    }
    at += 1;
    return node;
  }

  function closeEmpty(node: Tree | TreeValue[]): TreeValue {
    at += 1;
    countLeaf();
    return node;
  }

  function readValue(level: number, key: string): TreeValue {
    if (level > maximumLevels) throw placed(new Failure("too_deep", { with: { limit: limits.levels } }));
    if (level > levels) levels = level;
    const start = at;
    const mark = text[at];
    if (mark === "{" || mark === "[") {
      const node = mark === "{" ? readObject(level, key) : readArray(level, key);
      if (typeof node === "object" && node !== null) rememberSource(node, text.slice(start, at));
      return node;
    }
    countLeaf();
    return mark === '"' ? readString(key) : readWord();
  }

  skipSpace();
  const value = readValue(0, "the text");
  skipSpace();
  if (at < text.length) fail(say("more_after_end"));
  return { value, levels, written };
}

/** Of failures whose sentence does not say where. */
const places = new WeakMap<Failure, number>();

/** Where in its text `parseJson` failed, from 1; undefined where that is about the text as a whole. */
export function jsonPosition(failure: Failure): number | undefined {
  const place = places.get(failure);
  if (place !== undefined) return place;
  const { reason } = failure.said.params as { readonly reason?: Message };
  return reason?.code === "json_at" ? Number(reason.params.position) : undefined;
}

const words: readonly (readonly [string, TreeValue])[] = [
  ["null", null],
  ["true", "1"],
  ["false", "0"],
];
