// The process: reads the environment, opens the service (or, with WORKERS, several of them over one database), says
// where it is, and closes it in order when asked to stop.
import cluster from "node:cluster";
import { setFlagsFromString } from "node:v8";
import { type Config, readConfig } from "./config.ts";
import type { FirstOrganization } from "./identity/first-organization.ts";
import { originalStack } from "./lib/original-stack.ts";
import { openService } from "./service.ts";
import { hearStop, joinFleet, startWorkers, tellReady } from "./workers.ts";

/** The contract promises an end within 10 s, after whatever time DRAIN_SECONDS gives to proxies. */
const STOP_WITHIN_MS = 9_500;

function announce(url: string, first: FirstOrganization | undefined): void {
  const lines = ["", "  Dossier is ready", `    Address    ${url}`];
  if (first) {
    lines.push(`    User name  ${first.userName}`);
    lines.push(`    Password   ${first.generatedPassword ?? "the one in ADMIN_PASSWORD"}`);
    if (first.generatedPassword !== undefined)
      lines.push("    The password is shown only once. Change it after you sign in.");
  }
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

/** Runs `close` once, at the first call; a second call, or too long a wait, ends the process as it is. */
function stopper({ drainMs }: Config, close: () => Promise<void>): () => void {
  let stopping = false;
  return () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), drainMs + STOP_WITHIN_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
}

async function runAsWorker(config: Config): Promise<void> {
  const stopped = hearStop();
  const service = await openService(config, undefined, undefined, joinFleet());
  void stopped.then(stopper(config, service.close));
  tellReady(service.url);
}

async function run(config: Config): Promise<void> {
  const running = config.workers > 1 ? await startWorkers(config) : await openService(config);
  announce(running.url, running.first);
  const stop = stopper(config, running.close);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

// Garbage is collected before the heap is twice as large as what is in use, not four times (docs/decisions/lists-beside-writes.md). A
// version of Node.js that does not know the flag says so and goes on.
setFlagsFromString("--heap-growing-percent=80");

try {
  const config = readConfig(process.env);
  await (cluster.isWorker ? runAsWorker(config) : run(config));
} catch (error) {
  // What stops a start is for a person to read: the message first, the trail only where it was asked for.
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`\n  Dossier cannot start: ${message}\n\n`);
  if (process.env.LOG_LEVEL === "debug")
    process.stderr.write(`${error instanceof Error ? originalStack(error.stack ?? "") : ""}\n`);
  process.exit(1);
}
