// People, groups, roles, policies and shares changed by the ordinary operations: access follows with the answer.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, elements, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
});

afterAll(() => service.stop());

const save = (type: string, operation: "add" | "edit", values: Record<string, unknown>, token = admin) => {
  const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
  return service.post(`/${type}/${operation}.json`, { data }, token);
};
const remove = (type: string, id: string, token = admin) =>
  service.post(`/${type}/delete.json?id=${id}&override=1`, {}, token);
const status = async (path: string, token: string) => (await service.get(path, token)).status;
const newLead = async (owner = rep) =>
  (await addRows(service, "crm/leads", [{ last_name: "L", status: "new", owned_by: owner.id }]))[0] ?? "";

describe("access follows", () => {
  test("a group and its members", async () => {
    const lead = await newLead();
    const path = `/crm/leads/view.json?id=${lead}`;
    expect(await status(path, other.token)).toBe(404);
    const members = [{ user_id: rep.id }, { user_id: other.id }];
    const group = (await save("access_controls/groups", "add", { name: "North", members })).body;
    expect(group.errors).toEqual([]);
    expect(await status(path, other.token)).toBe(200);
    const membership = group.data.groups.members.find((row: { user_id: string }) => row.user_id === other.id);
    await save("access_controls/groups", "edit", { id: group.id, members: [{ id: membership.id, deleted: "1" }] });
    expect(await status(path, other.token)).toBe(404);
  });

  test("a role given and taken back", async () => {
    const lead = await newLead();
    const path = `/crm/leads/view.json?id=${lead}`;
    const role =
      (await service.db.row(sql`select id from access_controls__roles where code = 'sales_manager'`))?.id ?? "";
    const given = await save("access_controls/roles_users", "add", { user_id: other.id, role_id: role });
    expect(given.status).toBe(200);
    expect(await status(path, other.token)).toBe(200);
    expect((await remove("access_controls/roles_users", given.body.id)).body.errors).toEqual([]);
    expect(await status(path, other.token)).toBe(404);
  });

  test("a role's matrix and field overrides", async () => {
    const roles = "access_controls/roles";
    const role = (await service.db.row(sql`select id from access_controls__roles where code = 'sales_rep'`))?.id ?? "";
    expect(await status("/crm/types/add.json", rep.token)).toBe(403);
    const operations = [{ record_type: "crm/types", operations: "index;view;add" }];
    const fields = [{ record_type: "crm/leads", field: "score", permission: "1" }];
    const saved = await save(roles, "edit", { id: role, operations, fields });
    expect([saved.status, saved.body.errors]).toEqual([200, []]);
    expect(await status("/crm/types/add.json", rep.token)).toBe(200);
    const lead = await newLead();
    expect(JSON.stringify((await service.get(`/crm/leads/view.json?id=${lead}`, rep.token)).body)).not.toContain(
      '"score"',
    );
    const wrong = await save(roles, "edit", {
      id: role,
      fields: [{ record_type: "crm/leads", field: "none", permission: "3" }],
    });
    expect(wrong.body.errors_by_field).toEqual({ "roles.fields.0.field": ["crm/leads has no field of that name"] });
    // What is taken out of the role counts no longer.
    const { operations: kept, fields: hidden } = saved.body.data.roles;
    const gone = (rows: { id: string; record_type: string; field?: string }[], type: string) =>
      rows.flatMap(({ id, record_type }) => (record_type === type ? [{ id, deleted: "1" }] : []));
    const back = { id: role, operations: gone(kept, "crm/types"), fields: gone(hidden, "crm/leads") };
    expect((await save(roles, "edit", back)).body.errors).toEqual([]);
    expect(await status("/crm/types/add.json", rep.token)).toBe(403);
    expect(JSON.stringify((await service.get(`/crm/leads/view.json?id=${lead}`, rep.token)).body)).toContain('"score"');
  });

  test("a role that is deleted, and a group within a group", async () => {
    const lead = await newLead();
    const path = `/crm/leads/view.json?id=${lead}`;
    const made = {
      name: "Helpers",
      code: "helpers",
      operations: [{ record_type: "crm/types", operations: "index;view" }],
    };
    const role = (await save("access_controls/roles", "add", made)).body.id;
    const helper = await addPerson(service, "helper", ["helpers"]);
    expect(await status("/crm/types/index.json", helper.token)).toBe(200);
    expect((await remove("access_controls/roles", role)).body.errors).toEqual([]);
    expect(await status("/crm/types/index.json", helper.token)).toBe(403);
    const inner = (await save("access_controls/groups", "add", { name: "Inner", members: [{ user_id: other.id }] }))
      .body;
    const members = [{ user_id: rep.id }, { member_group_id: inner.id }];
    const outer = (await save("access_controls/groups", "add", { name: "Outer", members })).body;
    expect([inner.errors, outer.errors, await status(path, other.token)]).toEqual([[], [], 200]);
    await remove("access_controls/groups", inner.id);
    expect(await status(path, other.token)).toBe(404);
  });

  test("a policy", async () => {
    const lead = await newLead();
    const path = `/crm/leads/view.json?id=${lead}`;
    const policy = { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] };
    const saved = await save("access_controls/policies", "add", {
      record_type: "crm/leads",
      policy: JSON.stringify(policy),
    });
    expect([saved.status, saved.body.errors]).toEqual([200, []]);
    expect(await status(path, other.token)).toBe(200);
    await remove("access_controls/policies", saved.body.id);
    expect(await status(path, other.token)).toBe(404);
    const wrong = await save("access_controls/policies", "add", {
      record_type: "crm/leads",
      policy: '{"read":["owners"]}',
    });
    expect([wrong.status, Object.keys(wrong.body.errors_by_field)]).toEqual([422, ["policies.policy"]]);
  });

  test("a share, given and taken back, in lists too", async () => {
    const lead = await newLead();
    const path = `/crm/leads/view.json?id=${lead}`;
    const principal = (
      await service.db.row(sql`select principal_id from access_controls__users where id = ${other.id}::bigint`)
    )?.principal_id;
    const count = async () => (await service.get("/crm/leads/index.json", other.token)).body.paginate.total_count;
    const before = await count();
    const share = { related_type: "crm/leads", related_id: lead, principal_id: principal, rights: "read;edit" };
    const saved = await save("access_controls/shares", "add", share);
    expect([saved.status, saved.body.errors]).toEqual([200, []]);
    expect(await status(path, other.token)).toBe(200);
    expect(await count()).toBe(before + 1);
    // A change of owner keeps what was shared.
    await save("crm/leads", "edit", { id: lead, owned_by: "1" });
    expect((await save("crm/leads", "edit", { id: lead, city: "Ulm" }, other.token)).status).toBe(200);
    expect((await remove("access_controls/shares", saved.body.id)).body.errors).toEqual([]);
    expect(await status(path, other.token)).toBe(404);
    const nowhere = await save("access_controls/shares", "add", { ...share, related_id: "999999" });
    expect(Object.keys(nowhere.body.errors_by_field)).toEqual(["shares.related_id"]);
  });

  test("a share of one right, and gives no other", async () => {
    const lead = await newLead();
    const principal_id = (
      await service.db.row(sql`select principal_id from access_controls__users where id = ${other.id}::bigint`)
    )?.principal_id;
    const share = { related_type: "crm/leads", related_id: lead, principal_id, rights: "read" };
    expect((await save("access_controls/shares", "add", share)).body.errors).toEqual([]);
    expect(await status(`/crm/leads/view.json?id=${lead}`, other.token)).toBe(200);
    expect((await save("crm/leads", "edit", { id: lead, city: "Ulm" }, other.token)).status).toBe(403);
    expect((await remove("crm/leads", lead, other.token)).status).toBe(403);
    const many = await service.post("/crm/leads/delete_selected.json", { ids: [lead], is_confirm: "1" }, other.token);
    expect([many.status, many.body.data.changed]).toEqual([422, []]);
    expect((await service.get(`/crm/leads/view.json?id=${lead}`, rep.token)).body.data.leads.deleted).toBe("0");
  });

  test("a group that a record is given to, and with it what belongs to the record", async () => {
    const members = [{ user_id: other.id }];
    const group = (await save("access_controls/groups", "add", { name: "South", members })).body.id;
    const lead = await newLead();
    const tied = { related_type: "crm/leads", related_id: lead, owned_by: rep.id };
    const [address = ""] = await addRows(service, "core/addresses", [{ ...tied, city: "Ulm" }]);
    expect((await save("crm/leads", "edit", { id: lead, primary_acl_group: group })).body.errors).toEqual([]);
    const kept = await service.db.row(sql`
      select primary_acl_group::text as "group" from core__addresses where id = ${address}::bigint`);
    expect(kept).toEqual({ group });
  });

  test("a deactivated user", async () => {
    const leaver = await addPerson(service, "leaver", ["sales_rep"]);
    expect(await status("/crm/leads/index.json", leaver.token)).toBe(200);
    expect((await save("access_controls/users", "edit", { id: leaver.id, is_active: "0" })).body.errors).toEqual([]);
    expect(await status("/crm/leads/index.json", leaver.token)).toBe(401);
  });
});

