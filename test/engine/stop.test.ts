// SIGTERM to the real process while it is busy: it ends by itself, in order and in time, answers what it had begun, and
// everything that it acknowledged is there.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { ClientConfig } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { testDatabase } from "../database.ts";
import { testAdministrator } from "../global-setup.ts";
import { addRows } from "../http/people.ts";
import { compiled } from "./compiled.ts";

const urlOf = ({ host, port, user, password, database }: ClientConfig): string =>
  `postgresql://${user}:${encodeURIComponent(String(password ?? ""))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;

interface Running {
  readonly child: ChildProcess;
  readonly url: URL;
}

async function startProcess(connection: ClientConfig, environment: Record<string, string> = {}): Promise<Running> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-stop-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const child = spawn(process.execPath, [compiled("main-process.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      DATABASE_URL: urlOf(connection),
      DATA_DIR: dataDir,
      RATE_LIMIT: "0",
      LOG_LEVEL: "silent",
      ...environment,
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface(child.stdout)) {
    const address = /Address\s+(\S+)/.exec(line)?.[1];
    if (address) return { child, url: new URL(address) };
  }
  throw new Error("the process ended before it was ready");
}

interface Told {
  /** Undefined where the connection ended without an answer. */
  readonly status: number | undefined;
  readonly body: { readonly id?: string; readonly access_token?: string };
}

/** One request, to the end of its answer. Never throws. */
function ask({ url }: Running, address: string, body: unknown, token: string, agent?: Agent): Promise<Told> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const sent = request(new URL(address, url), { method: "POST", headers, ...(agent ? { agent } : {}) });
    const fail = () => resolve({ status: undefined, body: {} });
    sent.on("error", fail);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    sent.end(JSON.stringify(body));
  });
}

const isListening = ({ url }: Running): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("close", () => socket.destroy());
    socket.unref();
  });

test.each([
  { name: "one process", environment: {} },
  { name: "two workers", environment: { WORKERS: "2" } },
])("$name under load", { timeout: 180_000 }, async ({ environment }) => {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const { db } = database;
  await db.run(sql`update core__workflows set is_active = 0 where organization_id = 1`);
  const [held = ""] = await addRows({ db }, "crm/companies", [{ name: "Held" }]);
  const running = await startProcess(database.connection, environment);
  const users = { user_name: testAdministrator.userName, user_password: testAdministrator.password };
  const { body: login } = await ask(running, "/access_controls/users/login.json", { data: { users } }, "");
  const token = login.access_token ?? "";
  const action = { save_continue: "Save" };

  let isStopping = false;
  const acknowledged: string[] = [];
  const others: (number | undefined)[] = [];
  const work = async (worker: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = 0; ; at += 1) {
      const data = { companies: { name: `Company ${worker}/${at}` }, action };
      const { status, body } = await ask(running, "/crm/companies/add.json", { data }, token, agent);
      if (status === 200 && body.id !== undefined) acknowledged.push(body.id);
      else others.push(status);
      if (status === undefined || (status !== 200 && isStopping)) break;
    }
    agent.destroy();
  };
  const workers = Array.from({ length: 8 }, (_, worker) => work(worker));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);

  const exit = once(running.child, "exit");
  const { answer } = await db.transaction(async (transaction) => {
    // A save that is begun before the signal and cannot end before this transaction does.
    await transaction.run(sql`select from crm__companies where id = ${held}::bigint for update`);
    const data = { companies: { id: held, name: "Changed" }, action };
    const answered = ask(running, "/crm/companies/edit.json", { data }, token);
    const waiting = async () => {
      const row = await db.row(sql`
        select count(*)::text as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return Number(row?.count);
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    isStopping = true;
    running.child.kill("SIGTERM");
    await expect.poll(() => isListening(running), { interval: 20 }).toBe(false);
    // Not the promise itself, which would be waited for.
    return { answer: answered };
  });
  const answered = await answer;
  await Promise.all(workers);
  // By itself and in order: whoever takes too long is ended with 1, whoever is killed with a signal.
  expect(await exit).toEqual([0, null]);
  expect([answered.status, answered.body]).toMatchObject([200, { id: held }]);
  expect(others.filter((status) => status !== undefined && status !== 503)).toEqual([]);
  const { rows } = await db.run(sql`
    select id::text from crm__companies where id = any(${acknowledged}::bigint[]) or (id = ${held}::bigint and name = 'Changed')`);
  expect(new Set(rows.flat())).toEqual(new Set([...acknowledged, held]));
});
