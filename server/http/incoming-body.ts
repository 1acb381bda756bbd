// Takes a request whose body has not been read; reads it when asked, once, in whichever encoding it comes.
// Never holds more than the limits allow, never leaves a file behind after `remove`.

import type { IncomingMessage } from "node:http";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { BodyLimits } from "../operations/operation.ts";
import {
  type Body,
  type Encoding,
  noBody,
  parseEncoding,
  parseJsonBody,
  parseJsonBytes,
  parseUrlEncodedBody,
  rpcIdOf,
} from "../request/body.ts";
import type { JsonDocument } from "../request/json/json.ts";
import { inMebibytes, limits } from "../request/limits.ts";
import { shown } from "../request/tree.ts";
import { inPace } from "./body-pace.ts";
import { receiveUpload, type Upload } from "./uploads.ts";

export interface IncomingBody {
  /** The JSON-RPC id of a body that is short enough to be looked at before its sender is known; it is told of the others by `read`. */
  rpcId(): Promise<string | undefined>;
  read(limits: BodyLimits): Promise<Body>;
  /** Removes what was written, and leaves the rest of the body unread. */
  remove(): Promise<void>;
}

export function incomingBody(message: IncomingMessage, root: string, maximumKeys: number): IncomingBody {
  let document: Promise<JsonDocument> | undefined;
  let upload: Upload | undefined;

  const readDocument = (most: number) => {
    document ??= readBytes(message, most).then((bytes) => parseJsonBytes(bytes, maximumKeys));
    return document;
  };

  async function receive(boundary: string, taken: BodyLimits): Promise<Body> {
    try {
      upload = await receiveUpload(chunksOf(message), boundary, { root, ...taken }, maximumKeys);
      return upload.body;
    } finally {
      discard(message);
    }
  }

  return {
    async rpcId() {
      if (!hasBody(message) || !isJson(message) || encodingOf(message) !== undefined) return undefined;
      const length = Number(message.headers["content-length"] ?? Number.POSITIVE_INFINITY);
      if (document === undefined && length > limits.peekedBytes) return undefined;
      return readDocument(limits.peekedBytes).then(rpcIdOf, () => undefined);
    },
    async read(taken) {
      if (!hasBody(message)) return noBody;
      refuseEncoding(message);
      const encoding = parseEncoding(message.headers["content-type"]);
      if (encoding.kind === "multipart") return receive(encoding.boundary, taken);
      if (encoding.kind === "lines") {
        if (taken.lines) return { ...noBody, lines: chunksOf(message) };
        throw new Failure("wrong_media_type", { with: { type: "application/x-ndjson" } });
      }
      if (encoding.kind === "urlencoded")
        return parseUrlEncodedBody(await readBytes(message, taken.bytes), maximumKeys);
      return parseJsonBody(await readDocument(taken.bytes));
    },
    remove: async () => {
      if (hasBody(message)) discard(message);
      await upload?.remove();
    },
  };
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** How the bytes were packed, where they were. */
function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return encoding === "" || encoding === "identity" ? undefined : encoding;
}

/** A packed body could unpack to anything: nobody sends those here. */
function refuseEncoding(message: IncomingMessage): void {
  const encoding = encodingOf(message);
  if (encoding === undefined) return;
  discard(message);
  throw new Failure("wrong_media_type", { with: { type: say("body_in_encoding", { encoding: shown(encoding) }) } });
}

function isJson(message: IncomingMessage): boolean {
  let encoding: Encoding;
  try {
    encoding = parseEncoding(message.headers["content-type"]);
  } catch {
    return false;
  }
  return encoding.kind === "json";
}

export async function readBytes(message: IncomingMessage, most: number): Promise<Buffer> {
  const tooLarge = () => new Failure("too_large", { with: { limit: inMebibytes(most) } });
  if (Number(message.headers["content-length"] ?? 0) > most) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(message)) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    discard(message);
  }
  return Buffer.concat(chunks, size);
}

const discarded = new WeakSet<IncomingMessage>();

/** What was not read must still be taken off the wire, or the client never gets to read the answer; but not without end. */
export function discard(message: IncomingMessage): void {
  if (message.complete || message.destroyed || discarded.has(message)) return;
  discarded.add(message);
  const timer = setTimeout(() => message.destroy(), limits.discardedMs).unref();
  message.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  let left: number = limits.discardedBytes;
  message.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) message.destroy();
  });
  message.resume();
}

/** The bytes as they come. Leaving early does not destroy the connection: an answer must still go out on it. */
async function* chunksOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  const iterable: AsyncIterable<Buffer> = message.iterator({ destroyOnReturn: false });
  const pieces = iterable[Symbol.asyncIterator]();
  try {
    yield* inPace(pieces);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("malformed_body", { with: { reason: say("body_interrupted") }, cause: error });
  } finally {
    // What is left flows only where nobody listens for pieces any more. One who is still waited for is not waited for here.
    void pieces.return?.().catch(() => undefined);
  }
}
