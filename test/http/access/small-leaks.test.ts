// What one learns on the side: nothing about hidden fields, unreadable records, other people's shares or figures of the organization.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

type Values = Record<string, unknown>;

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let marketing: Person;

const save = (type: string, operation: string, values: Values, token: string): Promise<Answer> =>
  service.post(
    `/${type}/${operation}.json`,
    { data: { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } } },
    token,
  );

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  const operations = [
    { record_type: "crm/leads", operations: "index;view;add;edit;delete;bulk" },
    { record_type: "core/jobs", operations: "view" },
  ];
  const fields = ["mobile", "name"].map((field) => ({ record_type: "crm/leads", field, permission: "1" }));
  const role = { code: "blind", name: "Blind", operations, fields };
  expect((await save("access_controls/roles", "add", role, admin)).body.errors).toEqual([]);
  const adding = { code: "adding", name: "Adding", operations: [{ record_type: "crm/leads", operations: "add" }] };
  expect((await save("access_controls/roles", "add", adding, admin)).body.errors).toEqual([]);
  marketing = await addPerson(service, "blind", ["blind"]);
});
afterAll(() => service.stop());

test("a list gives the id of a record that cannot be read, and not its name", async () => {
  const [deal = ""] = await addRows(service, "crm/opportunities", [{ name: "Unseen deal", owned_by: other.id }]);
  await addRows(service, "crm/quotes", [{ name: "Offer", opportunity_id: deal, owned_by: rep.id }]);
  const q = encodeURIComponent(JSON.stringify({ fields: ["quotes.name", "quotes.opportunity_id"] }));
  const listed = async (token: string) =>
    JSON.stringify((await service.get(`/crm/quotes/index.json?q=${q}`, token)).body.paginate.data);
  expect(await listed(admin)).toContain("Unseen deal");
  expect(await listed(rep.token)).toContain("Offer");
  expect(await listed(rep.token)).not.toContain("Unseen deal");
  // Nor can it be named: as if it were not there.
  const naming = (id: string) => save("crm/quotes", "add", { name: "Another", opportunity_id: id }, rep.token);
  for (const id of [deal, "999999"]) {
    expect((await naming(id)).body.errors_by_field).toMatchObject({
      "quotes.opportunity_id": ["Opportunity does not exist"],
    });
  }
});

const email = "ada@example.com";

test("the duplicate warning compares nothing that is hidden, and names nothing that cannot be read", async () => {
  const [mobile, phone] = ["+44 20 7946 0001", "+44 20 7946 0002"];
  await addRows(service, "crm/leads", [
    { last_name: "Lovelace", name: "Lovelace", email, mobile, phone, owned_by: marketing.id },
    { last_name: "Unseen", name: "Unseen", email, owned_by: other.id },
  ]);
  const ask = (values: Values, token: string) => save("crm/leads", "add", { last_name: "New", ...values }, token);
  // A value that stands in a field that is hidden from this role: as if it stood nowhere.
  expect((await ask({ phone: mobile }, marketing.token)).body.errors).toEqual([]);
  const unnamed = await ask({ phone }, marketing.token);
  expect(unnamed.body.duplicates).toEqual([expect.objectContaining({ name: null })]);
  expect(JSON.stringify(unnamed.body)).not.toMatch(/Lovelace/);
  // By records that this person may not read.
  expect((await ask({ email }, rep.token)).body.errors).toEqual([]);
  const own = await ask({ email }, rep.token);
  expect(own.status).toBe(409);
  expect(own.body.duplicates).toEqual([
    expect.objectContaining({ name: "New", labels: [expect.stringMatching(/^E-?mail$/)] }),
  ]);
  expect(JSON.stringify(own.body)).not.toMatch(/Lovelace|Unseen/);
});

test("somebody who only adds records learns nothing of those that are there", async () => {
  const adder = await addPerson(service, "adder", ["adding"]);
  await addRows(service, "crm/leads", [{ last_name: "Mine", email: "mine@example.com", owned_by: adder.id }]);
  const { body } = await save("crm/leads", "add", { last_name: "New", email: "mine@example.com" }, adder.token);
  expect(JSON.stringify(body)).not.toMatch(/Mine|duplicate/);
});

