// `npx tsx bench/list/measure.ts 10k=FOLDER 1m=FOLDER 10m=FOLDER`: serves each folder made by load.ts and measures its
// list of leads, 30 columns, 50 rows. Needs `npm run build`, and wrk and pgbench on the PATH. Everything is printed as
// ratios within this run: the machine's own speed cancels out.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "../../server/database/sql.ts";
import { pgbenchStatement } from "./lean-statement.ts";
import { callerNames, listAddress, quantiles, type Served, serve, timeOf } from "./serve.ts";
import { VIEW_ID } from "./view.ts";

const run = promisify(execFile);
const PORT = 3997;
const WARM_UP = 50;

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

async function latency(served: Served, token: string, query: string, times: number) {
  const took: number[] = [];
  for (let count = 0; count < times + WARM_UP; count += 1) {
    const one = await timeOf(listAddress(served, query), token);
    if (count >= WARM_UP) took.push(one);
  }
  return quantiles(took);
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
async function exportPeak(base: string, token: string, pid: string): Promise<number> {
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
  const served = await serve(folder, PORT);
  const { tokens, pid, db, engine, base } = served;
  try {
    const figures = { rps: {} as Record<string, number>, latency: {} as Record<string, readonly [number, number]> };
    // Plain lists first: searches and far pages leave work behind that goes on in the background for a while.
    for (const [name, token] of tokens) {
      figures.rps[name] = await wrk(listAddress(served, ""), token);
      figures.latency[`${name}, created`] = await latency(served, token, "", 400);
      figures.latency[`${name}, name`] = await latency(served, token, "sort=leads.name&dir=ASC", 400);
    }
    const before = await residentMemory(pid);
    const total = await db.row(sql`select count(*)::text as n from (select 1 from crm__leads limit 1000001) few`);
    const exported =
      Number(total?.n) > 1_000_000 ? 0 : (await exportPeak(base, tokens.get("administrator") ?? "", pid)) - before;
    for (const [name, token] of tokens) {
      figures.latency[`${name}, rare word`] = await latency(served, token, "search_basic=zanzibar", 40);
      figures.latency[`${name}, common word`] = await latency(served, token, "search_basic=copper", 40);
      figures.latency[`${name}, page 10,000`] = await latency(served, token, "page=10000", 40);
    }
    const constant = await wrk(`${base}/healthz`, "none");
    const script = path.join(tmpdir(), "dossier-lean.sql");
    writeFileSync(script, await pgbenchStatement(db, served.snapshot, served.organizationId));
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
    await served.stop();
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
  for (const name of callerNames) {
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
