// What is known of one request while it is answered, for its log line, its metrics and its headers.
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { FailureCode } from "../../contract/failures.ts";
import type { Language } from "../../contract/texts/write.ts";
import type { Caller } from "../access/caller.ts";
import { type AskedLanguages, strangersLanguage } from "../access/spoken-language.ts";
import { openScope, type Scope } from "../database/scope.ts";
import { networkOf } from "../lib/network.ts";
import type { Span } from "../lib/tracing/tracer.ts";
import { splitTarget, type Target } from "../request/path.ts";

export interface Exchange {
  readonly started: number;
  readonly target: Target;
  /** In whose name its statements run. */
  readonly scope: Scope;
  readonly stages: { readonly name: string; readonly milliseconds: number }[];
  /** A label from a small set: an operation's name, `web`, `health` or `unknown`. */
  operation: string;
  caller: Caller | undefined;
  /** In which it is answered. */
  language: Language;
  /** Settled once the database was asked whether the caller's session or key still holds. */
  confirmed: Promise<void>;
  /** JSON text; set when the request is a JSON-RPC call. */
  rpcId: string | undefined;
  /** Of the trace, where one is made. */
  span: Span | undefined;
  /** Why it was refused or failed. */
  failure: FailureCode | undefined;
  answered: boolean;
  /** Against its user or its address. */
  counted: boolean;
}

const exchanges = new WeakMap<FastifyRequest, Exchange>();

export function openExchange(request: FastifyRequest): Exchange {
  const exchange: Exchange = {
    started: performance.now(),
    target: splitTarget(request.originalUrl),
    scope: openScope(networkOf(request.ip)),
    stages: [],
    operation: "unknown",
    caller: undefined,
    language: strangersLanguage(askedLanguages(request.headers)),
    confirmed: Promise.resolve(),
    rpcId: undefined,
    span: undefined,
    failure: undefined,
    answered: false,
    counted: false,
  };
  exchange.scope.about.request = request.id;
  exchanges.set(request, exchange);
  return exchange;
}

export function askedLanguages(headers: IncomingHttpHeaders): AskedLanguages {
  const chosen = headers["x-language"];
  return { chosen: Array.isArray(chosen) ? chosen[0] : chosen, accepted: headers["accept-language"] };
}

export function exchangeOf(request: FastifyRequest): Exchange {
  return exchanges.get(request) ?? openExchange(request);
}

export async function timed<T>(exchange: Exchange, name: string, run: () => Promise<T> | T): Promise<T> {
  const started = performance.now();
  try {
    return await run();
  } finally {
    exchange.stages.push({ name, milliseconds: performance.now() - started });
  }
}

export function serverTiming(exchange: Exchange): string {
  const total = { name: "total", milliseconds: performance.now() - exchange.started };
  return [...exchange.stages, total]
    .map(({ name, milliseconds }) => `${name.replace(/[^\w-]/g, "_")};dur=${milliseconds.toFixed(2)}`)
    .join(", ");
}
