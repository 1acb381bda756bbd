// delete, restore and purge on the wire: what goes along, what stands in the way, and what can never go.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let manager: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
});

afterAll(() => service.stop());

const save = (type: string, operation: "add" | "edit", values: Record<string, unknown>, token = rep.token) => {
  const [, controller = ""] = type.split("/");
  return service.post(
    `/${type}/${operation}.json`,
    { data: { [controller]: values, action: { save_progress: "Save" } } },
    token,
  );
};
const call = (path: string, token = rep.token) => service.post(path, {}, token);
const seen = async (id: string, token = rep.token, type = "crm/leads") =>
  (await service.get(`/${type}/view.json?id=${id}`, token)).body;
const total = async (token = rep.token) =>
  Number((await service.get("/crm/leads/index.json?limit=1", token)).body.paginate.total_count);

describe("delete", () => {
  let lead: string;
  beforeEach(async () => {
    const addresses = [{ address_line_1: "1 Road" }, { address_line_1: "2 Road" }];
    const values = { last_name: "Doomed", addresses, email_addresses: [{ email: `${crypto.randomUUID()}@b.example` }] };
    lead = (await save("crm/leads", "add", values)).body.id;
  });

  test.each(["GET", "POST"])(
    "by %s without confirmation does nothing and tells what would go along",
    async (method) => {
      const path = `/crm/leads/delete.json?id=${lead}`;
      const { status, body } = method === "GET" ? await service.get(path, rep.token) : await call(path);
      expect(status).toBe(409);
      expect(body.errors).toEqual([
        "Nothing was deleted. Send is_confirm=1 to confirm",
        "Also deleted: 2 addresses, 1 email address",
      ]);
      expect((await seen(lead)).is_record_deleted).toBe(false);
    },
  );

  test.each([
    ["GET", "is_confirm=1"],
    ["POST", "is_confirm=1"],
    ["GET", "override=1"],
  ])("by %s with %s deletes the record with its children, and lists it no more", async (method, consent) => {
    const before = await total();
    const path = `/crm/leads/delete.json?id=${lead}&${consent}`;
    const { status, body } = method === "GET" ? await service.get(path, rep.token) : await call(path);
    expect([status, body.errors, body.message]).toEqual([200, [], ["Lead deleted"]]);
    expect(await total()).toBe(before - 1);
    const view = await seen(lead);
    expect(view).toMatchObject({ is_record_deleted: true, is_deletable: 0, is_editable: 0 });
    expect(view.data.leads).toMatchObject({ deleted: "1", revision: "2", addresses: [] });
    const rows = await service.db.rows(
      sql`select deleted from core__addresses where related_id = ${lead} and related_type = 'crm/leads'`,
    );
    expect(rows.map((row) => row.deleted)).toEqual(["1", "1"]);
  });

  test("is a conflict the second time, and so is an edit of what is deleted", async () => {
    await call(`/crm/leads/delete.json?id=${lead}&is_confirm=1`);
    expect((await call(`/crm/leads/delete.json?id=${lead}&is_confirm=1`)).status).toBe(409);
    expect((await save("crm/leads", "edit", { id: lead, score: "1" })).status).toBe(409);
  });

  test("is not found by those who may not read, forbidden to those who may not delete, and needs an id", async () => {
    expect((await call(`/crm/leads/delete.json?id=${lead}&is_confirm=1`, other.token)).status).toBe(404);
    expect((await call("/crm/leads/delete.json?id=999999&is_confirm=1")).status).toBe(404);
    expect((await call("/crm/leads/delete.json?is_confirm=1")).status).toBe(400);
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "Seen", owned_by: rep.id }]);
    const answer = await call(`/crm/companies/delete.json?id=${company}&is_confirm=1`, other.token);
    expect([answer.status, answer.body.errors.length]).toEqual([403, 1]);
    expect((await seen(company, rep.token, "crm/companies")).is_record_deleted).toBe(false);
    // Once it is deleted, it is there for those alone who can bring it back.
    await call(`/crm/companies/delete.json?id=${company}&is_confirm=1`);
    const asked = (token: string) =>
      Promise.all([
        call(`/crm/companies/delete.json?id=${company}&is_confirm=1`, token),
        save("crm/companies", "edit", { id: company, name: "Changed" }, token),
        ...["view", "revisions", "timeline", "stage_log", "access", "followers"].map((operation) =>
          service.get(`/crm/companies/${operation}.json?id=${company}`, token),
        ),
        service.get(`/access_controls/roles/who_may.json?controller=crm/companies&id=${company}`, token),
        call(`/crm/companies/share.json?id=${company}&principal_id=1&rights=read`, token),
        call(`/crm/companies/follow.json?id=${company}`, token),
        call(`/crm/companies/restore.json?id=${company}`, token),
      ]);
    expect(new Set((await asked(other.token)).map(({ status }) => status))).toEqual(new Set([404]));
    // Nobody shares or follows what is in the recycle bin.
    for (const operation of ["access.json?", "followers.json?"])
      expect((await service.get(`/crm/companies/${operation}id=${company}`, rep.token)).status).toBe(404);
    expect((await service.get(`/crm/companies/revisions.json?id=${company}`, rep.token)).status).toBe(200);
  });

  test("is refused over a cookie", async () => {
    const response = await fetch(`${service.url}/crm/leads/delete.json?id=${lead}&is_confirm=1`, {
      headers: { cookie: `token=${rep.token}` },
    });
    expect(response.status).toBe(403);
  });

  test("is refused while others need the record, with their list; override deletes all the same", async () => {
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "Needed", owned_by: rep.id }]);
    await addRows(service, "crm/opportunities", [
      { name: "Mine", company_id: company, owned_by: rep.id },
      ...Array.from({ length: 12 }, () => ({ name: "Hidden", company_id: company, owned_by: other.id })),
    ]);
    await addRows(service, "crm/peoples", [{ last_name: "Not needing it", company_id: company }]);
    const refused = await call(`/crm/companies/delete.json?id=${company}&is_confirm=1`);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[1]).toMatch(/^Required by Opportunities: Mine \(\d+\), 12 more$/);
    expect(JSON.stringify(refused.body)).not.toContain("Hidden");
    // Nor by a name that the caller's role hides.
    const { body: roles } = await service.get("/access_controls/roles/index.json?limit=50", admin);
    const own = roles.paginate.data.find((row: Record<string, string>) => row["roles.code"] === "sales_rep");
    const hides = { role_id: own["roles.id"], record_type: "crm/opportunities", field: "name", permission: "1" };
    const mask = (await save("access_controls/role_fields", "add", hides, admin)).body.id;
    const unnamed = await call(`/crm/companies/delete.json?id=${company}&is_confirm=1`);
    expect([unnamed.status, unnamed.body.errors[1]]).toEqual([409, "Required by Opportunities: 13 more"]);
    await call(`/access_controls/role_fields/delete.json?id=${mask}&is_confirm=1`, admin);
    expect((await call(`/crm/companies/delete.json?id=${company}&override=1`)).status).toBe(200);
    expect((await call(`/crm/companies/restore.json?id=${company}`)).status).toBe(200);
  });
});

