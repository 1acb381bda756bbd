// Following on the wire: who is told of what, in whose language, and that nobody hears of what they may not read.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../../server/access/caller.ts";
import { readPerson } from "../../../server/access/read-caller.ts";
import { sql } from "../../../server/database/sql.ts";
import { requireType } from "../../../server/metadata/snapshot.ts";
import { tellFollowers } from "../../../server/records/workflow/tell-followers.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person, snapshot } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };

let service: TestService;
let admin: string;
let owner: Person;
let boss: Person;
let stranger: Person;

const save = async (type: string, operation: string, values: Values, token = owner.token, action: Values = SAVE) => {
  const data = { [type.split("/")[1] ?? ""]: values, action };
  const { status, body } = await service.post(`/${type}/${operation}.json`, { data }, token);
  expect([status, body.errors]).toEqual([200, []]);
  return body.id as string;
};
const lead = (values: Values = {}) => save("crm/leads", "add", { last_name: "Moss", ...values });
const call = (operation: "follow" | "unfollow", id: string, token: string, type = "crm/leads") =>
  service.post(`/${type}/${operation}.json?id=${id}`, {}, token);
const follow = async (id: string, person = boss) => {
  const { status, body } = await call("follow", id, person.token);
  expect([status, body.data.is_following]).toEqual([200, 1]);
};
/** What a person was told about the record, oldest first. */
const told = async (id: string, person = boss): Promise<[string, string][]> => {
  const { body } = await service.get("/core/notifications/mine.json?limit=100", person.token);
  return body.data.notifications
    .filter((one: { related_id: string }) => one.related_id === id)
    .map((one: { kind: string; text: string }) => [one.kind, one.text])
    .reverse();
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  owner = await addPerson(service, "owner", ["sales_rep"]);
  boss = await addPerson(service, "boss", ["sales_manager"]);
  stranger = await addPerson(service, "stranger", ["sales_rep"]);
});

afterAll(() => service.stop());

