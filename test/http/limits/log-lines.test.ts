// What the log tells: one line per request with its ids, and statements that took long with the list view they belong to.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { openService, type Service } from "../../../server/service.ts";
import { testConfig } from "../../config.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";
import { testAdministrator } from "../../global-setup.ts";

let database: TestDatabase;
let service: Service;
let token: string;
const lines: Record<string, unknown>[] = [];
const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-log-"));

beforeAll(async () => {
  database = await testDatabase("prepared");
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const config = testConfig(dataDir, { SLOW_STATEMENT_SECONDS: "0.001" });
  service = await openService(config, pino({ level: "info" }, sink), database.connection);
  const users = { user_name: testAdministrator.userName, user_password: testAdministrator.password };
  const response = await fetch(`${service.url}/access_controls/users/login.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: { users } }),
  });
  token = (await response.json()).access_token;
});
afterAll(async () => {
  await service.close();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const told = (msg: string, id: string) =>
  lines.filter((line) => line.msg === msg && (line.id === id || line.request === id));

test("a list's line and its slow statements name request, organization, user and view, and no value", async () => {
  const view = await database.db.row(sql`
    select id::text as id from core__listviews where controller = 'crm/leads' and organization_id = 1 order by id limit 1`);
  const ids = { organization: "1", user: "1", operation: "index", view: view?.id };
  const answer = await database.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table crm__leads in access exclusive mode`);
    const address = `/crm/leads/index.json?current_listview=${view?.id}&search_basic=unmistakable`;
    const sent = fetch(service.url + address, {
      headers: { authorization: `Bearer ${token}`, "x-request-id": "slow-list" },
    });
    const waiting = async () => {
      const row = await database.db.row(sql`
        select count(*)::text as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return Number(row?.count);
    };
    await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0);
    return { sent };
  });
  expect((await answer.sent).status).toBe(200);
  await expect
    .poll(() => told("request", "slow-list"))
    .toEqual([
      expect.objectContaining({
        ...ids,
        method: "GET",
        path: "/crm/leads/index.json",
        status: 200,
        ms: expect.any(Number),
      }),
    ]);
  const slow = told("slow statement", "slow-list");
  expect(slow).toContainEqual(
    expect.objectContaining({ ...ids, type: "crm/leads", statement: expect.stringContaining("crm__leads") }),
  );
  expect(JSON.stringify(lines)).not.toMatch(/unmistakable|Bearer|correct-horse/);
});

test("what a stranger's request took names nobody", async () => {
  await fetch(`${service.url}/crm/leads/index.json`, { headers: { "x-request-id": "stranger" } });
  await expect
    .poll(() => told("request", "stranger"))
    .toEqual([expect.not.objectContaining({ organization: expect.anything(), user: expect.anything() })]);
});
