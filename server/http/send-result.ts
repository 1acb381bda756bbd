// Takes what an operation gave; sends it, in the encoding in which the call came. Decides nothing but 304.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OperationResult } from "../operations/operation.ts";
import type { Call } from "../request/call.ts";
import { inEncoding, writeResult } from "./envelope.ts";
import { exchangeOf } from "./exchange.ts";
import { sendBody } from "./send-body.ts";

const JSON_TYPE = "application/json; charset=utf-8";

export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  result: OperationResult,
  call: Call,
  how: { readonly compress: boolean; readonly readerMs: number },
) {
  const exchange = exchangeOf(request);
  // Records are private and change: nobody between us and the caller may keep them, unless the operation says so.
  reply.status(result.status ?? 200).headers({ "cache-control": "no-store", ...result.headers });
  if (call.method === "GET" && matches(call.ifNoneMatch, result.headers?.etag)) {
    leave(result);
    return reply.removeHeader("content-length").status(304).send();
  }
  const { rpcId, scope } = exchange;
  const sending = { scope, acceptEncoding: request.headers["accept-encoding"], ...how };
  if (!("raw" in result)) {
    const content = inEncoding(writeResult(result, exchange.language, exchange.caller), rpcId);
    const lasting = result.lasting === true && rpcId === undefined ? result : undefined;
    return sendBody(reply.type(JSON_TYPE), content, { ...sending, contentType: JSON_TYPE, lasting });
  }
  const { contentType, content, live = false } = result.raw;
  reply.type(contentType);
  if (call.headOnly) {
    if (leave(result)) return reply.send(null);
    return reply.send(content);
  }
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  const isRpc = rpcId !== undefined && isText && contentType.startsWith("application/json");
  // A range is one of the bytes that are sent: compressed, it would be one of others.
  const isWhole = result.status !== 206;
  return sendBody(reply, isRpc ? inEncoding(content, rpcId) : content, {
    ...sending,
    contentType,
    compress: how.compress && !live && isWhole,
    lasting: undefined,
  });
}

/** What was opened to be sent and is not must be closed all the same; false for what was not opened. */
export function leave(result: OperationResult): boolean {
  if (!("raw" in result) || !(result.raw.content instanceof Readable)) return false;
  result.raw.content.destroy();
  return true;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}
