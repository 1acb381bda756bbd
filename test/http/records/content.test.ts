// What is attached to records: notifications, comments, files, and the warning of duplicates.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { addNotifications } from "../../../server/records/workflow/notifications.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person, snapshot } from "../people.ts";

let service: TestService;
let admin: string;
let ada: Person;
let alan: Person;
let stranger: Person & { organizationId: string };

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  ada = await addPerson(service, "ada", ["sales_rep"]);
  alan = await addPerson(service, "alan", ["sales_rep"]);
  stranger = await addOrganization(service, "elsewhere");
});
afterAll(() => service.stop());

const tell = (text: string, userId: string, byUserId: string | null) =>
  service.db.transaction((transaction) =>
    addNotifications(transaction, snapshot, "1", [
      { userId, kind: "mention", text, record: { type: "crm/leads", id: "7", name: "A lead" }, byUserId },
    ]),
  );
const mine = async (token: string, query = "") =>
  (await service.get(`/core/notifications/mine.json${query}`, token)).body.data;

describe("a notification", () => {
  test("is read by the person that it is for and by nobody else, administrators included", async () => {
    await tell("Alan mentioned you", ada.id, alan.id);
    const { notifications, unread } = await mine(ada.token);
    expect(notifications).toMatchObject([
      {
        kind: "mention",
        text: "Alan mentioned you",
        related_type: "crm/leads",
        related_id: "7",
        related_name: "A lead",
        read_at: null,
        created_by: alan.id,
        __created_by: "alan",
      },
    ]);
    expect(unread).toBe(1);
    const [{ id }] = notifications;
    for (const token of [alan.token, admin, stranger.token]) {
      expect((await mine(token)).notifications).toEqual([]);
      expect((await service.get(`/core/notifications/view.json?id=${id}`, token)).status).toBe(404);
      const list = await service.get("/core/notifications/index.json", token);
      expect(list.body.paginate.data).toEqual([]);
      expect(list.body.paginate.total_count).toBe(0);
      expect((await service.post(`/core/notifications/mark_read.json?id=${id}`, {}, token)).status).toBe(404);
    }
    expect((await service.get("/core/notifications/index.json", ada.token)).body.paginate.total_count).toBe(1);
    expect((await service.get("/core/notifications/unread.json")).status).toBe(401);
  });

  test("is marked as read, made new again, and all of them at once", async () => {
    await tell("First", alan.id, ada.id);
    await tell("Second", alan.id, null);
    const { notifications } = await mine(alan.token);
    expect(notifications.map(({ text }: { text: string }) => text)).toEqual(["Second", "First"]);
    const [{ id }] = notifications;
    const read = await service.post(`/core/notifications/mark_read.json?id=${id}`, {}, alan.token);
    expect(read.body.data).toEqual({ unread: 1, changed: 1 });
    expect((await mine(alan.token, "?unread=1")).notifications).toMatchObject([{ text: "First" }]);
    await service.post(`/core/notifications/mark_read.json?id=${id}&unread=1`, {}, alan.token);
    expect((await service.get("/core/notifications/unread.json", alan.token)).body.data.unread).toBe(2);
    const all = await service.post("/core/notifications/mark_read.json", { all: "1" }, alan.token);
    expect(all.body.data).toEqual({ unread: 0, changed: 2 });
    expect((await mine(alan.token, `?before=${id}&limit=1`)).notifications).toMatchObject([{ text: "First" }]);
    expect((await service.get("/core/notifications/mine.json?limit=1000", alan.token)).status).toBe(400);
  });

  test("does not tell people of what they did themselves, nor those of another organization", async () => {
    expect(await tell("Self", ada.id, ada.id)).toEqual([]);
    expect(await tell("Far", stranger.id, ada.id)).toEqual([]);
    const left = await addPerson(service, "left", ["sales_rep"]);
    expect(await tell("In time", left.id, ada.id)).toHaveLength(1);
    await service.post(`/access_controls/users/deactivate.json?id=${left.id}`, {}, admin);
    expect(await tell("Too late", left.id, ada.id)).toEqual([]);
    expect((await mine(stranger.token)).notifications).toEqual([]);
  });

  test("is not written or changed by people", async () => {
    const data = { notifications: { kind: "x", text: "y" }, action: { save_progress: "Save" } };
    expect((await service.post("/core/notifications/add.json", { data }, admin)).status).toBe(409);
    const [{ id }] = (await mine(ada.token)).notifications;
    const change = { notifications: { id, text: "Other" }, action: { save_progress: "Save" } };
    expect((await service.post("/core/notifications/edit.json", { data: change }, admin)).status).toBe(409);
  });
});

