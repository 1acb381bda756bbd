// `npx tsx bench/records/measure.ts`: serves the demo from a folder of its own and measures, with 16 connections: view and
// edit form of leads with children against the same server framework answering a constant body of the same size; the
// form of a type with 60 fields against its record alone; add with children against pgbench running the same statements.
// Needs `npm run build`, and wrk and pgbench on the PATH. Ratios within this run: the machine's own speed cancels out.
import { execFile, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import fastify from "fastify";
import { openDatabase } from "../../server/database/database.ts";
import { startEngine } from "../../server/database/embedded/engine.ts";
import { root } from "../../server/lib/root.ts";
import { pgbenchScript } from "./add-statements.ts";

const run = promisify(execFile);
const PORT = 3995;
const SECONDS = 6;
const ROUNDS = 5;
const base = `http://127.0.0.1:${PORT}`;
const password = "a password for the benchmark";
const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-records-"));

const engine = await startEngine({ dataDir: folder, log: () => undefined, maxConnections: 100 });
const db = openDatabase(engine.connection, { connections: 1 });
const service = spawn(process.execPath, [path.join(root, "dist/server/main.js")], {
  cwd: root,
  env: {
    ...process.env,
    DATABASE_URL: engine.url,
    DATA_DIR: path.join(folder, "service"),
    PORT: String(PORT),
    RATE_LIMIT: "0",
    LOG_LEVEL: "error",
    ADMIN_PASSWORD: password,
    DEMO_DATA: "1",
  },
  stdio: ["ignore", "pipe", "inherit"],
});

/** Requests per second; `script` is Lua that makes the requests. */
async function wrk(address: string, token: string, script: string): Promise<number> {
  const file = path.join(folder, "requests.lua");
  writeFileSync(file, script);
  const args = ["-t1", "-c16", `-d${SECONDS}s`, "-s", file, "-H", `Authorization: Bearer ${token}`, address];
  await run("wrk", args.with(2, "-d2s"));
  const { stdout } = await run("wrk", args);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0);
}

/** GET of each address in turn. */
const gets = (addresses: readonly string[]): string => `
local paths = {${addresses.map((address) => JSON.stringify(address)).join(",")}}
local at = 0
request = function() at = at % #paths + 1; return wrk.format("GET", paths[at]) end`;

const leadToAdd = (mark: string) =>
  JSON.stringify({
    data: {
      leads: {
        first_name: "Bench",
        last_name: "Mark",
        addresses: [{ address_line_1: "1 Road", city: "Ulm" }],
        email_addresses: [{ email: `bench-${mark}@example.com` }],
      },
      action: { save_progress: "Save" },
    },
  });

const adds = `
wrk.headers["Content-Type"] = "application/json"
local count = os.time() * 1000
request = function()
  count = count + 1
  local body = string.gsub([[${leadToAdd("MARK")}]], "MARK", string.format("%d", count))
  return wrk.format("POST", "/crm/leads/add.json", nil, body)
end`;

