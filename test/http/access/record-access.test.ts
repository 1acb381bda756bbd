// Who may do what with a record and why, sharing by hand, and the search over everything: each as far as the caller may.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let lead: string;

const get = (path: string, token = rep.token) => service.get(path, token);
const principalOf = async (id: string) =>
  (await service.db.row(sql`select principal_id::text as p from access_controls__users where id = ${id}::bigint`))?.p;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  [lead = ""] = await addRows(service, "crm/leads", [
    { last_name: "Zephyrine", name: "Zephyrine", owned_by: rep.id, status: "new" },
  ]);
});
afterAll(() => service.stop());

describe("who may see a record", () => {
  test("is told to those who may edit it, with names and reasons", async () => {
    const { status, body } = await get(`/crm/leads/access.json?id=${lead}`);
    expect(status).toBe(200);
    const of = (name: string) => body.data.access.holders.find((one: { name: string }) => one.name === name);
    expect(of("rep")).toMatchObject({ kind: "user" });
    expect(of("rep").reasons).toContainEqual({ right: "edit", reason: "owner" });
    expect(of("Sales manager")).toMatchObject({ kind: "role" });
    expect(of("Sales manager").reasons).toContainEqual({ right: "read", reason: "role:sales_manager" });
    expect(of("Administrator").reasons).toContainEqual({ right: "delete", reason: "administrator" });
    expect(of("other")).toBeUndefined();
  });

  test("is not told of a role of administrators that was deleted", async () => {
    const roles = { name: "Former", code: "former", is_administrator: "1" };
    const added = await service.post(
      "/access_controls/roles/add.json",
      { data: { roles, action: { save_progress: "Save" } } },
      admin,
    );
    const holders = async () => {
      const { body } = await get(`/crm/leads/access.json?id=${lead}`);
      return body.data.access.holders.map((one: { name: string }) => one.name);
    };
    const before = await holders();
    expect(before).toContain("Former");
    await service.post(`/access_controls/roles/delete.json?id=${added.body.id}&is_confirm=1`, {}, admin);
    expect(await holders()).toEqual(before.filter((name: string) => name !== "Former"));
  });

  test("of a comment is told with those who read its record", async () => {
    const said = { related_type: "crm/leads", related_id: lead, body: "Said" };
    const data = { comments: said, action: { save_progress: "Save" } };
    const { id } = (await service.post("/core/comments/add.json", { data }, rep.token)).body;
    const { body } = await get(`/core/comments/access.json?id=${id}`);
    const of = (name: string) => body.data.access.holders.find((one: { name: string }) => one.name === name);
    expect(of("Sales manager").reasons).toEqual([{ right: "read", reason: "record" }]);
    expect(of("rep").reasons).toContainEqual({ right: "edit", reason: "owner" });
    expect(of("other")).toBeUndefined();
  });

  test("is told by who_may as the same rule decides it", async () => {
    const { data } = (await get(`/access_controls/roles/who_may.json?controller=crm/leads&id=${lead}`)).body;
    const holders = (right: string) => data.record.holders[right].map((one: { name: string }) => one.name);
    for (const right of ["read", "edit", "delete", "comment"]) expect(holders(right)).toContain("Administrator");
    expect(holders("edit")).toContain("rep");
    expect(holders("read")).not.toContain("other");
    // A role has what somebody with that role alone would have.
    const path = "/access_controls/roles/who_may.json?controller=core/jobs";
    const { roles } = (await get(path, admin)).body.data;
    const administrator = roles.find((role: { code: string }) => role.code === "administrator");
    expect(administrator.operations).toMatchObject({ view: 1, add: 0, edit: 0, delete: 1 });
    // What it says of a type comes before what it says of all.
    const operations = [
      { record_type: "*", operations: "index;view;delete" },
      { record_type: "crm/leads", operations: "index;view;edit" },
    ];
    const values = { data: { roles: { name: "Pair", code: "pair", operations }, action: { save_progress: "Save" } } };
    expect((await service.post("/access_controls/roles/add.json", values, admin)).body.errors).toEqual([]);
    const of = async (type: string) =>
      (await get(`/access_controls/roles/who_may.json?controller=${type}`, admin)).body.data.roles.find(
        (role: { code: string }) => role.code === "pair",
      ).operations;
    expect(await of("crm/leads")).toMatchObject({ view: 1, edit: 1, delete: 0 });
    expect(await of("crm/companies")).toMatchObject({ view: 1, edit: 0, delete: 1 });
  });

  test("is a 404 to those who may not read it, and a 403 to those who may only read it", async () => {
    expect((await get(`/crm/leads/access.json?id=${lead}`, other.token)).status).toBe(404);
    const principal_id = await principalOf(other.id);
    const shared = await service.post(
      `/crm/leads/share.json?id=${lead}`,
      { principal_id, rights: "read", until: "2099-01-01 00:00:00" },
      rep.token,
    );
    expect([shared.status, shared.body.errors]).toEqual([200, []]);
    const [share] = shared.body.data.access.shares;
    expect(share).toMatchObject({ name: "other", kind: "user", rights: "read", until: "2099-01-01 00:00:00" });
    const holder = shared.body.data.access.holders.find((one: { name: string }) => one.name === "other");
    expect(holder.reasons).toEqual([{ right: "read", reason: "share", until: "2099-01-01 00:00:00" }]);
    expect((await get(`/crm/leads/view.json?id=${lead}`, other.token)).status).toBe(200);
    expect((await get(`/crm/leads/access.json?id=${lead}`, other.token)).status).toBe(403);
    const by = await service.post(`/crm/leads/share.json?id=${lead}`, { principal_id: "1" }, other.token);
    expect(by.status).toBe(403);
    const taken = await service.post(`/crm/leads/unshare.json?id=${lead}&share=${share.id}`, {}, rep.token);
    expect([taken.status, taken.body.data.access.shares]).toEqual([200, []]);
    expect((await get(`/crm/leads/view.json?id=${lead}`, other.token)).status).toBe(404);
    // A share of another record is no share of this one.
    const again = await service.post(`/crm/leads/unshare.json?id=${lead}&share=${share.id}`, {}, rep.token);
    expect(again.status).toBe(404);
  });

  test("changes with a share of a deleted record, and no list counts that record again", async () => {
    const [gone = "", there = ""] = await addRows(
      service,
      "crm/leads",
      ["Gone", "There"].map((name) => ({ last_name: name, name, owned_by: rep.id, status: "new" })),
    );
    const principal_id = await principalOf(other.id);
    const share = async (id: string): Promise<string> => {
      const path = `/crm/leads/share.json?id=${id}`;
      const shared = await service.post(path, { principal_id, rights: "read" }, rep.token);
      return shared.body.data.access.shares[0].id;
    };
    const [ofGone] = [await share(gone), await share(there)];
    const count = async () => (await get("/crm/leads/index.json?limit=1", other.token)).body.paginate.total_count;
    expect(await count()).toBe(2);
    expect((await service.post(`/crm/leads/delete.json?id=${gone}&is_confirm=1`, {}, rep.token)).status).toBe(200);
    expect((await get(`/crm/leads/access.json?id=${gone}`)).status).toBe(404);
    const taken = await service.post(`/access_controls/shares/delete.json?id=${ofGone}&is_confirm=1`, {}, admin);
    expect(taken.body.errors).toEqual([]);
    expect(await count()).toBe(1);
  });

  test("names the users and groups that it can be shared with", async () => {
    const { body } = await get(`/crm/leads/access.json?id=${lead}&find=OTH`);
    const without = await get("/crm/leads/access.json?find=OTH");
    expect(without.body.data.access).toEqual({ candidates: body.data.access.candidates });
    expect(body.data.access.candidates).toMatchObject([{ kind: "user", name: "other" }]);
    const everybody = (await get(`/crm/leads/access.json?id=${lead}&find=`)).body.data.access.candidates;
    expect(everybody.map((one: { name: string }) => one.name)).toEqual(expect.arrayContaining(["other", "rep"]));
  });

  test("is passed on for no longer than one has it oneself", async () => {
    const [lent = ""] = await addRows(service, "crm/leads", [
      { last_name: "Lent", name: "Lent", owned_by: rep.id, status: "new" },
    ]);
    const share = (values: Record<string, unknown>, token: string) =>
      service.post(`/crm/leads/share.json?id=${lent}`, values, token);
    const principal_id = await principalOf(other.id);
    const given = await share({ principal_id, rights: "read;edit", until: "2099-01-01 00:00:00" }, rep.token);
    expect(given.body.errors).toEqual([]);
    const [{ id }] = given.body.data.access.shares;
    const change = (until: string | null) => {
      const data = { shares: { id, until }, action: { save_progress: "Save" } };
      return service.post("/access_controls/shares/edit.json", { data }, other.token);
    };
    const forAll = (until: string | null) => share({ principal_id: "1", rights: "read", until }, other.token);
    for (const refused of [await change(null), await change("2100-01-01 00:00:00"), await forAll(null)]) {
      expect([refused.status, Object.keys(refused.body.errors_by_field ?? {})]).toEqual([422, ["shares.until"]]);
    }
    for (const shared of [await change("2098-01-01 00:00:00"), await forAll("2097-01-01 00:00:00")])
      expect(shared.body.errors).toEqual([]);
  });
});

