// Three real processes behind a reverse proxy, under load all the time: kill -9 of any of them costs nobody more than the request
// that was on its way through it, and a rolling restart costs nobody anything.
import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { testDatabase } from "../database.ts";
import { testAdministrator } from "../global-setup.ts";
import { childrenOf, onLinux } from "./lab.ts";
import { startProxy } from "./proxy.ts";
import { ask, type Running, startProcess, temporaryData } from "./real-process.ts";

const CLIENTS = 4;

/** Three processes with these settings each, behind a proxy, with people who save and list until `finish`. */
async function underLoad(settings: readonly [Settings, Settings, Settings]) {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const { db, connection } = database;
  await db.run(sql`update core__workflows set is_active = 0 where organization_id = 1`);
  const environment = {
    DATA_DIR: temporaryData(),
    TOKEN_SECRET: "one secret for all the processes of this test",
    DRAIN_SECONDS: "2",
    TRUST_PROXY: "1",
  };
  const start = (own: Settings = {}, port = "0") => startProcess(connection, { ...environment, ...own, PORT: port });
  const [first, second, third] = await Promise.all([start(settings[0]), start(settings[1]), start(settings[2])]);
  const proxy = await startProxy([first, second, third].map((process) => Number(process.url.port)));
  const { url } = proxy;
  const users = { user_name: testAdministrator.userName, user_password: testAdministrator.password };
  const { body: login } = await ask(url, "/access_controls/users/login.json", { body: { data: { users } } });
  const token = login.access_token ?? "";

  let isOver = false;
  const acknowledged: string[] = [];
  const others: (number | undefined)[] = [];
  let answered = 0;
  const work = async (client: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = 0; !isOver; at += 1) {
      const data = { companies: { name: `Company ${client}/${at}` }, action: { save_continue: "Save" } };
      const saved = await ask(url, "/crm/companies/add.json", { body: { data }, token, agent });
      if (saved.status === 200 && saved.body.id !== undefined) acknowledged.push(saved.body.id);
      const read = await ask(url, "/crm/companies/index.json?limit=5", { token, agent });
      others.push(...[saved.status, read.status].filter((status) => status !== 200));
      answered += 2;
      // A steady load, not as much as the machine can take: others are measured beside it.
      await delay(40);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) => work(client));
  const someMore = async () => {
    const before = answered;
    await expect.poll(() => answered, { interval: 20 }).toBeGreaterThan(before + 4 * CLIENTS);
  };
  await someMore();
  return {
    start,
    processes: [first, second, third] as const,
    someMore,
    end: async ({ child }: Running, signal: "SIGKILL" | "SIGTERM") => {
      const exit = once(child, "exit");
      child.kill(signal);
      const ended = await exit;
      await someMore();
      return ended;
    },
    /** Each client had at most one request under way, and nothing else failed. */
    expectFewBroken: () => {
      const broken = others.splice(0);
      const notTheProxys = broken.filter((status) => status !== 502);
      expect(notTheProxys, proxy.complaints()).toEqual([]);
      expect(broken.length).toBeLessThanOrEqual(CLIENTS);
    },
    /** Nothing failed since; everything that was acknowledged is there. */
    finish: async () => {
      isOver = true;
      await Promise.all(clients);
      expect(others, proxy.complaints()).toEqual([]);
      const { rows } = await db.run(sql`select id::text from crm__companies where id = any(${acknowledged}::bigint[])`);
      expect(rows).toHaveLength(acknowledged.length);
    },
  };
}

type Settings = Record<string, string>;

test("kill -9 of a worker and of the process that started it, then a rolling restart, under load", {
  timeout: 240_000,
}, async () => {
  const { processes, start, someMore, end, expectFewBroken, finish } = await underLoad([{ WORKERS: "2" }, {}, {}]);
  const [first, second, third] = processes;
  const workers = () => (onLinux ? childrenOf(first.child.pid ?? 0) : []);
  if (onLinux) {
    await expect.poll(() => workers().length).toBe(2);
    const [victim = 0] = workers();
    process.kill(victim, "SIGKILL");
    // Another one takes its place.
    await expect.poll(() => workers().filter((pid) => pid !== victim).length).toBe(2);
    await someMore();
    expectFewBroken();
  }

  const left = workers();
  expect(await end(first, "SIGKILL")).toEqual([null, "SIGKILL"]);
  // Nobody is left behind who would go on without being watched.
  await expect.poll(() => left.filter(isAlive)).toEqual([]);
  await someMore();
  expectFewBroken();

  // One after the other; in the end everything is served by what was started last.
  await start({}, first.url.port);
  await someMore();
  expect(await end(second, "SIGTERM")).toEqual([0, null]);
  expect(await end(third, "SIGTERM")).toEqual([0, null]);
  await finish();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
