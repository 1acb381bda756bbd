// What imports keep on disk, what goes to make room, and what is said.
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { IMPORT_FILES_LOCK } from "../../../server/database/locks.ts";
import { sql } from "../../../server/database/sql.ts";
import { newStorageKey } from "../../../server/files/file-store.ts";
import { storage } from "../../../server/imports/storage.ts";
import type { Answer } from "../../service.ts";
import { type Importing, startImporting } from "./importing.ts";

let at: Importing;

beforeAll(async () => {
  at = await startImporting();
});
afterAll(() => at.service.stop());

beforeEach(async () => {
  await at.service.db.run(sql`delete from core__import_files`);
  await at.service.db.run(sql`delete from core__loose_files`);
});

const GIB = 1024 ** 3;

interface Kept {
  readonly userId?: string;
  readonly gib?: number;
  readonly kind?: "upload" | "staged";
  readonly used?: boolean;
  readonly minutes?: number;
}

/** As if it had been uploaded, or staged, so many minutes ago. Gives its id. */
async function kept({ userId = at.manager.id, gib = 0, kind = "upload", used = false, minutes = 0 }: Kept) {
  const key = newStorageKey();
  const then = sql`(now() at time zone 'utc') - make_interval(mins => ${minutes}::integer)`;
  const dialect = '{"format":"csv","encoding":"utf-8","separator":",","quote":"\\"","headerRow":1,"sheet":""}';
  await at.service.db.run(sql`
    insert into core__import_files (organization_id, id, user_id, file_name, size, storage_key, dialect, kind, created, used)
    values (1, ${key}, ${userId}::bigint, 'old.csv', ${Math.round(gib * GIB)}::bigint, ${key}, ${dialect}::json, ${kind}, ${then},
      case when ${used ? 1 : 0}::integer = 1 then ${then} end)`);
  await at.service.db.run(sql`
    insert into core__loose_files (organization_id, storage_key, removable)
    values (1, ${key}, (now() at time zone 'utc') + interval '1 day')`);
  return key;
}

const isThere = async (key: string): Promise<boolean> =>
  (await at.service.db.row(sql`select 1 as one from core__loose_files where storage_key = ${key}`)) !== undefined;

const many = async (count: number, one: Kept) => {
  const keys: string[] = [];
  for (let index = 0; index < count; index++) keys.push(await kept(one));
  return keys;
};

const mapping = { name: "name", serial: "serial", price: "price" };

/** With the file in the same request. */
function importSent(content: string, more: Record<string, string> = {}) {
  const form = new FormData();
  form.append("file", new Blob([content]), "a.csv");
  for (const [name, value] of Object.entries({ mapping: JSON.stringify(mapping), ...more })) form.append(name, value);
  return at.service.post("/crm/assets/import.json", form, at.manager.token);
}

const kinds = async () =>
  (
    await at.service.db.rows(sql`
      select f.kind from core__import_files f join core__loose_files l on l.organization_id = f.organization_id
        and l.storage_key = f.storage_key order by f.kind`)
  ).map(({ kind }) => kind);

/** Which goes by itself in so many hours. */
const hoursLeft = async (id: string) =>
  (
    await at.service.db.row(sql`
      select round(extract(epoch from l.removable - (now() at time zone 'utc')) / 3600)::text as hours from core__import_files f
      join core__loose_files l on l.organization_id = f.organization_id and l.storage_key = f.storage_key where f.id = ${id}`)
  )?.hours;

const waiting =
  "You've reached the limit for uploads waiting to be imported (100 files or 4 GiB). Import one, or try again in an hour";

test("so many uploads of a person wait and no more; one that is imported waits no longer", async () => {
  await many(storage.waiting - 1, {});
  const first = await at.upload("name,serial\nWaits,W1\n");
  expect(first.status).toBe(200);
  const refused = await at.upload("name\nToo many\n");
  expect([refused.status, refused.body.errors]).toEqual([409, [waiting]]);
  // Nothing of it is left.
  const count = await at.service.db.row(sql`select count(*)::text as n from core__loose_files`);
  expect(count?.n).toBe(String(storage.waiting));
  expect((await at.upload("name\nSomebody else's\n", "a.csv", at.admin)).status).toBe(200);
  const sent = { file: first.body.data.file.id, mapping: { name: "name", serial: "serial" } };
  expect((await at.service.post("/crm/assets/import.json", sent, at.manager.token)).body.errors).toEqual([]);
  expect((await at.upload("name\nFits\n")).status).toBe(200);
  // What is imported at once does not wait.
  const atOnce = await importSent("name,serial,price\nAt once,W2,1\n");
  expect(atOnce.body.data?.counts ?? atOnce.body.errors).toMatchObject({ added: 1 });
});

