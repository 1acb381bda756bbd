// What an import and its undo tell: every row counted once, and what is left with what to do about it.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IMPORT_FILES_LOCK } from "../../../server/database/locks.ts";
import { sql } from "../../../server/database/sql.ts";
import { addPerson } from "../people.ts";
import { type Importing, save, startImporting } from "./importing.ts";

let at: Importing;

beforeAll(async () => {
  at = await startImporting();
  await at.run(file(0, "KNOWN"), { mode: "add" });
});
afterAll(() => at.service.stop());

const resultOf = async (id: string) => JSON.parse((await at.over(id)).result);
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** Rows without a name, which is required; `serials` of good ones before them. */
const file = (bad: number, ...serials: string[]) =>
  `name,serial\n${serials.map((serial) => `n,${serial}\n`).join("")}${Array.from({ length: bad }, (_, index) => `,BAD${index}\n`).join("")}`;

describe("a summary", () => {
  test.each([
    ["all failed, at once", () => file(3), {}, { added: 0, failed: 3 }],
    ["all failed, checked at once", () => file(3), { dry_run: "1" }, { added: 0, failed: 3 }],
    ["all failed, as a job", () => file(1_100), {}, { added: 0, failed: 1_100 }],
    ["all failed, checked as a job", () => file(1_100), { dry_run: "1" }, { added: 0, failed: 1_100 }],
    ["some failed", () => file(2, "SUM1", "SUM2"), {}, { added: 2, failed: 2 }],
    [
      "known ones are skipped",
      () => file(1, "KNOWN", "SUM3"),
      { mode: "skip", key: "serial" },
      { added: 1, skipped: 1, failed: 1 },
    ],
    [
      "known ones stay as they are",
      () => file(0, "KNOWN"),
      { mode: "upsert", key: "serial" },
      { unchanged: 1, failed: 0 },
    ],
  ] as const)("counts every row where %s", async (_, content, more, expected) => {
    const { body } = await at.run(content(), { mode: "add", ...more });
    const { counts, dry_run: dry } = await resultOf(body.job_id);
    expect(counts).toMatchObject(expected);
    const rows = content().trimEnd().split("\n").length - 1;
    expect(sum(counts)).toBe(rows);
    if (body.data) expect(body.data.counts).toEqual(counts);
    expect(dry).toBe("dry_run" in more ? 1 : undefined);
  });

  test("of an import that was all or nothing counts what stood in its way", async () => {
    const { body } = await at.run(file(1_100, "SUM9"), { mode: "add", atomic: "1" });
    const { status, failed, result } = await at.over(body.job_id);
    expect([status, failed]).toEqual(["failed", "1100"]);
    expect(JSON.parse(result).counts).toEqual({ added: 0, changed: 0, unchanged: 0, skipped: 0, failed: 1_100 });
  });
});

test("an undo that could take back only a part says what is left and what to do", async () => {
  const idOf = async (serial: string) =>
    (await at.service.db.row(sql`select id::text as id from crm__assets where serial = ${serial}`))?.id ?? "";
  await at.run("name,serial,price\nOld,LEFT1,1\nOld,LEFT2,1\nOld,LEFT3,1\n", { mode: "add" });
  const content = "name,serial,price\nNew,LEFT1,2\nNew,LEFT2,2\nNew,LEFT3,2\nNew,LEFT4,2\nNew,LEFT5,2\n";
  const { body } = await at.run(content, { mode: "upsert", key: "serial" });
  expect(body.data.counts).toMatchObject({ added: 2, changed: 3, failed: 0 });
  const edit = { data: { assets: { id: await idOf("LEFT1"), price: "7" }, action: save } };
  expect((await at.service.post("/crm/assets/edit.json", edit, at.manager.token)).status).toBe(200);
  for (const serial of ["LEFT2", "LEFT4"]) {
    const path = `/crm/assets/delete.json?id=${await idOf(serial)}&is_confirm=1`;
    expect((await at.service.post(path, {}, at.manager.token)).status).toBe(200);
  }
  const undo = () => at.service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, at.manager.token);
  const first = await undo();
  // What the import added and somebody deleted since is as the undo would leave it.
  expect(first.body.data.left_alone).toEqual({ [await idOf("LEFT1")]: ["price"] });
  expect(Object.keys(first.body.data.failed)).toEqual([await idOf("LEFT2")]);
  const { message } = await resultOf(first.body.job_id);
  expect(message).toEqual([
    "1 record was changed after this job and keeps those changes. Review them and revert by hand what you need",
    "1 record couldn't be reverted. Check the reasons (a record may have to be restored first, or you may need a permission), then undo the rest",
  ]);
  // Restored as it says, the rest goes back.
  const restored = await at.service.post(`/crm/assets/restore.json?id=${await idOf("LEFT2")}`, {}, at.manager.token);
  expect(restored.status).toBe(200);
  const second = await undo();
  expect([second.status, second.body.data.changed]).toEqual([200, [await idOf("LEFT2")]]);
  expect((await resultOf(second.body.job_id)).message).toEqual([expect.stringMatching(/^1 record was changed/)]);
});

