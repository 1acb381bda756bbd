import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldTypeIds } from "../../../contract/field-types.ts";
import { iconNames } from "../../../contract/icons.ts";
import { purgeExpired } from "../../../server/controllers/metadata/removed/purge-removed.ts";
import { sql } from "../../../server/database/sql.ts";
import { definitionSchema } from "../../../server/metadata/definition-schema.ts";
import type { FieldDefinition } from "../../../server/metadata/record-type.ts";
import { prepareDatabase } from "../../../server/prepare.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { type Accounts, logIn, openAccounts } from "../accounts.ts";

const SAVE = "/metadata/record_types/save.json";

let both: TwoServices;
let service: TestService;
let second: TestService;
let accounts: Accounts;
let admin: string;

beforeAll(async () => {
  both = await startTwoServices();
  ({ service, second } = both);
  accounts = await openAccounts(service.db);
  admin = await service.login();
});
afterAll(() => both.stop());

const define = (controller: string, fields: readonly FieldDefinition[]): string =>
  JSON.stringify({
    module: "lab",
    controller,
    label: "Thing",
    plural: "Things",
    displayField: "name",
    fields: [{ name: "name", type: "short-text" }, ...fields],
    access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  });
const save = (definition: string, more: Record<string, string> = {}, token = admin) =>
  service.post(SAVE, { definition, ...more }, token);
const schemaOf = (by: TestService, type: string) =>
  by.get(`/metadata/schema/index.json?search_controller=lab/${type}`, admin);
const fieldsOf = async (by: TestService, type: string): Promise<string[]> =>
  ((await schemaOf(by, type)).body.data?.schema ?? []).map((field: { name: string }) => field.name);

/** The history is gone through in the background. */
const untilPurged = () =>
  expect
    .poll(() => service.db.row(sql`select id::text as id from metadata__removed where state = 'purged'`))
    .toBeUndefined();

test("a type made over the wire has a table at once, and every process knows it soon", async () => {
  expect((await schemaOf(second, "seen")).status).toBe(404);
  const answer = await save(define("seen", [{ name: "size", type: "integer" }]));
  expect(answer).toMatchObject({ status: 200, body: { errors: [], message: ["lab/seen saved"] } });
  const table = await service.db.row(sql`select to_regclass('lab__seen')::text as name`);
  expect(table?.name).toBe("lab__seen");
  expect(await fieldsOf(service, "seen")).toContain("size");
  await expect.poll(() => fieldsOf(second, "seen")).toContain("size");
});

test("a field that is added is known in every process, too", async () => {
  await save(define("grown", []));
  await save(define("grown", [{ name: "size", type: "integer" }]));
  await expect.poll(() => fieldsOf(second, "grown")).toContain("size");
});

test("fields go and change only when they are named, separated by spaces", async () => {
  const before = define("changed", [
    { name: "a", type: "short-text" },
    { name: "b", type: "short-text" },
    { name: "c", type: "short-text" },
  ]);
  await save(before);
  await service.db.run(sql`
    insert into lab__changed (organization_id, acl_id, name, a, b, c)
    values (1, 1, 'x', 'one', 'two', '3'), (1, 1, 'y', null, null, '4')`);
  const after = define("changed", [{ name: "c", type: "integer" }]);
  expect(await save(after)).toMatchObject({ status: 422, body: { error_code: "definition_refused" } });
  expect((await save(after, { discard: "a", convert: "c" })).status).toBe(422);
  const answer = await save(after, { discard: "a b", convert: "c" });
  expect(answer.body.data.record_types).toMatchObject({
    key: "lab/changed",
    discarded_values: "2",
    converted_values: "2",
  });
  const kept = () =>
    service.db.rows(sql`
      select field, value from metadata__discarded_values where record_type = 'lab/changed' order by field, value`);
  expect(await kept()).toEqual([
    { field: "c", value: "3" },
    { field: "c", value: "4" },
  ]);
  const rows = await service.db.rows(sql`select id::text as id, c::text as c from lab__changed order by c`);
  expect(rows.map(({ c }) => c)).toEqual(["3", "4"]);
  // What left a column is forgotten with its record, and with its field.
  for (const operation of ["delete", "purge"]) {
    const { body } = await service.post(`/lab/changed/${operation}.json?id=${rows[0]?.id}&is_confirm=1`, {}, admin);
    expect(body.errors).toEqual([]);
  }
  expect(await kept()).toEqual([{ field: "c", value: "4" }]);
  expect((await save(define("changed", []), { discard: "c" })).body.errors).toEqual([]);
  const bin = await service.get("/metadata/record_types/removed.json?key=lab/changed", admin);
  const { id } = bin.body.data.removed.find(({ field }: { field: string }) => field === "c");
  expect((await service.post("/metadata/record_types/purge.json", { id, is_confirm: "1" }, admin)).body.errors).toEqual(
    [],
  );
  await untilPurged();
  expect(await kept()).toEqual([]);
});

