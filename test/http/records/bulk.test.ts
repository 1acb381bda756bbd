// Bulk operations on the wire: many records in one call, at once or as a job, and their undo.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editEach, editMany, findByNames, readCurrent } from "../../../client/records/many-edits.ts";
import { createTransport } from "../../../client/transport/transport.ts";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let manager: Person;
let rep: Person;
let marketing: Person;

beforeAll(async () => {
  service = await startService();
  // Rows written past the wire are in no stage, and would each begin the workflow with their first save, one by one.
  await service.db.run(
    sql`update core__workflows set is_active = 0 where organization_id = 1 and controller = 'crm/leads'`,
  );
  // A role that may edit, and may not change many records at once.
  await service.db.run(sql`
    update access_controls__role_operations o set operations = array_remove(o.operations, 'bulk')
    from access_controls__roles r
    where r.organization_id = o.organization_id and r.id = o.role_id and o.organization_id = 1 and r.code = 'sales_rep'`);
  admin = await service.login();
  manager = await addPerson(service, "manager", ["sales_manager"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  marketing = await addPerson(service, "marketing", ["marketing"]);
});

afterAll(() => service.stop());

const leads = (count: number, more: Record<string, unknown> = {}) =>
  addRows(
    service,
    "crm/leads",
    Array.from({ length: count }, (_, index) => ({
      last_name: `Lead ${index}`,
      name: `Lead ${index}`,
      status: "new",
      owned_by: manager.id,
      ...more,
    })),
  );
const bulk = (operation: string, body: unknown, token = manager.token, type = "crm/leads") =>
  service.post(`/${type}/${operation}.json`, body, token);
const seen = async (id: string, token = admin) =>
  (await service.get(`/crm/leads/view.json?id=${id}`, token)).body.data.leads;
const history = async (id: string) =>
  (await service.get(`/crm/leads/revisions.json?id=${id}`, admin)).body.data.revisions;
const job = async (id: string, token = admin) =>
  (await service.get(`/core/jobs/view.json?id=${id}`, token)).body.data.jobs;
const over = async (id: string) => {
  for (;;) {
    const now = await job(id);
    if (["done", "failed", "cancelled"].includes(now.status)) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe("edit_selected", () => {
  test("changes the records that ids name in any of their encodings, with history", async () => {
    const ids = await leads(5);
    const [a, b, c, d, e] = ids;
    const json = await bulk("edit_selected", { ids: [a, b], data: { leads: { status: "contacted" } } });
    expect([json.status, json.body.errors, json.body.message]).toEqual([200, [], ["2 leads updated"]]);
    expect(json.body.data).toEqual({ changed: [a, b], failed: {} });
    const form = new FormData();
    form.append("ids", `${c},${c}`);
    form.append("data[leads][id][]", String(d));
    form.append("data[leads][status]", "contacted");
    const dressed = await bulk("edit_selected", form);
    expect(dressed.body.data.changed).toEqual([c, d]);
    const bare = await service.post(
      "/edit_selected",
      new URLSearchParams({ controller: "crm/leads", "ids[]": String(e), "data[leads][status]": "contacted" }),
      manager.token,
    );
    expect(bare.body.data.changed).toEqual([e]);
    for (const id of ids) expect(await seen(id)).toMatchObject({ status: "contacted", revision: "2" });
    const [last] = await history(a ?? "");
    expect(last).toMatchObject({ operation: "edit", job_id: json.body.job_id, created_by: manager.id });
    expect(last.changes).toMatchObject([{ field: "status", from: "new", to: "contacted" }]);
  });

  test("changes what it may and tells why not of the others", async () => {
    const [mine = ""] = await leads(1, { owned_by: rep.id });
    const [foreign = ""] = await leads(1);
    const away = await addOrganization(service, "elsewhere");
    const [theirs = ""] = await addRows(service, "crm/leads", [{ last_name: "Theirs" }], away.organizationId);
    const [gone = ""] = await leads(1);
    await service.post(`/crm/leads/delete.json?id=${gone}&is_confirm=1`, {}, manager.token);
    const sent = { ids: [mine, foreign, theirs, gone, "999999", "x'; drop"], data: { leads: { status: "contacted" } } };
    const { status, body } = await bulk("edit_selected", sent);
    expect([status, body.errors, body.message]).toEqual([200, [], ["2 leads updated, 4 failed"]]);
    expect(body.data.changed).toEqual([mine, foreign]);
    const none = ["Lead not found"];
    expect(body.data.failed).toEqual({
      [theirs]: none,
      [gone]: ["This record is deleted. Restore it before you edit it"],
      "999999": none,
      "x'; drop": none,
    });
    expect(await job(body.job_id)).toMatchObject({ status: "done", total: "6", done: "6", failed: "4" });
    expect((await seen(theirs, away.token)).status).not.toBe("contacted");
  });

  test("all or nothing leaves every record as it was when one cannot be changed", async () => {
    const [a = "", b = ""] = await leads(2);
    const sent = { ids: [a, b, "999999"], atomic: "1", data: { leads: { status: "contacted" } } };
    const { status, body } = await bulk("edit_selected", sent);
    expect(status).toBe(422);
    expect(body.errors[0]).toBe("No records were changed: 1 of 3 records can't be changed");
    expect(body.data).toEqual({ changed: [], failed: { "999999": ["Lead not found"] } });
    expect(await seen(a)).toMatchObject({ status: "new", revision: "1" });
    // Each reason once, however many records it is the reason for.
    const gone = await leads(30);
    await bulk("delete_selected", { ids: gone, is_confirm: "1" });
    const none = await bulk("edit_selected", { ids: [...gone, "999999"], data: { leads: { status: "contacted" } } });
    const reasons = ["This record is deleted. Restore it before you edit it", "Lead not found"];
    expect([none.status, none.body.errors]).toEqual([422, ["No records were changed: all 31 failed", ...reasons]]);
  });

  test("takes everything that the list with the same parameters shows, and nothing else", async () => {
    await leads(3, { campaign: "autumn", city: "Ulm" });
    const [other = ""] = await leads(1, { campaign: "autumn", city: "Bonn" });
    const q = JSON.stringify({ where: { campaign: "autumn" } });
    const { body } = await bulk("edit_selected", {
      all_matching: "1",
      q,
      search_basic: "ulm",
      data: { leads: { score: "7" } },
    });
    expect(body.data.changed).toHaveLength(3);
    expect((await seen(other)).score).toBeNull();
  });

  test("takes everything that the list shows but for the records that are named", async () => {
    const [a = "", b = "", c = ""] = await leads(3, { campaign: "spring" });
    const q = JSON.stringify({ where: { campaign: "spring" } });
    const sent = { all_matching: "1", q, except_ids: `${b},999999`, data: { leads: { score: "7" } } };
    const { body } = await bulk("edit_selected", sent);
    expect(body.data.changed.sort()).toEqual([a, c].sort());
    expect((await seen(b)).score).toBeNull();
    const many = Array.from({ length: 10_001 }, (_, at) => String(at + 1)).join(",");
    const refused = await bulk("edit_selected", { ...sent, except_ids: many });
    expect([refused.status, refused.body.errors]).toEqual([400, ["except_ids: takes at most 10,000 ids, not 10,001"]]);
  });

  const change = { leads: { status: "contacted" } };
  test.each<[string, unknown, number, RegExp]>([
    ["without ids", { data: change }, 400, /^ids: must list the records/],
    ["with ids that are no ids", { ids: { a: { b: "1" } }, data: change }, 400, /^ids: must be record ids/],
    ["with ids and all_matching", { ids: "1", all_matching: "1", data: change }, 400, /not both/],
    ["without values", { ids: "1", data: {} }, 400, /must contain the new values/],
    ["with an id that is no name", { ids: "1,__proto__", data: { leads: { score: "5" } } }, 400, /is not a valid name/],
    [
      "with a revision",
      { ids: "1", data: { leads: { revision: "1", status: "new" } } },
      400,
      /can't be sent for many records/,
    ],
    ["with two actions", { ids: "1", data: { ...change, action: { a: "A", b: "B" } } }, 422, /exactly one action/],
    ["with another controller's data", { ids: "1", data: { peoples: {} } }, 400, /only data\[leads\] is allowed here/],
    ["with a wrong value", { ids: "1", data: { leads: { score: "many" } } }, 422, /Some fields need your attention/],
    ["with an unknown field", { ids: "1", data: { leads: { nonsense: "1" } } }, 422, /Some fields need your attention/],
    [
      "with children",
      { ids: "1", data: { leads: { addresses: [{ city: "Ulm" }] } } },
      422,
      /Some fields need your attention/,
    ],
    [
      "with 100,001 keys",
      { ids: Array.from({ length: 100_001 }, (_, at) => String(at)) },
      400,
      /more than 100,000 keys/,
    ],
    [
      "with 100,001 ids in one text",
      { ids: Array.from({ length: 100_001 }, () => "1").join(","), data: change },
      400,
      /^ids: takes at most 100,000 ids, not 100,001/,
    ],
    ["with atomic as a word", { ids: "1", atomic: "true", data: change }, 400, /^atomic: must be one of 0, 1/],
    ["with atomic as a list", { ids: "1", atomic: ["1"], data: change }, 400, /^atomic: must be a single value/],
    [
      "with a view that is not there",
      { all_matching: "1", current_listview: "0199aaaa-0000-7000-8000-000000000000", data: change },
      400,
      /no longer exists/,
    ],
    [
      "with an unknown column in q",
      { all_matching: "1", q: '{"where":{"nonsense":1}}', data: change },
      400,
      /nonsense/,
    ],
  ])("%s nothing is changed", async (_, body, status, words) => {
    const answer = await bulk("edit_selected", body);
    expect([answer.status, answer.body.errors[0]]).toEqual([status, expect.stringMatching(words)]);
  });

  test("with a view whose filters do not all hold for the caller nothing is changed", async () => {
    const role = {
      ...{ name: "Half blind", code: "half_blind" },
      operations: [{ record_type: "crm/leads", operations: "index;view;edit;bulk" }],
      fields: [{ record_type: "crm/leads", field: "score", permission: "1" }],
    };
    const added = await service.post(
      "/access_controls/roles/add.json",
      { data: { roles: role, action: { save_progress: "Save" } } },
      admin,
    );
    expect(added.body.errors).toEqual([]);
    const person = await addPerson(service, "halfblind", ["half_blind"]);
    const [id = ""] = await leads(1, { owned_by: person.id, score: "3" });
    const where = [{ "leads.score": { op: ">", value: "5" } }, { "leads.status": "new", "leads.not_there": "1" }];
    const views = await addRows(
      service,
      "core/listviews",
      where.map((one) => ({
        ...{ name: "Some", controller: "crm/leads", is_personal: "0" },
        query: JSON.stringify({ where: one }),
      })),
    );
    const words = [/columns that you don't have access to/, /no longer exists/];
    for (const [index, current_listview] of views.entries()) {
      const sent = { all_matching: "1", current_listview, data: change };
      const { status, body } = await bulk("edit_selected", sent, person.token);
      expect([status, body.errors[0]]).toEqual([400, expect.stringMatching(words[index] ?? "")]);
    }
    expect(await seen(id)).toMatchObject({ status: "new", revision: "1" });
  });

  test("needs the matrix's bulk and edit, a token in the header, and POST", async () => {
    const [id = ""] = await leads(1, { owned_by: rep.id });
    const sent = { ids: [id], data: change };
    expect((await bulk("edit_selected", sent, rep.token)).status).toBe(403);
    expect((await bulk("edit_selected", sent, marketing.token, "crm/peoples")).status).toBe(403);
    expect((await service.get(`/crm/leads/edit_selected.json?ids=${id}`, admin)).status).toBe(405);
    const cookie = await fetch(`${service.url}/delete_selected?controller=crm/leads&ids=${id}&is_confirm=1`, {
      headers: { cookie: `access_token=${admin}` },
    });
    expect(cookie.status).toBe(403);
    expect((await seen(id)).status).toBe("new");
  });

  test("refuses fields that a role hides or only shows, for each record", async () => {
    const [id = ""] = await addRows(service, "crm/companies", [
      { name: "Acme", annual_revenue: "5.00", owned_by: manager.id },
    ]);
    const role = await service.get("/access_controls/roles/index.json?limit=100", admin);
    const manages = role.body.paginate.data.find(
      (row: Record<string, string>) => row["roles.code"] === "sales_manager",
    );
    const roleFields = (field: string, permission: string) =>
      service.post(
        "/access_controls/role_fields/add.json",
        {
          data: {
            role_fields: { role_id: manages["roles.id"], record_type: "crm/companies", field, permission },
            action: { save_progress: "Save" },
          },
        },
        admin,
      );
    expect((await roleFields("annual_revenue", "4")).status).toBe(200);
    expect((await roleFields("employees", "1")).status).toBe(200);
    const shown = await bulk(
      "edit_selected",
      { ids: id, data: { companies: { annual_revenue: "6" } } },
      manager.token,
      "crm/companies",
    );
    expect([shown.status, shown.body.data.failed]).toEqual([422, { [id]: ["You can't edit Annual revenue"] }]);
    const hidden = await bulk(
      "edit_selected",
      { ids: id, data: { companies: { employees: "6" } } },
      manager.token,
      "crm/companies",
    );
    expect([hidden.status, hidden.body.errors_by_field]).toEqual([
      422,
      { "companies.employees": ["employees is not a field of this record type"] },
    ]);
  });

  test("hands records over with all that is attached to them, and answers a retry with the first answer", async () => {
    const added = await service.post(
      "/crm/leads/add.json",
      {
        data: {
          leads: { last_name: "Handed", addresses: [{ city: "Ulm", address_line_1: "1 Road" }] },
          action: { save_progress: "Save" },
        },
      },
      manager.token,
    );
    const { id } = added.body;
    const sent = { ids: [id], data: { leads: { owned_by: rep.id } } };
    expect((await service.get(`/crm/leads/view.json?id=${id}`, rep.token)).status).toBe(404);
    const headers = { "idempotency-key": "hand-over-once" };
    const first = await service.post("/crm/leads/edit_selected.json", sent, manager.token, headers);
    const again = await service.post("/crm/leads/edit_selected.json", sent, manager.token, headers);
    expect([first.status, again.body]).toEqual([200, first.body]);
    const view = await service.get(`/crm/leads/view.json?id=${id}`, rep.token);
    expect(view.body.data.leads).toMatchObject({ owned_by: rep.id, revision: "2" });
    expect(view.body.data.leads.addresses[0].owned_by).toBe(rep.id);
    const missing = await bulk("edit_selected", { ids: [id], data: { leads: { owned_by: "999999" } } });
    expect(missing.body.data.failed).toEqual({ [id]: ["Owned by does not exist"] });
  });
});

describe("delete_selected and restore_selected", () => {
  test("nothing goes without confirmation; with it, the records go and come back", async () => {
    const ids = await leads(3);
    const address = `/delete_selected?controller=crm/leads&ids=${ids.join()}`;
    expect((await service.get(address, manager.token)).status).toBe(409);
    expect((await seen(ids[0] ?? "")).deleted).toBe("0");
    const { body } = await service.get(`${address},999999&is_confirm=1`, manager.token);
    expect(body.message).toEqual(["3 leads deleted, 1 failed"]);
    expect(body.data.changed).toEqual(ids);
    const again = await bulk("delete_selected", { ids, is_confirm: "1" });
    expect([again.status, again.body.data.failed[ids[0] ?? ""]]).toEqual([422, ["This record is already deleted"]]);
    const back = await bulk("restore_selected", { ids });
    expect(back.body.message).toEqual(["3 leads restored"]);
    expect((await seen(ids[0] ?? "")).deleted).toBe("0");
  });
});

describe("delete_selected of what others need", () => {
  test("leaves it, unless it is told to override", async () => {
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "Needed", owned_by: manager.id }]);
    const [free = ""] = await addRows(service, "crm/companies", [{ name: "Free", owned_by: manager.id }]);
    await addRows(service, "crm/opportunities", [{ name: "Deal", company_id: company, owned_by: manager.id }]);
    const remove = (more: Record<string, string>) =>
      bulk("delete_selected", { ids: [company, free], is_confirm: "1", ...more }, manager.token, "crm/companies");
    const { data } = (await remove({})).body;
    expect([data.changed, Object.keys(data.failed)]).toEqual([[free], [company]]);
    expect((await remove({ override: "1" })).body.data.changed).toEqual([company]);
  });
});

describe("add_many", () => {
  test("adds all with their children, or with a fault none, told by index", async () => {
    const rows = [{ last_name: "One", addresses: [{ city: "Ulm", address_line_1: "1 Road" }] }, { last_name: "Two" }];
    const good = await bulk("add_many", { data: { leads: rows } });
    expect([good.status, good.body.message]).toEqual([200, ["2 leads added"]]);
    const [one, two] = good.body.data.leads;
    expect(await seen(one.id)).toMatchObject({ last_name: "One", owned_by: manager.id });
    expect((await history(two.id))[0]).toMatchObject({ operation: "add", job_id: good.body.job_id });
    const bad = await bulk("add_many", { data: { leads: [{ last_name: "Three" }, { first_name: "No last name" }] } });
    expect(bad.status).toBe(422);
    expect(bad.body.errors_by_field).toEqual({ "leads.1.last_name": ["Last name is required"] });
    const search = await service.get("/crm/leads/index.json?search_basic=Three", admin);
    expect(search.body.paginate.total_count).toBe(0);
  });

  test("with partial=1 adds those that can be", async () => {
    const form = new FormData();
    form.append("partial", "1");
    form.append("data[leads][0][last_name]", "Four");
    form.append("data[leads][1][score]", "lots");
    const { status, body } = await bulk("add_many", form);
    expect([status, body.message]).toEqual([200, ["1 lead added, 1 failed"]]);
    expect(body.data.leads[0].id).toEqual(expect.any(String));
    expect(body.data.leads[1]).toMatchObject({ id: null, errors: expect.arrayContaining(["Last name is required"]) });
    expect(body.errors).toEqual(expect.arrayContaining(["Last name is required"]));
    expect(Object.keys(body.errors_by_field)).toContain("leads.1.score");
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["no list", { data: { leads: "x" } }],
    ["rows that are no records", { data: { leads: ["x"] } }],
    ["two actions", { data: { leads: [{ last_name: "Five" }], action: { a: "A", b: "B" } } }],
  ])("refuses %s", async (_, body) => {
    expect([400, 422]).toContain((await bulk("add_many", body)).status);
  });
});

describe("edit_many", () => {
  test("gives each record its own values, compares revisions, tells why not of the others, and is undone as one", async () => {
    const [a = "", b = "", c = "", d = ""] = await leads(4, { score: "5" });
    await bulk("edit_selected", { ids: c, data: { leads: { score: "6", city: "Ulm" } } });
    const rows = [
      { id: a, revision: "1", score: "10", rating: "hot" },
      { id: b, score: "500" },
      { id: c, revision: "1", score: "30" },
      { id: d, score: "40" },
      { id: "999999", score: "1" },
    ];
    const { status, body } = await bulk("edit_many", { data: { leads: rows } });
    expect([status, body.message]).toEqual([200, ["2 leads updated, 3 failed"]]);
    expect(body.data.changed).toEqual([a, d]);
    expect(body.data.failed).toEqual({
      [b]: [expect.stringContaining("Score must be")],
      [c]: [expect.stringContaining("Someone else changed this record"), "Score has changed"],
      "999999": ["Lead not found"],
    });
    expect(await seen(a)).toMatchObject({ score: "10", rating: "hot", revision: "2" });
    expect(await seen(c)).toMatchObject({ score: "6", city: "Ulm" });
    expect((await history(d))[0]).toMatchObject({ operation: "edit", job_id: body.job_id });
    const undone = await bulk("undo", { id: body.job_id }, manager.token, "core/jobs");
    expect(undone.body.data.changed.sort()).toEqual([a, d].sort());
    expect(await seen(a)).toMatchObject({ score: "5", rating: null });
  });

  test("compares revisions as well where records go one by one, and with atomic=1 writes nothing", async () => {
    const [a = "", b = ""] = await leads(2);
    await bulk("edit_selected", { ids: b, data: { leads: { city: "Ulm" } } });
    // What duplicates are looked for by is asked of each record.
    const rows = [
      { id: a, revision: "1", email: "a@many.example" },
      { id: b, revision: "1", email: "b@many.example" },
    ];
    const all = await bulk("edit_many", { atomic: "1", data: { leads: rows } });
    expect([all.status, (await seen(a)).email]).toEqual([422, null]);
    const some = await bulk("edit_many", { data: { leads: rows } });
    expect(some.body.data).toMatchObject({
      changed: [a],
      failed: { [b]: [expect.stringContaining("Someone else"), "Email has changed"] },
    });
  });

  test.each<[string, number, unknown]>([
    ["nothing", 400, {}],
    ["a record without its id", 400, { data: { leads: [{ score: "1" }] } }],
    ["an id that is no name", 400, { data: { leads: [{ id: "__proto__", score: "1" }] } }],
    [
      "a record twice",
      400,
      {
        data: {
          leads: [
            { id: "1", score: "1" },
            { id: "1", score: "2" },
          ],
        },
      },
    ],
    ["no values", 400, { data: { leads: [{ id: "1", revision: "1" }] } }],
    ["children", 400, { data: { leads: [{ id: "1", addresses: [{ city: "Ulm" }] }] } }],
  ])("refuses %s", async (_, status, body) => {
    expect((await bulk("edit_many", body)).status).toBe(status);
  });

  test("our own client edits many with the right to, each by itself without, and takes back what it did", async () => {
    const [a = "", b = ""] = await leads(2, { score: "1", owned_by: rep.id });
    const callAs = (token: string) => createTransport({ baseUrl: service.url, token: async () => token });
    const current = await readCurrent(
      callAs(rep.token),
      "crm/leads",
      [a, b, "999999"],
      ["leads.score", "leads.owned_by"],
    );
    expect([...current]).toEqual(
      expect.arrayContaining([
        [
          a,
          {
            revision: "1",
            mayEdit: true,
            values: { "leads.score": { value: "1", text: null }, "leads.owned_by": { value: rep.id, text: "rep" } },
          },
        ],
      ]),
    );
    expect(current.size).toBe(2);
    const edit = (id: string, revision: string) => ({ id, revision, values: { score: "9" }, before: { score: "1" } });
    for (const [run, token] of [
      [editEach, rep.token],
      [editMany, manager.token],
    ] as const) {
      const { revision } = await seen(a);
      const done = await run(callAs(token), "crm/leads", [edit(a, revision), edit(b, "77")]);
      expect(done).toMatchObject({
        changed: [a],
        failed: { [b]: [expect.stringContaining("Someone else changed this record"), "Score has changed"] },
      });
      expect((await seen(a)).score).toBe("9");
      await done.undo();
      expect((await seen(a)).score).toBe("1");
    }
    const none = await editMany(callAs(manager.token), "crm/leads", [edit(b, "77")]);
    expect([none.changed, Object.keys(none.failed)]).toEqual([[], [b]]);
    const named = await findByNames(callAs(admin), "access_controls/users", "users.name", ["rep", "nobody at all"]);
    expect([...named]).toEqual([["rep", [{ id: rep.id, name: "rep" }]]]);
  });

  test("needs the right to bulk and to edit", async () => {
    const [id = ""] = await leads(1);
    expect((await bulk("edit_many", { data: { leads: [{ id, score: "1" }] } }, rep.token)).status).toBe(403);
  });
});

describe("jobs", () => {
  let ids: string[];
  let jobId: string;

  test("more than a thousand records become a job whose records are fixed when it starts", async () => {
    ids = await leads(1_100, { campaign: "big" });
    await service.post(`/crm/leads/delete.json?id=${ids[7]}&is_confirm=1`, {}, manager.token);
    const sent = { ids: ids.join(), data: { leads: { rating: "hot" } } };
    const started = await bulk("edit_selected", sent);
    expect([started.status, started.body.errors, started.body.total]).toEqual([202, [], 1_100]);
    jobId = started.body.job_id;
    const end = await over(jobId);
    expect(end).toMatchObject({ status: "done", total: "1100", done: "1100", failed: "1", title: "Edit 1,100 leads" });
    const told = await service.get(`/core/jobs/failures.json?id=${jobId}`, manager.token);
    const reasons = ["This record is deleted. Restore it before you edit it"];
    expect(told.body.data.failures).toEqual([{ id: ids[7], kind: "failed", reasons }]);
    const row = await service.db.row(sql`
      select count(*)::text as edits, count(distinct related_id)::text as records from core__revisions
      where organization_id = 1 and job_id = ${jobId}::bigint`);
    expect(row).toEqual({ edits: "1099", records: "1099" });
  });

  test("are seen by whoever started them and by administrators alone", async () => {
    expect((await service.get(`/core/jobs/view.json?id=${jobId}`, manager.token)).status).toBe(200);
    expect((await service.get(`/core/jobs/view.json?id=${jobId}`, rep.token)).status).toBe(404);
    for (const operation of ["cancel", "undo"]) {
      expect((await service.post(`/core/jobs/${operation}.json?id=${jobId}`, {}, rep.token)).status).toBe(404);
    }
    expect((await service.get(`/core/jobs/failures.json?id=${jobId}`, rep.token)).status).toBe(404);
    const own = await service.get("/core/jobs/index.json?limit=1000", rep.token);
    expect(own.body.paginate.total_count).toBe(0);
  });

  test("are undone days later, past hand edits, once", async () => {
    const [hand = "", twice = ""] = ids;
    const edit = (id: string, rating: string) =>
      service.post(
        "/crm/leads/edit.json",
        { data: { leads: { id, rating }, action: { save_progress: "Save" } } },
        manager.token,
      );
    await edit(hand, "cold");
    await edit(twice, "cold");
    await edit(twice, "hot");
    const undone = await service.post(`/core/jobs/undo.json?id=${jobId}`, {}, manager.token);
    expect(undone.status).toBe(202);
    const end = await over(undone.body.job_id);
    expect(end).toMatchObject({ status: "done", kind: "undo", undoes: jobId, total: "1099", failed: "0" });
    expect(JSON.parse(end.result).left_alone).toEqual({ [hand]: ["rating"], [twice]: ["rating"] });
    expect(await seen(hand)).toMatchObject({ rating: "cold" });
    expect(await seen(twice)).toMatchObject({ rating: "hot" });
    expect(await seen(ids[2] ?? "")).toMatchObject({ rating: null, revision: "3" });
    expect((await history(ids[2] ?? ""))[0]).toMatchObject({ operation: "undo", job_id: undone.body.job_id });
    const again = await service.post(`/core/jobs/undo.json?id=${jobId}`, {}, manager.token);
    expect([again.status, again.body.errors]).toEqual([409, ["This job was already undone"]]);
    const ofUndo = await service.post(`/core/jobs/undo.json?id=${undone.body.job_id}`, {}, manager.token);
    expect([ofUndo.status, ofUndo.body.errors]).toEqual([409, ["This job can't be undone"]]);
  });

  test("all or nothing writes nothing when one record cannot be changed", async () => {
    const sent = { ids: ids.join(), atomic: "1", data: { leads: { score: "9" } } };
    const nobody = Array.from({ length: 150 }, (_, index) => `${900_000_000 + index}`);
    const asked = await bulk("edit_selected", { ...sent, ids: [...ids, ...nobody].join() });
    const end = await over(asked.body.job_id);
    expect(end).toMatchObject({ status: "failed", done: "0", failed: "151" });
    // A job's record tells the first of its failures; there may be as many as records.
    const told = Object.keys(JSON.parse(end.result).failed);
    expect(told).toHaveLength(100);
    // By these, the purge of one of them finds what to forget.
    const noted = await service.db.row(sql`
      select array_to_string(told, ' ') as ids from core__job_chunks
      where organization_id = 1 and job_id = ${asked.body.job_id}::bigint and told is not null`);
    expect(noted?.ids?.split(" ").sort()).toEqual(told.sort());
    expect((await seen(ids[0] ?? "")).score).toBeNull();
    await bulk("restore_selected", { ids: [ids[7]] });
    const second = await over((await bulk("edit_selected", sent)).body.job_id);
    expect(second).toMatchObject({ status: "done", done: "1100", failed: "0" });
    expect((await seen(ids[0] ?? "")).score).toBe("9");
  });

  test("stop when they are cancelled, and what was done can be undone", async () => {
    // Held up by a lock, so that it is stopped for certain before it is over.
    const release = await holdBack(ids.at(-1) ?? "");
    const sent = { ids: ids.join(), data: { leads: { score: "3" } } };
    const { job_id: id } = (await bulk("edit_selected", sent)).body;
    await until(async () => (await job(id)).done === "1000");
    const early = await service.post(`/core/jobs/undo.json?id=${id}`, {}, manager.token);
    expect([early.status, early.body.errors]).toEqual([409, [expect.stringMatching(/running/i)]]);
    const stopped = await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token);
    expect(stopped).toMatchObject({
      status: 200,
      body: { data: { jobs: { status: "cancelled", finished: expect.any(String) } } },
    });
    expect((await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token)).status).toBe(409);
    await release();
    await until(async () => !(await service.db.row(sql`select 1 as found from core__job_queue`)));
    expect(await job(id)).toMatchObject({ status: "cancelled", total: "1100", finished: expect.any(String) });
    const undone = await service.post(`/core/jobs/undo.json?id=${id}`, {}, manager.token);
    await over(undone.body.job_id);
    expect(await seen(ids[0] ?? "")).toMatchObject({ score: "9" });
  });

  test("all or nothing write nothing when they are cancelled", async () => {
    const some = ids.slice(0, 1_001);
    const release = await holdBack(some.at(-1) ?? "");
    const sent = { ids: some.join(), atomic: "1", data: { leads: { score: "8" } } };
    const { job_id: id } = (await bulk("edit_selected", sent)).body;
    await until(async () => (await job(id)).done === "1000");
    await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token);
    await release();
    await until(async () => !(await service.db.row(sql`select 1 as found from core__job_queue`)));
    expect(await job(id)).toMatchObject({ status: "cancelled", done: "0" });
    expect((await seen(some[0] ?? "")).score).not.toBe("8");
  });

  test("try a chunk that ends in an error three times, count anew for the next, and then say so", async () => {
    const some = ids.slice(0, 1_001);
    const [first, last] = [some[0] ?? "", some.at(-1) ?? ""];
    // A sequence keeps counting when a transaction is given up.
    await service.db.script(`
      create sequence first_tries; create sequence last_tries;
      create function break_sometimes() returns trigger language plpgsql as $$ begin
        if new.id = ${first} and nextval('first_tries') <= 2 then raise exception 'twice'; end if;
        if new.id = ${last} and nextval('last_tries') > 0 then raise exception 'always'; end if;
        return new;
      end $$;
      create trigger break_sometimes before update on crm__leads for each row execute function break_sometimes()`);
    const { job_id: id } = (await bulk("edit_selected", { ids: some.join(), data: { leads: { score: "6" } } })).body;
    const end = await over(id);
    const tries = await service.db.row(sql`
      select (select last_value from first_tries)::text as first, (select last_value from last_tries)::text as last`);
    await service.db.script("drop trigger break_sometimes on crm__leads");
    expect(end).toMatchObject({ status: "failed", done: "1000", failed: "0" });
    expect(JSON.parse(end.result).message).toHaveLength(1);
    expect(tries).toEqual({ first: "3", last: "3" });
    expect([(await seen(first)).score, (await seen(last)).score]).toEqual(["6", expect.not.stringMatching("6")]);
  });

  test("are not needed for a thousand, and for one more they are", async () => {
    const edit = (count: number) =>
      bulk("edit_selected", { ids: ids.slice(0, count).join(), data: { leads: { score: "7" } } });
    expect((await edit(1_000)).body).toMatchObject({ is_queued: 0, total: 1_000 });
    const queued = await edit(1_001);
    expect([queued.status, queued.body.is_queued]).toEqual([202, 1]);
    await over(queued.body.job_id);
  });

  test("end when whoever started them may no longer do it", async () => {
    const person = await addPerson(service, "leaver", ["sales_manager"]);
    const release = await holdBack(ids[0] ?? "");
    const sent = { ids: ids.join(), data: { leads: { score: "4" } } };
    const { job_id: id } = (await bulk("edit_selected", sent, person.token)).body;
    await service.db.run(sql`update access_controls__users set is_active = 0 where id = ${person.id}::bigint`);
    await release();
    const end = await over(id);
    expect(end.status).toBe("failed");
    expect(JSON.parse(end.result).message).toEqual(["The user who started this job is no longer active"]);
  });

  test("end when the right to change many records is taken away between two chunks", async () => {
    const person = await addPerson(service, "demoted", ["sales_manager"]);
    const release = await holdBack(ids[1_050] ?? "");
    // The one that is held up is in the second chunk, and the last one in the third.
    const nobody = Array.from({ length: 1_000 }, (_, index) => `${900_000_000 + index}`);
    const sent = { ids: [...ids.slice(0, -1), ...nobody, ...ids.slice(-1)].join(), data: { leads: { score: "5" } } };
    const { job_id: id } = (await bulk("edit_selected", sent, person.token)).body;
    await until(async () => (await job(id)).done === "1000");
    // The role keeps every other right, the one to edit included.
    await service.db.run(sql`
      update access_controls__role_operations o set operations = array_remove(o.operations, 'bulk')
      from access_controls__roles r
      where r.organization_id = o.organization_id and r.id = o.role_id and o.organization_id = 1 and r.code = 'sales_manager'`);
    await release();
    const end = await over(id);
    await service.db.run(sql`
      update access_controls__role_operations o set operations = array_append(o.operations, 'bulk')
      from access_controls__roles r
      where r.organization_id = o.organization_id and r.id = o.role_id and o.organization_id = 1 and r.code = 'sales_manager'
        and 'edit' = any(o.operations)`);
    expect([end.status, JSON.parse(end.result).message]).toEqual([
      "failed",
      expect.arrayContaining([expect.stringMatching(/bulk/i)]),
    ]);
    expect((await seen(ids.at(-1) ?? "")).score).not.toBe("5");
  });

  test("a thousand and one records to add become a job too, and go again with its undo", async () => {
    const rows = Array.from({ length: 1_001 }, (_, index) => ({ last_name: `Added ${index}` }));
    const started = await bulk("add_many", { data: { leads: rows } });
    expect(started.status).toBe(202);
    expect(await over(started.body.job_id)).toMatchObject({ status: "done", done: "1001", failed: "0" });
    // What was sent is not kept beside what came of it.
    const sent = await service.db.row(sql`
      select count(*)::text as n from core__job_chunks where job_id = ${started.body.job_id}::bigint and rows is not null`);
    expect(sent?.n).toBe("0");
    const search = "/crm/leads/index.json?search_basic=Added&limit=1";
    expect((await service.get(search, admin)).body.paginate.total_count).toBe(1_001);
    const undone = await service.post(`/core/jobs/undo.json?id=${started.body.job_id}`, {}, manager.token);
    expect(await over(undone.body.job_id)).toMatchObject({ status: "done", done: "1001", failed: "0" });
    expect((await service.get(search, admin)).body.paginate.total_count).toBe(0);
  });
});

