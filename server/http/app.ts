// Takes everything that the service can do; gives the Fastify app that offers it over HTTP. Reads top-down as the life
// of a request: id, headers, fixed routes, dispatch, failures, log line.
import fastifyCors from "@fastify/cors";
import fastify, { type FastifyInstance, LogController } from "fastify";
import { Failure } from "../../contract/failures.ts";
import { limits } from "../request/limits.ts";
import { splitTarget } from "../request/path.ts";
import { answerClientError } from "./client-error.ts";
import type { AppDependencies } from "./dependencies.ts";
import { dispatcher } from "./dispatch.ts";
import { sendFailure } from "./error-response.ts";
import { exchangeOf, openExchange, serverTiming } from "./exchange.ts";
import { serveHealth } from "./health.ts";
import { discard } from "./incoming-body.ts";
import { serveMcp } from "./mcp/serve-mcp.ts";
import { serveMetrics } from "./metrics.ts";
import { requestId } from "./request-id.ts";
import { finishExchange } from "./request-log.ts";
import { securityHeaders, transportSecurity } from "./security-headers.ts";
import { removeStaleUploads, uploadRoot } from "./uploads.ts";
import { serveWebApp } from "./web-app.ts";

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, log, tracer } = dependencies;
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // One hop: only what our own proxy added counts. What a client itself claims in X-Forwarded-For stands before that.
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    forceCloseConnections: "idle",
    // While closing, what still arrives on an open connection is served, with `connection: close`.
    return503OnClosing: false,
    // Bodies have as long as their size needs (see body-pace.ts); headers have Node's minute.
    requestTimeout: 0,
    http: { maxHeaderSize: limits.headerBytes },
    clientErrorHandler: answerClientError,
    rewriteUrl: (request) => routable(request.url ?? "/"),
  });
  // Our lines name their request themselves.
  app.setChildLoggerFactory((logger) => logger);
  const metrics = serveMetrics(app, config, dependencies.figures);

  let closing = false;
  // Hooks with callbacks: each promise on the way of every request costs some microseconds.
  app.addHook("preClose", (done) => {
    closing = true;
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = openExchange(request);
    exchange.span = tracer?.begin("request", "server", { traceparent: request.headers.traceparent });
    exchange.scope.trace = exchange.span;
    metrics.begin();
    reply.header("x-request-id", request.id).headers(securityHeaders);
    if (config.trustProxy && request.protocol === "https") reply.header("strict-transport-security", transportSecurity);
    // A client that goes away ends the connection without an answer; then onResponse is never called.
    reply.raw.once("close", () => finishExchange(request, reply, log, metrics));
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    reply.header("server-timing", serverTiming(exchangeOf(request)));
    // Fastify says so only to requests that arrive while closing; those under way would keep their connection open.
    if (closing || dependencies.isDraining()) reply.header("connection", "close");
    done(null, payload);
  });
  app.addHook("onResponse", (request, reply, done) => {
    discard(request.raw);
    finishExchange(request, reply, log, metrics);
    done();
  });

  if (config.corsOrigins.length > 0) {
    await app.register(fastifyCors, {
      origin: [...config.corsOrigins],
      methods: ["GET", "HEAD", "POST"],
      allowedHeaders: [
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "If-None-Match",
        "Mcp-Method",
        "Mcp-Name",
        "Mcp-Protocol-Version",
        "X-Language",
        "X-Request-Id",
      ],
      exposedHeaders: ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing", "X-Request-Id"],
      maxAge: 600,
      strictPreflight: false,
    });
  }

  // Bodies are read by dispatch, once it knows who sends them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => {
    if (request.method === "OPTIONS") return reply.header("allow", "GET, HEAD, POST").status(204).send();
    return sendFailure(new Failure("unknown_address"), request, reply, log);
  });

  serveHealth(app, dependencies);
  serveMcp(app, dependencies);
  const web = await serveWebApp(app, dependencies.webRoot);
  app.route({
    method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    url: "/*",
    handler: dispatcher(dependencies, web),
  });
  await removeStaleUploads(uploadRoot(config.dataDir));
  return app;
}

/** The router refuses bad percent-encoding before any hook runs; dispatch refuses it in the envelope. */
function routable(url: string): string {
  const { path } = splitTarget(url);
  if (!path.startsWith("/")) return "/malformed";
  if (!path.includes("%")) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return "/malformed";
  }
}