describe("a follower", () => {
  test("hears of comments, stages and changes by others, and of a run of changes once until it is read", async () => {
    const id = await lead();
    await follow(id);
    await save("crm/leads", "edit", { id, city: "Ulm" });
    await save("crm/leads", "edit", { id, city: "Bern" });
    await save("crm/leads", "edit", { id, city: "Bern" });
    await save("crm/leads", "edit", { id, rating: "hot" }, boss.token);
    await save("core/comments", "add", { related_type: "crm/leads", related_id: id, body: "Called" });
    await save("crm/leads", "edit", { id }, owner.token, { contact: "Mark as contacted" });
    expect(await told(id)).toEqual([
      ["change", "owner changed Moss"],
      ["comment", "owner commented on Moss: Called"],
      ["stage", "owner moved Moss to Contacted"],
    ]);
    await service.post("/core/notifications/mark_read.json?all=1", {}, boss.token);
    await save("crm/leads", "edit", { id, email_addresses: [{ email: "moss@example.com", type: "work" }] });
    await save("crm/leads", "edit", { id, company_name: "Fern" }, owner.token, { qualify: "Qualify" });
    await save("crm/leads", "edit", { id }, owner.token, { convert: "Convert" });
    const undone = await service.post(`/crm/leads/undo_transition.json?id=${id}`, {}, owner.token);
    expect([undone.status, undone.body.errors]).toEqual([200, []]);
    expect((await told(id)).slice(3)).toEqual([
      ["change", "owner changed Moss"],
      ["stage", "owner moved Moss to Qualified"],
      ["stage", "owner moved Moss to Converted"],
      ["stage", "owner moved Moss to Qualified"],
    ]);
    expect(await told(id, owner)).toEqual([]);
    expect((await call("unfollow", id, boss.token)).body.data).toEqual({ is_following: 0, followers: [] });
    await save("crm/leads", "edit", { id, city: "Graz" });
    expect(await told(id)).toHaveLength(7);
  });

  test("is told in their own language", async () => {
    const reader = await addPerson(service, "reader", ["sales_manager"]);
    await service.db.run(sql`update access_controls__users set locale = 'ar-EG' where user_name = 'reader'`);
    const id = await lead();
    await follow(id, reader);
    await save("crm/leads", "edit", { id, city: "Ulm" });
    await save("core/comments", "add", { related_type: "crm/leads", related_id: id, body: "Called {by} @reader" });
    expect(await told(id, reader)).toEqual([
      ["change", "عدّل owner السجل Moss"],
      ["mention", "أشار إليك owner في Moss: Called {by} @reader"],
    ]);
  });

  test("is told by many changes at once, their undo and a version that is restored", async () => {
    const ids = [await lead(), await lead(), await lead()];
    for (const id of ids.slice(0, 2)) await follow(id);
    const data = { leads: { city: "Oslo" } };
    const edited = await service.post("/crm/leads/edit_selected.json", { ids, data }, owner.token);
    expect(edited.body.data.changed).toHaveLength(3);
    const counts = async () => Promise.all(ids.map(async (id) => (await told(id)).length));
    expect(await counts()).toEqual([1, 1, 0]);
    await service.post("/core/notifications/mark_read.json?all=1", {}, boss.token);
    const undone = await service.post(`/core/jobs/undo.json?id=${edited.body.job_id}`, {}, owner.token);
    expect([undone.status, undone.body.errors]).toEqual([200, []]);
    expect(await counts()).toEqual([2, 2, 0]);
    await service.post("/core/notifications/mark_read.json?all=1", {}, boss.token);
    await service.post(`/crm/leads/revert.json?id=${ids[0]}&revision=2`, {}, owner.token);
    expect(await counts()).toEqual([3, 2, 0]);
  });

  test("is named to those who can see the record, as long as they can see it themselves", async () => {
    const id = await lead();
    await follow(id);
    const followers = async () => (await service.get(`/crm/leads/followers.json?id=${id}`, owner.token)).body.data;
    expect(await followers()).toEqual({ is_following: 0, followers: [{ id: boss.id, name: "boss" }] });
    await follow(id, owner);
    expect(await followers()).toMatchObject({ is_following: 1, followers: [{ name: "boss" }, { name: "owner" }] });
    await save("access_controls/users", "edit", { id: boss.id, is_active: "0" }, admin);
    expect(await followers()).toMatchObject({ followers: [{ name: "owner" }] });
    // Who has no name is called by the login name, which is a field like any other.
    const rename = (name: string | null) =>
      service.db.run(sql`update access_controls__users set name = ${name} where id = ${owner.id}::bigint`);
    await rename(null);
    expect(await followers()).toMatchObject({ followers: [{ name: "owner" }] });
    const role = await service.db.row(
      sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`,
    );
    const hidden = { role_id: role?.id, record_type: "access_controls/users", field: "user_name", permission: "1" };
    const mask = await service.post(
      "/access_controls/role_fields/add.json",
      { data: { role_fields: hidden, action: SAVE } },
      admin,
    );
    expect(mask.body.errors).toEqual([]);
    expect(await followers()).toMatchObject({ followers: [{ name: owner.id }] });
    await service.post(`/access_controls/role_fields/delete.json?id=${mask.body.id}&is_confirm=1`, {}, admin);
    await rename("owner");
    await save("access_controls/users", "edit", { id: boss.id, is_active: "1" }, admin);
    boss = { ...boss, token: await service.login("boss") };
  });
});

describe("nobody is told of what they may not read", () => {
  test("what they cannot see they cannot follow, in the words for what is not there", async () => {
    const id = await lead();
    const other = await addOrganization(service, "elsewhere");
    for (const token of [stranger.token, other.token]) {
      const refused = await call("follow", id, token);
      const missing = await call("follow", "999999", token);
      expect([refused.status, refused.body.errors]).toEqual([missing.status, missing.body.errors]);
      expect(refused.status).toBe(404);
      expect((await service.get(`/crm/leads/followers.json?id=${id}`, token)).status).toBe(404);
      expect((await call("unfollow", id, token)).body.data).toEqual({ is_following: 0, followers: [] });
    }
    const rows = await service.db.rows(sql`select 1 from core__follows where record_id = ${id}`);
    expect(rows).toEqual([]);
  });

  test("who loses access hears nothing, not even of the change that took it, until they have it again", async () => {
    const id = await lead();
    await save("crm/leads", "edit", { id, owned_by: stranger.id }, boss.token);
    await follow(id, stranger);
    await save("crm/leads", "edit", { id, owned_by: owner.id }, boss.token);
    await save("crm/leads", "edit", { id, city: "Ulm" });
    await save("crm/leads", "edit", { id }, owner.token, { contact: "Mark as contacted" });
    await save("core/comments", "add", { related_type: "crm/leads", related_id: id, body: "Secret" });
    await service.post("/crm/leads/edit_selected.json", { ids: [id], data: { leads: { city: "Bern" } } }, owner.token);
    expect(await told(id, stranger)).toEqual([]);
    expect((await service.get(`/crm/leads/followers.json?id=${id}`, owner.token)).body.data.followers).toEqual([]);
    await save("crm/leads", "edit", { id, owned_by: stranger.id }, boss.token);
    expect(await told(id, stranger)).toEqual([["change", "boss changed Moss"]]);
    // What they can no longer see they can still unfollow.
    await save("crm/leads", "edit", { id, owned_by: owner.id }, boss.token);
    expect((await call("unfollow", id, stranger.token)).status).toBe(200);
    await save("crm/leads", "edit", { id, owned_by: stranger.id }, boss.token);
    expect(await told(id, stranger)).toHaveLength(1);
  });

  test("a hidden stage or name is not told", async () => {
    const id = await lead({ first_name: "Ivy" });
    await follow(id);
    const role = await service.db.row(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`);
    const hidden = ["name", "current_stage"].map((field) => ({ record_type: "crm/leads", field, permission: "1" }));
    await save("access_controls/roles", "edit", { id: role?.id, fields: hidden }, admin);
    await save("crm/leads", "edit", { id }, owner.token, { contact: "Mark as contacted" });
    expect(await told(id)).toEqual([["change", `owner changed Lead ${id}`]]);
  });

  test("nobody follows more records than they can look after", async () => {
    const id = await lead();
    await service.db.run(sql`
      insert into core__follows (organization_id, record_type, record_id, user_id)
      select 1, 'crm/leads', (1000000 + n)::text, ${owner.id}::bigint from generate_series(1, 1000) n on conflict do nothing`);
    const refused = await call("follow", id, owner.token);
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      ["You can follow up to 1,000 records. Unfollow one first."],
    ]);
    expect((await call("unfollow", "1000001", owner.token)).status).toBe(200);
    const rows = await service.db.row(sql`
      select count(*)::text as count from core__follows where user_id = ${owner.id}::bigint`);
    expect(Number(rows?.count)).toBeGreaterThanOrEqual(999);
  });

  test("who follows many records of one job hears of them once", async () => {
    const many: string[] = [];
    for (let at = 0; at < 7; at += 1) many.push(await lead({ last_name: `Many ${at}` }));
    for (const id of many) await follow(id);
    const leads = many.map((id) => ({ id, city: "Riga" }));
    const edited = await service.post("/crm/leads/edit_many.json", { data: { leads } }, admin);
    expect([edited.status, edited.body.errors]).toEqual([200, []]);
    const all = (await Promise.all(many.map((id) => told(id)))).flat();
    expect(all.map(([kind]) => kind)).toEqual(["changes"]);
    expect(all[0]?.[1]).toMatch(/ changed many leads you follow, including .+$/u);
    // The next part of the same job adds nothing; another job says it again.
    const caller = (await readPerson(service.db, "1", "1")) as Caller;
    const part = async (jobId: string): Promise<number> => {
      await service.db.transaction((transaction) =>
        tellFollowers(
          { transaction, snapshot, caller, hooks: {}, accessChanges: new Set<never>(), jobId },
          requireType(snapshot, "crm/leads"),
          many.map((id) => ({ id, before: { city: "Riga" }, after: { city: "Oslo" } })),
        ),
      );
      return (await Promise.all(many.map((id) => told(id)))).flat().length;
    };
    const [job] = await service.db.rows(sql`select max(id)::text as id from core__jobs`);
    expect(await part(job?.id ?? "")).toBe(1);
    await service.db.run(sql`
      update core__jobs set created = created + interval '1 hour' where id = ${job?.id ?? ""}::bigint`);
    expect(await part(job?.id ?? "")).toBe(2);
  });

  test("what is purged along is followed by nobody any more", async () => {
    const id = await lead({ email_addresses: [{ email: "along@example.com", type: "work" }] });
    await service.db.run(sql`
      insert into core__follows (organization_id, record_type, record_id, user_id)
      select 1, 'core/email_addresses', e.id::text, ${boss.id}::bigint from core__email_addresses e
      where e.organization_id = 1 and e.email = 'along@example.com'`);
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
    const purged = await service.post(`/crm/leads/purge.json?id=${id}&is_confirm=1`, {}, admin);
    expect(purged.status).toBe(200);
    const left = await service.db.rows(
      sql`select record_id from core__follows where record_type = 'core/email_addresses'`,
    );
    expect(left).toEqual([]);
  });

  test("types that nobody opens are not followed, and a purged record is forgotten", async () => {
    const refused = await call("follow", "1", admin, "core/notifications");
    expect([refused.status, refused.body.errors]).toEqual([409, ["Records of this type can't be followed"]]);
    const id = await lead();
    expect((await call("follow", id, admin)).status).toBe(200);
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
    expect((await call("follow", id, admin)).status).toBe(404);
    await service.post(`/crm/leads/purge.json?id=${id}&is_confirm=1`, {}, admin);
    expect(await service.db.rows(sql`select 1 from core__follows where record_id = ${id}`)).toEqual([]);
  });
});