describe("undo at once", () => {
  const undo = async (jobId: string) =>
    (await service.post(`/core/jobs/undo.json?id=${jobId}`, {}, manager.token)).body;

  test("of a deletion brings back what nobody brought back by hand", async () => {
    const [a = "", b = "", c = ""] = await leads(3);
    const { job_id: id } = (await bulk("delete_selected", { ids: [a, b, c], is_confirm: "1" })).body;
    for (const one of [b, c]) await service.post(`/crm/leads/restore.json?id=${one}`, {}, manager.token);
    await service.post(`/crm/leads/delete.json?id=${b}&is_confirm=1`, {}, manager.token);
    const body = await undo(id);
    expect(body.data).toEqual({ changed: [a], failed: {}, left_alone: { [b]: ["deleted"] } });
    expect([(await seen(a)).deleted, (await seen(b)).deleted, (await seen(c)).deleted]).toEqual(["0", "1", "0"]);
  });

  test("of records that were added leaves those alone that somebody worked on", async () => {
    const added = await bulk("add_many", { data: { leads: [{ last_name: "Six" }, { last_name: "Seven" }] } });
    const [six, seven] = added.body.data.leads;
    const values = { id: seven.id, city: "Ulm" };
    await service.post(
      "/crm/leads/edit.json",
      { data: { leads: values, action: { save_progress: "Save" } } },
      manager.token,
    );
    const body = await undo(added.body.job_id);
    expect(body.data).toMatchObject({ changed: [six.id], left_alone: { [seven.id]: ["city"] } });
    expect([(await seen(six.id)).deleted, (await seen(seven.id)).deleted]).toEqual(["1", "0"]);
  });

  test("goes back step by step: the later of two edits first, then the earlier", async () => {
    const [id = ""] = await leads(1, { rating: "cold" });
    const first = (await bulk("edit_selected", { ids: id, data: { leads: { rating: "warm" } } })).body.job_id;
    const second = (await bulk("edit_selected", { ids: id, data: { leads: { rating: "hot" } } })).body.job_id;
    await undo(second);
    await undo(first);
    expect((await seen(id)).rating).toBe("cold");
  });

  test("that can do nothing says why, and one that failed can be tried again", async () => {
    const [id = ""] = await leads(1, { rating: "cold" });
    const edited = (await bulk("edit_selected", { ids: id, data: { leads: { rating: "hot" } } })).body.job_id;
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, manager.token);
    const body = await undo(edited);
    expect(body.data).toMatchObject({ changed: [], failed: { [id]: [expect.stringMatching(/deleted/)] } });
    expect((await undo(edited)).data.failed).toHaveProperty(id);
    for (const status of ["failed", "cancelled"]) {
      await service.db.run(
        sql`update core__jobs set status = ${status} where kind = 'undo' and undoes = ${edited}::bigint`,
      );
      expect((await undo(edited)).data.failed).toHaveProperty(id);
    }
    await service.post(`/crm/leads/restore.json?id=${id}`, {}, manager.token);
    expect((await undo(edited)).data).toMatchObject({ changed: [id], failed: {} });
    expect((await seen(id)).rating).toBe("cold");
    expect((await undo(edited)).errors).toEqual(["This job was already undone"]);
  });

  test("brings back what another record has meanwhile: nothing new comes of it", async () => {
    const [id = ""] = await leads(1, { email: "first@example.com" });
    const values = { email: "second@example.com" };
    const { job_id: edited } = (await bulk("edit_selected", { ids: id, data: { leads: values } })).body;
    await leads(1, { email: "first@example.com" });
    expect((await undo(edited)).data).toMatchObject({ changed: [id], failed: {} });
    expect((await seen(id)).email).toBe("first@example.com");
  });

  test("leaves alone what a later bulk edit changed, even where it is back at the value that was set", async () => {
    const [id = ""] = await leads(1, { rating: "cold" });
    const rate = async (rating: string) =>
      (await bulk("edit_selected", { ids: id, data: { leads: { rating } } })).body.job_id;
    const first = await rate("warm");
    await rate("hot");
    await rate("warm");
    const body = await undo(first);
    expect(body.data).toMatchObject({ changed: [], left_alone: { [id]: ["rating"] } });
    expect((await seen(id)).rating).toBe("warm");
  });
});

/** Holds a lead's row until it is let go: a job comes to it and waits. */
async function holdBack(id: string): Promise<() => Promise<void>> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let locked = () => {};
  const ready = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const holding = service.db.transaction(async (transaction) => {
    await transaction.run(sql`select 1 from crm__leads where organization_id = 1 and id = ${id}::bigint for update`);
    locked();
    await held;
  });
  await ready;
  return async () => {
    letGo();
    await holding;
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