describe("restore", () => {
  test("brings the record back with the children that went along, and only those", async () => {
    const values = { last_name: "Back", addresses: [{ address_line_1: "Kept" }, { address_line_1: "Removed before" }] };
    const added = (await save("crm/leads", "add", values)).body;
    const [, gone] = added.data.leads.addresses;
    await save("crm/leads", "edit", { id: added.id, addresses: [{ id: gone.id, deleted: "1" }] });
    const before = await total();
    await call(`/crm/leads/delete.json?id=${added.id}&is_confirm=1`);
    const { status, body } = await call(`/crm/leads/restore.json?id=${added.id}`);
    expect([status, body.message]).toEqual([200, ["Lead restored"]]);
    expect(body.data.leads).toMatchObject({ deleted: "0", revision: "4" });
    expect(body.data.leads.addresses.map((row: { address_line_1: string }) => row.address_line_1)).toEqual(["Kept"]);
    expect(await total()).toBe(before);
    expect((await call(`/crm/leads/restore.json?id=${added.id}`)).status).toBe(409);
    // The second time it is the second deletion that counts, for one record and for many.
    for (const [line, many] of [
      ["Later", false],
      ["Last", true],
    ] as const) {
      await save("crm/leads", "edit", { id: added.id, addresses: [{ address_line_1: line }] });
      await call(`/crm/leads/delete.json?id=${added.id}&is_confirm=1`);
      if (many) await service.post("/crm/leads/restore_selected.json", { ids: [added.id] }, manager.token);
      else await call(`/crm/leads/restore.json?id=${added.id}`);
    }
    const { addresses } = (await seen(added.id)).data.leads;
    expect(addresses.map((row: { address_line_1: string }) => row.address_line_1)).toEqual(["Kept", "Later", "Last"]);
  });

  test("is a conflict when what must be unique was taken in the meantime", async () => {
    const values = { name: "Unique", applies_to: "leads" };
    const first = (await save("crm/types", "add", values, admin)).body.id;
    await call(`/crm/types/delete.json?id=${first}&is_confirm=1`, admin);
    expect((await save("crm/types", "add", values, admin)).status).toBe(200);
    expect((await call(`/crm/types/restore.json?id=${first}`, admin)).status).toBe(409);
  });
});