test("many at once fill what is left, and not more: whoever counts, counts alone", async () => {
  await many(storage.waiting - 2, {});
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => at.upload(`name\nBeside ${index}\n`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
});

test("an upload that waited for an hour makes room for a new one; the oldest goes first", async () => {
  await many(storage.waiting - 2, {});
  const [older, old] = [await kept({ minutes: 120 }), await kept({ minutes: 61 })];
  const fresh = await at.upload("name\nFresh\n");
  expect([fresh.status, await isThere(older), await isThere(old)]).toEqual([200, false, true]);
  expect(await hoursLeft(fresh.body.data.file.id)).toBe("24");
  const gone = await at.service.get(`/crm/assets/import_columns.json?file=${older}`, at.manager.token);
  expect(gone.body.errors).toEqual(["file: This upload has expired. Upload the file again"]);
  expect(await at.service.db.row(sql`select 1 as one from core__import_files where id = ${older}`)).toEqual({
    one: "1",
  });
  // What was removed is forgotten with the next one.
  await at.upload("name\nNext\n");
  expect(await at.service.db.row(sql`select 1 as one from core__import_files where id = ${older}`)).toBeUndefined();
});

test("bytes count as files do: of what waits, of a person, and of the organization", async () => {
  const full = await kept({ gib: storage.waitingGib });
  expect((await at.upload("name\nx\n")).body.errors).toEqual([waiting]);
  await at.service.db.run(sql`update core__import_files set used = created where id = ${full}`);
  expect((await at.upload("name\nx\n")).status).toBe(200);
  await kept({ gib: storage.personGib - storage.waitingGib, used: true });
  expect((await at.upload("name\nx\n")).body.errors).toEqual([
    "Your imports have used up their storage (1,000 files or 8 GiB). Wait until running imports finish, or try again in an hour",
  ]);
  await kept({ userId: at.rep.id, gib: storage.organizationGib - storage.personGib, used: true });
  expect((await at.upload("name\nx\n", "a.csv", at.admin)).body.errors).toEqual([
    "Your organization's imports have used up their storage (5,000 files or 24 GiB). Wait until running imports finish, or try again in an hour",
  ]);
});

test("what imports that are over have staged makes room before uploads do; what one under way reads stays", async () => {
  const underWay = await kept({ kind: "staged", gib: 3, minutes: 300 });
  const isRead = await kept({ used: true, minutes: 400 });
  const input = JSON.stringify({ atomic: false, import: { staged: underWay, source: isRead } });
  const job = await at.service.db.row(sql`
    insert into core__jobs (organization_id, kind, controller, status, input, acl_id, created_by)
    select 1, 'import', 'crm/assets', 'cancelled', ${input}::jsonb, coalesce(min(id), 1), ${at.rep.id}::bigint from core__acl_sets
      where organization_id = 1 and record_type = 'core/jobs' returning id::text as id`);
  // Nobody takes it up.
  await at.service.db.run(sql`
    insert into core__job_queue (organization_id, job_id, held_until)
    values (1, ${job?.id ?? ""}::bigint, (now() at time zone 'utc') + interval '1 hour')`);
  const staged = await kept({ kind: "staged", gib: 3, minutes: 20 });
  const source = await kept({ gib: 2, used: true, minutes: 90 });
  expect((await at.upload("name\nx\n")).status).toBe(200);
  expect([await isThere(underWay), await isThere(staged), await isThere(source)]).toEqual([true, false, true]);
  // Nor does the file that it was staged from go, where uploads have to.
  await kept({ gib: 3, used: true, minutes: 80 });
  expect((await at.upload("name\nx\n")).status).toBe(200);
  expect([await isThere(isRead), await isThere(source)]).toEqual([true, false]);
  await at.service.db.run(sql`delete from core__job_queue`);
});

test("what is staged counts, and an import that finds no room says so and saves nothing", async () => {
  const { body } = await at.upload("name,serial\nNo room,NR1\n");
  await kept({ gib: storage.personGib, used: true });
  const sent = { file: body.data.file.id, mapping: { name: "name", serial: "serial" } };
  const full = await at.service.post("/crm/assets/import.json", sent, at.manager.token);
  expect([full.status, full.body.errors[0]]).toEqual([
    409,
    expect.stringContaining("Your imports have used up their storage"),
  ]);
  expect(await at.assets({ "assets.serial": "NR1" })).toEqual([]);
  await at.service.db.run(sql`update core__import_files set size = 0 where user_id = ${at.manager.id}::bigint`);
  expect((await at.service.post("/crm/assets/import.json", sent, at.manager.token)).body.errors).toEqual([]);
});

test("one person's files are a part of the organization's, and an import after the other goes on", async () => {
  await many(storage.personFiles - 2, { kind: "staged", minutes: 1 });
  const over = [await kept({ kind: "staged", minutes: 6 }), await kept({ used: true, minutes: 7 })];
  const ran = await importSent("name,serial,price\nGoes on,GO1,1\n");
  expect(ran.body.data?.counts ?? ran.body.errors).toMatchObject({ added: 1 });
  expect(await Promise.all(over.map(isThere))).toEqual([false, false]);
  await many(2, { used: true, minutes: 4 });
  const full = await at.upload("name\nx\n");
  expect([full.status, full.body.errors[0]]).toEqual([409, expect.stringContaining("1,000 files")]);
  expect((await at.upload("name\nSomebody else's\n", "a.csv", at.admin)).status).toBe(200);
});

test("an import that ran at once keeps what somebody can ask for, and no more", async () => {
  const good = "name,serial,price\nGood,KEEP1,1\n";
  const faulty = "name,serial,price\nFaulty,KEEP2,x\n";
  expect((await importSent(good)).body.data.counts).toMatchObject({ added: 1 });
  expect(await kinds()).toEqual([]);
  expect((await importSent(faulty, { atomic: "1" })).status).toBe(422);
  expect(await kinds()).toEqual([]);
  const failed = await importSent(faulty);
  expect(failed.body.data.counts).toMatchObject({ failed: 1 });
  expect(await kinds()).toEqual(["staged"]);
  const rows = await at.service.get(`/core/jobs/faulty_rows.json?id=${failed.body.job_id}`, at.manager.token);
  expect(rows.body).toContain("KEEP2");
  // It is kept for a month, and nobody's upload.
  const staged = await at.service.db.row(sql`
    select id from core__import_files f where kind = 'staged' and exists (
      select 1 from core__loose_files l where l.organization_id = f.organization_id and l.storage_key = f.storage_key)`);
  expect(await hoursLeft(staged?.id ?? "")).toBe("720");
  const none = await at.service.get(`/crm/assets/import_columns.json?file=${staged?.id}`, at.manager.token);
  expect([none.status, none.body.errors]).toEqual([400, ["file: This upload has expired. Upload the file again"]]);
  // An upload can be imported again.
  const { body } = await at.upload("name,serial,price\nAgain,KEEP3,1\n");
  const sent = { file: body.data.file.id, mapping };
  for (const more of [{ dry_run: "1" }, {}]) {
    const ran = await at.service.post("/crm/assets/import.json", { ...sent, ...more }, at.manager.token);
    expect(ran.body.data?.counts ?? ran.body.errors).toMatchObject({ added: 1 });
  }
  expect(await hoursLeft(sent.file)).toBe("720");
  expect(await kinds()).toEqual(["staged", "upload"]);
});

test("however many small files it takes, they make room for a large one", async () => {
  const small = await many(150, { kind: "staged", gib: (storage.personGib - 0.000001) / 150, minutes: 30 });
  const large = `name,serial\n${"x".repeat(200)},L1\n`.repeat(200);
  const needed = await kept({ gib: storage.personGib - 0.001, used: true });
  expect((await at.upload(large)).status).toBe(200);
  expect(await isThere(needed)).toBe(true);
  const due = await at.service.db.row(sql`
    select count(*)::text as n from core__loose_files where removable > (now() at time zone 'utc') and storage_key = any(${small}::text[])`);
  expect(due?.n).toBe("0");
});

test("an upload that has to make room is not imported any more", async () => {
  const { body } = await at.upload("name,serial,price\nLate,LATE1,1\n");
  await at.service.db.run(
    sql`update core__loose_files set removable = (now() at time zone 'utc') - interval '1 second'`,
  );
  const sent = { file: body.data.file.id, mapping };
  const late = await at.service.post("/crm/assets/import.json", sent, at.manager.token);
  expect([late.status, late.body.errors]).toEqual([400, ["file: This upload has expired. Upload the file again"]]);
});

/** All of these at once, in the order in which they come to count. */
async function inOrder(...sends: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  await at.service.db.transaction(async (transaction) => {
    await transaction.run(sql`select pg_advisory_xact_lock(${IMPORT_FILES_LOCK}::integer, hashtext('1'))`);
    for (const send of sends) {
      answers.push(send());
      const waits = sql`
        select count(*)::text as n from pg_locks where locktype = 'advisory' and not granted and classid = ${IMPORT_FILES_LOCK}::oid
          and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await at.service.db.row(waits))?.n).toBe(String(answers.length));
    }
  });
  return Promise.all(answers);
}

test.each([
  ["makes room before it is started is gone for good", true],
  ["is started before it has to make room stays", false],
])("an upload that %s, at the same moment", async (_, isEvicted) => {
  const serial = isEvicted ? "RACE1" : "RACE2";
  const { body } = await at.upload(`name,serial,price\nRace,${serial},1\n`);
  const { id } = body.data.file;
  await at.service.db.run(sql`update core__import_files set created = created - interval '2 hours'`);
  await many(storage.waiting - 1, {});
  const sent = { file: id, mapping, date_order: "ymd", decimal_sign: "." };
  const start = () => at.service.post("/crm/assets/import.json", sent, at.manager.token);
  const another = () => at.upload("name\nAnother\n");
  const answers = await inOrder(...(isEvicted ? [another, start] : [start, another]));
  const [added, started] = isEvicted ? answers : [answers[1], answers[0]];
  expect(added?.status).toBe(200);
  const gone = [400, ["file: This upload has expired. Upload the file again"]];
  expect([started?.status, started?.body.errors]).toEqual(isEvicted ? gone : [200, []]);
  expect(await at.assets({ "assets.serial": serial })).toHaveLength(isEvicted ? 0 : 1);
  const again = await at.service.get(`/crm/assets/import_columns.json?file=${id}`, at.manager.token);
  expect([again.status, again.body.errors]).toEqual(isEvicted ? gone : [200, []]);
});

test("an upload that is gone once it was found is told, and nothing of it is saved", async () => {
  const removeStored = async (id: string) => {
    const row = await at.service.db.row(sql`select storage_key as key from core__import_files where id = ${id}`);
    const key = row?.key ?? "";
    rmSync(path.join(at.service.dataDir, "files", key.slice(0, 2), key));
  };
  const said = "This upload has expired. Upload the file again";
  const small = (await at.upload("name,serial,price\nSwept,SWEPT1,1\n")).body.data.file.id;
  await removeStored(small);
  const read = await at.service.get(`/crm/assets/import_columns.json?file=${small}`, at.manager.token);
  expect([read.status, read.body.errors]).toEqual([400, [`file: ${said}`]]);
  const sent = { mapping, date_order: "ymd", decimal_sign: "." };
  const run = await at.service.post("/crm/assets/import.json", { ...sent, file: small }, at.manager.token);
  expect([run.status, run.body.errors]).toEqual([422, [expect.stringContaining(said)]]);
  // A large one is a job by then.
  const rows = `Swept,SWEPT2,${" ".repeat(100)}\n`.repeat(25_000);
  const large = (await at.upload(`name,serial,price\n${rows}`)).body.data.file.id;
  await removeStored(large);
  const queued = await at.service.post("/crm/assets/import.json", { ...sent, file: large }, at.manager.token);
  expect(queued.status).toBe(202);
  const job = await at.over(queued.body.job_id);
  expect([job.status, job.result]).toEqual(["failed", expect.stringContaining(said)]);
  expect(await at.assets({ "assets.name": "Swept" })).toEqual([]);
});

test("the faulty rows of a long import rest from its end on, and what is gone is told before anything is sent", async () => {
  const rows = Array.from({ length: 1_001 }, (_, index) => `Long,LONG${index},x`).join("\n");
  const then = sql`(now() at time zone 'utc') - interval '2 hours'`;
  const ended = await at.meanwhile(`name,serial,price\n${rows}\n`, {}, async () => {
    await at.service.db.run(
      sql`update core__import_files set created = ${then}, used = ${then} where used is not null`,
    );
    await at.service.db.run(sql`update core__import_files set created = ${then} where used is null`);
    return undefined;
  });
  expect(ended.failed).toBe("1001");
  await kept({ gib: storage.personGib, used: true });
  expect((await at.upload("name\nx\n")).status).toBe(409);
  const address = `/core/jobs/faulty_rows.json?id=${ended.id}`;
  const faulty = await at.service.get(address, at.manager.token);
  expect(String(faulty.body).trimEnd().split("\n").length).toBe(1_002);
  await at.service.db.run(sql`update core__import_files set used = ${then}`);
  expect((await at.upload("name\nx\n")).status).toBe(200);
  const gone = await at.service.get(address, at.manager.token);
  expect([gone.status, gone.body.errors]).toEqual([
    409,
    [
      "The rows of this import are no longer stored. Upload the file and check it again to download the rows with problems",
    ],
  ]);
});
