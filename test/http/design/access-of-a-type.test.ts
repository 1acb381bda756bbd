// Who may do what with records of a run-time type is part of its design: when that changes, lists, views and rights follow
// with the answer, in this process and in another, for records that are there already.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { prepareDatabase } from "../../../server/prepare.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { until } from "../../until.ts";
import { addPerson, type Person } from "../people.ts";

let both: TwoServices;
let admin: string;
let owner: Person;
let other: Person;
let note: string;

const OWNER_ALONE = { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] };
const EVERYBODY = { read: ["organization"], edit: ["organization"], delete: [], comment: [] };

const definition = {
  module: "lab",
  controller: "notes",
  label: "Note",
  plural: "Notes",
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }],
};

const design = (access: object) =>
  both.service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify({ ...definition, access }) },
    admin,
  );

/** As somebody sees it: the list's count, the view's status, and whether the row says that it can be edited. */
const seenBy = async (by: TestService, { token }: Person) => {
  const list = await by.get("/lab/notes/index.json", token);
  const view = await by.get(`/lab/notes/view.json?id=${note}`, token);
  return [list.body.paginate.total_count, view.status, list.body.paginate.data[0]?.is_edit];
};
const HIDDEN = [expect.anything(), 404, undefined];
const OPEN = [expect.anything(), 200, expect.anything()];

beforeAll(async () => {
  both = await startTwoServices();
  const { service, second } = both;
  admin = await service.login();
  expect((await design(OWNER_ALONE)).body.errors).toEqual([]);
  await until(async () => (await second.get("/lab/notes/index.json", admin)).status === 200);
  const role = {
    name: "Writer",
    code: "writer",
    operations: [{ record_type: "lab/notes", operations: "index;view;add;edit" }],
  };
  const data = { roles: role, action: { save_continue: "Save" } };
  expect((await service.post("/access_controls/roles/add.json", { data }, admin)).body.errors).toEqual([]);
  owner = await addPerson(service, "owner", ["writer"]);
  other = await addPerson(service, "other", ["writer"]);
  const notes = { notes: { name: "Kept" }, action: { save_continue: "Save" } };
  note = (await service.post("/lab/notes/add.json", { data: notes }, owner.token)).body.id;
  // What each process may keep in memory is there before the first change.
  for (const by of [service, second]) for (let turn = 0; turn < 3; turn += 1) await seenBy(by, other);
});
afterAll(() => both.stop());

test("records that are there already follow a new access at once, in every process, there and back", async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await design(EVERYBODY)).body.errors).toEqual([]);
    for (const by of [both.second, both.service]) {
      expect(await seenBy(by, other)).toEqual(OPEN);
      expect((await seenBy(by, other)).slice(0, 1)).toEqual((await seenBy(by, owner)).slice(0, 1));
    }
    expect((await design(OWNER_ALONE)).body.errors).toEqual([]);
    for (const by of [both.second, both.service]) {
      expect(await seenBy(by, other)).toEqual(HIDDEN);
      expect(await seenBy(by, owner)).toEqual(OPEN);
    }
  }
});

test("a type that comes back into service takes its access from its design and from the roles of today", async () => {
  const remove = () =>
    both.service.post("/metadata/record_types/remove.json", { key: "lab/notes", is_confirm: "1" }, admin);
  expect((await remove()).body.errors).toEqual([]);
  expect((await design(EVERYBODY)).body.errors).toEqual([]);
  expect(await seenBy(both.service, other)).toEqual(OPEN);
});

test("an access that was saved and not applied, by a crash or an update, is applied at the next start", async () => {
  const { service, database } = both;
  // A type of its own, as open as its design said when its record was added: nothing was worked out anew for it so far.
  const key = "lab/papers";
  const saved = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify({ ...definition, controller: "papers", access: EVERYBODY }) },
    admin,
  );
  expect(saved.body.errors).toEqual([]);
  const [role] = await database.db.rows(sql`select id::text from access_controls__roles where code = 'writer'`);
  const operations = [{ role_id: role?.id, record_type: key, operations: "index;view;add;edit" }];
  const data = { roles: { id: role?.id, operations }, action: { save_continue: "Save" } };
  expect((await service.post("/access_controls/roles/edit.json", { data }, admin)).body.errors).toEqual([]);
  const papers = { papers: { name: "Kept" }, action: { save_continue: "Save" } };
  const { id } = (await service.post("/lab/papers/add.json", { data: papers }, owner.token)).body;
  const seen = async ({ token }: Person) => (await service.get(`/lab/papers/view.json?id=${id}`, token)).status;
  expect([await seen(owner), await seen(other)]).toEqual([200, 200]);
  await database.db.run(sql`
    update metadata__record_types set definition = jsonb_set(definition, '{access}', ${JSON.stringify(OWNER_ALONE)}::jsonb)
    where key = ${key}`);
  expect([await seen(owner), await seen(other)]).toEqual([200, 200]);
  await prepareDatabase(database.db);
  expect([await seen(owner), await seen(other)]).toEqual([200, 404]);
});
