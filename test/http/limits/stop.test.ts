// A service that is told to end while statements do not: it ends all the same, what was told to be saved is there, and what
// was not finished is taken up again.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addRows } from "../people.ts";

let database: TestDatabase;
let service: TestService;
let admin: string;
let other: string;
let leads: string[];

beforeAll(async () => {
  database = await testDatabase("prepared");
  service = await startService({}, database);
  admin = await service.login();
  other = (await addOrganization(service, "quiet")).token;
  leads = await addRows(
    service,
    "crm/leads",
    Array.from({ length: 1_001 }, (_, at) => ({ last_name: `Lead ${at}`, status: "new" })),
  );
  await service.db.run(sql`update core__workflows set is_active = 0 where controller = 'crm/leads'`);
});
afterAll(() => database.close());

const save = (type: "leads" | "companies", values: Record<string, string>, token: string) =>
  service.post(`/crm/${type}/add.json`, { data: { [type]: values, action: { save_continue: "Save" } } }, token);

const waiting = async (): Promise<number> => {
  const row = await database.db.row(sql`
    select count(*)::text as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return Number(row?.count);
};

test("while a table stays locked and a client does not read", async () => {
  const saved: string[] = [];
  const told = await database.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table crm__leads in access exclusive mode`);
    const crowd = Array.from({ length: 10 }, (_, at) => [
      service.get("/crm/leads/index.json", admin),
      service.get(`/crm/leads/view.json?id=${leads[at]}`, admin),
      service.get(`/crm/leads/index.json?search_basic=lead${at}`, admin),
      service.get("/crm/leads/export.json", admin),
      save("leads", { last_name: `New ${at}` }, admin),
    ]).flat();
    const answers = Promise.allSettled(crowd);
    const { port, hostname } = new URL(service.url);
    const unread = connect(Number(port), hostname);
    unread.on("error", () => undefined);
    unread.write("GET /crm/companies/index.json HTTP/1.1\r\nhost: x\r\n");
    for (let at = 0; at < 5; at += 1) {
      const { status, body } = await save("companies", { name: `Company ${at}` }, other);
      expect(status).toBe(200);
      saved.push(body.id);
    }
    await expect.poll(waiting).toBeGreaterThan(0);
    await service.stop();
    // Nothing of it goes on.
    await expect.poll(waiting).toBe(0);
    unread.destroy();
    return answers;
  });
  const { rows } = await database.db.run(sql`select id::text from crm__companies where id = any(${saved}::bigint[])`);
  expect(rows).toHaveLength(saved.length);
  const statuses = told.map((one) => (one.status === "fulfilled" ? one.value.status : "closed"));
  expect(statuses.filter((status) => ![200, 429, 503, "closed"].includes(status))).toEqual([]);
});

test("while a job waits for a record; the next one takes the job up again", async () => {
  service = await startService({}, database);
  const bulk = { ids: leads, data: { leads: { rating: "hot" } } };
  const job = await database.db.transaction(async (transaction) => {
    await transaction.run(sql`select from crm__leads where organization_id = 1 for update`);
    const { body } = await service.post("/crm/leads/edit_selected.json", bulk, admin);
    await expect.poll(waiting).toBe(1);
    await service.stop();
    return body.job_id;
  });
  service = await startService({}, database);
  const statusOf = async () => (await service.get(`/core/jobs/view.json?id=${job}`, admin)).body.data.jobs.status;
  await expect.poll(statusOf).toBe("done");
  await service.stop();
});
