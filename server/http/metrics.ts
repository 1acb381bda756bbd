// Counts what was answered, by operation and status, and offers it with the process's own figures to Prometheus.
// Labels come from a small set: an operation's name, never a path, a record type or a user.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { Failure } from "../../contract/failures.ts";
import type { Config } from "../config.ts";
import { heldBytes } from "../database/scope.ts";
import { digest, sameDigest } from "../lib/secrets/tokens.ts";
import { exchangeOf } from "./exchange.ts";
import { bearerToken } from "./identify.ts";

export interface Metrics {
  begin(): void;
  end(operation: string, status: number, seconds: number): void;
}

export function serveMetrics(app: FastifyInstance, config: Pick<Config, "metricsToken" | "worker">): Metrics {
  const registry = new Registry();
  // Of several processes behind one port each counts for itself.
  if (config.worker !== undefined) registry.setDefaultLabels({ worker: config.worker });
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "dossier_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its answer.",
    labelNames: ["operation", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const running = new Gauge({
    name: "dossier_requests_running",
    help: "Requests that are being answered.",
    registers: [registry],
  });

  new Gauge({
    name: "dossier_held_bytes",
    help: "Bytes of large results and answers that are held until they are read.",
    registers: [registry],
    collect() {
      this.set(heldBytes());
    },
  });

  app.get("/metrics", async (request, reply) => {
    exchangeOf(request).operation = "health";
    if (!mayRead(request, config.metricsToken)) throw new Failure("metrics_forbidden");
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  });

  return {
    begin: () => running.inc(),
    end(operation, status, seconds) {
      running.dec();
      duration.observe({ operation, status: String(status) }, seconds);
    },
  };
}

const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** With a token set, it alone counts. A proxy on this machine makes everybody look local: what it says of them is heard. */
function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return sameDigest(digest(token), digest(bearerToken(request.headers.authorization) ?? ""));
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
  return loopback.test(request.ip) && loopback.test(request.socket.remoteAddress ?? "") && !isForwarded;
}