describe("purge", () => {
  test("is for administrators, of deleted records, confirmed; and leaves one line of history", async () => {
    const values = { last_name: "Forget me", addresses: [{ address_line_1: "Forget this" }] };
    const { id } = (await save("crm/leads", "add", values)).body;
    const told = { owned_by: other.id, kind: "mention", text: "Forget this too" };
    const notified = async () =>
      (await service.get("/core/notifications/index.json", other.token)).body.paginate.total_count;
    const before = await notified();
    await addRows(service, "core/notifications", [{ ...told, related_type: "crm/leads", related_id: id }]);
    expect(await notified()).toBe(before + 1);
    const purge = (query: string, token = admin) => call(`/crm/leads/purge.json?id=${id}${query}`, token);
    expect((await purge("&is_confirm=1")).status).toBe(409);
    // What jobs and webhooks have kept of it.
    const selected = { ids: [id], data: { leads: { website: "https://forget-this.example" } } };
    const edited = await service.post("/crm/leads/edit_selected.json", selected, manager.token);
    expect([edited.status, edited.body.data.changed]).toEqual([200, [id]]);
    const job = () =>
      service.db.row(sql`select input::text as input from core__jobs where id = ${edited.body.job_id}::bigint`);
    expect((await job())?.input).toContain("forget-this");
    await service.db.run(sql`
      insert into core__webhook_deliveries (organization_id, id, related_type, related_id, status, operation, record_type, record_id, answer, acl_id)
      values (1, gen_random_uuid(), 'core/webhooks', '1', 'delivered', 'edit', 'crm/leads', ${id}, 'got Forget me', 1)`);
    // Two that failed for it: one names records, the other rows of a file.
    const failed = { [id]: ["Forget why"], "0": ["Keep this"] };
    const results = JSON.stringify({ failed, left_alone: {} });
    const ofJob = { controller: "crm/leads", status: "done", input: '{"atomic":false}', result: results };
    const [byId = "", byRow = ""] = await addRows(service, "core/jobs", [
      { kind: "delete", ...ofJob },
      { kind: "upsert", ...ofJob },
    ]);
    await service.db.run(sql`
      insert into core__job_chunks (organization_id, job_id, number, record_ids, finished, failed, told)
      select 1, unnest(${[byId, byRow]}::bigint[]), 0, array[${id}], now(), ${JSON.stringify(failed)}::json, array[${id}, '0']`);
    await call(`/crm/leads/delete.json?id=${id}&is_confirm=1`);
    expect((await purge("&is_confirm=1", rep.token)).status).toBe(403);
    expect((await purge("&is_confirm=1", manager.token)).status).toBe(403);
    const unconfirmed = await purge("");
    expect([unconfirmed.status, unconfirmed.body.errors[1]]).toEqual([409, "Also purged: 1 address"]);
    expect((await purge("&is_confirm=1")).status).toBe(200);
    expect((await seen(id, admin)).errors).toEqual(["Lead not found"]);
    const left = await service.db.rows(
      sql`select operation, changes from core__revisions where related_type = 'crm/leads' and related_id = ${id}`,
    );
    expect(left).toEqual([{ operation: "purge", changes: "{}" }]);
    const said = await service.db.rows(sql`
      select text as said from core__notifications where related_type = 'crm/leads' and related_id = ${id}
      union all select step from core__stage_log where related_type = 'crm/leads' and related_id = ${id}`);
    expect(said).toEqual([]);
    expect(await notified()).toBe(before);
    expect(await service.db.rows(sql`select id from core__addresses where address_line_1 = 'Forget this'`)).toEqual([]);
    expect((await job())?.input).not.toContain("forget-this");
    for (const [one, kept] of [
      [byId, { "0": ["Keep this"] }],
      [byRow, failed],
    ] as const) {
      const { body } = await service.get(`/core/jobs/failures.json?id=${one}`, admin);
      const told = body.data.failures.map((of: { id: string; reasons: string[] }) => [of.id, of.reasons]);
      expect(Object.fromEntries(told)).toEqual(kept);
      expect(JSON.parse((await seen(one, admin, "core/jobs")).data.jobs.result)).toEqual({
        failed: kept,
        left_alone: {},
      });
    }
    expect(await service.db.rows(sql`select answer from core__webhook_deliveries`)).toEqual([{ answer: null }]);
  });

  test("is refused while any record still names it", async () => {
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "Named", owned_by: rep.id }]);
    const [person] = await addRows(service, "crm/peoples", [
      { last_name: "Employee", name: "Employee", company_id: company },
    ]);
    await call(`/crm/companies/delete.json?id=${company}&is_confirm=1`);
    // Also one that is deleted itself: it may come back.
    for (const next of [`/crm/peoples/delete.json?id=${person}&is_confirm=1`, undefined]) {
      const { status, body } = await call(`/crm/companies/purge.json?id=${company}&is_confirm=1`, admin);
      expect([status, body.errors[1]]).toEqual([409, expect.stringMatching(/^Referenced by People: Employee/)]);
      if (next) await call(next, admin);
    }
  });
});