describe("the undo of a deletion or of a restoration tells nothing", () => {
  const selected = async (operation: string, ids: readonly string[], token: string) => {
    const { body } = await service.post(`/crm/leads/${operation}.json`, { ids, is_confirm: "1" }, token);
    expect([body.errors, body.data.changed]).toEqual([[], ids]);
    return body.job_id;
  };
  const undo = async (job: string, token: string) =>
    (await service.post(`/core/jobs/undo.json?id=${job}`, {}, token)).body;
  const leadsOf = (owner: Person, values: Values = {}) =>
    addRows(
      service,
      "crm/leads",
      ["Kept", "Taken"].map((last_name) => ({
        last_name,
        name: last_name,
        status: "new",
        owned_by: owner.id,
        ...values,
      })),
    );

  test.each(["delete_selected", "restore_selected"])("of records taken away since, by %s", async (operation) => {
    const ids = await leadsOf(rep);
    const [kept = "", taken = ""] = ids;
    if (operation === "restore_selected") await selected("delete_selected", ids, rep.token);
    const job = await selected(operation, ids, rep.token);
    // Somebody else's now, and changed by them since.
    await service.post(`/crm/leads/restore.json?id=${taken}`, {}, admin);
    await save("crm/leads", "edit", { id: taken, owned_by: other.id, last_name: "Theirs" }, admin);
    if (operation === "delete_selected") {
      await service.post(`/crm/leads/delete.json?id=${taken}&is_confirm=1`, {}, admin);
    }
    const body = await undo(job, rep.token);
    expect(body.data).toEqual({ changed: [kept], failed: { [taken]: ["Lead not found"] }, left_alone: {} });
    expect(JSON.stringify(body)).not.toContain("Theirs");
  });

  test.each(["delete_selected", "restore_selected"])("of hidden fields, by %s", async (operation) => {
    const ids = await leadsOf(marketing, { mobile: "+442079460005" });
    const [first = ""] = ids;
    if (operation === "restore_selected") await selected("delete_selected", ids, marketing.token);
    const job = await selected(operation, ids, marketing.token);
    if (operation === "delete_selected") await service.post(`/crm/leads/restore.json?id=${first}`, {}, admin);
    await save("crm/leads", "edit", { id: first, mobile: "+442079460006" }, admin);
    if (operation === "delete_selected") {
      await service.post(`/crm/leads/delete.json?id=${first}&is_confirm=1`, {}, admin);
    }
    const body = await undo(job, marketing.token);
    expect(body.errors).toEqual([]);
    expect(JSON.stringify(body)).not.toMatch(/mobile|20 ?7946/);
    // What is hidden from whoever undid it is as it was left.
    const seen = await service.db.row(sql`select mobile from crm__leads where id = ${first}::bigint`);
    expect(seen).toEqual({ mobile: "+442079460006" });
  });
});