test("what was removed is in a bin for 30 days, comes back with its values, and is deleted for good", async () => {
  const post = async (operation: string, body: Record<string, unknown>, token = admin) => {
    const answer = await service.post(`/metadata/record_types/${operation}.json`, body, token);
    if (operation === "purge") await untilPurged();
    return answer;
  };
  const bin = async (key?: string): Promise<Record<string, string>[]> =>
    (await service.get(`/metadata/record_types/removed.json${key ? `?key=${key}` : ""}`, admin)).body.data.removed;
  const action = { save_progress: "Save" };
  const add = async (path: string, data: Record<string, unknown>): Promise<string> => {
    const { body } = await service.post(`/${path}/add.json`, { data: { ...data, action } }, admin);
    expect(body.errors).toEqual([]);
    return body.id;
  };
  const record = async (id: string) => (await service.get(`/lab/kept/view.json?id=${id}`, admin)).body.data.kept;
  const fields: FieldDefinition[] = [
    { name: "place", type: "address" },
    { name: "size", type: "integer", indexed: true },
    { name: "note", type: "short-text", searchable: true },
    { name: "other_id", type: "reference", settings: { to: "lab/kept" } },
  ];
  await save(define("kept", fields));
  const gone = await add("lab/kept", { kept: { name: "Gone" } });
  const place = { address_line_1: "1 Main St", city: "Springfield" };
  const id = await add("lab/kept", { kept: { name: "One", size: "7", note: "found", place, other_id: gone } });
  const answer = await save(define("kept", []), { discard: "place size note other_id" });
  expect(answer.body.errors).toEqual([]);
  const removed = await bin("lab/kept");
  expect(removed.map(({ field, type, values }) => [field, type, values])).toEqual(
    expect.arrayContaining([
      ["place", "address", 1],
      ["size", "integer", 1],
    ]),
  );
  expect(removed[0]).toMatchObject({ removed_by: "admin" });
  // Records change, go and come meanwhile.
  await service.post(`/lab/kept/delete.json?id=${gone}&is_confirm=1`, {}, admin);
  await service.post(`/lab/kept/purge.json?id=${gone}&is_confirm=1`, {}, admin);
  const later = await add("lab/kept", { kept: { name: "Later" } });
  for (const one of removed) {
    const back = await post("restore", { id: one.id });
    expect([back.body.errors, back.status]).toEqual([[], 200]);
  }
  expect(await record(id)).toMatchObject({ size: "7", note: "found", other_id: null, place });
  expect(await record(later)).toMatchObject({ size: null, note: null });
  const found = await service.get("/lab/kept/index.json?search_basic=found&sort=kept.size", admin);
  expect(found.body.paginate.total_count).toBe(1);
  expect(await bin("lab/kept")).toEqual([]);

  // Removed twice under one name: the one that is chosen comes back, as what it was, beside what others designed meanwhile.
  const twice = async (more: readonly FieldDefinition[], discard?: string) => {
    const saved = await save(define("kept", [...fields, ...more]), discard ? { discard } : {});
    expect(saved.body.errors).toEqual([]);
  };
  // Their ids are 999 and 1000: which of them is newer is no matter of texts.
  await service.db.run(sql`select setval(pg_get_serial_sequence('metadata__removed', 'id'), 998)`);
  await twice([{ name: "code", type: "short-text" }]);
  await service.post(`/lab/kept/edit.json?id=${id}`, { data: { kept: { code: "old" }, action } }, admin);
  await twice([], "code");
  await twice([{ name: "code", type: "short-text" }]);
  await service.post(`/lab/kept/edit.json?id=${id}`, { data: { kept: { code: "new" }, action } }, admin);
  await twice([], "code");
  // Where none is chosen, the newest.
  const newest = await save(define("kept", [...fields, { name: "code", type: "short-text" }]), { restore: "code" });
  expect([newest.body.errors, (await record(id)).code]).toEqual([[], "new"]);
  await twice([], "code");
  const [, older] = await bin("lab/kept");
  const revision = async () =>
    (await service.get("/metadata/record_types/view.json?key=lab/kept", admin)).body.data.record_types.revision;
  const [restored, added] = await Promise.all([
    post("restore", { id: older?.id }),
    save(define("kept", [...fields, { name: "beside", type: "flag" }]), { revision: await revision() }),
  ]);
  expect([restored.status, restored.body.errors]).toEqual([200, []]);
  // Whoever saves second is told; nothing of the first is lost.
  const names = await fieldsOf(service, "kept");
  expect(names).toContain("code");
  expect([added.status, names.includes("beside")]).toEqual(added.status === 200 ? [200, true] : [409, false]);
  expect((await record(id)).code).toBe("old");
  const history = async (): Promise<string> => {
    const [revisions, timeline] = await Promise.all([
      service.get(`/lab/kept/revisions.json?id=${id}`, admin),
      service.get(`/lab/kept/timeline.json?id=${id}`, admin),
    ]);
    return JSON.stringify([revisions.body.data, timeline.body.data]);
  };
  const kept = async (): Promise<string> =>
    JSON.stringify(
      await service.db.rows(sql`
        select changes::text from core__revisions where related_type = 'lab/kept' and related_id = ${id}`),
    );
  // Its past is its own: not that of the other one that had its name.
  expect(await history()).toContain('"old"');
  expect(await history()).not.toContain('"new"');
  await save(define("kept", fields), { discard: "code beside" });
  const codes = (await bin("lab/kept")).filter(({ field }) => field === "code");
  expect(codes).toHaveLength(2);

  // What it was must be what it becomes.
  const otherwise = (type: FieldDefinition) => save(define("kept", [...fields, type]), { restore: type.name });
  const options = [{ value: "a", label: "A" }];
  expect((await otherwise({ name: "code", type: "choice", settings: { options } })).status).toBe(409);
  await twice([{ name: "link", type: "reference", settings: { to: "lab/kept" } }]);
  await service.post(`/lab/kept/edit.json?id=${id}`, { data: { kept: { link: id }, action } }, admin);
  await twice([], "link");
  const elsewhere = await otherwise({ name: "link", type: "reference", settings: { to: "crm/companies" } });
  expect(elsewhere).toMatchObject({ status: 409, body: { error_code: "conflict" } });
  expect((await otherwise({ name: "link", type: "reference", settings: { to: "lab/kept" } })).body.errors).toEqual([]);
  expect((await record(id)).link).toBe(id);
  await twice([], "link");

  // A new one shows nothing of them; deleted for good, they are in no history, whoever has the name by then.
  await twice([{ name: "code", type: "short-text" }]);
  await service.post(`/lab/kept/edit.json?id=${id}`, { data: { kept: { code: "newest" }, action } }, admin);
  expect(await history()).toContain('"newest"');
  expect(await history()).not.toMatch(/"(old|new)"/);
  expect(await kept()).toMatch(/"old\\"/);
  for (const one of codes) await post("purge", { id: one.id, is_confirm: "1" });
  expect(await history()).toContain('"newest"');
  expect(await kept()).not.toMatch(/"(old|new)\\"/);
  await save(define("kept", [...fields, { name: "kode", type: "short-text", aliases: ["code"] }]));
  await twice([], "kode");
  const kode = (await bin("lab/kept")).find(({ field }) => field === "kode");
  await post("purge", { id: kode?.id, is_confirm: "1" });
  await twice([{ name: "code", type: "short-text" }]);
  expect(await kept()).not.toContain("newest");
  await twice([], "code");

  // A field that has the name meanwhile is not taken over, and keeps its values to itself.
  await save(define("kept", fields.slice(1)), { discard: "place" });
  await save(define("kept", fields.slice(2)), { discard: "size" });
  await save(define("kept", [...fields.slice(2), { name: "size", type: "integer" }]));
  expect((await record(id)).size).toBe(null);
  const [size] = await bin("lab/kept");
  expect((await post("restore", { id: size?.id })).status).toBe(409);
  expect((await post("purge", { id: size?.id })).status).toBe(409);
  const purged = await post("purge", { id: size?.id, is_confirm: "1" });
  expect(purged.body.message.join()).toContain("deleted permanently");
  expect((await post("restore", { id: size?.id })).status).toBe(409);

  // A record type with its records and what was said about them.
  expect((await save(define("kept", fields), { restore: "place" })).body.errors).toEqual([]);
  expect((await record(id)).place).toMatchObject(place);
  await post("remove", { key: "lab/kept", is_confirm: "1" });
  expect((await service.get("/lab/kept/index.json", admin)).status).toBe(404);
  const [type] = await bin();
  expect(type).toMatchObject({ key: "lab/kept", field: null, values: 2 });
  await post("restore", { id: type?.id });
  expect(await record(id)).toMatchObject({ note: "found" });
  expect(await bin()).toEqual([]);

  // After 30 days the service deletes it by itself, and says so.
  await post("remove", { key: "lab/kept", is_confirm: "1" });
  const store = await prepareDatabase(service.db);
  const age = (days: number) =>
    service.db.run(sql`
      update metadata__removed set removed = removed - make_interval(days => ${days}::integer) where record_type = 'lab/kept'`);
  const keptTable = () => service.db.row(sql`select to_regclass('lab__kept')::text as name`);
  await age(29);
  await purgeExpired(store, service.db);
  expect(await keptTable()).toEqual({ name: "lab__kept" });
  await age(2);
  const [expired] = await bin();
  expect(await purgeExpired(store, service.db)).toBeGreaterThan(0);
  expect(await keptTable()).toEqual({ name: null });
  const left = await service.db.row(
    sql`select count(*)::text as count from core__revisions where related_type = 'lab/kept'`,
  );
  expect(left).toEqual({ count: "0" });
  expect((await post("restore", { id: expired?.id })).status).toBe(409);
  const log = await service.db.rows(sql`
    select detail ->> 'operation' as operation from access_controls__audit_events
    where subject_id = 'lab/kept' and detail ->> 'operation' = 'purge'`);
  expect(log.length).toBeGreaterThan(1);
  expect((await service.get("/metadata/record_types/removed.json")).status).toBe(401);
});

