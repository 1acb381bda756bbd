// Takes whatever was thrown while a request was answered; sends the failure it means, in the envelope, with a status
// that tells the truth. What is nobody's known failure becomes `internal`, with its stack in the log and nowhere else.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { isTransient } from "../database/errors.ts";
import { originalStack } from "../lib/original-stack.ts";
import { inMebibytes, limits } from "../request/limits.ts";
import { shown } from "../request/tree.ts";
import { inEncoding, presentFailure } from "./envelope.ts";
import { exchangeOf } from "./exchange.ts";

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: FastifyBaseLogger) {
  const failure = loggedFailure(error, request, log);
  const exchange = exchangeOf(request);
  exchange.failure = failure.code;
  const body = presentFailure(failure, request.id, exchange.language, exchange.caller);
  return reply
    .status(failure.status)
    .headers(headersOf(failure))
    .type("application/json; charset=utf-8")
    .send(inEncoding(JSON.stringify(body), exchange.rpcId));
}

/** What to tell of whatever was thrown; what nobody foresaw is in the log. */
export function loggedFailure(error: unknown, request: FastifyRequest, log: FastifyBaseLogger): Failure {
  const failure = toFailure(error, request);
  // What is refused knowingly (it drains, a backup runs) is told by the request's own line: there is no fault to trace.
  if (failure.status >= 500 && failure.cause !== undefined)
    log.error({ id: request.id, error: describe(failure.cause) }, failure.code);
  return failure;
}

export function headersOf(failure: Failure): Record<string, string> {
  return {
    "cache-control": "no-store",
    ...(failure.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(failure.code === "not_ready" || failure.code === "database_unavailable" ? { "retry-after": "1" } : {}),
    ...(failure.code === "backup_running" ? { "retry-after": "60" } : {}),
    ...failure.detail.headers,
  };
}

function toFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  // Two waited for each other, and the database let one of them go on.
  if (isTransient(error)) return new Failure("conflict", { with: { reason: say("same_records") }, cause: error });
  if (hasNoRoom(error)) return new Failure("disk_full", { cause: error });
  // The framework's own refusals carry a status; ours are all Failures.
  switch (statusOf(error)) {
    case 404:
      return new Failure("unknown_address");
    case 413:
      return new Failure("too_large", { with: { limit: inMebibytes(limits.bodyBytes) } });
    case 415:
      return new Failure("wrong_media_type", { with: { type: shown(request.headers["content-type"] ?? "") } });
    case 400:
      return new Failure("malformed_body", { with: { reason: say("body_unlike_headers") } });
    default:
      return new Failure("internal", { with: { request_id: request.id }, cause: error });
  }
}

/** A file could not be written: the disk is full, or this account's share of it. */
const hasNoRoom = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");

function statusOf(error: unknown): number | undefined {
  const isFrameworks = error instanceof Error && "code" in error && String(error.code).startsWith("FST_");
  return isFrameworks && "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : undefined;
}

/** No own properties of errors: those of the database driver quote values. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? { code: error.code } : {};
  return {
    type: error.name,
    message: error.message,
    ...code,
    stack: error.stack === undefined ? undefined : originalStack(error.stack),
  };
}
