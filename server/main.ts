// The process: reads the environment, opens the service (or, with WORKERS, several of them over one database), says
// where it is, and closes it in order when asked to stop.
import cluster from "node:cluster";
import { readConfig } from "./config.ts";
import type { FirstOrganization } from "./identity/first-organization.ts";
import { createLog, openService, openStorage } from "./service.ts";

/** The contract promises an end within 10 s. */
const STOP_WITHIN_MS = 9_500;

function announce(url: string, first: FirstOrganization | undefined): void {
  const lines = ["", "  Dossier is ready", `    Address    ${url}`];
  if (first) {
    lines.push(`    User name  ${first.userName}`);
    lines.push(`    Password   ${first.generatedPassword ?? "the one in ADMIN_PASSWORD"}`);
    if (first.generatedPassword !== undefined)
      lines.push("    The password is shown this once; change it after logging in.");
  }
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

/** Runs `close` once at the first signal; a second signal, or too long a wait, ends the process as it is. */
function stopWith(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

async function runAlone(): Promise<void> {
  const service = await openService(readConfig(process.env));
  announce(service.url, service.first);
  stopWith(service.close);
}

async function runWorkers(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config);
  const storage = await openStorage(config, log);
  let stopping = false;
  let announced = false;
  const { host, port, user, password, database, connectionString } = storage.connection;
  const url =
    connectionString ??
    `postgresql://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
  // Whoever takes the place of a worker that died takes its number too: it stands in the metrics.
  const places = new Map<number, number>();
  const fork = (place: number) => {
    const worker = cluster.fork({ DATABASE_URL: url, DEMO_DATA: "0", DOSSIER_WORKER: String(place) });
    places.set(worker.id, place);
  };
  for (let place = 1; place <= config.workers; place += 1) fork(place);
  cluster.on("message", (_worker, message: { ready?: string }) => {
    if (message.ready === undefined || announced) return;
    announced = true;
    announce(message.ready, storage.first);
  });
  cluster.on("exit", (worker, code) => {
    if (stopping) return;
    log.error(`worker ${worker.process.pid} ended with ${code}; starting another`);
    const place = places.get(worker.id) ?? 0;
    places.delete(worker.id);
    setTimeout(() => stopping || fork(place), 1_000);
  });
  stopWith(async () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(ended);
    await storage.close();
  });
}

async function runAsWorker(): Promise<void> {
  const service = await openService(readConfig(process.env));
  process.send?.({ ready: service.url });
  stopWith(service.close);
}

try {
  if (cluster.isWorker) await runAsWorker();
  else if (readConfig(process.env).workers > 1) await runWorkers();
  else await runAlone();
} catch (error) {
  // What stops a start is for a person to read: the message first, the trail only where it was asked for.
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`\n  Dossier cannot start: ${message}\n\n`);
  if (process.env.LOG_LEVEL === "debug") process.stderr.write(`${error instanceof Error ? error.stack : ""}\n`);
  process.exit(1);
}
