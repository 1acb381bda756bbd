// An undo that left something is repeated: for what may go back by then, and for nothing else.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson } from "../people.ts";

let service: TestService;
let admin: string;

const action = { save_progress: "Save" };
const text = (name: string) => ({ name, type: "short-text" });

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  await design("boxes", ["name"]);
  await design("lines", ["name", "u"], {
    fields: [{ name: "box_id", type: "reference", settings: { to: "lab/boxes" } }],
  });
  await design("boxes", ["name", "x", "y"], boxes);
});
afterAll(() => service.stop());

const boxes = {
  associations: [{ kind: "has-many", name: "lines", type: "lab/lines", via: "box_id", owned: true }],
};

async function design(controller: string, names: readonly string[], more: object = {}, discard = ""): Promise<void> {
  const { fields = [], ...rest } = more as { fields?: readonly object[] };
  const definition = {
    module: "lab",
    controller,
    label: controller,
    plural: controller,
    displayField: "name",
    fields: [...names.map(text), ...fields],
    access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
    ...rest,
  };
  const sent = { definition: JSON.stringify(definition), discard };
  expect((await service.post("/metadata/record_types/save.json", sent, admin)).body.errors).toEqual([]);
}

async function restore(key: string, field: string): Promise<void> {
  const { body } = await service.get(`/metadata/record_types/removed.json?key=${key}`, admin);
  const { id } = body.data.removed.find((one: { field: string }) => one.field === field);
  expect((await service.post("/metadata/record_types/restore.json", { id }, admin)).body.errors).toEqual([]);
}

async function add(values: object): Promise<string> {
  const { body } = await service.post("/lab/boxes/add.json", { data: { boxes: values, action } }, admin);
  expect(body.errors).toEqual([]);
  return body.id;
}

const view = async (id: string) => (await service.get(`/lab/boxes/view.json?id=${id}`, admin)).body.data.boxes;

/** Gives the job. */
async function edit(rows: readonly object[]): Promise<string> {
  const { body } = await service.post("/lab/boxes/edit_many.json?key=id", { data: { boxes: rows } }, admin);
  expect(body.errors).toEqual([]);
  return body.job_id;
}

/** Lines of boxes that are there, from a file. Gives the job. */
async function importLines(content: string, boxesIn: number, token = admin): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([content]), "boxes.csv");
  const { body: found } = await service.post("/lab/boxes/import_columns.json", form, token);
  const columns: readonly { name: string; target: string }[] = found.data.columns;
  const mapping = Object.fromEntries(columns.map(({ name, target }) => [name, target]));
  const sent = { file: found.data.file.id, mapping, mode: "update", key: "id", grouped: "1" };
  const done = await service.post("/lab/boxes/import.json", sent, token);
  expect(done.body.data?.counts ?? done.body.errors).toMatchObject({ changed: boxesIn });
  return done.body.job_id;
}

const undo = async (job: string, token = admin) =>
  (await service.post(`/core/jobs/undo.json?id=${job}`, {}, token)).body;
const resultOf = async (job: string) =>
  JSON.parse((await service.get(`/core/jobs/view.json?id=${job}`, admin)).body.data.jobs.result);
const jobs = async () => (await service.db.row(sql`select count(*)::text as count from core__jobs`))?.count;

/** It says that there is nothing to undo, or how many records wait for their fields, and leaves no job behind. */
async function expectOver(job: string, waiting = 0, token = admin): Promise<void> {
  const before = await jobs();
  const keep = `${waiting} ${waiting === 1 ? "record keeps" : "records keep"} values of fields that were removed or are hidden from you`;
  const said = waiting === 0 ? "This job was already undone" : keep;
  expect((await undo(job, token)).errors).toEqual([expect.stringContaining(said)]);
  expect(await jobs()).toBe(before);
}

test("fields are restored one after the other, and each undo tells all that is left", async () => {
  const [one, two] = [await add({ name: "1", x: "before" }), await add({ name: "2", y: "before" })];
  const job = await edit([
    { id: one, x: "after" },
    { id: two, y: "after" },
  ]);
  await design("boxes", ["name"], boxes, "x,y");
  const first = await undo(job);
  expect(first.data.left_alone).toEqual({ [one]: ["x"], [two]: ["y"] });
  expect(first.message).toEqual([
    "0 boxes reverted, 2 skipped because a field was removed since. Restore the field and undo again to revert its values",
  ]);
  expect(await resultOf(first.job_id)).toMatchObject({ left_alone_count: 2, left_alone_removed: 2 });
  await expectOver(job, 2);
  await restore("lab/boxes", "x");
  const second = await undo(job);
  expect(second.data).toMatchObject({ changed: [one], left_alone: { [two]: ["y"] } });
  expect((await view(one)).x).toBe("before");
  expect(await resultOf(second.job_id)).toMatchObject({ left_alone_count: 1, left_alone_removed: 1 });
  await expectOver(job, 1);
  await restore("lab/boxes", "y");
  expect((await undo(job)).data).toMatchObject({ changed: [two], left_alone: {} });
  expect((await view(two)).y).toBe("before");
  await expectOver(job);
});