async function call(address: string, token: string, body?: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(base + address, body === undefined ? { headers } : { method: "POST", headers, body });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${address}: ${JSON.stringify(answer.errors)}`);
  return answer;
}

/** The same server framework, answering the same bytes, for as long as `during` takes. */
async function constantBody(body: string, during: (address: string) => Promise<void>): Promise<void> {
  const constant = fastify();
  constant.get("/*", (_, reply) => reply.type("application/json; charset=utf-8").send(body));
  await constant.listen({ port: PORT + 1 });
  try {
    await during(`http://127.0.0.1:${PORT + 1}/`);
  } finally {
    await constant.close();
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Views and edit forms in turn with the constant body: what disturbs the machine disturbs all of them. */
async function compareViews(ids: readonly string[], token: string): Promise<void> {
  const pathOf = (operation: string) => (id: string) => `/crm/leads/${operation}.json?id=${id}`;
  const response = await fetch(base + pathOf("view")(ids[0] ?? ""), { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  const measured = { constant: [] as number[], view: [] as number[], edit: [] as number[] };
  await constantBody(body, async (constant) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      measured.constant.push(await wrk(constant, token, gets(["/"])));
      for (const name of ["view", "edit"] as const) {
        measured[name].push(await wrk(base, token, gets(ids.map(pathOf(name)))));
      }
    }
  });
  const floor = measured.constant;
  console.log(`constant body of ${body.length} bytes  ${median(floor).toFixed(0)}/s (median of ${ROUNDS} rounds)`);
  for (const name of ["view", "edit"] as const) {
    const ratios = measured[name].map((rps, round) => rps / (floor[round] ?? 0));
    const [lowest, middle] = [Math.min(...ratios), median(ratios)].map((ratio) => ratio.toFixed(2));
    console.log(
      `${name} of a lead with children  ${median(measured[name]).toFixed(0)}/s = ${middle} × constant (lowest ${lowest})`,
    );
  }
}

/** A type with 60 fields, and some records of it. */
async function wideType(token: string): Promise<readonly string[]> {
  const fields = Array.from({ length: 60 }, (_, index) => ({ name: `field_${index}`, type: "short-text" }));
  const definition = JSON.stringify({
    module: "lab",
    controller: "wide",
    label: "Wide",
    plural: "Wides",
    displayField: "field_0",
    fields,
    access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
  });
  await call("/metadata/record_types/save.json", token, JSON.stringify({ definition }));
  const values = Object.fromEntries(fields.map(({ name }) => [name, `the value of ${name}`]));
  const body = JSON.stringify({ data: { wide: values, action: { save_progress: "Save" } } });
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1) ids.push(String((await call("/lab/wide/add.json", token, body)).id));
  return ids;
}

/** The service's role may not set this, the folder's owner may. */
async function logStatements(which: "all" | "none"): Promise<void> {
  const cluster = path.join(folder, "postgres");
  appendFileSync(path.join(cluster, "postgresql.auto.conf"), `log_statement = '${which}'\n`);
  process.kill(Number(readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[0]), "SIGHUP");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/** Transactions per second of pgbench with the statements of an add, as the service sends them. */
async function pgbenchAdds(token: string): Promise<number> {
  const id = "910000001";
  const number = "BENCH-NUMBER-1";
  await db.script(`alter table crm__leads alter column id restart with ${id}`);
  await logStatements("all");
  const added = await call("/crm/leads/add.json", token, leadToAdd("logged"));
  await logStatements("none");
  const { leads } = added.data as { leads: { business_key: string } };
  const log = readFileSync(path.join(folder, "postgres.log"), "utf8").replaceAll(leads.business_key, number);
  const script = path.join(folder, "add.sql");
  writeFileSync(script, pgbenchScript(log, "crm__leads", id, number));
  const { connection } = engine;
  const where = ["-h", connection.host, "-p", String(connection.port), "-U", connection.user, connection.database];
  const { stdout } = await run(
    "pgbench",
    ["-n", "-c", "16", "-j", "1", "-T", String(SECONDS), "-f", script, ...where],
    {
      env: { ...process.env, PGPASSWORD: connection.password },
    },
  );
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0);
}

try {
  await new Promise<void>((resolve, reject) => {
    service.stdout.on("data", (chunk) => String(chunk).includes("is ready") && resolve());
    service.on("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const login = { data: { users: { user_name: "admin", user_password: password } } };
  const token = String((await call("/access_controls/users/login.json", "", JSON.stringify(login))).access_token);

  const ids: string[] = [];
  for (let count = 0; count < 200; count += 1) {
    ids.push(String((await call("/crm/leads/add.json", token, leadToAdd(`made-${count}`))).id));
  }
  await compareViews(ids, token);

  const wide = await wideType(token);
  const form = await wrk(base, token, gets(wide.map((id) => `/lab/wide/edit.json?id=${id}`)));
  const alone = await wrk(base, token, gets(wide.map((id) => `/lab/wide/edit.json?id=${id}&form=0`)));
  console.log(
    `60 fields: form ${form.toFixed(0)}/s, record alone ${alone.toFixed(0)}/s; the form costs ${(alone / form).toFixed(2)} ×`,
  );

  const pgbench = await pgbenchAdds(token);
  const added = await wrk(base, token, adds);
  console.log(
    `add with two children  ${added.toFixed(0)}/s = ${(added / pgbench).toFixed(2)} × pgbench (${pgbench.toFixed(0)}/s)`,
  );
} finally {
  service.removeAllListeners("exit");
  service.kill("SIGTERM");
  await new Promise((resolve) => service.on("exit", resolve));
  await db.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
