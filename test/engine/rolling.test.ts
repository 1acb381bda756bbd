// Three real processes behind a reverse proxy, under load all the time: kill -9 of one costs nobody more than the request that
// was on its way through it, and a rolling restart costs nobody anything.
import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { testDatabase } from "../database.ts";
import { testAdministrator } from "../global-setup.ts";
import { startProxy } from "./proxy.ts";
import { ask, type Running, startProcess, temporaryData } from "./real-process.ts";

const CLIENTS = 4;

test("kill -9 and a rolling restart of three processes under load", { timeout: 240_000 }, async () => {
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
  const start = (port = "0") => startProcess(connection, { ...environment, PORT: port });
  const [first, second, third] = await Promise.all([start(), start(), start()]);
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
      await delay(10);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) => work(client));
  const someMore = async () => {
    const before = answered;
    await expect.poll(() => answered, { interval: 20 }).toBeGreaterThan(before + 4 * CLIENTS);
  };
  const end = async ({ child }: Running, signal: "SIGKILL" | "SIGTERM") => {
    const exit = once(child, "exit");
    child.kill(signal);
    const ended = await exit;
    await someMore();
    return ended;
  };

  await someMore();
  expect(await end(first, "SIGKILL")).toEqual([null, "SIGKILL"]);
  // Each client had at most one request under way.
  const broken = others.splice(0);
  expect(
    broken.filter((status) => status !== 502),
    proxy.complaints(),
  ).toEqual([]);
  expect(broken.length).toBeLessThanOrEqual(CLIENTS);

  // One after the other; in the end everything is served by what was started last.
  expect(await end(second, "SIGTERM")).toEqual([0, null]);
  await start(second.url.port);
  await someMore();
  expect(await end(third, "SIGTERM")).toEqual([0, null]);
  isOver = true;
  await Promise.all(clients);
  expect(others, proxy.complaints()).toEqual([]);
  const { rows } = await db.run(sql`select id::text from crm__companies where id = any(${acknowledged}::bigint[])`);
  expect(rows).toHaveLength(acknowledged.length);
});