const save = { save_progress: "Save" };
const add = (controller: string, values: Record<string, unknown>, token: string) =>
  service.post(`/${controller}/add.json`, { data: { [controller.split("/")[1] ?? ""]: values, action: save } }, token);
const edit = (controller: string, values: Record<string, unknown>, token: string) =>
  service.post(`/${controller}/edit.json`, { data: { [controller.split("/")[1] ?? ""]: values, action: save } }, token);
const idOf = async (answer: Promise<{ body: { id: string; errors: string[] } }>) => {
  const { body } = await answer;
  expect(body.errors).toEqual([]);
  return body.id;
};
const comment = (type: string, id: string, body: string, token: string, more = {}) =>
  add("core/comments", { related_type: type, related_id: id, body, ...more }, token);
const listed = async (token: string, query = "") => {
  const { body } = await service.get(`/core/comments/index.json?sort=comments.id&dir=ASC&limit=100${query}`, token);
  expect(body.errors).toEqual([]);
  const texts = body.paginate.data.map((row: { record_display_name: string }) => row.record_display_name);
  expect(body.paginate.total_count).toBe(texts.length);
  return texts;
};

describe("comments", () => {
  let lead: string;
  let company: string;
  let manager: Person;
  const first: Record<string, string> = {};

  beforeAll(async () => {
    manager = await addPerson(service, "grace", ["sales_manager"]);
    lead = await idOf(add("crm/leads", { last_name: "Ada's lead" }, ada.token));
    company = await idOf(add("crm/companies", { name: "Seen by all" }, ada.token));
  });

  test("are there for those who may read their record, whoever wrote them, in lists, counts and views", async () => {
    first.lead = await idOf(comment("crm/leads", lead, "On a lead", ada.token));
    first.company = await idOf(comment("crm/companies", company, "On a company", alan.token));
    expect(await listed(ada.token)).toEqual(["On a lead", "On a company"]);
    expect(await listed(manager.token)).toEqual(["On a lead", "On a company"]);
    expect(await listed(alan.token)).toEqual(["On a company"]);
    expect(await listed(admin)).toEqual(["On a lead", "On a company"]);
    expect(await listed(stranger.token)).toEqual([]);
    expect((await service.get(`/core/comments/view.json?id=${first.lead}`, alan.token)).status).toBe(404);
    expect((await service.get(`/core/comments/view.json?id=${first.company}`, ada.token)).status).toBe(200);
    const { body } = await service.get(`/crm/companies/view.json?id=${company}`, ada.token);
    expect(body.data.companies.comments).toMatchObject([{ body: "On a company", __created_by: "alan" }]);
  });

  test("need the right to comment on a record that takes comments", async () => {
    expect((await comment("crm/leads", lead, "Not mine to see", alan.token)).status).toBe(422);
    expect((await comment("crm/leads", "999999", "Nothing there", ada.token)).status).toBe(422);
    expect((await comment("crm/companies", company, "Another's wall", stranger.token)).status).toBe(422);
    expect((await comment("core/listviews", "0198c5a0-7a3c-7cc2-8b1e-3f6d2c4e5a60", "x", admin)).status).toBe(422);
    const reader = await addPerson(service, "reader", ["read_only"]);
    expect((await comment("crm/companies", company, "Only looking", reader.token)).status).toBe(422);
    expect(await listed(reader.token)).toEqual(["On a company"]);
    expect((await comment("crm/companies", company, " ", ada.token)).status).toBe(422);
    expect((await comment("crm/companies", company, "For another", ada.token, { owned_by: alan.id })).status).toBe(422);
  });

  test("are not there for those whose roles do not let them look at records of that type", async () => {
    const roleId = await idOf(add("access_controls/roles", { name: "No companies", code: "no_companies" }, admin));
    const grant = (record_type: string, operations: string) =>
      idOf(add("access_controls/role_operations", { role_id: roleId, record_type, operations }, admin));
    await grant("*", "index;view;comment");
    await grant("crm/companies", "comment");
    const blind = await addPerson(service, "blind", ["no_companies"]);
    expect(await listed(blind.token)).toEqual([]);
    expect((await service.get(`/core/comments/view.json?id=${first.company}`, blind.token)).status).toBe(404);
    expect((await comment("crm/companies", company, "Unseen", blind.token)).status).toBe(422);
    expect((await service.get("/core/comments/export.json?format=json", blind.token)).status).toBe(403);
  });

  test("follow their record when it changes hands, is shared, or the share ends", async () => {
    await idOf(edit("crm/leads", { id: lead, owned_by: alan.id }, manager.token));
    expect(await listed(alan.token)).toEqual(["On a lead", "On a company"]);
    expect(await listed(ada.token)).toEqual(["On a company"]);
    const principal = (
      await service.db.run({
        strings: [`select principal_id from access_controls__users where id = ${ada.id}`],
        values: [],
      })
    ).rows[0]?.[0];
    const share = { related_type: "crm/leads", related_id: lead, principal_id: principal, rights: "read" };
    const shareId = await idOf(add("access_controls/shares", share, admin));
    expect(await listed(ada.token)).toEqual(["On a lead", "On a company"]);
    await service.post(`/access_controls/shares/delete.json?id=${shareId}&is_confirm=1`, {}, admin);
    expect(await listed(ada.token)).toEqual(["On a company"]);
    await idOf(edit("crm/leads", { id: lead, owned_by: ada.id }, manager.token));
    expect(await listed(ada.token)).toEqual(["On a lead", "On a company"]);
  });

  test("stay their author's and follow their record when all that a person owns is handed over", async () => {
    const leaver = await addPerson(service, "leaver", ["sales_rep"]);
    const left = await idOf(add("crm/leads", { last_name: "Left behind" }, leaver.token));
    const said = await idOf(comment("crm/leads", left, "Before I go", leaver.token));
    const away = `/access_controls/users/deactivate.json?id=${leaver.id}&hand_over_to=${alan.id}`;
    const { body } = await service.post(away, {}, admin);
    expect([body.errors, body.handed_over["core/comments"]]).toEqual([[], undefined]);
    expect(await listed(alan.token)).toContain("Before I go");
    const { body: view } = await service.get(`/core/comments/view.json?id=${said}`, alan.token);
    expect(view.data.comments).toMatchObject({ created_by: leaver.id, owned_by: leaver.id });
    await service.post(`/crm/leads/delete.json?id=${left}&is_confirm=1`, {}, alan.token);
  });

  test("are changed by their authors alone, and taken away by them or by an administrator", async () => {
    const id = await idOf(comment("crm/companies", company, "Mine", ada.token));
    const change = (token: string) => edit("core/comments", { id, body: "Changed" }, token);
    expect((await change(alan.token)).status).toBe(403);
    expect((await change(admin)).status).toBe(422);
    expect((await change(ada.token)).status).toBe(200);
    expect((await edit("core/comments", { id, related_id: lead, related_type: "crm/leads" }, ada.token)).status).toBe(
      422,
    );
    const remove = (token: string) => service.post(`/core/comments/delete.json?id=${id}&is_confirm=1`, {}, token);
    expect((await remove(alan.token)).status).toBe(403);
    expect((await remove(ada.token)).status).toBe(200);
    expect(await listed(ada.token)).not.toContain("Changed");
    expect((await service.post(`/core/comments/restore.json?id=${id}`, {}, ada.token)).status).toBe(200);
    expect((await remove(admin)).status).toBe(200);
    const rows = (await service.get("/core/comments/index.json", ada.token)).body.paginate.data;
    const flags = rows.map((row: Record<string, unknown>) => [row.record_display_name, row.is_edit, row.is_delete]);
    expect(flags).toContainEqual(["On a lead", true, true]);
    expect(flags).toContainEqual(["On a company", false, false]);
  });

  test("answer one another on the same record only", async () => {
    const answer = await idOf(comment("crm/companies", company, "An answer", ada.token, { parent_id: first.company }));
    const elsewhere = await comment("crm/leads", lead, "An answer", ada.token, { parent_id: first.company });
    expect(elsewhere.body.errors_by_field).toEqual({
      "comments.parent_id": ["The parent comment must be on this record"],
    });
    const along = { id: lead, comments: [{ body: "Sent along", parent_id: first.company }] };
    const sentAlong = await edit("crm/leads", along, ada.token);
    expect([sentAlong.status, sentAlong.body.errors_by_field]).toEqual([422, elsewhere.body.errors_by_field]);
    expect((await mine(alan.token)).notifications[0]).toMatchObject({
      kind: "answer",
      text: "ada replied to you on Seen by all: An answer",
      related_type: "crm/companies",
      related_id: company,
    });
    await service.post(`/core/comments/delete.json?id=${answer}&is_confirm=1`, {}, ada.token);
  });

  test("that are sent along with a record are their author's, whoever owns the record", async () => {
    const { body } = await edit("crm/leads", { id: lead, comments: [{ body: "Along" }] }, manager.token);
    const [said] = body.data.leads.comments.filter((one: { body: string }) => one.body === "Along");
    expect(said).toMatchObject({ owned_by: manager.id, created_by: manager.id });
    await idOf(service.post(`/core/comments/delete.json?id=${said.id}&is_confirm=1`, {}, manager.token));
  });

  test("tell those who are mentioned and may read the record, once, with a mail", async () => {
    await idOf(
      add(
        "core/email_addresses",
        { related_type: "access_controls/users", related_id: manager.id, email: "grace@example.com" },
        admin,
      ),
    );
    const id = await idOf(comment("crm/leads", lead, "@GRACE, @alan and @ada: look. ada@grace.example", ada.token));
    const told = (await mine(manager.token)).notifications;
    expect(told).toMatchObject([{ kind: "mention", related_name: "Ada's lead", created_by: ada.id }]);
    // Alan may not read the lead: to him there was no mention.
    expect((await mine(alan.token)).notifications[0]).toMatchObject({ kind: "answer" });
    await idOf(edit("core/comments", { id, body: "@grace @grace look again" }, ada.token));
    expect((await mine(manager.token)).notifications).toHaveLength(1);
    const mails = await service.db.run({
      strings: ["select recipient, kind from core__mails where kind = 'mention'"],
      values: [],
    });
    expect(mails.rows).toEqual([["grace@example.com", "mention"]]);
    const query = `related_type=crm/leads&related_id=${lead}&search=`;
    const names = async (search: string, token: string) => {
      const { body } = await service.get(`/core/comments/mentionable.json?${query}${search}`, token);
      return body.data?.users.map(({ user_name }: { user_name: string }) => user_name);
    };
    expect(await names("gr", ada.token)).toEqual(["grace"]);
    expect(await names("al", ada.token)).toEqual([]);
    expect(await names("%25", ada.token)).toEqual([]);
    expect(await names("", alan.token)).toBeUndefined();
    await service.post(`/core/comments/delete.json?id=${id}&is_confirm=1`, {}, ada.token);
  });

  test("mention nobody whose roles do not let them open the record, though it is shared with them", async () => {
    const idle = await addPerson(service, "idle", []);
    const principal = await service.db.row(sql`
      select principal_id::text as id from access_controls__users where organization_id = 1 and id = ${idle.id}::bigint`);
    const shared = `/crm/leads/share.json?id=${lead}&principal_id=${principal?.id}&rights=read`;
    expect((await service.post(shared, {}, ada.token)).body.errors).toEqual([]);
    const query = `related_type=crm/leads&related_id=${lead}&search=idle`;
    const offered = async () =>
      (await service.get(`/core/comments/mentionable.json?${query}`, ada.token)).body.data.users.length;
    expect(await offered()).toBe(0);
    const id = await idOf(comment("crm/leads", lead, "@idle look", ada.token));
    expect((await mine(idle.token)).notifications).toEqual([]);
    const role = await service.db.row(sql`select id from access_controls__roles where code = 'read_only'`);
    await idOf(add("access_controls/roles_users", { user_id: idle.id, role_id: role?.id }, admin));
    expect(await offered()).toBe(1);
    await service.post(`/core/comments/delete.json?id=${id}&is_confirm=1`, {}, ada.token);
  });

  test("take along what is attached to them when their record changes hands", async () => {
    const given = await idOf(
      add("crm/leads", { last_name: "Handed on", addresses: [{ address_line_1: "1 Road" }] }, ada.token),
    );
    const on = await idOf(comment("crm/leads", given, "With a share of its own", ada.token));
    const principal = await service.db.row(sql`
      select principal_id::text as id from access_controls__users where organization_id = 1 and id = ${manager.id}::bigint`);
    const { body } = await service.post(
      `/core/comments/share.json?id=${on}&principal_id=${principal?.id}&rights=read`,
      {},
      ada.token,
    );
    expect(body.errors).toEqual([]);
    // And what is attached to their children.
    const reps = await service.db.row(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
    const allowed = { role_id: reps?.id, record_type: "core/addresses", operations: "index;view;edit" };
    const right = await idOf(add("access_controls/role_operations", allowed, admin));
    const address = await service.db.row(sql`
      select id::text as id from core__addresses where related_type = 'crm/leads' and related_id = ${given}`);
    const lent = await service.post(
      `/core/addresses/share.json?id=${address?.id}&principal_id=${principal?.id}&rights=read`,
      {},
      ada.token,
    );
    expect(lent.body.errors).toEqual([]);
    const shares = await service.db.rows(sql`
      select id::text as id from access_controls__shares
      where (related_type, related_id) in (('core/comments', ${on}), ('core/addresses', ${address?.id ?? null})) order by id`);
    const status = (token: string) =>
      Promise.all(
        shares.map(async ({ id }) => (await service.get(`/access_controls/shares/view.json?id=${id}`, token)).status),
      );
    expect([await status(ada.token), await status(alan.token)]).toEqual([
      [200, 200],
      [404, 404],
    ]);
    await idOf(edit("crm/leads", { id: given, owned_by: alan.id }, manager.token));
    expect([await status(ada.token), await status(alan.token)]).toEqual([
      [404, 404],
      [200, 200],
    ]);
    await idOf(service.post(`/access_controls/role_operations/delete.json?id=${right}&is_confirm=1`, {}, admin));
    await service.post(`/core/comments/delete.json?id=${on}&is_confirm=1`, {}, admin);
    await idOf(service.post(`/crm/leads/delete.json?id=${given}&override=1`, {}, admin));
  });

  test("go out of sight with a deleted record, and come back with it", async () => {
    await service.post(`/crm/leads/delete.json?id=${lead}&is_confirm=1`, {}, ada.token);
    expect(await listed(admin)).toEqual(["On a company"]);
    expect((await service.post(`/core/comments/restore.json?id=${first.lead}`, {}, ada.token)).status).toBe(409);
    expect((await comment("crm/leads", lead, "To nobody", ada.token)).status).toBe(422);
    expect((await service.get(`/crm/leads/view.json?id=${lead}`, ada.token)).body.allow_comments).toBe(0);
    await service.post(`/crm/leads/restore.json?id=${lead}`, {}, ada.token);
    expect(await listed(ada.token)).toEqual(["On a lead", "On a company"]);
  });

  test("are not sent along with a record whose type allows none, or by whoever may not comment on it", async () => {
    const base = {
      module: "lab",
      label: "Note",
      plural: "Notes",
      displayField: "title",
      fields: [{ name: "title", type: "short-text" }],
      associations: [{ kind: "has-many-polymorphic", name: "comments", type: "core/comments", owned: true }],
    };
    const access = { read: ["organization"], edit: ["organization"], delete: ["organization"] };
    const types = [
      { ...base, controller: "silent", access: { ...access, comment: ["organization"] } },
      { ...base, controller: "guarded", allowComments: true, access: { ...access, comment: ["role:sales_manager"] } },
    ];
    for (const type of types) {
      const definition = { definition: JSON.stringify(type) };
      expect((await service.post("/metadata/record_types/save.json", definition, admin)).body.errors).toEqual([]);
      const key = `lab/${type.controller}`;
      const note = await idOf(add(key, { title: "Before" }, admin));
      const along = { title: "After", comments: [{ body: "Along" }] };
      for (const answer of [await add(key, along, ada.token), await edit(key, { id: note, ...along }, ada.token)]) {
        expect([403, 422]).toContain(answer.status);
        expect(answer.body.errors).not.toEqual([]);
      }
      const { body } = await service.get(`/${key}/index.json`, admin);
      expect(body.paginate.data.map((row: Record<string, string>) => row.record_display_name)).toEqual(["Before"]);
    }
    expect(await listed(admin)).not.toContain("Along");
  });

  test("come with a record type made a minute ago, if it allows them", async () => {
    const definition = {
      module: "lab",
      controller: "visits",
      label: "Visit",
      plural: "Visits",
      displayField: "title",
      allowComments: true,
      fields: [{ name: "title", type: "short-text" }],
      access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: ["owner"] },
    };
    const made = { definition: JSON.stringify(definition) };
    expect((await service.post("/metadata/record_types/save.json", made, admin)).body.errors).toEqual([]);
    const visit = await idOf(add("lab/visits", { title: "A visit" }, admin));
    await idOf(comment("lab/visits", visit, "On a visit", admin));
    const { body } = await service.get(`/lab/visits/view.json?id=${visit}`, admin);
    expect(body).toMatchObject({ allow_comments: 1, data: { visits: { comments: [{ body: "On a visit" }] } } });
    expect(await listed(ada.token)).not.toContain("On a visit");
    await service.post(`/lab/visits/delete.json?id=${visit}&is_confirm=1`, {}, admin);
    expect(await listed(admin)).not.toContain("On a visit");
  });
});