describe("a user", () => {
  const users = "access_controls/users";
  test("is added with a principal, its name, and roles; owns itself; and is unique over the whole service", async () => {
    const role = (await service.db.row(sql`select id from access_controls__roles where code = 'sales_rep'`))?.id ?? "";
    const values = {
      user_name: "New.Person",
      first_name: "New",
      last_name: "Person",
      roles_users: [{ role_id: role }],
    };
    const { status: code, body } = await save(users, "add", values);
    expect([code, body.errors]).toEqual([200, []]);
    expect(body.data.users).toMatchObject({
      name: "New Person",
      owned_by: body.id,
      is_active: "1",
      __owned_by: "New Person",
    });
    expect(body.data.users.roles_users).toMatchObject([{ role_id: role, __role_id: "Sales representative" }]);
    expect(JSON.stringify(body.data)).not.toContain('principal_id":');
    const twice = await save(users, "add", { ...values, user_name: "new.PERSON" });
    expect(twice.body.errors_by_field).toEqual({ "users.user_name": ["User name is taken"] });
    const odd = await save(users, "add", { user_name: "a b", last_name: "X" });
    expect([odd.status, Object.keys(odd.body.errors_by_field)]).toEqual([422, ["users.user_name"]]);
  });

  test("owns itself for good: its owner is shown, and an administrator who sends another is told", async () => {
    const { body } = await service.get("/access_controls/users/add.json", admin);
    const element = elements(body.form).find((one) => one.name.at?.(-1) === "owned_by");
    expect(element === undefined ? 4 : Number(element.permission)).toBe(4);
    const kit = await save(users, "add", { user_name: "kit", last_name: "Kit" });
    const owned = async () =>
      (await service.get(`/${users}/view.json?id=${kit.body.id}`, admin)).body.data.users.owned_by;
    expect(await owned()).toBe(kit.body.id);
    for (const [operation, values] of [
      ["add", { user_name: "kat", last_name: "Kat", owned_by: other.id }],
      ["edit", { id: kit.body.id, owned_by: other.id }],
    ] as const) {
      const refused = await save(users, operation, values);
      expect([operation, refused.status, Object.keys(refused.body.errors_by_field)]).toEqual([
        operation,
        422,
        ["users.owned_by"],
      ]);
    }
    expect(await owned()).toBe(kit.body.id);
  });

  test("logs in by its new name once it is renamed, and no longer by the old one", async () => {
    const person = await addPerson(service, "before", ["sales_rep"]);
    expect((await save(users, "edit", { id: person.id, user_name: "Afterwards" })).body.errors).toEqual([]);
    await expect(service.login("before", service.admin.password)).rejects.toThrow();
    expect(await service.login("afterwards", service.admin.password)).toBeTypeOf("string");
  });

  test("cannot make itself an administrator, whatever it may edit", async () => {
    const roleOf = async (code: string) =>
      (await service.db.row(sql`select id from access_controls__roles where code = ${code}`))?.id ?? "";
    const operations = [{ record_type: users, operations: "index;view;edit" }];
    await save("access_controls/roles", "edit", { id: await roleOf("sales_rep"), operations });
    const own = { id: rep.id, title: "Queen" };
    expect((await save(users, "edit", own, rep.token)).body.errors).toEqual([]);
    const grab = await save(
      users,
      "edit",
      { ...own, roles_users: [{ role_id: await roleOf("administrator") }] },
      rep.token,
    );
    expect(grab.status).toBe(403);
    expect((await service.get(`/${users}/view.json?id=${rep.id}`, admin)).body.data.users.roles_users).toHaveLength(1);
  });
});