test("a field that came back keeps what it wrote when another of its name is deleted for good", async () => {
  const post = async (operation: string, id: string) => {
    const { body } = await service.post(`/metadata/record_types/${operation}.json`, { id, is_confirm: "1" }, admin);
    expect(body.errors).toEqual([]);
  };
  const has = async (isThere: boolean): Promise<void> => {
    const fields: FieldDefinition[] = isThere ? [{ name: "scan", type: "file" }] : [];
    expect((await save(define("scans", fields), { discard: "scan" })).body.errors).toEqual([]);
  };
  let id = "";
  const write = async (name: string): Promise<void> => {
    const sent = new FormData();
    sent.append("data[scans][name]", name);
    sent.append("data[scans][scan]", new Blob([name]), `${name}.txt`);
    sent.append("data[action][save_progress]", "Save");
    const address = id === "" ? "/lab/scans/add.json" : `/lab/scans/edit.json?id=${id}`;
    const { body } = await service.post(address, sent, admin);
    expect(body.errors).toEqual([]);
    id = body.id;
    await service.db.run(sql`
      insert into metadata__discarded_values (organization_id, record_type, record_id, field, value)
      values (1, 'lab/scans', ${id}, 'scan', ${`${name}.txt`})`);
  };
  const bin = async (): Promise<string[]> =>
    (await service.get("/metadata/record_types/removed.json?key=lab/scans", admin)).body.data.removed.map(
      (one: { id: string }) => one.id,
    );
  /** What is left: files, discarded values, entries of the history. */
  const left = async (): Promise<readonly string[]> => {
    const rows = await service.db.rows(sql`
      select file_name as name, (exists (select from core__revisions where related_type = 'lab/scans' and changes ->> 'scan' like '%' || f.id || '%'))::text as past,
        (exists (select from metadata__discarded_values where record_type = 'lab/scans' and value = f.file_name))::text as value
      from core__files f where related_type = 'lab/scans' order by f.id`);
    return rows.map(({ name, past, value }) => `${name} ${past} ${value}`);
  };
  const whole = (...names: readonly string[]) => names.map((name) => `${name}.txt true true`);

  await has(true);
  await write("first");
  await has(false);
  await has(true);
  await write("second");
  await has(false);
  const [second = "", first = ""] = await bin();
  await post("restore", first);
  await write("third");
  await has(false);
  await post("restore", second);
  const [again = ""] = await bin();
  expect(await left()).toEqual(whole("first", "second", "third"));
  // Nobody waits until the history was gone through.
  await service.db.session(async (session) => {
    await session.script("begin");
    await session.script("select from core__revisions where related_type = 'lab/scans' for update");
    await post("purge", again);
    await session.script("rollback");
  });
  expect(await left()).toEqual(whole("second"));
  await untilPurged();
  expect(await left()).toEqual(whole("second"));
  const past = await service.db.rows(sql`
    select changes ->> 'scan' as scan from core__revisions where related_type = 'lab/scans' and changes ? 'scan'`);
  expect(past).toHaveLength(1);

  // Of those that were removed before ids were kept, the newer one has none of what the older one wrote.
  await has(false);
  await has(true);
  await write("later");
  await has(false);
  const [newer = ""] = await bin();
  await service.db.run(sql`
    update metadata__removed set revisions_up_to = null, files_up_to = null, values_up_to = null,
      revisions_after = 0, files_after = 0, values_after = 0, removed = removed - case id when ${newer}::bigint then interval '1 day' else interval '3 days' end
    where record_type = 'lab/scans'`);
  await service.db.run(sql`
    update core__files set created = created - case file_name when 'later.txt' then interval '2 days' else interval '4 days' end
    where related_type = 'lab/scans'`);
  await service.db.run(sql`
    update metadata__discarded_values set discarded = discarded - case value when 'later.txt' then interval '2 days' else interval '4 days' end
    where record_type = 'lab/scans'`);
  await service.db.run(sql`
    update core__revisions set created = created - case when id = (select max(id) from core__revisions where related_type = 'lab/scans')
      then interval '2 days' else interval '4 days' end where related_type = 'lab/scans'`);
  await post("purge", newer);
  await untilPurged();
  expect(await left()).toEqual(whole("second"));
});

