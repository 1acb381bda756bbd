// Unchanged lists are confirmed by a 304, changed ones are sent; other processes and other organizations.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let second: TestService;
let admin: string;
let rep: Person;
let company: string;

beforeAll(async () => {
  service = await startService();
  second = await startService({}, { connection: service.connection, db: service.db, close: async () => undefined });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  [company = ""] = await addRows(service, "crm/companies", [{ name: "Acme", owned_by: rep.id }]);
  await addRows(service, "crm/opportunities", [
    { name: "Deal", company_id: company, owned_by: rep.id, amount: "10.00" },
  ]);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const get = async (path: string, token: string, etag?: string | null, on: TestService = service) => {
  const headers = { authorization: `Bearer ${token}`, ...(etag ? { "if-none-match": etag } : {}) };
  const response = await fetch(on.url + path, { headers });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get("etag"),
    body: text === "" ? undefined : JSON.parse(text),
  };
};
const edit = (type: string, alias: string, values: Record<string, string>, token: string = admin) =>
  service.post(`/${type}/edit.json`, { data: { [alias]: values, action: { save_progress: "Save" } } }, token);

const deals = "/crm/opportunities/index.json?track_open=0";
const joined = `${deals}&q=${encodeURIComponent('{"fields":["opportunities.name","opportunities.company.name as c"]}')}`;
const grouped = `${deals}&q=${encodeURIComponent('{"fields":["opportunities.company_id","count(opportunities.id) as n"],"group":["opportunities.company_id"]}')}`;
const filtered = `${deals}&q=${encodeURIComponent('{"where":{"opportunities.company.name":{"op":"contains","value":"a"}}}')}`;

describe.each([
  ["a plain list", deals],
  ["a list with a joined column", joined],
  ["groups", grouped],
  ["a list filtered through an association", filtered],
])("%s", (_, path) => {
  test("is confirmed while nothing changed", async () => {
    const first = await get(path, rep.token);
    expect(first.status).toBe(200);
    expect(first.etag).toMatch(/^W\/"[\w.-]+"$/);
    expect(await get(path, rep.token, first.etag)).toEqual({ status: 304, etag: first.etag, body: undefined });
    expect((await get(path, rep.token, `"x", ${first.etag}`)).status).toBe(304);
    expect((await get(path, admin, first.etag)).status).toBe(200);
    expect((await get(`${path}&limit=1`, rep.token, first.etag)).status).toBe(200);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "a new record",
      () =>
        addRows(service, "crm/opportunities", [
          { name: "Another", company_id: company, owned_by: rep.id, amount: "1.00" },
        ]),
    ],
    [
      "a referenced record's new name",
      () => edit("crm/companies", "companies", { id: company, name: `Acme ${Math.random()}` }),
    ],
    [
      "a change of the view",
      async () => {
        const row = await service.db.row(
          sql`select id from core__listviews where organization_id = 1 and controller = 'crm/opportunities' and is_default = 1`,
        );
        return edit("core/listviews", "listviews", { id: row?.id ?? "", description: `${Math.random()}` });
      },
    ],
    [
      "somebody's new group",
      async () => {
        const groups = { name: `Group ${Math.random()}` };
        return service.post(
          "/access_controls/groups/add.json",
          { data: { groups, action: { save_progress: "Save" } } },
          admin,
        );
      },
    ],
  ])("is sent anew after %s", async (what, change) => {
    const before = await get(path, rep.token);
    await change();
    const after = await get(path, rep.token, before.etag);
    if (what !== "somebody's new group") expect(after.status).toBe(200);
    if (after.status === 200 && what === "a referenced record's new name") {
      expect(JSON.stringify(after.body)).toContain("Acme 0.");
    }
    expect((await get(path, rep.token, after.etag)).status).toBe(304);
  });
});

test("a change of what a role may do is seen in the flags, not hidden by a 304", async () => {
  const person = await addPerson(service, "flags", ["sales_rep"]);
  await addRows(service, "crm/leads", [{ name: "L", last_name: "L", owned_by: person.id }]);
  const before = await get("/crm/leads/index.json?track_open=0", person.token);
  expect(before.body.paginate.data[0].is_delete).toBe(true);
  const row = await service.db.row(sql`
    select o.id from access_controls__role_operations o join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id
    where o.organization_id = 1 and r.code = 'sales_rep' and o.record_type = 'crm/leads'`);
  const changed = await edit("access_controls/role_operations", "role_operations", {
    id: row?.id ?? "",
    operations: "index;view;edit;comment",
  });
  expect(changed.body.errors).toEqual([]);
  const after = await get("/crm/leads/index.json?track_open=0", person.token, before.etag);
  expect(after.status).toBe(200);
  expect(after.body.paginate.data[0].is_delete).toBe(false);
});

