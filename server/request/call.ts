// Takes an address, a query string, a parsed body and two headers; gives the Call that all of them mean together.
// From here on nobody knows in which encoding it came.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { type Body, noBody, treeOrNothing } from "./body.ts";
import { limits } from "./limits.ts";
import { emptyTree, shown, type Tree, type UploadedFile } from "./tree.ts";
import { parseUrlEncoded } from "./url-encoded.ts";

export interface SentAction {
  /** As it was sent, such as `save_&_continue`. */
  readonly name: string;
  /** What actions are compared by. */
  readonly key: string;
  readonly label: string;
}

export interface Call {
  readonly module: string;
  readonly controller: string;
  readonly operation: string;
  /** HEAD arrives as GET. */
  readonly method: "GET" | "POST";
  /** Only what stands before the answer's content is asked for (HEAD). */
  readonly headOnly: boolean;
  /** The query string and the body's keys other than `data`; where both have one, the body's. */
  readonly parameters: Tree;
  /** `data` by controller, without `action` and `normalized`. */
  readonly data: Tree;
  readonly normalized: boolean;
  readonly actions: readonly SentAction[];
  readonly files: readonly UploadedFile[];
  /** A body of JSON lines, for operations that read them as they come. */
  readonly lines?: AsyncIterable<Uint8Array>;
  /** The id of a JSON-RPC call, as JSON text. */
  readonly rpcId?: string;
  readonly idempotencyKey?: string;
  readonly ifNoneMatch?: string;
  readonly range?: string;
  readonly ifRange?: string;
}

export interface CallParts {
  readonly module: string;
  readonly controller: string;
  readonly operation: string;
  readonly method: "GET" | "POST";
  readonly headOnly?: boolean | undefined;
  /** The parsed query string. */
  readonly query: Tree;
  readonly body: Body;
  readonly rpcId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

export const parseQuery = (text: string): Tree => parseUrlEncoded(text);

export function buildCall(parts: CallParts): Call {
  const { module, controller, operation, body, query } = parts;
  const method = `${module}.${controller}.${operation}`;
  if (body.rpcMethod !== undefined && body.rpcMethod !== method) {
    throw new Failure("malformed_rpc", { with: { reason: say("rpc_method", { method }) } });
  }
  return {
    module,
    controller,
    operation,
    method: parts.method,
    headOnly: parts.headOnly ?? false,
    // Most calls only ask, and taking trees apart costs as much as reading them.
    ...(body === noBody && query.data === undefined ? { ...nothingSent, parameters: query } : joined(query, body.tree)),
    files: body.files,
    ...(body.lines === undefined ? {} : { lines: body.lines }),
    ...(parts.rpcId === undefined ? {} : { rpcId: parts.rpcId }),
    ...(parts.idempotencyKey === undefined ? {} : { idempotencyKey: checkIdempotencyKey(parts.idempotencyKey) }),
    ...(parts.ifNoneMatch === undefined ? {} : { ifNoneMatch: parts.ifNoneMatch }),
    ...(parts.range === undefined ? {} : { range: parts.range }),
    ...(parts.ifRange === undefined ? {} : { ifRange: parts.ifRange }),
  };
}

type Sent = Pick<Call, "parameters" | "data" | "normalized" | "actions">;

const nothingSent: Omit<Sent, "parameters"> = { data: emptyTree(), normalized: false, actions: [] };

function joined(query: Tree, body: Tree): Sent {
  const { data: queryData, ...queryParameters } = query;
  const { data: bodyData, ...bodyParameters } = body;
  const sent = Object.assign(emptyTree(), treeOrNothing(queryData, "data"), treeOrNothing(bodyData, "data"));
  const { action, normalized, ...data } = sent;
  return {
    parameters: Object.assign(emptyTree(), queryParameters, bodyParameters),
    data: Object.assign(emptyTree(), data),
    normalized: normalized === "1",
    actions: parseActions(treeOrNothing(action, "data[action]")),
  };
}

function parseActions(sent: Tree): SentAction[] {
  return Object.entries(sent).map(([name, label]) => {
    if (label !== null && typeof label !== "string") {
      const reason = say("action_label");
      throw new Failure("malformed_parameter", { with: { name: `data[action][${shown(name)}]`, reason } });
    }
    return { name, key: normalizeAction(name), label: label ?? "" };
  });
}

/** Case and punctuation do not count: `save_&_continue`, `save_continue` and `Save & Continue` are one action. */
export function normalizeAction(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

function checkIdempotencyKey(key: string): string {
  if (key.length <= limits.idempotencyKeyLength && /^[\x21-\x7e]+$/.test(key)) return key;
  const reason = say("bad_idempotency_key", { max: limits.idempotencyKeyLength });
  throw new Failure("malformed_parameter", { with: { name: "Idempotency-Key", reason } });
}