test("a change of design that is cut off in the middle has not happened, and the next start finds all in order", async () => {
  const fields: FieldDefinition[] = [
    { name: "a", type: "short-text", searchable: true },
    { name: "b", type: "integer" },
  ];
  await save(define("cut", fields));
  const fewer = define("cut", [
    { name: "b", type: "decimal" },
    { name: "c", type: "date" },
  ]);
  const answer = await service.db.session(async (session) => {
    await session.script("begin");
    await session.script("lock table lab__cut in access share mode");
    const saving = save(fewer, { discard: "a", convert: "b" });
    const stuck = async () =>
      (
        await service.db.row(sql`
          select pid::text as pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%lab__cut%' and pid <> pg_backend_pid() limit 1`)
      )?.pid;
    await expect.poll(stuck, { timeout: 30_000 }).toBeTruthy();
    // As a kill -9 of the process does.
    await service.db.run(sql`select pg_terminate_backend(${(await stuck()) ?? "0"}::integer)`);
    await session.script("rollback");
    return saving;
  });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const columns = await service.db.rows(sql`
    select column_name as name from information_schema.columns
    where table_name = 'lab__cut' and column_name in ('a', 'b', 'c') order by 1`);
  expect(columns.map(({ name }) => name)).toEqual(["a", "b"]);
  expect((await service.get("/metadata/record_types/removed.json?key=lab/cut", admin)).body.data.removed).toEqual([]);
  const store = await prepareDatabase(service.db);
  expect(store.current().types.get("lab/cut")?.field.has("a")).toBe(true);
  expect((await save(fewer, { discard: "a", convert: "b" })).body.errors).toEqual([]);
});

