// `npx tsx bench/records/measure.ts`: serves the demo from a folder of its own and measures view, edit form and add of a
// lead with children against the same server framework answering a constant body of the same size, and against one SQL
// transaction of the same rows. Needs wrk on the PATH. Ratios within this run: the machine's own speed cancels out.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import fastify from "fastify";
import { root } from "../../server/lib/root.ts";

const run = promisify(execFile);
const PORT = 3995;
const base = `http://127.0.0.1:${PORT}`;
const password = "a password for the benchmark";
const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-records-"));

const service = spawn(process.execPath, ["--import", "tsx", path.join(root, "server/main.ts")], {
  cwd: root,
  env: {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(PORT),
    RATE_LIMIT: "0",
    LOG_LEVEL: "error",
    ADMIN_PASSWORD: password,
    DEMO_DATA: "1",
  },
  stdio: ["ignore", "pipe", "inherit"],
});

async function wrk(address: string, token: string): Promise<number> {
  const args = ["-t1", "-c16", "-d6s", "-H", `Authorization: Bearer ${token}`, address];
  await run("wrk", args.with(2, "-d2s"));
  const { stdout } = await run("wrk", args);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0);
}

async function post(address: string, body: unknown, token?: string) {
  const response = await fetch(base + address, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  // The benchmark reads what it needs and fails on anything else.
  return (await response.json()) as { id: string; access_token: string; errors: string[] };
}

/** Requests per second with 16 clients, each waiting for its answer. */
async function adds(token: string, seconds: number): Promise<number> {
  const until = Date.now() + seconds * 1000;
  let done = 0;
  const leads = {
    first_name: "Bench",
    last_name: "Mark",
    email: "bench@example.com",
    addresses: [{ address_line_1: "1 Road", city: "Ulm" }],
    email_addresses: [{ email: "bench@example.com" }],
  };
  const client = async () => {
    while (Date.now() < until) {
      const answer = await post("/crm/leads/add.json", { data: { leads, action: { save_progress: "Save" } } }, token);
      if (answer.errors.length > 0) throw new Error(answer.errors.join("; "));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return done / seconds;
}

try {
  await new Promise<void>((resolve, reject) => {
    service.stdout.on("data", (chunk) => String(chunk).includes("is ready") && resolve());
    service.on("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const users = { user_name: "admin", user_password: password };
  const { access_token: token } = await post("/access_controls/users/login.json", { data: { users } });
  const view = `${base}/crm/leads/view.json?id=1`;
  const body = await (await fetch(view, { headers: { authorization: `Bearer ${token}` } })).text();
  const constant = fastify();
  constant.get("/", (_, reply) => reply.type("application/json; charset=utf-8").send(body));
  await constant.listen({ port: PORT + 1 });
  const floor = await wrk(`http://127.0.0.1:${PORT + 1}/`, token);
  await constant.close();
  const figures = { view: await wrk(view, token), edit: await wrk(view.replace("view", "edit"), token) };
  console.log(`bytes of a view           ${body.length}`);
  console.log(`constant body, req/s      ${floor.toFixed(0)}`);
  for (const [name, rps] of Object.entries(figures)) {
    console.log(`${name.padEnd(26)}${rps.toFixed(0)}  (${(rps / floor).toFixed(2)} × constant)`);
  }
  await adds(token, 2);
  console.log(`add with two children     ${(await adds(token, 6)).toFixed(0)}`);
} finally {
  service.removeAllListeners("exit");
  service.kill("SIGTERM");
  await new Promise((resolve) => service.on("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}
