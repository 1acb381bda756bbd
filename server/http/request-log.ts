// Writes one line per request, when it is over, and counts it. Knows paths, never queries, headers or bodies.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { release } from "../database/scope.ts";
import type { Span } from "../lib/tracing/tracer.ts";
import { shown } from "../request/tree.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { Metrics } from "./metrics.ts";

/** What nginx made customary for "the client went away". */
const CLIENT_GONE = 499;

export function finishExchange(request: FastifyRequest, reply: FastifyReply, log: FastifyBaseLogger, metrics: Metrics) {
  const exchange = exchangeOf(request);
  if (exchange.answered) return;
  exchange.answered = true;
  release(exchange.scope);
  const status = reply.raw.writableEnded ? reply.statusCode : CLIENT_GONE;
  const milliseconds = performance.now() - exchange.started;
  metrics.end(exchange.operation, status, milliseconds / 1000);
  if (exchange.span) endSpan(exchange.span, request, exchange, status);
  const line = {
    id: request.id,
    method: request.method,
    path: shown(exchange.target.path),
    status,
    ms: Math.round(milliseconds * 100) / 100,
    operation: exchange.operation,
    ...(exchange.caller && { organization: exchange.caller.organizationId, user: exchange.caller.userId }),
    ...(exchange.scope.about.view && { view: exchange.scope.about.view }),
    ...(status >= 500 && exchange.failure && { failure: exchange.failure }),
  };
  // Who probes whether it is ready is told so, and asks again: no news for who reads the log.
  if (status >= 500 && exchange.operation !== "health") log.warn(line, "request");
  else log.info(line, "request");
}

/** No path and no query: an address can carry what was typed. */
function endSpan(span: Span, request: FastifyRequest, { operation, scope, failure }: Exchange, status: number): void {
  const { organization, user, type, view } = scope.about;
  span.end({
    name: `${request.method} ${operation}`,
    attributes: {
      "http.request.method": request.method,
      "http.response.status_code": status,
      "dossier.request": request.id,
      "dossier.operation": operation,
      "dossier.record_type": type,
      "dossier.view": view,
      "dossier.organization": organization,
      "dossier.user": user,
    },
    failure: status >= 500 ? (failure ?? String(status)) : undefined,
  });
}
