// Counts what was answered, by operation and status, and offers it with the process's own figures and those of the service's
// queues to Prometheus. Of several processes behind one port all are told, each under its number.
// Labels come from a small set: an operation's name, never a path, a record type or a user.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { Failure } from "../../contract/failures.ts";
import type { LastBackups } from "../backup/results.ts";
import type { Config } from "../config.ts";
import type { Outcome } from "../database/processes/replicas.ts";
import type { PoolUse } from "../database/raw-pool.ts";
import { heldBytes } from "../database/scope.ts";
import type { Queues } from "../jobs/queues.ts";
import { cacheUses } from "../lib/cache-use.ts";
import { digest, sameDigest } from "../lib/secrets/tokens.ts";
import { backupMetrics } from "./backup-metrics.ts";
import { exchangeOf } from "./exchange.ts";
import { bearerToken } from "./identify.ts";

export interface Metrics {
  begin(): void;
  end(operation: string, status: number, seconds: number): void;
}

/** What one process counted, as prom-client passes it between processes. */
export type ProcessMetrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The processes behind one port. */
export interface Fleet {
  /** Says how others get this one's metrics. */
  join(own: () => Promise<ProcessMetrics>): void;
  /** Everybody's, this one's too. */
  gather(): Promise<readonly ProcessMetrics[]>;
}

/** Where the figures come from that are not counted here. */
export interface Figures {
  pools(): Readonly<Record<string, PoolUse>>;
  /** Pages, groups and exports, by where they were read. */
  reads(): Readonly<Record<Outcome, number>>;
  events(): { readonly connected: boolean; readonly heard: number };
  /** Of the whole service, read when asked for. */
  queues(): Promise<(Queues & { readonly processes: number }) | undefined>;
  backups(): Promise<LastBackups>;
  readonly fleet?: Fleet | undefined;
}

export function serveMetrics(
  app: FastifyInstance,
  config: Pick<Config, "metricsToken" | "worker">,
  figures: Figures,
): Metrics {
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

  offerFigures(registry, figures);
  figures.fleet?.join(() => registry.getMetricsAsJSON());
  const ofProcesses = async (): Promise<string> =>
    figures.fleet ? AggregatorRegistry.aggregate([...(await figures.fleet.gather())]).metrics() : registry.metrics();

  app.get("/metrics", async (request, reply) => {
    exchangeOf(request).operation = "health";
    if (!mayRead(request, config.metricsToken)) throw new Failure("metrics_forbidden");
    // What the database cannot tell now is left out: the process's own figures are needed most just then.
    const [own, ...shared] = await Promise.all([
      ofProcesses(),
      figures.queues().then(ofService, () => ""),
      figures.backups().then(backupMetrics, () => ""),
    ]);
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(own + shared.join(""));
  });

  return {
    begin: () => running.inc(),
    end(operation, status, seconds) {
      running.dec();
      duration.observe({ operation, status: String(status) }, seconds);
    },
  };
}

/** Of this process: connections, messages between processes, caches. */
function offerFigures(registry: Registry, { pools, reads, events }: Figures): void {
  const registers = [registry];
  new Gauge({
    name: "dossier_database_connections",
    help: "Connections to the database by pool: open and at work; and what waits for one.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, use] of Object.entries(pools()))
        for (const state of ["open", "busy", "waiting"] as const) this.set({ pool, state }, use[state]);
    },
  });
  new Counter({
    name: "dossier_replica_reads_total",
    help: "Pages, groups and exports by where they were read: on a standby, or on the primary because the standby was behind or unusable.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(reads())) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: "dossier_events_connected",
    help: "1 while messages of other processes arrive; 0 while caches are not trusted because they do not.",
    registers,
    collect() {
      this.set(events().connected ? 1 : 0);
    },
  });
  new Counter({
    name: "dossier_events_total",
    help: "Messages between processes that arrived.",
    registers,
    collect() {
      this.reset();
      this.inc(events().heard);
    },
  });
  new Counter({
    name: "dossier_cache_uses_total",
    help: "How often something was looked up in a cache, by cache and outcome.",
    labelNames: ["cache", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of cacheUses()) {
        this.inc({ cache, outcome: "hit" }, hits);
        this.inc({ cache, outcome: "miss" }, misses);
      }
    },
  });
}

/** Of the service as a whole, the same whichever process tells it. */
async function ofService(queues: Awaited<ReturnType<Figures["queues"]>>): Promise<string> {
  if (!queues) return "";
  const registry = new Registry();
  const { jobs, mail, processes } = queues;
  const gauges: [name: string, help: string, value: number][] = [
    ["dossier_processes", "Processes that serve this database.", processes],
    ["dossier_jobs_waiting", "Jobs that are not finished.", jobs.waiting],
    ["dossier_jobs_failing", "Jobs of which a chunk failed and is tried again.", jobs.failing],
    ["dossier_jobs_oldest_seconds", "Since the job that waits longest had its turn.", jobs.oldestSeconds],
    ["dossier_mail_waiting", "Messages that are due and not sent yet.", mail.waiting],
    ["dossier_mail_held", "Messages put aside by a limit or a rule.", mail.held],
    ["dossier_mail_oldest_seconds", "Since the message that waits longest was due.", mail.oldestSeconds],
  ];
  for (const [name, help, value] of gauges) new Gauge({ name, help, registers: [registry] }).set(value);
  return registry.metrics();
}

const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** With a token set, it alone counts. A proxy on this machine makes everybody look local: what it says of them is heard. */
function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return sameDigest(digest(token), digest(bearerToken(request.headers.authorization) ?? ""));
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
  return loopback.test(request.ip) && loopback.test(request.socket.remoteAddress ?? "") && !isForwarded;
}
