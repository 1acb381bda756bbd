// SIGTERM to the real process while it is busy: it ends by itself, in order and in time, answers what it had begun, and
// everything that it acknowledged is there.
import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { testDatabase } from "../database.ts";
import { testAdministrator } from "../global-setup.ts";
import { addRows } from "../http/people.ts";
import { ask, type Running, startProcess } from "./real-process.ts";

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
  const { body: login } = await ask(running.url, "/access_controls/users/login.json", { body: { data: { users } } });
  const token = login.access_token ?? "";
  const action = { save_continue: "Save" };

  let isStopping = false;
  const acknowledged: string[] = [];
  const others: (number | undefined)[] = [];
  const work = async (worker: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = 0; ; at += 1) {
      const data = { companies: { name: `Company ${worker}/${at}` }, action };
      const { status, body } = await ask(running.url, "/crm/companies/add.json", { body: { data }, token, agent });
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
    const answered = ask(running.url, "/crm/companies/edit.json", { body: { data }, token });
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