test("numbers begin anew with the year, never repeat, and must say the year", async () => {
  const number = (settings: Record<string, unknown>) =>
    define("numbered", [{ name: "number", type: "auto-number", settings }]);
  const wrong = await save(number({ prefix: "N-", reset: "year" }));
  expect(wrong.status).toBe(422);
  expect((await save(number({ prefix: "N-{YYYY}-", reset: "month" }))).status).toBe(422);
  expect((await save(number({ prefix: "N-{YYYY}-", digits: 3, reset: "year" }))).body.errors).toEqual([]);
  const add = async (): Promise<string> => {
    const data = { numbered: { name: "One" }, action: { save_progress: "Save" } };
    return (await service.post("/lab/numbered/add.json", { data }, admin)).body.data.numbered.number;
  };
  const many = await Promise.all(Array.from({ length: 8 }, add));
  const year = (many[0] ?? "").slice(2, 6);
  expect(new Set(many)).toEqual(new Set(Array.from({ length: 8 }, (_, at) => `N-${year}-00${at + 1}`)));
  // As if those were of the year before.
  await service.db.run(sql`
    update core__auto_numbers set field = ${`number ${Number(year) - 1}`} where record_type = 'lab/numbered'`);
  expect(await add()).toBe(`N-${year}-001`);
  expect((await save(number({ prefix: "{YY}/", digits: 2 }))).body.errors).toEqual([]);
  expect(await add()).toBe(`${year.slice(2)}/01`);
  // Numbers that are out are not given again, whatever they begin anew with from now on.
  await save(number({ prefix: "{YY}/", digits: 2, reset: "year" }));
  expect(await add()).toBe(`${year.slice(2)}/02`);
  await save(number({ prefix: "{YY}/", digits: 2 }));
  expect(await add()).toBe(`${year.slice(2)}/03`);
  await save(number({ prefix: "{MM}.{YY}/", digits: 2, reset: "month" }));
  const monthly = await add();
  expect(monthly).toMatch(/^\d\d\.\d\d\/01$/);
  await save(number({ prefix: "{MM}.{YY}/", digits: 2, reset: "year" }));
  // What the year had counted before goes on, where that is more.
  expect(await add()).toBe(monthly.replace("01", "03"));
});

test("a text that becomes a choice offers what it holds, most frequent first; some names are taken", async () => {
  await save(
    define("chosen", [
      { name: "state", type: "short-text" },
      { name: "size", type: "integer" },
    ]),
  );
  for (const state of ["Open", "Done", "Open", "", "In doubt 😀"]) {
    const data = { chosen: { name: "x", state }, action: { save_progress: "Save" } };
    await service.post("/lab/chosen/add.json", { data }, admin);
  }
  const values = (field: string, token?: string) =>
    service.get(`/metadata/record_types/values.json?key=lab/chosen&field=${field}`, token);
  const { body } = await values("state", admin);
  expect(body.data.values[0]).toEqual({ value: "Open", count: 2 });
  expect(body.data.values.map(({ value }: { value: string }) => value)).toEqual(["Open", "Done", "In doubt 😀"]);
  expect(body.data.is_all).toBe(1);
  expect([(await values("size", admin)).status, (await values("gone", admin)).status]).toEqual([400, 400]);
  expect((await values("state")).status).toBe(401);
  const options = body.data.values.map(({ value }: { value: string }, at: number) => ({
    value: `v${at}`,
    label: value,
  }));
  const choice = define("chosen", [
    { name: "state", type: "choice", settings: { options } },
    { name: "size", type: "integer" },
  ]);
  expect((await save(choice, { convert: "state" })).body.data.record_types.converted_values).toBe("4");

  for (const module of ["assets", "feeds"]) {
    const taken = await save(define("things", []).replace('"lab"', `"${module}"`));
    expect(taken.body.errors_by_field["record_types.module"]?.join()).toContain("reserved");
  }
  for (const name of ["constructor", "acl_id", "id", "_own", "organization_id", "action"]) {
    expect((await save(define("named", [{ name, type: "integer" }]))).status).toBe(422);
  }
  const wide = Array.from({ length: 500 }, (_, at): FieldDefinition => ({ name: `f${at}`, type: "integer" }));
  expect((await save(define("wide", wide))).status).toBe(422);
  expect((await save(define("wide", wide.slice(1)))).body.errors).toEqual([]);
  expect((await service.get("/lab/wide/index.json", admin)).status).toBe(200);
  // More than a table has room for, and more than a row has.
  const addresses = wide.slice(1).map(({ name }): FieldDefinition => ({ name, type: "address" }));
  const full = await save(define("full", addresses));
  expect([full.status, full.body.errors_by_field["record_types.fields"]]).toEqual([
    422,
    [expect.stringContaining("more columns than a table can have (1,600)")],
  ]);
  const texts = wide.slice(1).map(({ name }): FieldDefinition => ({ name, type: "short-text" }));
  expect((await save(define("texts", texts))).body.errors).toEqual([]);
  const sent = Object.fromEntries(texts.map(({ name }) => [name, "twenty-four letters long"]));
  const large = await service.post(
    "/lab/texts/add.json",
    { data: { texts: sent, action: { save_progress: "1" } } },
    admin,
  );
  expect([large.status, large.body.error_code]).toEqual([422, "record_too_large"]);
});

