// Takes the content type of a body and, for JSON and urlencoded ones, its bytes; gives its tree. JSON-RPC is unfolded
// into the tree of the other dresses here, so that nothing past this file can tell them apart.
import { Failure } from "../../contract/failures.ts";
import { type JsonDocument, parseJson } from "./json.ts";
import { limits } from "./limits.ts";
import { parseParameterized } from "./media-type.ts";
import { emptyTree, isTree, shown, type Tree, type TreeValue, type UploadedFile } from "./tree.ts";
import { parseUrlEncoded } from "./url-encoded.ts";

export interface Body {
  readonly tree: Tree;
  readonly files: readonly UploadedFile[];
  /** The `method` of a JSON-RPC call. */
  readonly rpcMethod?: string;
}

export type Encoding =
  | { readonly kind: "json" }
  | { readonly kind: "urlencoded" }
  | { readonly kind: "multipart"; readonly boundary: string };

export const noBody: Body = { tree: emptyTree(), files: [] };

export function parseEncoding(contentType: string | undefined): Encoding {
  const { value, parameters } = parseParameterized(contentType ?? "");
  const charset = parameters.get("charset")?.toLowerCase() ?? "utf-8";
  if (charset === "utf-8" || charset === "utf8" || charset === "us-ascii") {
    if (value === "application/json" || value === "application/json-rpc") return { kind: "json" };
    if (value === "application/x-www-form-urlencoded") return { kind: "urlencoded" };
    if (value === "multipart/form-data")
      return { kind: "multipart", boundary: checkBoundary(parameters.get("boundary")) };
  }
  throw new Failure("wrong_media_type", { with: { type: shown(contentType ?? "") || "a body without a type" } });
}

function checkBoundary(boundary: string | undefined): string {
  if (boundary !== undefined && /^[\x20-\x7e]{1,70}$/.test(boundary)) return boundary;
  throw new Failure("malformed_body", { with: { reason: "its boundary is missing or not valid" } });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("malformed_body", { with: { reason: "it is not valid UTF-8" } });
  }
}

export function parseUrlEncodedBody(bytes: Uint8Array, maximumKeys?: number): Body {
  return { tree: parseUrlEncoded(decodeText(bytes), maximumKeys), files: [] };
}

/** One level more than elsewhere: a JSON-RPC call wraps everything in `params`. */
export function parseJsonBytes(bytes: Uint8Array, maximumKeys?: number): JsonDocument {
  return parseJson(decodeText(bytes), limits.levels + 1, maximumKeys);
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
    const reason = "its top level must be one object; several calls in one body are not accepted";
    throw new Failure("malformed_body", { with: { reason } });
  }
  const isRpc = root.jsonrpc !== undefined;
  if (document.levels > limits.levels + (isRpc ? 1 : 0))
    throw new Failure("too_deep", { with: { limit: limits.levels } });
  return isRpc ? parseRpc(root, document) : { tree: root, files: [] };
}

function parseRpc(root: Tree, document: JsonDocument): Body {
  const { jsonrpc, method, params = emptyTree() } = root;
  if (jsonrpc !== "2.0") throw malformedRpc('jsonrpc must be "2.0"');
  if (!/^["\d-]|^null$/.test(document.written.get("id") ?? "null")) throw malformedRpc("id must be a text or a number");
  if (typeof method !== "string") throw malformedRpc("method must be a text");
  if (!isTree(params)) throw malformedRpc("params must be an object");
  const { data, action, normalized, ...parameters } = params;
  const folded = emptyTree();
  if (data !== undefined) Object.assign(folded, treeOrNothing(data, "params.data"));
  if (action !== undefined) folded.action = action;
  if (normalized !== undefined) folded.normalized = normalized;
  const tree = Object.assign(emptyTree(), parameters, { data: folded });
  return { tree, files: [], rpcMethod: method };
}

const malformedRpc = (reason: string) => new Failure("malformed_rpc", { with: { reason } });

/** An object; PHP-minded clients send `[]` or nothing where they mean an empty one. */
export function treeOrNothing(value: TreeValue | undefined, name: string): Tree {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
    return emptyTree();
  }
  if (isTree(value)) return value;
  throw new Failure("malformed_parameter", { with: { name, reason: "must be an object" } });
}
