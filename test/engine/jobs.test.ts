// A job whose process is killed in the middle of it is finished by the next one, with nothing done twice.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { testDatabase } from "../database.ts";
import { testAdministrator } from "../global-setup.ts";
import { addRows } from "../http/people.ts";
import { startService } from "../service.ts";
import { compiled } from "./compiled.ts";

const RECORDS = 4_000;

test("kill -9 in the middle of a job, and the next start finishes it", async () => {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const { db } = database;
  // Rows written past the wire are in no stage, and would each begin the workflow with their first save, one by one.
  await db.run(sql`update core__workflows set is_active = 0 where organization_id = 1 and controller = 'crm/leads'`);
  const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-jobs-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const child = spawn(
    process.execPath,
    [compiled("engine/job-process"), JSON.stringify(database.connection), dataDir],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env.PATH },
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const url = line.replace("ready ", "");

  const post = async (address: string, body: unknown, token = "") =>
    (
      await fetch(url + address, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      })
    ).json() as Promise<{ access_token: string; job_id: string }>;

  const rows = Array.from({ length: RECORDS }, (_, index) => ({
    last_name: `Lead ${index}`,
    status: "new",
    score: "0",
  }));
  const ids = await addRows({ db }, "crm/leads", rows);
  // The last chunk waits for this row: the job cannot be over before the process is killed.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let ready = () => {};
  const locked = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const holding = db.transaction(async (transaction) => {
    await transaction.run(
      sql`select 1 from crm__leads where organization_id = 1 and id = ${ids.at(-1) ?? ""}::bigint for update`,
    );
    ready();
    await held;
  });
  await locked;
  const users = { user_name: testAdministrator.userName, user_password: testAdministrator.password };
  const { access_token: token } = await post("/access_controls/users/login.json", { data: { users } });
  const { job_id: id } = await post(
    "/crm/leads/edit_selected.json",
    { ids: ids.join(), data: { leads: { score: "1" } } },
    token,
  );
  const job = () =>
    db.row(sql`select status, done, failed, total from core__jobs where organization_id = 1 and id = ${id}::bigint`);
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(async () => Number((await job())?.done) >= 2_000);
  child.kill("SIGKILL");
  await once(child, "exit");
  letGo();
  await holding;
  const done = Number((await job())?.done);
  expect(done % 1_000).toBe(0);
  expect(done).toBeLessThan(RECORDS);

  const service = await startService({}, database);
  onTestFinished(() => service.stop());
  await until(async () => (await job())?.status === "done");
  expect(await job()).toEqual({ status: "done", done: String(RECORDS), failed: "0", total: String(RECORDS) });
  const history = await db.row(sql`
    select count(*)::text as entries, count(distinct related_id)::text as records, max(number)::text as last
    from core__revisions where organization_id = 1 and job_id = ${id}::bigint`);
  expect(history).toEqual({ entries: String(RECORDS), records: String(RECORDS), last: "2" });
  const leads = await db.row(sql`
    select count(*)::text as count from crm__leads where organization_id = 1 and score = 1 and revision = 2`);
  expect(leads).toEqual({ count: String(RECORDS) });
  expect(await db.row(sql`select 1 as found from core__job_queue`)).toBeUndefined();
});
