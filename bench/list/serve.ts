// Serves a folder made by load.ts with the built service, with the benchmark's view in it; gives ways to ask it.
import { spawn } from "node:child_process";
import path from "node:path";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { type Engine, startEngine } from "../../server/database/embedded/engine.ts";
import { sql } from "../../server/database/sql.ts";
import { root } from "../../server/lib/root.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { benchPassword, callers } from "./universe.ts";
import { benchView, VIEW_ID } from "./view.ts";

export type CallerName = keyof typeof callers;
export const callerNames = Object.keys(callers) as CallerName[]; // the keys of a constant object

export interface Served {
  readonly base: string;
  readonly pid: string;
  readonly tokens: ReadonlyMap<CallerName, string>;
  readonly engine: Engine;
  readonly db: Database;
  readonly snapshot: Snapshot;
  readonly organizationId: string;
  stop(): Promise<void>;
}

/** The list that is measured: 30 columns, 50 rows. */
export const listAddress = ({ base }: Served, query: string): string =>
  `${base}/crm/leads/index.json?track_open=0&current_listview=${VIEW_ID}&limit=50&${query}`;

/** Milliseconds that one answer took, its body included. */
export async function timeOf(address: string, token: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${address}: ${response.status}`);
  return performance.now() - began;
}

export function quantiles(took: readonly number[]): readonly [p50: number, p95: number] {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [at(0.5), at(0.95)];
}

async function login(base: string, userName: string): Promise<string> {
  const users = { user_name: userName, user_password: benchPassword };
  const response = await fetch(`${base}/access_controls/users/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: { users } }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token) throw new Error(`${userName} cannot log in: ${JSON.stringify(body)}`);
  return body.access_token;
}

export async function serve(folder: string, port: number): Promise<Served> {
  const base = `http://127.0.0.1:${port}`;
  const engine = await startEngine({ dataDir: folder, log: () => undefined, maxConnections: 100 });
  const db = openDatabase(engine.connection);
  const metadata = await prepareDatabase(db);
  const snapshot = metadata.current();
  const organization = await db.row(sql`select id::text as id from access_controls__organizations limit 1`);
  const organizationId = organization?.id ?? "";
  if (!(await db.row(sql`select id from core__listviews where id = ${VIEW_ID}::uuid`))) {
    await db.transaction((transaction) =>
      insertRows(transaction, snapshot, requireType(snapshot, "core/listviews"), organizationId, [benchView]),
    );
  }
  const service = spawn(process.execPath, [path.join(root, "dist/server/main.js")], {
    env: {
      ...process.env,
      DATABASE_URL: engine.url,
      DATA_DIR: path.join(folder, "service"),
      PORT: String(port),
      RATE_LIMIT: "0",
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    service.stdout.on("data", (chunk) => String(chunk).includes("is ready") && resolve());
    service.on("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const tokens = new Map<CallerName, string>();
  for (const name of callerNames) tokens.set(name, await login(base, callers[name]));
  return {
    base,
    pid: String(service.pid),
    tokens,
    engine,
    db,
    snapshot,
    organizationId,
    stop: async () => {
      service.removeAllListeners("exit");
      service.kill("SIGTERM");
      await new Promise((resolve) => service.on("exit", resolve));
      await db.close();
      await engine.stop();
    },
  };
}