describe("the undo of a job tells nothing", () => {
  const many = async (operation: string, leads: readonly Values[], token: string) => {
    const { body } = await service.post(`/crm/leads/${operation}.json`, { data: { leads } }, token);
    expect(body.errors).toEqual([]);
    return body;
  };
  const undo = async (job: string, token: string) =>
    (await service.post(`/core/jobs/undo.json?id=${job}`, {}, token)).body;

  test("of fields that are hidden from whoever undoes it", async () => {
    const { job_id: job, data } = await many("add_many", [{ last_name: "One" }, { last_name: "Two" }], marketing.token);
    const [one, two] = data.leads.map(({ id }: { id: string }) => id);
    expect((await save("crm/leads", "edit", { id: one, mobile: "+44 20 7946 0003" }, admin)).body.errors).toEqual([]);
    const { data: undone } = await undo(job, marketing.token);
    expect(undone).toMatchObject({ changed: [two], left_alone: { [one]: [] } });
  });

  test("of a field that was hidden since: it stays, and the others go back", async () => {
    const operations = [
      { record_type: "crm/leads", operations: "index;view;add;edit;delete;bulk" },
      { record_type: "core/jobs", operations: "view" },
    ];
    const { body: role } = await save(
      "access_controls/roles",
      "add",
      { code: "seer", name: "Seer", operations },
      admin,
    );
    const seer = await addPerson(service, "seer", ["seer"]);
    const { data } = await many("add_many", [{ last_name: "Oak", city: "Bath" }], seer.token);
    const [{ id }] = data.leads;
    const { job_id: job } = await many("edit_many", [{ id, city: "York", mobile: "+44 20 7946 0011" }], seer.token);
    const fields = [{ record_type: "crm/leads", field: "mobile", permission: "1" }];
    expect((await save("access_controls/roles", "edit", { id: role.id, fields }, admin)).body.errors).toEqual([]);
    const { data: undone } = await undo(job, seer.token);
    expect(undone).toEqual({ changed: [id], failed: {}, left_alone: {} });
    const kept = await service.db.row(sql`select city, mobile from crm__leads where id = ${id}::bigint`);
    expect(kept).toEqual({ city: "Bath", mobile: "+44 20 7946 0011" });
  });

  test.each(["add_many", "edit_many"])("of records that were taken away from whoever made it, by %s", async (by) => {
    const added = await many("add_many", [{ last_name: "Kept" }, { last_name: "Taken" }], rep.token);
    const [kept, taken] = added.data.leads.map(({ id }: { id: string }) => id);
    const rows = [kept, taken].map((id) => ({ id, city: "Bath" }));
    const job = by === "add_many" ? added.job_id : (await many("edit_many", rows, rep.token)).job_id;
    const change = { id: taken, owned_by: other.id, city: "York" };
    expect((await save("crm/leads", "edit", change, admin)).body.errors).toEqual([]);
    const { data } = await undo(job, rep.token);
    expect(data).toEqual({
      changed: [kept],
      failed: { [taken]: ["Lead not found"] },
      left_alone: {},
    });
  });
});

test("shares are listed with the records that they are about, for those who may read these", async () => {
  const [lead = ""] = await addRows(service, "crm/leads", [{ last_name: "Shared", owned_by: rep.id }]);
  const principal = await service.db.row(sql`
    select principal_id::text as id from access_controls__users where organization_id = 1 and id = ${marketing.id}::bigint`);
  const shared = await service.post(
    `/crm/leads/share.json?id=${lead}&principal_id=${principal?.id}&rights=read`,
    {},
    rep.token,
  );
  expect(shared.body.errors).toEqual([]);
  const share = shared.body.data.access.shares[0].id;
  const listed = async (token: string) => {
    const { body } = await service.get("/access_controls/shares/index.json", token);
    return [
      body.paginate.total_count,
      (await service.get(`/access_controls/shares/view.json?id=${share}`, token)).status,
    ];
  };
  expect(await listed(other.token)).toEqual([0, 404]);
  expect(await listed(rep.token)).toEqual([1, 200]);
  expect(await listed(marketing.token)).toEqual([1, 200]);
  expect(await listed(admin)).toEqual([1, 200]);
  expect(
    (await save("access_controls/shares", "edit", { id: share, rights: "read;edit" }, marketing.token)).status,
  ).toBe(403);
  // Whoever may only read the record passes on nothing of it.
  const further = { related_type: "crm/leads", related_id: lead, principal_id: "1", rights: "read" };
  const { status, body } = await save("access_controls/shares", "add", further, marketing.token);
  expect([status, Object.keys(body.errors_by_field)]).toEqual([422, ["shares.related_id"]]);
  expect(await listed(other.token)).toEqual([0, 404]);
  expect((await service.post(`/crm/leads/unshare.json?id=${lead}&share=${share}`, {}, rep.token)).body.errors).toEqual(
    [],
  );
  expect(await listed(marketing.token)).toEqual([0, 404]);
});

