// Moving more records than are changed at once to the newest version of their workflow: a job, while people go on working, save further
// versions and lose their rights. It holds its breath at a record that somebody else has locked, for as long as a test needs.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

const MANY = 1_200;

let service: TestService;
let admin: string;
let boss: Person;
let tenant: Person;
let workflow: string;
let people: readonly string[];

const stage = (key: string, kind?: "start" | "end") => ({
  ...{ key, name: key },
  ...(kind ? { kind } : {}),
  ...(kind === "end" ? {} : { actors: ["owner"] }),
});
const definition = (middle: string, label = "Ask") =>
  JSON.stringify({
    stages: [stage("open", "start"), stage(middle), stage("shut", "end")],
    transitions: [
      { name: "ask", label, from: "open", to: middle },
      { name: "agree", label: "Agree", from: middle, to: "shut" },
    ],
  });
const save = async (type: string, operation: string, values: object, action: object = { save_progress: "1" }) => {
  const body = { data: { [type.split("/")[1] ?? ""]: values, action } };
  const answer = await service.post(`/${type}/${operation}.json?override_duplicates=1`, body, admin);
  expect(answer.body.errors).toEqual([]);
  return answer.body.id as string;
};
const move = (body: object = {}, token = admin) =>
  service.post(`/core/workflows/move_records.json?id=${workflow}`, { is_confirm: "1", ...body }, token);
const older = async () =>
  (await service.get(`/core/workflows/older_records.json?id=${workflow}`, admin)).body.data.moving as {
    version: string;
    stage: string;
    count: number;
  }[];
const jobOf = async (id: string) => (await service.get(`/core/jobs/view.json?id=${id}`, admin)).body.data.jobs;
const ended = async (id: string) => {
  await expect.poll(async () => (await jobOf(id)).status, { timeout: 40_000 }).toMatch(/^(?:done|failed|cancelled)$/);
  return jobOf(id);
};
const placeOf = async (id: string | undefined) => {
  const { body } = await service.get(`/crm/peoples/view.json?id=${id}`, admin);
  return [body.workflow.version, body.workflow.__stage];
};
/** Everybody is where they were at first. */
const begin = async (version: string) => {
  const node = sql`(select id from core__workflow_nodes where organization_id = 1 and workflow_id = ${workflow}::uuid and key = 'open')`;
  await service.db.run(sql`
    update crm__peoples set current_stage = ${node}, workflow_version = ${version}::bigint where organization_id = 1`);
};
/** Does the work while the first of the records is locked, at which the job waits. */
const whileHeld = (work: () => Promise<void>) =>
  service.db.transaction(async (transaction) => {
    await transaction.run(sql`select id from crm__peoples where organization_id = 1 order by id limit 1 for update`);
    await work();
  });

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  boss = await addPerson(service, "boss", ["administrator"]);
  tenant = await addOrganization(service, "tenant");
  workflow = await save("core/workflows", "add", {
    name: "People",
    controller: "crm/peoples",
    is_active: "1",
    definition: definition("check"),
  });
  const { rows } = await service.db.run(
    sql`select id::text from access_controls__users where organization_id = 1 order by id limit 1`,
  );
  const owned_by = rows[0]?.[0] ?? "";
  people = await addRows(
    service,
    "crm/peoples",
    Array.from({ length: MANY }, (_, index) => ({ last_name: `P ${index}`, owned_by })),
  );
  await begin("1");
  await save("core/workflows", "edit", { id: workflow, definition: definition("audit") });
});
afterAll(() => service.stop());

test("goes on as a job, with those who went on meanwhile, and says which could not be moved", async () => {
  const [stuck, over, still] = people.slice(-3);
  let jobId = "";
  await whileHeld(async () => {
    const started = await move({ version: "2" });
    expect([started.status, started.body.is_queued, started.body.total]).toEqual([202, 1, MANY]);
    jobId = started.body.job_id;
    // One stage is gone in version 2 and nobody was in it; the other is there.
    await save("crm/peoples", "edit", { id: stuck }, { ask: "Ask" });
    await save("crm/peoples", "edit", { id: over }, { ask: "Ask" });
    await save("crm/peoples", "edit", { id: over }, { agree: "Agree" });
  });
  expect(await ended(jobId)).toMatchObject({ status: "done", total: String(MANY), done: String(MANY), failed: "1" });
  const { body: failures } = await service.get(`/core/jobs/failures.json?id=${jobId}`, admin);
  expect(JSON.stringify(failures.data)).toContain(`"${stuck}"`);
  expect(await placeOf(stuck)).toEqual(["1", "check"]);
  expect(await placeOf(over)).toEqual(["2", "shut"]);
  expect(await placeOf(still)).toEqual(["2", "open"]);
  expect(await older()).toMatchObject([{ version: "1", stage: "check", count: 1 }]);
  // There is no way back, and it is nobody else's.
  const undone = await service.post(`/core/jobs/undo.json?id=${jobId}`, {}, admin);
  expect([undone.status, undone.body.errors]).toEqual([409, ["This job can't be undone"]]);
  expect((await service.get(`/core/jobs/view.json?id=${jobId}`, tenant.token)).status).toBe(404);
  expect((await move({}, tenant.token)).status).toBe(404);
});

test("never takes a record back from a version that it was moved to meanwhile", async () => {
  await begin("1");
  const [last = ""] = people.slice(-1);
  let jobId = "";
  await whileHeld(async () => {
    jobId = (await move({ version: "2" })).body.job_id;
    await save("core/workflows", "edit", { id: workflow, definition: definition("audit", "Hand in") });
    expect((await move({ version: "2" })).body.error_code).toBe("newer_version");
    await service.db.run(
      sql`update crm__peoples set workflow_version = 3 where organization_id = 1 and id = ${last}::bigint`,
    );
  });
  expect(await ended(jobId)).toMatchObject({ status: "done", failed: "0" });
  expect(await placeOf(last)).toEqual(["3", "open"]);
  expect(await older()).toMatchObject([{ version: "2", stage: "open", count: MANY - 1 }]);
  await ended((await move({ version: "3" })).body.job_id);
  expect(await older()).toEqual([]);
  const rows = await service.db.rows(sql`
    select workflow_version::text as version, count(*)::text as count from crm__peoples where organization_id = 1 group by 1`);
  expect(rows).toEqual([{ version: "3", count: String(MANY) }]);
});

test("stops where whoever started it is no administrator any more, and where it is told to", async () => {
  await begin("1");
  let jobId = "";
  await whileHeld(async () => {
    jobId = (await move({}, boss.token)).body.job_id;
    await service.db.run(sql`
      update access_controls__roles_users set deleted = 1 where organization_id = 1 and user_id = ${boss.id}::bigint`);
  });
  const failed = await ended(jobId);
  expect(failed.status).toBe("failed");
  expect(JSON.parse(failed.result).message).toContain("You don't have permission to make bulk changes to People");
  const left = (await older()).reduce((sum, { count }) => sum + count, 0);
  expect(left).toBeGreaterThanOrEqual(MANY - 1_000);

  await begin("1");
  await whileHeld(async () => {
    jobId = (await move()).body.job_id;
    expect((await service.post(`/core/jobs/cancel.json?id=${jobId}`, {}, admin)).status).toBe(200);
  });
  expect((await ended(jobId)).status).toBe("cancelled");
  await expect.poll(async () => (await older()).reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(200);
  // What is left is moved by asking again.
  const again = await move();
  expect(again.body.errors).toEqual([]);
  if (again.body.is_queued === 1) await ended(again.body.job_id);
  expect(await older()).toEqual([]);
});
