// Takes the text of a query string or an urlencoded body; gives its tree. Never repairs bad percent-encoding.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { bracketTree } from "./brackets.ts";
import { emptyTree, shown, type Tree } from "./tree.ts";

export function parseUrlEncoded(text: string, maximumKeys?: number): Tree {
  if (text === "") return emptyTree();
  const tree = bracketTree(maximumKeys);
  let start = 0;
  // Walked, not split: a body of ten million separators must fail at the first key too many.
  while (start <= text.length) {
    const separator = text.indexOf("&", start);
    const end = separator === -1 ? text.length : separator;
    if (end > start) {
      const pair = text.slice(start, end);
      const equals = pair.indexOf("=");
      const key = equals === -1 ? pair : pair.slice(0, equals);
      tree.add(decode(key, key), equals === -1 ? "" : decode(pair.slice(equals + 1), key));
    }
    start = end + 1;
  }
  return tree.finish();
}

const LONG = 4_096;
const [PLUS, SPACE] = [43, 32];

/** Of a long text unit by unit: to replace millions of signs one by one takes seconds. */
function withSpaces(text: string): string {
  if (text.length < LONG) return text.replaceAll("+", " ");
  const bytes = Buffer.alloc(2 * text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes.writeUInt16LE(code === PLUS ? SPACE : code, 2 * at);
  }
  return bytes.toString("utf16le");
}

function decode(text: string, key: string): string {
  const spaced = text.includes("+") ? withSpaces(text) : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Failure("malformed_parameter", {
      with: { name: shown(key), reason: say("bad_percent") },
    });
  }
}
