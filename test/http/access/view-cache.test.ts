// A view that is asked for again comes from memory, and is never older than the request: whatever changed, wherever.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let both: TwoServices;
let service: TestService;
/** Another process on the same database. */
let second: TestService;
let admin: string;
let rep: Person;
let other: Person;
let lead: string;

beforeAll(async () => {
  both = await startTwoServices();
  ({ service, second } = both);
  admin = await service.login();
  rep = await addPerson(service, "keeper", ["sales_rep"]);
  other = await addPerson(service, "colleague", ["sales_rep"]);
});
afterAll(() => both.stop());

const view = async (token = rep.token) => service.get(`/crm/leads/view.json?id=${lead}`, token);
const leads = async (token = rep.token) => (await view(token)).body.data?.leads;
const edit = async (by: TestService, path: string, data: object) => {
  const answer = await by.post(path, { data: { ...data, action: { save_progress: "Save" } } }, admin);
  expect(answer).toMatchObject({ status: 200, body: { errors: [] } });
};

beforeEach(async () => {
  [lead = ""] = await addRows(service, "crm/leads", [
    { name: "Kept", last_name: "Kept", status: "new", city: "Ulm", owned_by: rep.id },
  ]);
  await addRows(service, "core/email_addresses", [
    { related_type: "crm/leads", related_id: lead, email: "kept@example.com", owned_by: rep.id },
  ]);
  for (let count = 0; count < 3; count += 1) expect((await leads()).city).toBe("Ulm");
});

test("is kept: a row that was changed behind the service's back is seen with the next logged change", async () => {
  await service.db.run(sql`update crm__leads set city = 'Bonn' where id = ${lead}::bigint`);
  expect((await leads()).city).toBe("Ulm");
  expect((await leads(admin)).city).toBe("Bonn");
  await addRows(service, "crm/companies", [{ name: "Anything" }]);
  expect((await leads()).city).toBe("Bonn");
});

test("is not kept of what moves without being logged: when somebody was last signed in", async () => {
  const seen = async () =>
    (await service.get(`/access_controls/users/view.json?id=${rep.id}`, admin)).body.data.users.last_login;
  for (let count = 0; count < 3; count += 1) expect(await seen()).toMatch(/^20/);
  await service.db.run(sql`
    update access_controls__users set last_login = '2001-02-03 04:05:06' where id = ${rep.id}::bigint`);
  expect(await seen()).toBe("2001-02-03 04:05:06");
});

const changes: Record<string, readonly [act: () => Promise<unknown>, seen: () => Promise<unknown>, expected: unknown]> =
  {
    "an edit here": [
      () => edit(service, `/crm/leads/edit.json?id=${lead}`, { leads: { city: "Köln" } }),
      async () => (await leads()).city,
      "Köln",
    ],
    "an edit in another process": [
      () => edit(second, `/crm/leads/edit.json?id=${lead}`, { leads: { city: "Wien" } }),
      async () => (await leads()).city,
      "Wien",
    ],
    "a child that is changed by itself": [
      async () => {
        const [child] = (await leads()).email_addresses;
        const email_addresses = { email: "new@example.com" };
        await edit(second, `/core/email_addresses/edit.json?id=${child.id}`, { email_addresses });
      },
      async () => (await leads()).email_addresses[0].email,
      "new@example.com",
    ],
    "a new name of its owner": [
      () =>
        edit(second, `/access_controls/users/edit.json?id=${rep.id}`, {
          users: { first_name: "Renamed", last_name: "Keeper" },
        }),
      async () => (await leads()).__owned_by,
      "Renamed Keeper",
    ],
    "a form that is saved": [
      () =>
        edit(second, "/core/forms/add.json", {
          forms: {
            name: "Short",
            controller: "crm/leads",
            is_default: "1",
            definition: JSON.stringify({ sections: [{ section: "Only", elements: [{ field: "last_name" }] }] }),
          },
        }),
      async () => (await view()).body.form.children[0].label,
      "Only",
    ],
    "a change of hands": [
      () => edit(second, `/crm/leads/edit.json?id=${lead}`, { leads: { owned_by: other.id } }),
      async () => (await view()).status,
      404,
    ],
    "its deletion": [
      () => second.post(`/crm/leads/delete.json?id=${lead}&is_confirm=1`, {}, admin),
      async () => (await view()).body.is_record_deleted,
      true,
    ],
  };

for (const [name, [act, seen, expected]] of Object.entries(changes)) {
  test(`shows ${name} at once`, async () => {
    await act();
    expect(await seen()).toEqual(expected);
    expect(await seen()).toEqual(expected);
  });
}

test("is the same with its form and without, and each caller's own", async () => {
  const path = `/crm/leads/view.json?id=${lead}`;
  const kept = await service.get(path, rep.token);
  expect(kept.body.form.children.length).toBeGreaterThan(0);
  const alone = await service.get(`${path}&form=0`, rep.token);
  expect(alone.body).toMatchObject({ data: kept.body.data, user_id: rep.id });
  expect(alone.body.form).toBeUndefined();
  expect((await service.get(path, rep.token)).body).toEqual(kept.body);
  expect((await service.get(path, admin)).body).toMatchObject({ data: kept.body.data, user_fullname: "Administrator" });
});

test("follows the caller's role wherever that is changed, as soon as it is heard of", async () => {
  const role = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
  const hidden = { role_id: role?.id, record_type: "crm/leads", field: "city", permission: "1" };
  await edit(second, "/access_controls/role_fields/add.json", { role_fields: hidden });
  await expect.poll(leads).not.toHaveProperty("city");
  const row = await service.db.row(sql`
    select id::text as id from access_controls__role_fields where organization_id = 1 and role_id = ${role?.id ?? ""}::uuid
      and field = 'city' and deleted = 0`);
  await second.post(`/access_controls/role_fields/delete.json?id=${row?.id}&is_confirm=1`, {}, admin);
  await expect.poll(leads).toHaveProperty("city");
});

test("a list shows what another process shares, and no longer what it takes back, at once", async () => {
  const listed = async () =>
    (await service.get("/crm/leads/index.json?limit=100", other.token)).body.paginate.data.some(
      (row: Record<string, unknown>) => row["leads.id"] === lead,
    );
  const principal = await service.db.row(sql`
    select principal_id::text as principal_id from access_controls__users where organization_id = 1 and id = ${other.id}::bigint`);
  expect(await listed()).toBe(false);
  const shared = await second.post(`/crm/leads/share.json?id=${lead}`, { ...principal, rights: "read" }, rep.token);
  const [share] = shared.body.data.access.shares;
  expect(await listed()).toBe(true);
  await second.post(`/crm/leads/unshare.json?id=${lead}&share=${share.id}`, {}, rep.token);
  expect(await listed()).toBe(false);
});

test("access sets in memory are read anew once messages were missed: another database may be in its place", async () => {
  const own = await addPerson(service, "alone", ["sales_rep"]);
  const [id = ""] = await addRows(service, "crm/leads", [
    { name: "Alone", last_name: "Alone", status: "new", owned_by: own.id },
  ]);
  const listed = async () =>
    (await service.get("/crm/leads/index.json", own.token)).body.paginate.data.map(
      (row: Record<string, unknown>) => row["leads.id"],
    );
  expect(await listed()).toEqual([id]);
  // Changed with no version that would tell, as in a standby that has not seen the last changes.
  await service.db.run(sql`
    update core__acl_sets set readers = '{}' where id = (select acl_id from crm__leads where id = ${id}::bigint)`);
  expect(await listed()).toEqual([id]);
  await service.db.run(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`);
  await expect.poll(listed).toEqual([]);
});
