// Takes a data folder; serves a copy of it with the built service, so that the kept data stays as it was built. Gives what
// is needed to ask it as each of the callers.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import pg, { type ClientConfig } from "pg";
import { type Engine, startEngine } from "../../server/database/embedded/engine.ts";
import { root } from "../../server/lib/root.ts";
import { benchPassword, type CallerName, callerNames, callers } from "../organization/people.ts";
import { readUniverse, type Universe } from "../organization/universe.ts";

export interface Served {
  readonly port: number;
  readonly pid: number;
  readonly folder: string;
  readonly connection: ClientConfig;
  /** The same, for another process. */
  readonly url: string;
  readonly universe: Universe;
  readonly tokens: Readonly<Record<CallerName, string>>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** A checkout with a built service; this one unless told. */
  readonly checkout?: string;
  /** Serve the kept folder itself: for data too large to copy. What is written stays in it. */
  readonly inPlace?: boolean;
}

/** A service that listens, and how to end it. It builds no index by itself: rows before and after one are measured apart. */
export async function spawnService(
  checkout: string,
  environment: Record<string, string>,
): Promise<{ readonly child: ChildProcess; stop(): Promise<void> }> {
  // With the heap of `npm start` and the container.
  const child = spawn(process.execPath, ["--max-semi-space-size=16", path.join(checkout, "dist/server/main.js")], {
    cwd: checkout,
    env: { ...process.env, RATE_LIMIT: "0", LOG_LEVEL: "error", AUTOMATIC_INDEXES: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => String(chunk).includes("is ready") && resolve());
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return {
    child,
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export async function login(port: number, userName: string, password = benchPassword): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/access_controls/users/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: { users: { user_name: userName, user_password: password } } }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token) throw new Error(`${userName} cannot log in: ${JSON.stringify(body)}`);
  return body.access_token;
}

const SETTLE_MS = 10_000;

/** Waits until the database is at rest: what one side left running in the background must not slow the other. */
export async function settle(connection: ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const until = Date.now() + SETTLE_MS;
    while (Date.now() < until) {
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid() limit 1",
      );
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await client.end();
  }
}

/** The copies of a run lie beside the kept data, so that a file system that can share blocks does. */
function copyOf(kept: string, port: number): string {
  const copy = path.join(path.dirname(kept), `run-${process.pid}-${port}`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(path.dirname(copy), { recursive: true });
  const share = process.platform === "linux" ? ["--reflink=auto"] : [];
  execFileSync("cp", ["-a", ...share, kept, copy]);
  return copy;
}

/** One that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

export async function serve(
  kept: string,
  { checkout = root, inPlace = false, ...options }: ServeOptions,
): Promise<Served> {
  const port = options.port === 0 ? await freePort() : options.port;
  const universe = readUniverse(kept);
  if (!universe) throw new Error(`${kept} holds no benchmark data`);
  const folder = inPlace ? kept : copyOf(kept, port);
  const removeCopy = (): void => {
    process.off("exit", removeCopy);
    if (!inPlace) rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", removeCopy);
  let engine: Engine | undefined;
  try {
    engine = await startEngine({ dataDir: folder, log: () => undefined, settings: { max_connections: "100" } });
    const { child, stop } = await spawnService(checkout, {
      DATABASE_URL: engine.url,
      DATA_DIR: path.join(folder, "service"),
      PORT: String(port),
    });
    const running = engine;
    const tokens: Partial<Record<CallerName, string>> = {};
    for (const name of callerNames) tokens[name] = await login(port, callers[name]);
    return {
      port,
      pid: child.pid ?? 0,
      folder,
      connection: engine.connection,
      url: engine.url,
      universe,
      tokens: tokens as Record<CallerName, string>, // filled just above
      stop: async () => {
        await stop();
        await running.stop();
        removeCopy();
      },
    };
  } catch (error) {
    await engine?.stop();
    removeCopy();
    throw error;
  }
}
