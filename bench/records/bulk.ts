// `npx tsx bench/records/bulk.ts [records]`: one bulk job over 100,000 leads against one SQL UPDATE of the same rows of the
// same table, both measured in this run: plain values, an indexed one, another owner, and the undo of the first.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/database/database.ts";
import { startEngine } from "../../server/database/embedded/engine.ts";
import { expression, sql } from "../../server/database/sql.ts";
import { requireType } from "../../server/metadata/snapshot.ts";
import { openMetadata } from "../../server/metadata/store.ts";
import { builtInTypes } from "../../server/modules/index.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { openService } from "../../server/service.ts";

const records = Number(process.argv[2] ?? 100_000);
const password = "a password for the benchmark";
const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-bulk-"));
// The engine runs as an account of its own where we are root: the folder must be open to it.
execFileSync("chmod", ["755", folder]);

const engine = await startEngine({ dataDir: folder, log: () => undefined });
const config = readConfig({
  PORT: "0",
  DATABASE_URL: "given below",
  DATA_DIR: folder,
  RATE_LIMIT: "0",
  LOG_LEVEL: "error",
  ADMIN_PASSWORD: password,
});
const service = await openService(config, pino({ level: "error" }), engine.connection);
const db = openDatabase(engine.connection);

async function post(address: string, body: unknown, token?: string) {
  const response = await fetch(service.url + address, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  // The benchmark reads what it needs and fails on anything else.
  return (await response.json()) as { access_token: string; job_id: string; errors: string[] };
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

async function finished(jobId: string): Promise<void> {
  for (;;) {
    const job = await db.row(sql`select status, done, failed from core__jobs where id = ${jobId}::bigint`);
    if (job?.status === "done" && job.failed === "0") return;
    if (job?.status !== "queued" && job?.status !== "running") throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

try {
  const snapshot = (await openMetadata(db, builtInTypes)).current();
  const type = requireType(snapshot, "crm/leads");
  const person = await db.row(sql`select id::text as id from access_controls__users order by id limit 1`);
  await db.transaction(async (transaction) => {
    await insertRows(
      transaction,
      snapshot,
      type,
      "1",
      Array.from({ length: records }, (_, index) => ({
        first_name: `First ${index % 977}`,
        last_name: `Last ${index}`,
        name: `First ${index % 977} Last ${index}`,
        company_name: `Company ${index % 5003}`,
        email: `lead${index}@example.com`,
        city: `City ${index % 211}`,
        status: "new",
        rating: "cold",
        owned_by: person?.id ?? null,
      })),
    );
  });
  const users = { user_name: "admin", user_password: password };
  const { access_token: token } = await post("/access_controls/users/login.json", { data: { users } });
  // In the stage that a lead starts in, as leads that were added over the wire are.
  await post(
    "/crm/leads/add.json",
    { data: { leads: { last_name: "First" }, action: { save_progress: "Save" } } },
    token,
  );
  await db.run(sql`
    update crm__leads l set current_stage = a.current_stage, workflow_version = a.workflow_version, stage_since = a.stage_since,
      acl_id = a.acl_id
    from (select * from crm__leads where last_name = 'First') a where l.organization_id = 1`);
  await db.script("vacuum full crm__leads");
  await db.script("analyze");
  const update = (set: string) =>
    seconds(() => db.run(sql`update crm__leads set ${expression(set)} where organization_id = 1 and deleted = 0`));
  const job = async (address: string, body: unknown) => {
    const { job_id: id, errors } = await post(address, body, token);
    if (id === undefined) throw new Error(errors.join("; "));
    await finished(id);
    return id;
  };
  const edit = (leads: Record<string, unknown>) =>
    job("/crm/leads/edit_selected.json", { all_matching: "1", data: { leads } });

  console.log(`records ${records}`);
  const stamp = "revision = revision + 1, modified = now() at time zone 'utc'";
  const cases = [
    { name: "a plain field", set: `rating = 'warm', ${stamp}`, leads: { rating: "hot" } },
    { name: "an indexed field", set: `status = 'contacted', ${stamp}`, leads: { status: "qualified" } },
    { name: "a searchable field", set: `city = 'Ulm', ${stamp}`, leads: { city: "Bonn" } },
  ];
  for (const { name, set, leads } of cases) {
    await db.script("vacuum");
    const plain = await update(set);
    await db.script("vacuum");
    let id = "";
    const bulk = await seconds(async () => {
      id = await edit(leads);
    });
    const ratio = (bulk / plain).toFixed(1);
    console.log(`${name.padEnd(20)} UPDATE ${plain.toFixed(2)} s, job ${bulk.toFixed(2)} s: ${ratio} ×`);
    await db.script("vacuum");
    const undone = await seconds(() => job(`/core/jobs/undo.json?id=${id}`, {}));
    console.log(`${"  its undo".padEnd(20)} ${undone.toFixed(2)} s: ${(undone / plain).toFixed(1)} ×`);
  }
} finally {
  await db.close();
  await service.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