test("names of SQL, of the wire and of JavaScript are refused or work everywhere; labels are any text", async () => {
  const names = [
    ...[
      "order",
      "select",
      "table",
      "user",
      "group",
      "where",
      "from",
      "limit",
      "offset",
      "null",
      "true",
      "default",
      "end",
      "all",
    ],
    ...[
      "current_date",
      "current_user",
      "current_stage",
      "ctid",
      "xmin",
      "xmax",
      "cmin",
      "cmax",
      "oid",
      "tableoid",
      "r",
      "n",
      "t",
      "excluded",
      "acl",
    ],
    ...[
      "q",
      "page",
      "sort",
      "dir",
      "data",
      "form",
      "errors",
      "message",
      "paginate",
      "label",
      "count",
      "token",
      "fields",
      "values",
    ],
    ...[
      "__proto__",
      "constructor",
      "prototype",
      "hasownproperty",
      "tostring",
      "valueof",
      "length",
      "then",
      "deleted",
      "revision",
    ],
    ...["sum", "record", "today", "me", "if", "and", "or", "not", "in", "is", "empty", "contains"],
  ];
  const check = (fields: readonly FieldDefinition[]) =>
    service.post("/metadata/record_types/check.json", { definition: define("odd", fields) }, admin);
  const taken: string[] = [];
  for (const name of names) {
    const { status } = await check([{ name, type: "integer" }]);
    expect([200, 422], name).toContain(status);
    if (status === 200) taken.push(name);
  }
  const system = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"];
  for (const name of ["__proto__", "constructor", "deleted", "revision", ...system]) expect(taken).not.toContain(name);
  expect(taken).toEqual(expect.arrayContaining(["order", "select", "user", "limit", "q", "label"]));
  const label = (at: number): string =>
    ["🚜 Ⅷ", "\u202eتاريخ \u200fالتسليم", "<b onload=x>&amp;", "%s {{x}} '\""][at % 4] ?? "";
  const fields = taken.map((name, at): FieldDefinition => ({ name, type: "integer", label: `${label(at)} ${at}` }));
  expect((await save(define("odd", fields))).body.errors).toEqual([]);
  const values = Object.fromEntries(taken.map((name, at) => [name, String(at)]));
  const data = { odd: { name: "One", ...values }, action: { save_progress: "Save" } };
  const { body: made } = await service.post("/lab/odd/add.json", { data }, admin);
  expect(made.errors).toEqual([]);
  expect(made.data.odd).toMatchObject(values);
  const { body: shown } = await service.get("/metadata/schema/index.json?search_controller=lab/odd", admin);
  const labels = new Map(shown.data.schema.map((one: { name: string; label: string }) => [one.name, one.label]));
  expect(taken.map((name) => labels.get(name))).toEqual(fields.map((field) => field.label));
  const list = (q: object) =>
    service.get(`/lab/odd/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`, admin);
  const all = await list({ fields: taken.map((name) => `odd.${name}`), limit: 5 });
  expect(taken.map((name) => all.body.paginate.data[0][`odd.${name}`])).toEqual(Object.values(values));
  for (const [name, value] of Object.entries(values)) {
    const column = `odd.${name}`;
    const found = await list({ fields: [column], where: { [column]: value }, order: [`${column} DESC`] });
    expect([name, found.body.paginate?.data?.length]).toEqual([name, 1]);
    const grouped = await list({ fields: [column, `sum(${column}) as total`], group: [column] });
    expect([name, grouped.body.paginate?.data?.length]).toEqual([name, 1]);
  }
  const file = await fetch(`${service.url}/lab/odd/export.json?format=csv`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect([file.status, (await file.text()).includes("🚜 Ⅷ 0")]).toEqual([200, true]);
  // A label can be long, not endless, and says something that a table can keep.
  for (const [wrong, status] of [
    ["", 422],
    ["x".repeat(5_000), 422],
    ["a\u0000b", 400],
    ["\ud800", 400],
  ] as const) {
    expect((await save(define("odd", [...fields, { name: "wide", type: "integer", label: wrong }]))).status).toBe(
      status,
    );
  }
});

test("a pattern of a field never stalls the service: it is refused, or judged at once", async () => {
  const patterns = [
    ["(a+)+$", 200],
    ["(a|a)*b", 200],
    ["(.*)*x", 200],
    ["((a{1,100}){1,100}){1,100}", 422],
    ["a{0,65535}b{0,65535}", 422],
    ["(a|aa)+$", 200],
    ["(?=a+)b", 422],
    ["\\1(a)", 422],
    ["(a", 422],
  ] as const;
  for (const [at, [pattern, status]] of patterns.entries()) {
    const controller = `pattern_${at}`;
    const saved = await save(define(controller, [{ name: "code", type: "short-text", settings: { pattern } }]));
    expect([pattern, saved.status]).toEqual([pattern, status]);
    if (status !== 200) continue;
    const values = { name: "One", code: `${"a".repeat(250)}!` };
    const data = { [controller]: values, action: { save_progress: "Save" } };
    expect((await service.post(`/lab/${controller}/add.json`, { data }, admin)).status, pattern).toBe(422);
  }
});

test("a lookup of a lookup follows references through five levels, one by itself does not", async () => {
  const to = (at: number): FieldDefinition => ({
    ...{ name: "up_id", type: "reference", settings: { to: `lab/level_${at - 1}` } },
  });
  const looked = (through: readonly string[], field: string) => ({ kind: "lookup", through, field }) as const;
  for (let at = 0; at <= 5; at += 1) {
    const chained = {
      name: "chained",
      type: "integer",
      computed: looked(["up_id"], at === 1 ? "value" : "chained"),
    } as const;
    const own = at === 0 ? [{ name: "value", type: "integer" } as const] : [to(at), chained];
    expect((await save(define(`level_${at}`, own))).body.errors).toEqual([]);
  }
  const far = { name: "far", type: "integer", computed: looked(Array(5).fill("up_id"), "value") } as const;
  const chained = { name: "chained", type: "integer", computed: looked(["up_id"], "chained") } as const;
  // At most three in one lookup.
  const deep = await save(define("level_5", [to(5), chained, far]));
  expect([deep.status, deep.body.errors.join()]).toEqual([422, expect.stringContaining("fields.far")]);
  let up: string | undefined;
  const ids: string[] = [];
  for (let at = 0; at <= 5; at += 1) {
    const values = { name: `L${at}`, ...(at === 0 ? { value: "1" } : { up_id: up }) };
    const data = { [`level_${at}`]: values, action: { save_progress: "Save" } };
    up = (await service.post(`/lab/level_${at}/add.json`, { data }, admin)).body.id;
    ids.push(up ?? "");
  }
  const top = async () => (await service.get(`/lab/level_5/view.json?id=${ids[5]}`, admin)).body.data.level_5;
  expect((await top()).chained).toBe("1");
  const data = { level_0: { id: ids[0], value: "7" }, action: { save_progress: "Save" } };
  expect((await service.post("/lab/level_0/edit.json", { data }, admin)).body.errors).toEqual([]);
  await expect.poll(async () => (await top()).chained).toBe("7");
});

test("a conversion that does not fit is refused with examples, and nothing is changed", async () => {
  await save(define("stuck", [{ name: "size", type: "short-text" }]));
  await service.db.run(sql`
    insert into lab__stuck (organization_id, acl_id, name, size) values (1, 1, 'x', 'large'), (1, 1, 'y', '7')`);
  const answer = await save(define("stuck", [{ name: "size", type: "integer" }]), { convert: "size" });
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0]).toMatch(/Size: 1 of 2 values don't fit/);
  expect(answer.body.errors[1]).toContain('"large"');
  const schema = (await schemaOf(service, "stuck")).body.data.schema;
  expect(schema.find((field: { name: string }) => field.name === "size").type).toBe("short-text");
  const rows = await service.db.rows(sql`select size from lab__stuck order by id`);
  expect(rows).toEqual([{ size: "large" }, { size: "7" }]);
});