test("how many users and records there are is told to administrators", async () => {
  const figures = async (token: string) => {
    const { organizations } = (await service.get("/access_controls/organizations/info.json", token)).body.data;
    return [organizations.user_count, organizations.active_user_count, organizations.record_count];
  };
  expect(await figures(rep.token)).toEqual([null, null, null]);
  for (const figure of await figures(admin)) expect(Number(figure)).toBeGreaterThan(0);
});

test("nobody chooses their own manager, nor whose their own record is", async () => {
  const everything = [{ record_type: "access_controls/users", operations: "index;view;edit;bulk" }];
  const role = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
  expect(
    (await save("access_controls/roles", "edit", { id: role?.id, operations: everything }, admin)).body.errors,
  ).toEqual([]);
  const path = "/access_controls/users";
  const answers = [
    await save("access_controls/users", "edit", { id: rep.id, manager_id: other.id }, rep.token),
    await save("access_controls/users", "edit", { id: rep.id, owned_by: other.id }, rep.token),
    await service.post(
      `${path}/edit_many.json`,
      { data: { users: { 0: { id: rep.id, manager_id: other.id } } } },
      rep.token,
    ),
    await service.post(
      `${path}/edit_selected.json`,
      { ids: [rep.id], data: { users: { manager_id: other.id } } },
      rep.token,
    ),
    await service.post(`${path}/profile.json`, { data: { users: { title: "Rep", manager_id: other.id } } }, rep.token),
  ];
  expect(answers[0]?.body.errors_by_field["users.manager_id"]).toEqual([expect.stringMatching(/own manager/)]);
  const stored = () =>
    service.db.row(sql`
      select manager_id::text as manager, owned_by::text as owner from access_controls__users
      where organization_id = 1 and id = ${rep.id}::bigint`);
  expect(await stored()).toEqual({ manager: null, owner: rep.id });
  expect(
    (await save("access_controls/users", "edit", { id: rep.id, title: "Senior rep" }, rep.token)).body.errors,
  ).toEqual([]);
  expect(
    (await save("access_controls/users", "edit", { id: rep.id, manager_id: other.id }, admin)).body.errors,
  ).toEqual([]);
  expect(await stored()).toEqual({ manager: other.id, owner: rep.id });
});

test("a purge leaves nothing of a record: what was put aside, its stages, who was told of it, who had a share", async () => {
  const made = await save("crm/leads", "add", { last_name: "Vanishing" }, rep.token);
  const id: string = made.body.id;
  await service.post(`/crm/leads/share.json?id=${id}&principal_id=1&rights=read`, {}, admin);
  await save(
    "core/comments",
    "add",
    { related_type: "crm/leads", related_id: id, body: "Vanishing @admin" },
    rep.token,
  );
  await service.db.run(sql`
    insert into metadata__discarded_values (organization_id, record_type, record_id, field, value)
    values (1, 'crm/leads', ${id}, 'nickname', 'Vanishing'), (1, 'crm/leads', '0', 'nickname', 'Staying')`);
  const left = async () => {
    const row = await service.db.row(sql`
      select (select count(*) from metadata__discarded_values where record_id = ${id})
        + (select count(*) from core__row_changes where record_type = 'crm/leads' and record_id = ${id})
        + (select count(*) from core__stage_log where related_type = 'crm/leads' and related_id = ${id})
        + (select count(*) from core__notifications where related_type = 'crm/leads' and related_id = ${id})
        + (select count(*) from access_controls__shares where related_type = 'crm/leads' and related_id = ${id}) as count`);
    return Number(row?.count);
  };
  expect(await left()).toBeGreaterThan(1);
  expect((await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin)).status).toBe(200);
  expect((await service.post(`/crm/leads/purge.json?id=${id}&is_confirm=1`, {}, admin)).body.errors).toEqual([]);
  expect(await left()).toBe(0);
  const kept = await service.db.row(sql`select count(*)::text as count from metadata__discarded_values`);
  expect(kept?.count).toBe("1");
});
