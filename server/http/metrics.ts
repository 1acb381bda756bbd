// Counts what was answered, by operation and status, and offers it with the process's own figures to Prometheus.
// Labels come from a small set: an operation's name, never a path, a record type or a user.
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { exchangeOf } from "./exchange.ts";

export interface Metrics {
  begin(): void;
  end(operation: string, status: number, seconds: number): void;
}

export function serveMetrics(app: FastifyInstance): Metrics {
  const registry = new Registry();
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

  app.get("/metrics", async (request, reply) => {
    exchangeOf(request).operation = "health";
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