test("takes the definition that the documentation shows, and the documentation names every field type and icon", async () => {
  const text = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8");
  const part = text.slice(text.indexOf("### A definition"), text.indexOf("## Lists"));
  const example = /```json\n(.*?)```/su.exec(part)?.[1] ?? "";
  const answer = await service.post("/metadata/record_types/check.json", { definition: example }, admin);
  expect([answer.status, answer.body.errors]).toEqual([200, []]);
  for (const name of [...fieldTypeIds, ...iconNames, ...Object.keys(definitionSchema.shape)]) {
    expect(part).toContain(`\`${name}\``);
  }
});

test("tells the definition of a type that the service comes with", async () => {
  const { body } = await service.get("/metadata/record_types/view.json?key=crm/quotes", admin);
  expect(body.data.record_types).toMatchObject({
    key: "crm/quotes",
    origin: "built-in",
    revision: "as-shipped",
    may_change: 1,
  });
  const { body: kept } = await service.get("/metadata/record_types/view.json?key=core/revisions", admin);
  expect(kept.data.record_types).toMatchObject({ revision: null, may_change: 0 });
  expect(JSON.parse(body.data.record_types.definition)).toMatchObject({ controller: "quotes", plural: "Quotes" });
  expect((await service.get("/metadata/record_types/view.json?key=crm/nothing", admin)).status).toBe(404);
});

describe("a definition is refused", () => {
  test("with an icon that nobody draws, and told which there are", async () => {
    const answer = await save(
      JSON.stringify({ ...JSON.parse(define("drawn", [{ name: "size", type: "integer" }])), icon: "unicorn" }),
    );
    expect(answer.status).toBe(422);
    expect(answer.body.errors_by_field["record_types.icon"]).toEqual([
      expect.stringMatching(/^must be one of .*world/),
    ]);
  });

  test("with everything that is wrong with it", async () => {
    const answer = await save(
      define("wrong", [
        { name: "created", type: "date" },
        { name: "name", type: "date" },
      ]),
    );
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      expect.stringContaining("Couldn't save the record type"),
      "fields.created: this name is taken",
      "fields.name: this name is taken",
      "this name is taken",
    ]);
    expect((await schemaOf(service, "wrong")).status).toBe(404);
  });

  test.each(["", "not JSON", '{"module":'])("when it is no JSON text: %s", async (definition) => {
    expect(await save(definition)).toMatchObject({ status: 400, body: { error_code: "malformed_parameter" } });
  });

  test("when it is none of ours, by nobody's fault but the sender's", async () => {
    for (const definition of ["null", "[]", "7", '"text"', "{}"]) {
      expect(await save(definition)).toMatchObject({ status: 422, body: { error_code: "definition_refused" } });
    }
  });

  test("by a look ahead in the same way as by saving", async () => {
    const definition = define("ahead", [{ name: "other_id", type: "reference", settings: { to: "lab/nowhere" } }]);
    const looked = await service.post("/metadata/record_types/check.json", { definition }, admin);
    expect(looked).toMatchObject({ status: 422, body: { error_code: "definition_refused" } });
    expect(looked.body.errors).toEqual((await save(definition)).body.errors);
  });
});