describe("two services on one database", () => {
  test("see each other's records, names, views and access at once", async () => {
    const path = "/crm/companies/index.json?track_open=0&search_basic=shared";
    const count = async (on: TestService, token = admin) =>
      (await get(path, token, undefined, on)).body.paginate.total_count;
    expect(await count(second)).toBe(0);
    const [id = ""] = await addRows(service, "crm/companies", [{ name: "Shared one", owned_by: rep.id }]);
    expect(await count(second)).toBe(1);
    const there = await get(path, admin, undefined, second);
    await edit("crm/companies", "companies", { id, name: "Shared two" });
    const after = await get(path, admin, there.etag, second);
    expect(after.body.paginate.data[0].record_display_name).toBe("Shared two");
    const data = {
      listviews: {
        name: "Everybody's",
        controller: "crm/companies",
        query: '{"fields":["companies.name"]}',
        is_personal: "0",
      },
      action: { save_progress: "Save" },
    };
    const made = await service.post("/core/listviews/add.json", { data }, admin);
    const opened = await get(
      `/crm/companies/index.json?track_open=0&current_listview=${made.body.id}`,
      admin,
      undefined,
      second,
    );
    expect(opened.body.listview_name).toBe("Everybody's");
  });

  test("remember the view that was used last, wherever that was", async () => {
    const person = await addPerson(service, "wanderer", ["sales_rep"]);
    const views = await service.db.rows(
      sql`select id, name from core__listviews where organization_id = 1 and controller = 'crm/leads'`,
    );
    const open = async (name: string, on: TestService) => {
      const id = views.find((view) => view.name === name)?.id;
      await get(`/crm/leads/index.json?current_listview=${id}`, person.token, undefined, on);
      const last = async () =>
        (await get("/crm/leads/index.json?track_open=0", person.token, undefined, on)).body.listview_name;
      await expect.poll(last).toBe(name);
    };
    await open("My leads", service);
    await open("Hot leads", second);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await open("My leads", service);
  });

  test("take a right away at once", async () => {
    const [id = ""] = await addRows(service, "crm/leads", [
      { name: "Handed", last_name: "Handed", status: "new", owned_by: rep.id },
    ]);
    const path = "/crm/leads/index.json?track_open=0&search_basic=handed";
    expect((await get(path, rep.token, undefined, second)).body.paginate.total_count).toBe(1);
    const other = await addPerson(service, "other", ["sales_rep"]);
    expect((await edit("crm/leads", "leads", { id, owned_by: other.id })).body.errors).toEqual([]);
    expect((await get(path, rep.token, undefined, second)).body.paginate).toMatchObject({ total_count: 0, data: [] });
    expect((await get(path, other.token, undefined, second)).body.paginate.total_count).toBe(1);
  });
});

describe("another organization", () => {
  test("has lists, views and counts of its own", async () => {
    const stranger = await addOrganization(service, "elsewhere");
    const mine = await get(deals, admin);
    const theirs = await get(deals, stranger.token);
    expect(theirs.body.paginate).toMatchObject({ total_count: 0, data: [], name: "All opportunities" });
    expect(theirs.body.listview_id).not.toBe(mine.body.listview_id);
    expect((await get(deals, stranger.token, mine.etag)).status).toBe(200);
    const foreign = await get(`${deals}&current_listview=${mine.body.listview_id}`, stranger.token);
    expect(foreign.body.message[0]).toContain("no longer exists");
    const q = encodeURIComponent(
      JSON.stringify({
        where: { OR: [{ "opportunities.organization_id": "1" }, { "opportunities.id": { op: ">", value: 0 } }] },
      }),
    );
    expect((await get(`${deals}&q=${q}`, stranger.token)).body.paginate.total_count).toBe(0);
    const all = await get("/access_controls/users/index.json?track_open=0", stranger.token);
    expect(all.body.paginate.total_count).toBe(1);
    const group = encodeURIComponent('{"fields":["count(users.id) as n"]}');
    expect(
      (await get(`/access_controls/users/index.json?track_open=0&q=${group}`, stranger.token)).body.paginate.data,
    ).toEqual([{ n: "1" }]);
  });
});