test("a deleted record is offered to be restored, and to administrators to be purged; it is not edited, nor found", async () => {
  const { id } = (await save("crm/leads", "add", { last_name: "Binned", email: "binned@b.example" })).body;
  const opened = async (token: string) => (await service.get(`/crm/leads/edit.json?id=${id}`, token)).body;
  const query = encodeURIComponent('{"where":{"leads.email":"binned@b.example"}}');
  const find = () => service.get(`/crm/leads/view.json?q=${query}`, rep.token);
  expect(await opened(rep.token)).toMatchObject({
    is_editable: 1,
    permissions: { edit: 1, restore: 0, purge: 0 },
    workflow: { is_my_turn: true },
  });
  expect((await find()).body.id).toBe(id);
  await call(`/crm/leads/delete.json?id=${id}&is_confirm=1`);
  expect(await opened(rep.token)).toMatchObject({
    is_editable: 0,
    permissions: { edit: 0, restore: 1, purge: 0 },
    workflow: { is_my_turn: false },
  });
  expect(await opened(admin)).toMatchObject({ is_editable: 0, permissions: { edit: 0, restore: 1, purge: 1 } });
  const actions = ((await opened(rep.token)).form.children as { template: string }[]).filter(
    ({ template }) => template === "submit",
  );
  expect(actions).toEqual([]);
  expect((await find()).status).toBe(404);
});