describe("a designer is told", () => {
  const CHECK = "/metadata/record_types/check.json";
  test("what a change would do to the records, and nothing is done", async () => {
    await save(
      define("previewed", [
        { name: "a", type: "short-text" },
        { name: "b", type: "short-text" },
      ]),
    );
    await service.db.run(sql`
      insert into lab__previewed (organization_id, acl_id, name, a, b)
      values (1, 1, 'x', 'one', '1'), (1, 1, 'y', null, 'two')`);
    const definition = define("previewed", [{ name: "b", type: "integer" }]);
    const { body } = await service.post(CHECK, { definition }, admin);
    expect(body.data.record_types).toMatchObject({
      key: "lab/previewed",
      discarded: [{ field: "a", label: "A", values: 1 }],
      converted: [{ field: "b", from: "Short text", to: "Whole number", values: 2, refused: 1 }],
    });
    expect(body.data.record_types.converted[0].examples).toEqual([expect.stringContaining('"two"')]);
    expect(await fieldsOf(service, "previewed")).toContain("a");
  });

  test("each fault at its place: a field by its number or its name, a setting, what records stand in the way of", async () => {
    const wrong = define("places", [
      { name: "Bad Name", type: "short-text" },
      { name: "kind", type: "choice" },
    ]);
    expect((await save(wrong)).body.errors_by_field).toEqual({ "record_types.fields.1.name": [expect.any(String)] });
    const pendingWrites = define("places", [{ name: "kind", type: "choice" }]);
    expect((await save(pendingWrites)).body.errors_by_field).toEqual({
      "record_types.fields.kind.settings.options": [expect.any(String)],
    });
    await save(define("places", [{ name: "code", type: "short-text" }]));
    await service.db.run(sql`
      insert into lab__places (organization_id, acl_id, name, code) values (1, 1, 'x', 'same'), (1, 1, 'y', 'same')`);
    const unique = await save(define("places", [{ name: "code", type: "short-text", unique: true }]));
    expect(unique.body.errors_by_field).toEqual({ "record_types.fields.code.unique": [expect.any(String)] });
  });

  test("that a new type is there already, and that somebody else has changed one", async () => {
    await save(define("twice", []));
    const again = await save(define("twice", []), { is_new: "1" });
    expect(again).toMatchObject({ status: 422, body: { errors_by_field: { "record_types.controller": [/already/] } } });
    const view = async () =>
      (await service.get("/metadata/record_types/view.json?key=lab/twice", admin)).body.data.record_types.revision;
    const revision = await view();
    expect((await save(define("twice", [{ name: "a", type: "date" }]), { revision })).status).toBe(200);
    const stale = await save(define("twice", [{ name: "b", type: "date" }]), { revision });
    const { record_types: last } = stale.body.data;
    expect([stale.status, stale.body.error_code, last.revision]).toEqual([409, "conflict", await view()]);
    expect(stale.body.errors.join()).toContain("admin changed lab/twice in the meantime");
    expect(last).toMatchObject({ modified_by: "admin", modified: expect.stringMatching(/^2/) });
    expect(await fieldsOf(service, "twice")).toContain("a");
    expect(await view()).not.toBe(revision);
  });

  test("what there is to choose from: types with their references, modules, what field types can do", async () => {
    await save(define("listed", [{ name: "lead_id", type: "reference", settings: { to: "crm/leads" } }]));
    const { body } = await service.get("/metadata/record_types/index.json", admin);
    const listed = body.data.record_types.find(({ key }: { key: string }) => key === "lab/listed");
    expect(listed).toMatchObject({ origin: "run-time", references: [{ field: "lead_id", to: "crm/leads" }] });
    expect(body.data.modules).toContainEqual({ name: "crm", label: "Sales", icon: "briefcase" });
    // What stands under Administration is no place for a type of one's own.
    expect(body.data.modules.map(({ name }: { name: string }) => name)).not.toContain("core");
    expect(body.data.field_types.map(({ id }: { id: string }) => id)).toContain("geo-point");
    expect(body.data.may_design).toBe(1);
  });
});

describe("only the administrators of the organization that runs the service design", () => {
  const attempts: readonly { who: string; token: () => Promise<string> }[] = [
    {
      who: "somebody of that organization without the role",
      token: async () => {
        await accounts.add("plain", ["sales_manager"]);
        return (await logIn(service, "plain")).access;
      },
    },
    {
      who: "an administrator of another organization",
      token: async () => {
        await accounts.add("foreign", ["administrator"], await accounts.found("Elsewhere"));
        return (await logIn(service, "foreign")).access;
      },
    },
  ];
  test.each(attempts)("not $who", async ({ token }) => {
    const held = await token();
    expect(await save(define("forbidden", []), {}, held)).toMatchObject({
      status: 403,
      body: { error_code: "designer_required" },
    });
    for (const operation of ["check", "remove", "restore", "purge"]) {
      const answer = await service.post(`/metadata/record_types/${operation}.json`, { key: "lab/seen" }, held);
      expect(answer.status).toBe(403);
    }
    expect((await service.get("/metadata/record_types/view.json?key=lab/seen", held)).status).toBe(403);
    expect((await schemaOf(service, "forbidden")).status).toBe(404);
  });

  test("not somebody who is not logged in", async () => {
    expect((await service.post(SAVE, { definition: define("forbidden", []) })).status).toBe(401);
  });
});

test("a type is taken out of service when that is confirmed, in every process, and comes back with its records", async () => {
  const definition = define("seasonal", []);
  await save(definition);
  await service.db.run(sql`insert into lab__seasonal (organization_id, acl_id, name) values (1, 1, 'kept')`);
  const remove = (more: Record<string, string>) =>
    service.post("/metadata/record_types/remove.json", { key: "lab/seasonal", ...more }, admin);
  expect((await remove({})).status).toBe(409);
  expect((await remove({ is_confirm: "1" })).status).toBe(200);
  expect((await schemaOf(service, "seasonal")).status).toBe(404);
  await expect.poll(async () => (await schemaOf(second, "seasonal")).status).toBe(404);
  expect((await save(definition)).status).toBe(200);
  expect(await service.db.rows(sql`select name from lab__seasonal`)).toEqual([{ name: "kept" }]);
});