test("an undo that took back everything has nothing more to say", async () => {
  const { body } = await at.run("name,serial\nGone,GONE1\n", { mode: "add" });
  const back = await at.service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, at.manager.token);
  expect((await resultOf(back.body.job_id)).message).toBe(undefined);
});

test("an import stays with whoever started it, also when all that the person owns is handed over", async () => {
  const leaver = await addPerson(at.service, "leaver", ["sales_manager"]);
  const heir = await addPerson(at.service, "heir", ["sales_manager"]);
  const { body } = await at.run("name,serial\nMine,HAND1\n,HAND2\n", { mode: "add" }, leaver.token);
  expect(body.data.counts).toMatchObject({ added: 1, failed: 1 });
  const path = `/access_controls/users/deactivate.json?id=${leaver.id}&hand_over_to=${heir.id}`;
  const { body: left } = await at.service.post(path, {}, at.admin);
  expect([left.errors, left.handed_over]).toEqual([[], { "crm/assets": 1 }]);
  for (const operation of ["view", "failures", "faulty_rows"]) {
    const asked = `/core/jobs/${operation}.json?id=${body.job_id}`;
    expect((await at.service.get(asked, heir.token)).status).toBe(404);
  }
  expect((await at.service.get("/core/jobs/index.json", heir.token)).body.paginate.total_count).toBe(0);
  expect((await at.service.get(`/core/jobs/view.json?id=${body.job_id}`, at.admin)).status).toBe(200);
  // Who administers can still take it back.
  const back = await at.service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, at.admin);
  expect([back.status, back.body.errors]).toEqual([200, []]);
});

