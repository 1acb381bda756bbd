// Takes what somebody wants a new API key to be limited to; gives it as it is kept, or what is wrong with it. Never widens: words
// for several operations are written out.

import { type Message, say } from "../../contract/messages.ts";
import { type MatrixOperation, matrixOperations } from "../../contract/permissions.ts";
import type { limitsSchema } from "../access/keys/limits.ts";
import { parseNetworks } from "../access/keys/read-key.ts";
import { findType, type Snapshot } from "../metadata/snapshot.ts";
import { parseSentJson } from "../request/json/sent-json.ts";
import { shown } from "../request/tree.ts";

type Kept = Record<string, MatrixOperation[]> & ReturnType<typeof limitsSchema.parse>;

const MOST_TYPES = 200;
const badLimits = say("bad_key_limits", { example: '{"crm/leads": ["read"]}' });

const words: Readonly<Record<string, readonly MatrixOperation[]>> = {
  read: ["index", "view", "export"],
  write: ["index", "view", "export", "add", "edit", "delete", "comment", "import", "bulk"],
};

const operationsIn = (word: unknown): readonly MatrixOperation[] | undefined =>
  typeof word !== "string"
    ? undefined
    : Object.hasOwn(words, word)
      ? words[word]
      : matrixOperations.filter((operation) => operation === word);

/** Null where nothing was sent: the key may do all that its user may. */
export function parseLimits(
  snapshot: Snapshot,
  sent: unknown,
): { readonly kept: string | null } | { readonly fault: Message } {
  if (sent === undefined || sent === null || sent === "") return { kept: null };
  const tree = typeof sent === "string" ? fromText(sent) : sent;
  if (!isPlain(tree)) return { fault: badLimits };
  const entries = Object.entries(tree);
  if (entries.length === 0 || entries.length > MOST_TYPES) return { fault: badLimits };
  const kept: Kept = {};
  for (const [key, given] of entries) {
    const named = key === "*" ? "*" : findType(snapshot, key)?.key;
    if (named === undefined) return { fault: say("no_such_type", { sent: shown(key) }) };
    const operations = new Set<MatrixOperation>();
    for (const word of listOf(given)) {
      const meant = operationsIn(word);
      if (meant === undefined || meant.length === 0) {
        return {
          fault: say("bad_key_operation", {
            sent: shown(typeof word === "string" ? word : JSON.stringify(word)),
            known: matrixOperations.join(", "),
          }),
        };
      }
      for (const one of meant) operations.add(one);
    }
    kept[named] = [...operations];
  }
  if (Object.values(kept).every((operations) => operations.length === 0)) return { fault: badLimits };
  return { kept: JSON.stringify(kept) };
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fromText(text: string): unknown {
  try {
    return parseSentJson(text);
  } catch {
    return undefined;
  }
}

/** A list, a form's numbered entries, or words with commas between them. */
function listOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given === "string") return given.split(/[\s,]/u).filter(Boolean);
  return isPlain(given) ? Object.values(given) : [given];
}

/** Null where nothing was sent: the key works from everywhere. */
export function keptNetworks(text: string): { readonly kept: string | null } | { readonly fault: Message } {
  const parsed = parseNetworks(text);
  if ("wrong" in parsed) return { fault: say("bad_network", { sent: shown(parsed.wrong) }) };
  if ("most" in parsed) return { fault: say("too_many_networks", { most: parsed.most }) };
  return { kept: parsed.networks.length === 0 ? null : parsed.networks.join(" ") };
}