test("a field of children is restored", async () => {
  const ids = [
    await add({ name: "3", lines: [{ name: "a", u: "before" }] }),
    await add({ name: "5", lines: [{ name: "b", u: "before" }] }),
  ];
  const linesOf = async (id: string) => (await view(id)).lines;
  const lines = await Promise.all(ids.map(async (id) => (await linesOf(id))[0].id));
  const rows = ids.map((id, at) => `${id},${lines[at]},after\n`);
  const job = await importLines(`id,lines.id,lines.u\n${rows.join("")}`, 2);
  const reference = { fields: [{ name: "box_id", type: "reference", settings: { to: "lab/boxes" } }] };
  await design("lines", ["name"], reference, "u");
  const first = await undo(job);
  expect(first.data.left_alone).toEqual(Object.fromEntries(ids.map((id) => [id, ["lines"]])));
  expect(await resultOf(first.job_id)).toMatchObject({ left_alone_removed: 2 });
  await expectOver(job, 2);
  await restore("lab/lines", "u");
  expect((await undo(job)).data).toMatchObject({ changed: ids, left_alone: {} });
  for (const [at, id] of ids.entries()) expect(await linesOf(id)).toMatchObject([{ id: lines[at], u: "before" }]);
  await expectOver(job);
});

test("what somebody changed never goes back", async () => {
  const id = await add({ name: "4", x: "before" });
  const job = await edit([{ id, x: "after" }]);
  const own = { data: { boxes: { id, x: "mine" }, action } };
  expect((await service.post("/lab/boxes/edit.json", own, admin)).body.errors).toEqual([]);
  const first = await undo(job);
  expect([first.data.left_alone, first.message]).toEqual([
    { [id]: ["x"] },
    ["0 boxes reverted, 1 skipped because they changed since"],
  ]);
  await expectOver(job);
});

test("what one job changed twice goes back to what it was before the first", async () => {
  const id = await add({ name: "9", x: "before" });
  const job = await edit([{ id, x: "between" }]);
  const second = await edit([{ id, x: "after" }]);
  await service.db.run(sql`
    update core__revisions set job_id = ${job}::bigint where organization_id = 1 and job_id = ${second}::bigint`);
  expect((await undo(job)).data).toMatchObject({ changed: [id], left_alone: {} });
  expect((await view(id)).x).toBe("before");
});

test("what somebody changed between two writes of one job never goes back", async () => {
  const id = await add({ name: "8", x: "before" });
  const job = await edit([{ id, x: "after" }]);
  const own = { data: { boxes: { id, x: "mine" }, action } };
  expect((await service.post("/lab/boxes/edit.json", own, admin)).body.errors).toEqual([]);
  // As a file does that names the record in two of its chunks.
  const second = await edit([{ id, x: "after" }]);
  await service.db.run(sql`
    update core__revisions set job_id = ${job}::bigint where organization_id = 1 and job_id = ${second}::bigint`);
  expect((await undo(job)).data).toMatchObject({ changed: [], left_alone: { [id]: ["x"] } });
  expect((await view(id)).x).toBe("after");
});

test("what somebody changed once its field was back waits for nothing", async () => {
  const [one, two] = [await add({ name: "6", x: "before" }), await add({ name: "7", x: "before", y: "before" })];
  const job = await edit([
    { id: one, x: "after" },
    { id: two, x: "after", y: "after" },
  ]);
  await design("boxes", ["name"], boxes, "x,y");
  expect((await undo(job)).data.left_alone).toEqual({ [one]: ["x"], [two]: ["x", "y"] });
  await expectOver(job, 2);
  await restore("lab/boxes", "x");
  for (const id of [one, two]) {
    const own = { data: { boxes: { id, x: "mine" }, action } };
    expect((await service.post("/lab/boxes/edit.json", own, admin)).body.errors).toEqual([]);
  }
  await expectOver(job, 1);
  await restore("lab/boxes", "y");
  const last = { data: { boxes: { id: two, y: "mine" }, action } };
  expect((await service.post("/lab/boxes/edit.json", last, admin)).body.errors).toEqual([]);
  await expectOver(job);
});

test("a restored field that the caller cannot see stays as it is", async () => {
  const person = await addPerson(service, "manager", ["sales_manager"]);
  const role = await service.db.row(
    sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`,
  );
  const allow = async (controller: string, values: object) => {
    const data = { [controller]: { role_id: role?.id, record_type: "lab/boxes", ...values }, action };
    const { body } = await service.post(`/access_controls/${controller}/add.json`, { data }, admin);
    expect(body.errors).toEqual([]);
  };
  await allow("role_operations", { operations: "index;view;add;edit;delete;bulk;import" });
  await allow("role_operations", { record_type: "lab/lines", operations: "index;view;add;edit;delete" });
  const id = await add({ name: "5", x: "before", y: "before" });
  const { body } = await service.post(
    "/lab/boxes/edit_many.json?key=id",
    { data: { boxes: [{ id, x: "after" }] } },
    person.token,
  );
  expect(body.errors).toEqual([]);
  await design("boxes", ["name", "y"], boxes, "x");
  expect((await undo(body.job_id, person.token)).data.left_alone).toEqual({ [id]: [] });
  await restore("lab/boxes", "x");
  await allow("role_fields", { field: "x", permission: "1" });
  await expectOver(body.job_id, 1, person.token);
  expect((await undo(body.job_id)).data).toMatchObject({ changed: [id] });

  // The same goes for a field of a child, whatever its record's fields of that name are.
  const parent = await add({ name: "6", lines: [{ name: "before", u: "before" }] });
  const [line] = (await view(parent)).lines;
  const file = `id,lines.id,lines.name,lines.u\n${parent},${line.id},after,after\n`;
  const imported = await importLines(file, 1, person.token);
  await allow("role_fields", { record_type: "lab/lines", field: "name", permission: "1" });
  expect((await undo(imported, person.token)).data).toMatchObject({ changed: [parent] });
  expect((await view(parent)).lines).toMatchObject([{ name: "after", u: "before" }]);
});
