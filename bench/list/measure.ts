// `npx tsx bench/list/measure.ts 10k=FOLDER 1m=FOLDER 10m=FOLDER`: serves each folder made by load.ts and measures its
// list of leads, 30 columns, 50 rows. Needs `npm run build`, and wrk and pgbench on the PATH. Everything is printed as
// ratios within this run: the machine's own speed cancels out.
import { execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { openDatabase } from "../../server/database/database.ts";
import { startEngine } from "../../server/database/embedded/engine.ts";
import { sql } from "../../server/database/sql.ts";
import { root } from "../../server/lib/root.ts";
import { requireType } from "../../server/metadata/snapshot.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { insertRows } from "../../server/records/insert-rows.ts";
import { pgbenchStatement } from "./lean-statement.ts";
import { benchPassword, callers } from "./universe.ts";
import { benchView, VIEW_ID } from "./view.ts";

const run = promisify(execFile);
const PORT = 3997;
const WARM_UP = 50;
const base = `http://127.0.0.1:${PORT}`;
type CallerName = keyof typeof callers;
const names = Object.keys(callers) as CallerName[]; // the keys of a constant object

interface Figures {
  readonly rps: Record<string, number>;
  /** p50 and p95 in ms. */
  readonly latency: Record<string, readonly [number, number]>;
  readonly pgbench: number;
  readonly constant: number;
  /** MiB. */
  readonly rss: number;
  /** MiB that a CSV export of all leads added at its peak; 0 where it was not run. */
  readonly exported: number;
}

async function login(userName: string): Promise<string> {
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

async function latency(token: string, query: string, times: number): Promise<readonly [number, number]> {
  const address = `${base}/crm/leads/index.json?track_open=0&current_listview=${VIEW_ID}&limit=50&${query}`;
  const took: number[] = [];
  for (let count = 0; count < times + WARM_UP; count += 1) {
    const began = performance.now();
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${query}: ${response.status}`);
    if (count >= WARM_UP) took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return [at(0.5), at(0.95)];
}

async function wrk(address: string, token: string): Promise<number> {
  const args = ["-t1", "-c16", "-d8s", "-H", `Authorization: Bearer ${token}`, address];
  await run("wrk", args.with(2, "-d2s"));
  const { stdout } = await run("wrk", args);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0);
}

async function residentMemory(pid: string): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", pid]);
  return Number(stdout) / 1024;
}

/** The most memory that the service had while it exported everything. */
async function exportPeak(token: string, pid: string): Promise<number> {
  const address = `${base}/crm/leads/export.json?format=csv&current_listview=${VIEW_ID}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  let peak = 0;
  let chunks = 0;
  for await (const _ of response.body ?? []) {
    chunks += 1;
    if (chunks % 200 === 1) peak = Math.max(peak, await residentMemory(pid));
  }
  return peak;
}

async function measure(folder: string): Promise<Figures> {
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
      PORT: String(PORT),
      RATE_LIMIT: "0",
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      service.stdout.on("data", (chunk) => String(chunk).includes("is ready") && resolve());
      service.on("exit", (code) => reject(new Error(`the service ended with ${code}`)));
    });
    const figures = { rps: {} as Record<string, number>, latency: {} as Record<string, readonly [number, number]> };
    const tokens = new Map<CallerName, string>();
    for (const name of names) tokens.set(name, await login(callers[name]));
    // Plain lists first: searches and far pages leave work behind that goes on in the background for a while.
    for (const [name, token] of tokens) {
      figures.rps[name] = await wrk(
        `${base}/crm/leads/index.json?track_open=0&current_listview=${VIEW_ID}&limit=50`,
        token,
      );
      figures.latency[`${name}, created`] = await latency(token, "", 400);
      figures.latency[`${name}, name`] = await latency(token, "sort=leads.name&dir=ASC", 400);
    }
    const pid = String(service.pid);
    const before = await residentMemory(pid);
    const total = await db.row(sql`select count(*)::text as n from (select 1 from crm__leads limit 1000001) few`);
    const exported =
      Number(total?.n) > 1_000_000 ? 0 : (await exportPeak(tokens.get("administrator") ?? "", pid)) - before;
    for (const [name, token] of tokens) {
      figures.latency[`${name}, rare word`] = await latency(token, "search_basic=zanzibar", 40);
      figures.latency[`${name}, common word`] = await latency(token, "search_basic=copper", 40);
      figures.latency[`${name}, page 10,000`] = await latency(token, "page=10000", 40);
    }
    const constant = await wrk(`${base}/healthz`, "none");
    const script = path.join(tmpdir(), "dossier-lean.sql");
    writeFileSync(script, await pgbenchStatement(db, snapshot, organizationId));
    const { connection } = engine;
    const bench = await run(
      "pgbench",
      [
        "-n",
        "-M",
        "prepared",
        "-c",
        "16",
        "-j",
        "1",
        "-T",
        "8",
        "-f",
        script,
        "-h",
        connection.host,
        "-p",
        String(connection.port),
        "-U",
        connection.user,
        connection.database,
      ],
      { env: { ...process.env, PGPASSWORD: connection.password, PGOPTIONS: "-c plan_cache_mode=force_generic_plan" } },
    );
    const pgbench = Number(/tps = ([\d.]+)/.exec(bench.stdout)?.[1] ?? 0);
    return { ...figures, constant, pgbench, exported, rss: await residentMemory(pid) };
  } finally {
    service.removeAllListeners("exit");
    service.kill("SIGTERM");
    await new Promise((resolve) => service.on("exit", resolve));
    await db.close();
    await engine.stop();
  }
}

const results = new Map<string, Figures>();
for (const argument of process.argv.slice(2)) {
  const [name = "", folder = ""] = argument.split("=");
  results.set(name, await measure(folder));
}
for (const [size, figures] of results) {
  console.log(
    `\n${size} leads   service ${figures.rss.toFixed(0)} MiB (an export added ${figures.exported.toFixed(0)})   pgbench ${figures.pgbench.toFixed(0)}/s   constant body ${figures.constant.toFixed(0)}/s`,
  );
  for (const name of names) {
    const rps = figures.rps[name] ?? 0;
    console.log(
      `  page 1, 16 connections, ${name}: ${rps.toFixed(0)}/s = ${(rps / figures.pgbench).toFixed(2)} × pgbench`,
    );
  }
  const first = results.values().next().value;
  for (const [what, [p50, p95]] of Object.entries(figures.latency)) {
    const [before50, before95] = first?.latency[what] ?? [p50, p95];
    const pageOne = figures.latency[`${what.split(",")[0]}, created`]?.[0] ?? p50;
    console.log(
      `  ${what.padEnd(32)} p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms; ${(p50 / before50).toFixed(2)} / ${(p95 / before95).toFixed(2)} × the smallest; ${(p50 / pageOne).toFixed(2)} × page 1`,
    );
  }
}
