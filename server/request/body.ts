// Takes the content type of a body and, for JSON and urlencoded ones, its bytes; gives its tree. JSON-RPC is unfolded
// into the tree of the other encodings here, so that nothing past this file can tell them apart.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { type JsonDocument, parseJson } from "./json/json.ts";
import { limits } from "./limits.ts";
import { parseParameterized } from "./media-type.ts";
import { emptyTree, isTree, shown, type Tree, type TreeValue, type UploadedFile } from "./tree.ts";
import { parseUrlEncoded } from "./url-encoded.ts";

export interface Body {
  readonly tree: Tree;
  readonly files: readonly UploadedFile[];
  /** The `method` of a JSON-RPC call. */
  readonly rpcMethod?: string;
  /** A body of JSON lines, not read yet. */
  readonly lines?: AsyncIterable<Uint8Array>;
}

export type Encoding =
  | { readonly kind: "json" }
  | { readonly kind: "urlencoded" }
  | { readonly kind: "lines" }
  | { readonly kind: "multipart"; readonly boundary: string };

export const noBody: Body = { tree: emptyTree(), files: [] };

export function parseEncoding(contentType: string | undefined): Encoding {
  const { value, parameters } = parseParameterized(contentType ?? "");
  const charset = parameters.get("charset")?.toLowerCase() ?? "utf-8";
  if (charset === "utf-8" || charset === "utf8" || charset === "us-ascii") {
    if (value === "application/json" || value === "application/json-rpc") return { kind: "json" };
    if (value === "application/x-ndjson" || value === "application/jsonl") return { kind: "lines" };
    if (value === "application/x-www-form-urlencoded") return { kind: "urlencoded" };
    if (value === "multipart/form-data")
      return { kind: "multipart", boundary: checkBoundary(parameters.get("boundary")) };
  }
  throw new Failure("wrong_media_type", { with: { type: shown(contentType ?? "") || say("no_type") } });
}

function checkBoundary(boundary: string | undefined): string {
  if (boundary !== undefined && /^[\x20-\x7e]{1,70}$/.test(boundary)) return boundary;
  throw new Failure("malformed_body", { with: { reason: say("bad_boundary") } });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("malformed_body", { with: { reason: say("bad_utf8") } });
  }
}

export function parseUrlEncodedBody(bytes: Uint8Array, maximumKeys?: number): Body {
  return { tree: parseUrlEncoded(decodeText(bytes), maximumKeys), files: [] };
}

/** Parameters of an import that are by column: a file may call its columns whatever it likes. */
const byColumn: ReadonlySet<string> = new Set(["mapping", "corrections"]);

/** One level more than elsewhere: a JSON-RPC call wraps everything in `params`. */
export function parseJsonBytes(bytes: Uint8Array, maximumKeys?: number): JsonDocument {
  return parseJson(decodeText(bytes), limits.levels + 1, maximumKeys, byColumn);
}

/** The id of a JSON-RPC call as it was written (`null` when it has none); undefined for other JSON. */
export function rpcIdOf(document: JsonDocument): string | undefined {
  if (!isTree(document.value) || document.value.jsonrpc === undefined) return undefined;
  const written = document.written.get("id") ?? "null";
  return /^["\d-]/.test(written) ? written : "null";
}

export function parseJsonBody(document: JsonDocument): Body {
  const root = document.value;
  if (!isTree(root)) {
    const reason = say("no_batch");
    throw new Failure("malformed_body", { with: { reason } });
  }
  const isRpc = root.jsonrpc !== undefined;
  if (document.levels > limits.levels + (isRpc ? 1 : 0))
    throw new Failure("too_deep", { with: { limit: limits.levels } });
  return isRpc ? parseRpc(root, document) : { tree: root, files: [] };
}

function parseRpc(root: Tree, document: JsonDocument): Body {
  const { jsonrpc, method, params = emptyTree() } = root;
  if (jsonrpc !== "2.0") throw malformedRpc(say("rpc_version"));
  if (!/^["\d-]|^null$/.test(document.written.get("id") ?? "null")) throw malformedRpc(say("rpc_id"));
  if (typeof method !== "string") throw malformedRpc(say("rpc_method_text"));
  if (!isTree(params)) throw malformedRpc(say("rpc_params"));
  const { data, action, normalized, ...parameters } = params;
  const folded = emptyTree();
  if (data !== undefined) Object.assign(folded, treeOrNothing(data, "params.data"));
  if (action !== undefined) folded.action = action;
  if (normalized !== undefined) folded.normalized = normalized;
  const tree = Object.assign(emptyTree(), parameters, { data: folded });
  return { tree, files: [], rpcMethod: method };
}

const malformedRpc = (reason: Message) => new Failure("malformed_rpc", { with: { reason } });

/** An object; PHP-minded clients send `[]` or nothing where they mean an empty one. */
export function treeOrNothing(value: TreeValue | undefined, name: string): Tree {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
    return emptyTree();
  }
  if (isTree(value)) return value;
  throw new Failure("malformed_parameter", { with: { name, reason: say("must_be_object") } });
}