describe("the search over everything", () => {
  const search = async (text: string, token = rep.token) =>
    (await get(`/core/search/index.json?text=${encodeURIComponent(text)}`, token)).body.data;

  beforeAll(async () => {
    await addRows(
      service,
      "crm/companies",
      Array.from({ length: 7 }, (_, index) => ({ name: `Quixotry ${index}`, owned_by: rep.id })),
    );
    await addRows(service, "crm/leads", [
      { last_name: "Quixotry", name: "Ann Quixotry", owned_by: other.id, status: "new" },
    ]);
  });

  test("groups what it finds by record type, a few of each", async () => {
    const { search: groups, unfinished } = await search("quixotry", admin);
    expect(unfinished).toEqual([]);
    expect(
      groups.map(({ controller, records, has_more }: { controller: string; records: unknown[]; has_more: boolean }) => [
        controller,
        records.length,
        has_more,
      ]),
    ).toEqual([
      ["crm/companies", 5, true],
      ["crm/leads", 1, false],
    ]);
    expect(groups[1]).toMatchObject({ label: "Lead", plural: "Leads", records: [{ name: "Ann Quixotry" }] });
    expect(groups[1].records[0].business_key).toMatch(/^L-\d+$/);
  });

  test("says what tells records of the same name apart, as far as the caller may read it", async () => {
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "Vantreight" }]);
    await addRows(service, "crm/opportunities", [
      { name: "Zephyrline", company_id: company, stage: "proposal", competitor: "Rival", owned_by: rep.id },
    ]);
    await addRows(service, "crm/leads", [
      {
        last_name: "Zephyrline",
        name: "Ida Zephyrline",
        company_name: "Acme",
        email: "ida@acme.example",
        status: "new",
      },
    ]);
    const { search: groups } = await search("zephyrline", admin);
    const factsOf = (controller: string) =>
      groups.find((group: { controller: string }) => group.controller === controller).records[0].facts;
    expect(factsOf("crm/leads").map(({ text }: { text: string }) => text)).toEqual(["Acme", "ida@acme.example", "New"]);
    expect(factsOf("crm/opportunities")).toEqual([
      { label: "Company", text: "Vantreight" },
      { label: "Competitor", text: "Rival" },
      { label: "Stage", text: "Proposal" },
      { label: "Owned by", text: "rep" },
    ]);
    // What a role may not see is told by nothing.
    const role = await service.db.row(
      sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`,
    );
    const hidden = { role_id: role?.id, record_type: "crm/opportunities", field: "competitor", permission: "1" };
    const body = { data: { role_fields: hidden, action: { save_progress: "Save" } } };
    expect((await service.post("/access_controls/role_fields/add.json", body, admin)).body.errors).toEqual([]);
    const { search: mine } = await search("zephyrline");
    expect(mine[0].records[0].facts.map(({ text }: { text: string }) => text)).toEqual([
      "Vantreight",
      "Proposal",
      "rep",
    ]);
  });

  test("finds nothing that the caller's own lists would not show", async () => {
    const { search: groups } = await search("quixotry");
    expect(groups.map(({ controller }: { controller: string }) => controller)).toEqual(["crm/companies"]);
    const stranger = await addOrganization(service, "Elsewhere");
    expect((await search("quixotry", stranger.token)).search).toEqual([]);
  });

  test("names what is not there in time, and the database does not go on looking for it", async () => {
    await service.db.transaction(async (transaction) => {
      await transaction.run(sql`lock table crm__companies in access exclusive mode`);
      const { search: groups, unfinished } = await search("quixotry", admin);
      expect(unfinished).toContain("crm/companies");
      expect(groups).toMatchObject([{ controller: "crm/leads" }]);
      const looking = async () =>
        (
          await service.db.rows(sql`
          select query from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%crm__companies%'`)
        ).length;
      await expect.poll(looking).toBe(0);
    });
    // What was given up has left nothing behind on its connection.
    expect((await search("quixotry", admin)).search).toMatchObject([
      { controller: "crm/companies" },
      { controller: "crm/leads" },
    ]);
  });

  test("takes every word, ignores case and accents, and says what it does not take", async () => {
    expect((await search("QUÍXOTRY ann", other.token)).search).toMatchObject([{ controller: "crm/leads" }]);
    expect((await search("")).search).toEqual([]);
    expect((await get("/core/search/index.json?text=a&limit=1000")).status).toBe(400);
    expect((await get("/core/search/index.json?text=a", "")).status).toBe(401);
  });
});
