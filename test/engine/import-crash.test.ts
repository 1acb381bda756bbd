// An import whose process is killed in the middle of it goes on where it was when the next one starts: each row once.
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
import { compiled } from "./compiled.ts";

const ROWS = 3_500;

test("kill -9 in the middle of an import, and the next start finishes it with each row once", async () => {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const { db } = database;
  await db.run(sql`update core__workflows set is_active = 0 where organization_id = 1`);
  const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-import-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = async () => {
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
    return { child, url: line.replace("ready ", "") };
  };
  const { child, url } = await start();
  const post = async (address: string, body: FormData | object, token = "") => {
    const isForm = body instanceof FormData;
    const headers = { authorization: `Bearer ${token}`, ...(isForm ? {} : { "content-type": "application/json" }) };
    const answer = await fetch(url + address, { method: "POST", headers, body: isForm ? body : JSON.stringify(body) });
    return (await answer.json()) as { access_token: string; job_id: string; errors: string[] };
  };
  // The last chunk waits for this record: the import cannot be over before the process is killed.
  const [held = ""] = await addRows({ db }, "crm/companies", [{ name: "Held" }]);
  let letGo = () => {};
  let ready = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const locked = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const holding = db.transaction(async (transaction) => {
    await transaction.run(
      sql`select 1 from crm__companies where organization_id = 1 and id = ${held}::bigint for update`,
    );
    ready();
    await released;
  });
  await locked;
  const users = { user_name: testAdministrator.userName, user_password: testAdministrator.password };
  const { access_token: token } = await post("/access_controls/users/login.json", { data: { users } });
  // Larger than what is read while its sender waits.
  const lines = Array.from({ length: ROWS - 1 }, (_, index) => `Imported ${index},Ltd,${"x".repeat(700)}`);
  const form = new FormData();
  form.append("file", new Blob([`name,legal name,notes\n${[...lines, "Held,Now,"].join("\n")}\n`]), "companies.csv");
  form.append("mapping", JSON.stringify({ name: "name", "legal name": "legal_name" }));
  form.append("mode", "upsert");
  form.append("key", "name");
  form.append("override_duplicates", "1");
  const started = await post("/crm/companies/import.json", form, token);
  expect(started.errors).toEqual([]);
  const job = () =>
    db.row(
      sql`select status, done, failed, total from core__jobs where organization_id = 1 and id = ${started.job_id}::bigint`,
    );
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(async () => Number((await job())?.done) >= 2_000);
  child.kill("SIGKILL");
  await once(child, "exit");
  letGo();
  await holding;
  expect(Number((await job())?.done)).toBeLessThan(ROWS);
  await start();
  await until(async () => !["queued", "running"].includes((await job())?.status ?? ""));
  const all = String(ROWS);
  expect(await job()).toEqual({ status: "done", done: all, failed: "0", total: all });
  const made = await db.row(sql`
    select count(*)::text as records, count(distinct name)::text as names from crm__companies
    where organization_id = 1 and name like 'Imported %' and deleted = 0`);
  expect(made).toEqual({ records: String(ROWS - 1), names: String(ROWS - 1) });
  const history = await db.row(sql`
    select count(*)::text as entries, count(distinct related_id)::text as records from core__revisions
    where organization_id = 1 and job_id = ${started.job_id}::bigint and related_type = 'crm/companies'`);
  expect(history).toEqual({ entries: all, records: all });
});