describe("an import that ends before its first row", () => {
  /** Too large for a request: a job reads it. */
  const large = (last = "") =>
    `name,serial,price\n${Array.from({ length: 22_000 }, (_, n) => `Large,LARGE${n},${" ".repeat(100)}\n`).join("")}${last}`;
  const mapping = { name: "name", serial: "serial", price: "price" };

  const uploaded = async (content: string): Promise<string> => (await at.upload(content)).body.data.file.id;

  const start = async (file: string, headers: Record<string, string> = {}): Promise<string> => {
    const sent = { file, mapping, date_order: "ymd", decimal_sign: "." };
    const { status, body } = await at.service.post("/crm/assets/import.json", sent, at.manager.token, headers);
    expect([status, body.errors, body.total]).toEqual([202, [], 0]);
    return body.job_id;
  };

  const storedAt = async (file: string): Promise<string> => {
    const row = await at.service.db.row(sql`select storage_key as key from core__import_files where id = ${file}`);
    const key = row?.key ?? "";
    return path.join(at.service.dataDir, "files", key.slice(0, 2), key);
  };

  /** The job waits for what is written to its file. */
  const startReading = async () => {
    const file = await uploaded(large());
    const stored = await storedAt(file);
    rmSync(stored);
    execFileSync("mkfifo", [stored]);
    const id = await start(file);
    return { id, out: await open(stored, "w") };
  };

  const queuedJobs = () => at.service.db.rows(sql`select job_id::text as id from core__job_queue`);
  const stagedOf = (id: string) =>
    at.service.db.rows(sql`
      select f.id from core__import_files f join core__jobs j on f.storage_key = j.input->'import'->>'staged'
      where j.id = ${id}::bigint and f.kind = 'staged'`);
  /** Who stops a job ends it; what came of it is told by whoever worked on it. */
  const toldOf = (id: string) =>
    expect.poll(async () => (await at.over(id)).result, { timeout: 20_000 }).not.toBe(null);

  /** What a job tells that came to no row: why, and no counts of rows that nobody looked at. */
  // biome-ignore lint/suspicious/noExplicitAny: a job as the service tells it.
  const expectNothing = async (job: any, status: string, message: unknown) => {
    expect(JSON.parse(job.result)).toEqual({ failed: {}, left_alone: {}, message: [message] });
    expect([job.status, job.total, job.done, job.failed]).toEqual([status, "0", "0", "0"]);
    expect([job.started, job.finished]).toEqual([expect.any(String), expect.any(String)]);
    await expect.poll(queuedJobs).toEqual([]);
    expect(readdirSync(path.join(at.service.dataDir, "tmp"))).toEqual([]);
    expect(await at.assets({ "assets.name": "Large" })).toEqual([]);
    const back = await at.undo(job.id);
    expect([back.status, back.body.total]).toEqual([200, 0]);
  };

  test("says what is wrong with its file, in the language it was started in, and counts nothing", async () => {
    const broken = large('Large,"never closed,1\n');
    const id = await start(await uploaded(broken), { "x-language": "de" });
    const said = expect.stringMatching(/^Die Datei konnte nicht gelesen werden: Zeile 22002/u);
    await expectNothing(await at.over(id), "failed", said);
  });

  test("is stopped while its file is read: nothing of it is stored", async () => {
    const { id, out } = await startReading();
    const stopped = await at.service.post(`/core/jobs/cancel.json?id=${id}`, {}, at.manager.token);
    expect(stopped.status).toBe(200);
    await out.writeFile(large());
    await out.close();
    await toldOf(id);
    await expectNothing(await at.over(id), "cancelled", "Stopped while the file was being read. Nothing was imported");
    expect(await stagedOf(id)).toEqual([]);
  });

  test("is stopped once its file was read: none of its rows is looked at", async () => {
    const { id, out } = await startReading();
    await at.service.db.transaction(async (transaction) => {
      // What was read is counted before it is stored.
      await transaction.run(sql`select pg_advisory_xact_lock(${IMPORT_FILES_LOCK}::integer, hashtext('1'))`);
      await out.writeFile(large());
      await out.close();
      const isWaiting = sql`
        select 1 as one from pg_locks where locktype = 'advisory' and not granted and classid = ${IMPORT_FILES_LOCK}::oid
          and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(() => at.service.db.row(isWaiting), { timeout: 20_000 }).toBeDefined();
      const stopped = await at.service.post(`/core/jobs/cancel.json?id=${id}`, {}, at.manager.token);
      expect(stopped.status).toBe(200);
    });
    await toldOf(id);
    await expectNothing(await at.over(id), "cancelled", "Stopped while the file was being read. Nothing was imported");
    expect(await stagedOf(id)).toHaveLength(1);
    const chunks = sql`select count(*)::text as n from core__job_chunks where job_id = ${id}::bigint`;
    expect(await at.service.db.row(chunks)).toEqual({ n: "0" });
  });
});

test("an import that is all or nothing and is stopped between its chunks counts no rows", async () => {
  const { service } = at;
  const content = `name,serial\n${Array.from({ length: 2_000 }, (_, n) => `Half ${n},HALF${n}\n`).join("")}`;
  const stop = async (id: string) => {
    expect((await service.post(`/core/jobs/cancel.json?id=${id}`, {}, at.manager.token)).status).toBe(200);
  };
  const ended = await at.meanwhile(content, { atomic: "1" }, stop);
  await expect.poll(async () => (await at.over(ended.id)).result).not.toBe(null);
  const { status, done, failed } = await at.over(ended.id);
  expect([status, done, failed]).toEqual(["cancelled", "0", "0"]);
  const result = await resultOf(ended.id);
  expect(result.counts).toBe(undefined);
  expect(result.message).toEqual([expect.stringMatching(/stopped/iu)]);
  expect(await at.assets({ "assets.name": "Half 1" })).toEqual([]);
});
