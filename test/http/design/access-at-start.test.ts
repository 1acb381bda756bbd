// The access of records is worked out anew where the policy of their type is another than the one that they were made by: when
// a run before this one was stopped in between, and when a type comes back into service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let database: TestDatabase;
let service: TestService;
let admin: string;
let rep: Person;

beforeAll(async () => {
  database = await testDatabase("prepared");
  service = await startService({}, database);
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
});
afterAll(async () => {
  await service.stop();
  await database.close();
});

const design = (read: string) => ({
  module: "lab",
  controller: "notes",
  label: "Note",
  plural: "Notes",
  displayField: "title",
  fields: [{ name: "title", type: "short-text" }],
  access: { read: [read], edit: ["owner"], delete: ["owner"], comment: [] },
});
const post = async (address: string, body: object) => {
  const answer = await service.post(address, body, admin);
  expect(answer.body.errors).toEqual([]);
  return answer.body;
};
const saveType = (read: string) =>
  post("/metadata/record_types/save.json", { definition: JSON.stringify(design(read)) });
const seenBy = async ({ token }: Person): Promise<number> =>
  (await service.get("/lab/notes/index.json", token)).body.paginate.total_count;
const restart = async () => {
  await service.stop();
  service = await startService({}, database);
  admin = await service.login();
  rep = { ...rep, token: await service.login("rep", service.admin.password) };
};
const applied = async () =>
  (await service.db.row(sql`select fingerprint from metadata__synced_tables where table_name = 'access of lab/notes'`))
    ?.fingerprint;

test("what a run left undone is done at the next start, and counts nobody twice", async () => {
  await saveType("organization");
  const role = await service.db.row(
    sql`select id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`,
  );
  const operations = { role_id: role?.id, record_type: "lab/notes", operations: "index;view" };
  await post("/access_controls/role_operations/add.json", {
    data: { role_operations: operations, action: { save_progress: "Save" } },
  });
  await post("/lab/notes/add.json", { data: { notes: { title: "One" }, action: { save_progress: "Save" } } });
  expect(await seenBy(rep)).toBe(1);
  // As if the process had ended after the new definition was stored and before the sets were worked out.
  const stored = JSON.stringify(design("owner"));
  await service.db.run(sql`
    update metadata__record_types set definition = ${stored}::jsonb where key = 'lab/notes'`);
  await restart();
  expect(await seenBy(rep)).toBe(0);
  expect(JSON.parse((await applied()) ?? "")).toMatchObject({ read: ["owner"] });
  // Nothing is left to do for the run after that.
  const versions = () =>
    service.db.row(sql`
      select (coalesce((select sum(changes) from core__versions where record_type = 'core/acl_sets'), 0)
        + (select count(*) from core__changes where record_type = 'core/acl_sets'))::text as count`);
  const before = await versions();
  await restart();
  expect(await versions()).toEqual(before);
});

test("a type that was out of service comes back with the access that it has then", async () => {
  await saveType("organization");
  expect(await seenBy(rep)).toBe(1);
  await post("/metadata/record_types/remove.json?key=lab/notes&is_confirm=1", {});
  expect((await service.get("/lab/notes/index.json", rep.token)).status).toBe(404);
  expect(await applied()).toBeUndefined();
  // A run without it leaves its sets as they are.
  await restart();
  await saveType("owner");
  expect(await seenBy(rep)).toBe(0);
});