describe("who runs an organization", () => {
  const users = "access_controls/users";
  test("cannot delete its own user, nor take the last administrator away in any way", async () => {
    const me =
      (await service.db.row(sql`select user_id::text as id from access_controls__user_names where user_name = 'admin'`))
        ?.id ?? "";
    const own = await call(`/${users}/delete.json?id=${me}&is_confirm=1`, admin);
    expect([own.status, own.body.errors]).toEqual([409, ["You can't delete your own user"]]);
    expect((await save(users, "edit", { id: me, is_active: "0" }, admin)).status).toBe(409);
    const [membership] = (await seen(me, admin, users)).data.users.roles_users;
    expect(
      (await save(users, "edit", { id: me, roles_users: [{ id: membership.id, deleted: "1" }] }, admin)).status,
    ).toBe(409);
    expect(
      (await call(`/access_controls/roles_users/delete.json?id=${membership.id}&is_confirm=1`, admin)).status,
    ).toBe(409);
    expect((await call(`/access_controls/roles/delete.json?id=${membership.role_id}&override=1`, admin)).status).toBe(
      409,
    );
    expect((await seen(me, admin, users)).data.users).toMatchObject({ is_active: "1", deleted: "0", revision: "1" });
    // Nor is it offered: in no view, in no list; of other roles it is, were they an administrator's who is gone.
    const roles = "access_controls/roles";
    const added = await save(roles, "add", { name: "Former", code: "former", is_administrator: "1" }, admin);
    expect(added.body.errors).toEqual([]);
    const retired = await addPerson(service, "retired", ["former"]);
    expect((await save(users, "edit", { id: retired.id, is_active: "0" }, admin)).body.errors).toEqual([]);
    expect((await seen(me, admin, users)).is_deletable).toBe(0);
    expect((await seen(membership.role_id, admin, roles)).is_deletable).toBe(0);
    const { data } = (await service.get(`/${roles}/index.json?limit=100`, admin)).body.paginate;
    const kept = data.flatMap((row: Record<string, unknown>) => (row.is_delete === true ? [] : [row["roles.id"]]));
    expect(kept).toEqual([membership.role_id]);
  });

  test("can delete another, whose sessions end with it, and purge it where nothing names it", async () => {
    const leaver = await addPerson(service, "leaver", ["administrator"]);
    expect((await service.get("/crm/leads/index.json", leaver.token)).status).toBe(200);
    expect((await call(`/${users}/delete.json?id=${leaver.id}&is_confirm=1`, admin)).body.errors).toEqual([]);
    expect((await service.get("/crm/leads/index.json", leaver.token)).status).toBe(401);
    const purged = await call(`/${users}/purge.json?id=${leaver.id}&is_confirm=1`, admin);
    expect([purged.status, purged.body.errors]).toEqual([200, []]);
  });

  test("keeps organizations, sessions and history out of reach of the ordinary operations", async () => {
    expect((await save("access_controls/organizations", "add", { name: "X" }, admin)).status).toBe(409);
    expect((await call("/access_controls/organizations/delete.json?id=1&is_confirm=1", admin)).status).toBe(409);
    expect((await save("core/revisions", "add", { number: "1" }, admin)).status).toBe(409);
    const sessions = await service.get("/access_controls/sessions/index.json?limit=1", admin);
    const [row] = sessions.body.paginate.data;
    expect([row.is_edit, row.is_delete]).toEqual([false, true]);
    const opened = await service.get(`/access_controls/sessions/view.json?id=${row["sessions.id"]}`, admin);
    expect([opened.body.is_editable, opened.body.is_deletable]).toEqual([0, 1]);
  });

  test.each([
    ["core/revisions", { add: 0, edit: 0, delete: 0, bulk: 0, view: 1 }],
    ["core/stage_log", { add: 0, edit: 0, delete: 0, bulk: 0, import: 0 }],
    ["core/jobs", { add: 0, edit: 0, delete: 1, bulk: 1, import: 0 }],
    ["access_controls/audit_events", { add: 0, edit: 0, delete: 0, bulk: 0, export: 1 }],
    ["access_controls/invitations", { add: 1, edit: 0, delete: 1 }],
  ])("offers nobody to do to %s what would be refused", async (type, mine) => {
    const { body } = await service.get(`/access_controls/roles/who_may.json?controller=${type}`, admin);
    expect(body.data.mine).toMatchObject(mine);
  });
});
