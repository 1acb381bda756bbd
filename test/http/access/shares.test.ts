// Two organizations, one of which wants everything: jobs and pictures of the other one have their turn all the same.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { rewritePicture } from "../../../server/files/picture.ts";
import { nextTurn } from "../../../server/jobs/runner.ts";
import { testDatabase } from "../../database.ts";
import { startService } from "../../service.ts";
import { addOrganization, addRows } from "../people.ts";

test("whoever was served longest ago is next, however many jobs another one has", async () => {
  const { db, close } = await testDatabase("prepared");
  onTestFinished(close);
  const start = sql`'2026-01-01'::timestamp`;
  await db.run(sql`
    insert into core__job_queue (organization_id, job_id, turn)
    select 1, id, ${start} + id * interval '1 second' from generate_series(1, 50) id
    union all select 2, 1, ${start} + interval '1 hour' union all select 3, 1, ${start} + interval '2 hours'`);
  const served: string[] = [];
  for (let turn = 0; turn < 9; turn += 1) {
    served.push((await db.transaction((transaction) => nextTurn(transaction)))?.organizationId ?? "");
  }
  expect(served).toEqual(["1", "2", "3", "1", "2", "3", "1", "2", "3"]);
  const other = await db.transaction((transaction) => nextTurn(transaction, ["1", "2"]));
  expect(other?.organizationId).toBe("3");
});

test("a job that does not get on does not keep another organization's from being done", async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const admin = await service.login();
  const quiet = await addOrganization(service, "patient");
  const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `Company ${at}` }));
  const [stuck] = await addRows(service, "crm/companies", rows(1_500));
  await addRows(service, "crm/companies", rows(1_500), quiet.organizationId);
  const edit = (token: string) =>
    service.post(
      "/crm/companies/edit_selected.json",
      { all_matching: 1, atomic: 1, override_duplicates: 1, data: { companies: { description: "Edited" } } },
      token,
    );
  const statusOf = async (id: string, token: string): Promise<string> =>
    (await service.get(`/core/jobs/view.json?id=${id}`, token)).body.data.jobs.status;

  const own = await service.db.transaction(async (transaction) => {
    await transaction.run(sql`
      select 1 from crm__companies where organization_id = 1 and id = ${stuck ?? ""}::bigint for update`);
    const jobs = [await edit(admin), await edit(admin), await edit(admin), await edit(admin)];
    const { status, body } = await edit(quiet.token);
    expect([...jobs.map((job) => job.status), status]).toEqual([202, 202, 202, 202, 202]);
    await expect.poll(() => statusOf(body.job_id, quiet.token)).toBe("done");
    const first = jobs[0]?.body.job_id;
    expect(await statusOf(first, admin)).not.toBe("done");
    return first;
  });
  await expect.poll(() => statusOf(own, admin)).toBe("done");
});

test("a picture of another organization does not wait for all that were there before it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "dossier-shares-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bytes = sharp({ create: { width: 800, height: 800, channels: 3, background: "#123456" } }).png();
  const done: string[] = [];
  const rewrite = async (share: string, at: number): Promise<void> => {
    const file = path.join(folder, `${share}${at}`);
    await bytes.clone().toFile(file);
    expect(await rewritePicture(file, "image/png", share)).toMatchObject({ width: 800 });
    done.push(share);
  };
  const crowd = Array.from({ length: 12 }, (_, at) => rewrite("a", at));
  await expect.poll(() => done.length).toBeGreaterThan(0);
  await rewrite("b", 0);
  expect(done.filter((share) => share === "a").length).toBeLessThan(12);
  await Promise.all(crowd);
});
