// List views as records: made, checked, shared, cloned and deleted through the ordinary operations; the dashboard.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { requireType } from "../../../server/metadata/snapshot.ts";
import { testCaller } from "../../../server/plan/column-fixture.ts";
import { createListViews } from "../../../server/records/list/list-views.ts";
import { giveNewViews } from "../../../server/seed/give-new-views.ts";
import { type ShippedView, shippedViews } from "../../../server/seed/standard-views.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, type Person, snapshot } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let marketer: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  marketer = await addPerson(service, "marketer", ["marketing"]);
});
afterAll(() => service.stop());

const save = (operation: "add" | "edit", listviews: Record<string, unknown>, token: string): Promise<Answer> =>
  service.post(`/core/listviews/${operation}.json`, { data: { listviews, action: { save_progress: "Save" } } }, token);
const add = (view: Record<string, unknown>, token: string = rep.token) =>
  save("add", { controller: "crm/leads", name: "A view", ...view }, token);
const query = (value: unknown) => JSON.stringify(value);
const open = async (id: string, token: string, type = "crm/leads") =>
  (await service.get(`/${type}/index.json?track_open=0&current_listview=${id}`, token)).body;

const hot = { where: { "leads.score": { op: ">=", value: "80" } }, color: "red", paint: "row" };

describe("saving", () => {
  test("keeps the query as it was given, and it opens at once", async () => {
    const given = {
      fields: ["leads.name", "leads.owned_by.name as Who"],
      where: { "leads.score": { op: ">", value: "5" } },
      order: ["leads.name DESC"],
      limit: 7,
      columns: { "leads.name": { label: "Person", width: "300", clickable_link: "1" } },
      ui_helper: "table",
    };
    const { status, body } = await add({ name: "Scored", query: query(given) });
    expect(body.errors).toEqual([]);
    expect(status).toBe(200);
    expect(JSON.parse(body.data.listviews.query)).toEqual({ ...given, limit: 7 });
    const opened = await open(body.id, rep.token);
    expect(opened.paginate).toMatchObject({ name: "Scored", limit: 7, query: { order: ["leads.name DESC"] } });
    expect(opened.paginate.header.map((column: { label: string }) => column.label)).toEqual(["Person", "Who"]);
    expect(opened.paginate.header[0]).toMatchObject({ width: "300", clickable_link: "1" });
  });

  test("keeps sections, row height and colors, and its list stays the same to programs", async () => {
    const plain = { fields: ["leads.name"], order: ["leads.name ASC"] };
    const [before, after] = [
      await add({ query: query(plain) }),
      await add({ query: query({ ...plain, sections: ["month(leads.created)"], row_height: "tall", colors: [hot] }) }),
    ];
    expect(after.body.errors).toEqual([]);
    expect(JSON.parse(after.body.data.listviews.query)).toMatchObject({
      sections: ["month(leads.created)"],
      row_height: "tall",
      colors: [hot],
    });
    const [one, other] = await Promise.all([before, after].map(({ body }) => open(body.id, rep.token)));
    expect(other.paginate).toMatchObject({ data: one.paginate.data, header: one.paginate.header });
  });

  test("tells by which field the records of a reference are put in order", async () => {
    const { body } = await service.get("/metadata/schema/index.json?search_controller=crm/leads", admin);
    const named = (name: string) => body.data.schema.find((field: { name: string }) => field.name === name);
    expect(named("current_stage").sort_by).toBe("sequence");
    expect(named("owned_by")).not.toHaveProperty("sort_by");
  });

  test.each([
    ["an unknown column", { fields: ["leads.nothing"] }, "leads.nothing is not a column of crm/leads"],
    ["an unknown column in where", { where: { "leads.nothing": 1 } }, "leads.nothing is not a column of crm/leads"],
    ["an unknown column in order", { order: ["leads.nothing ASC"] }, "leads.nothing is not a column of crm/leads"],
    ["a value that does not fit", { where: { "leads.score": "x" } }, 'leads.score: "x"'],
    ["an unknown key", { wher: {} }, 'there is no key "wher"'],
    ["an unknown helper", { ui_helper: "hologram" }, "ui_helper: must be one of table, line"],
    ["a group that cannot be", { fields: ["leads.name"], group: ["leads.status"] }, "leads.name must be in group"],
    ["columns that are no object", { columns: ["leads.name"] }, "columns: must be an object"],
    ["a section by an unknown column", { sections: ["leads.nothing"] }, "leads.nothing is not a column of crm/leads"],
    ["a section by a figure", { sections: ["sum(leads.amount)"] }, "sum(leads.amount)"],
    ["two levels of sections", { sections: ["leads.status", "leads.source"] }, "sections: at most 1, not 2"],
    ["sections that are no list", { sections: "leads.status" }, "sections: must be an array"],
    ["an unknown row height", { row_height: "huge" }, "row_height: must be one of compact, normal"],
    ["colors that are no list", { colors: {} }, "colors: must be an array"],
    ["too many colors", { colors: Array(11).fill(hot) }, "colors: at most 10, not 11"],
    ["a color that is none", { colors: [{ ...hot, color: "url(x)" }] }, "colors.0.color: must be one of red"],
    ["a rule that colors nothing", { colors: [{ ...hot, paint: "page" }] }, "colors.0.paint: must be one of row, cell"],
    ["a rule with more to it", { colors: [{ ...hot, style: "x" }] }, "colors.0.style"],
    ["a rule with no condition", { colors: [{ color: "red", paint: "row" }] }, "colors.0.where: must be one condition"],
    [
      "a rule on an unknown column",
      { colors: [{ ...hot, where: { "leads.nothing": 1 } }] },
      "leads.nothing is not a column of crm/leads",
    ],
    [
      "a rule by a value that does not fit",
      { colors: [{ ...hot, where: { "leads.score": "x" } }] },
      'leads.score: "x"',
    ],
    ["SQL", { fields: ["leads.name; drop table crm__leads"] }, "fields:"],
  ])("refuses a query with %s, and says what is wrong", async (_, value, words) => {
    const { status, body } = await add({ query: query(value) });
    expect(status).toBe(422);
    expect(body.errors_by_field["listviews.query"][0]).toContain(words);
    expect(body.data.listviews.name).toBe("A view");
  });

  test("refuses an edit that would break a view, and leaves it as it is", async () => {
    const { body } = await add({ query: query({ fields: ["leads.name"] }) });
    const edit = await save("edit", { id: body.id, query: query({ fields: ["leads.nothing"] }) }, rep.token);
    expect(edit.status).toBe(422);
    expect((await open(body.id, rep.token)).paginate.query.fields).toEqual(["leads.name"]);
    const renamed = await save("edit", { id: body.id, name: "Renamed" }, rep.token);
    expect(renamed.body.errors).toEqual([]);
    expect((await open(body.id, rep.token)).listview_name).toBe("Renamed");
  });

  test.each(["crm/nothing", "access_controls", ""])("refuses the record type %j", async (controller) => {
    const { status, body } = await add({ controller });
    expect(status).toBe(422);
    expect(body.errors_by_field).toHaveProperty(["listviews.controller"]);
  });

  test("refuses a column that is hidden from whoever saves it", async () => {
    const hidden = { controller: "crm/opportunities", query: query({ fields: ["opportunities.amount"] }) };
    const { status, body } = await add(hidden, marketer.token);
    expect(status).toBe(422);
    expect(body.errors_by_field["listviews.query"][0]).toContain("opportunities.amount is not a column");
    expect((await add(hidden, rep.token)).status).toBe(200);
  });

  test("takes the helper from the query, and writes it into a query without one", async () => {
    const pie = await add({
      query: query({ fields: ["leads.status", "count(leads.id) as Leads"], group: ["leads.status"], ui_helper: "pie" }),
    });
    expect(pie.body.data.listviews.ui_helper).toBe("pie");
    const plain = await add({ ui_helper: "kanban", query: query({ fields: ["leads.name", "leads.status"] }) });
    expect(JSON.parse(plain.body.data.listviews.query).ui_helper).toBe("kanban");
    expect((await open(plain.body.id, rep.token)).paginate.ui_helper).toBe("kanban");
  });
});

describe("who sees it", () => {
  test("a new one is personal, until its owner lets everybody see it", async () => {
    const { body } = await add({ name: "Quiet", query: query({ fields: ["leads.name"] }) });
    expect((await open(body.id, other.token)).listview_name).toBe("All leads");
    await save("edit", { id: body.id, is_personal: "0" }, rep.token);
    expect((await open(body.id, other.token)).listview_name).toBe("Quiet");
    expect((await save("edit", { id: body.id, name: "Stolen" }, other.token)).status).toBe(403);
    await save("edit", { id: body.id, is_personal: "1" }, rep.token);
    expect((await open(body.id, other.token)).listview_name).toBe("All leads");
    await save("edit", { id: body.id, is_personal: "" }, rep.token);
    expect((await open(body.id, other.token)).listview_name).toBe("Quiet");
  });

  test("one that is shared with a person is seen by that person", async () => {
    const { body } = await add({ name: "For you", query: query({ fields: ["leads.name"] }) });
    const principal = await service.db.row(
      sql`select principal_id from access_controls__users where id = ${other.id}::bigint`,
    );
    const shares = {
      related_type: "core/listviews",
      related_id: body.id,
      principal_id: principal?.principal_id,
      rights: "read",
    };
    const owner = await addPerson(service, "boss", ["administrator"]);
    const shared = await service.post(
      "/access_controls/shares/add.json",
      { data: { shares, action: { save_progress: "Save" } } },
      owner.token,
    );
    expect(shared.body.errors).toEqual([]);
    expect((await open(body.id, other.token)).listview_name).toBe("For you");
    expect((await open(body.id, marketer.token)).listview_name).toBe("All leads");
  });
});

test("what is on everybody's dashboard is chosen by administrators", async () => {
  const view = {
    controller: "crm/companies",
    name: "For all to see",
    query: query({ fields: ["companies.name"] }),
    is_pinned: "1",
    is_personal: "0",
  };
  const refused = await add(view, rep.token);
  expect([refused.status, Object.keys(refused.body.errors_by_field)]).toEqual([422, ["listviews.is_pinned"]]);
  const { body } = await add({ ...view, is_personal: "1" }, rep.token);
  expect(body.errors).toEqual([]);
  const shared = await service.post(
    "/core/listviews/edit.json",
    { data: { listviews: { id: body.id, is_personal: "0" }, action: { save_progress: "Save" } } },
    rep.token,
  );
  expect([shared.status, Object.keys(shared.body.errors_by_field)]).toEqual([422, ["listviews.is_pinned"]]);
  const chosen = await add(view, admin);
  expect(chosen.body.errors).toEqual([]);
  const { body: dashboard } = await service.get("/core/listviews/dashboard.json", other.token);
  expect(dashboard.paginate.data.map(({ id }: { id: string }) => id)).toContain(chosen.body.id);
  expect((await service.get(`/core/listviews/delete.json?id=${chosen.body.id}&is_confirm=1`, admin)).status).toBe(200);
});

describe("the default", () => {
  const opens = async (token: string) =>
    (await service.get("/crm/companies/index.json?track_open=0", token)).body.listview_name;

  test("of everybody is chosen by administrators, and is one", async () => {
    const view = {
      controller: "crm/companies",
      name: "Opens first",
      query: query({ fields: ["companies.name"] }),
      is_default: "1",
      is_personal: "0",
    };
    const refused = await add(view, rep.token);
    expect(refused.status).toBe(422);
    expect(refused.body.errors_by_field).toHaveProperty(["listviews.is_default"]);
    const { body } = await add(view, admin);
    expect(body.errors).toEqual([]);
    expect(await opens(other.token)).toBe("Opens first");
    const rows = await service.db.rows(sql`
      select name from core__listviews where organization_id = 1 and controller = 'crm/companies' and is_default = 1 and is_personal = 0`);
    expect(rows).toEqual([{ name: "Opens first" }]);
  });

  test("of one's own comes before, for oneself alone", async () => {
    const view = {
      controller: "crm/companies",
      name: "My own first",
      query: query({ fields: ["companies.name"] }),
      is_default: "1",
      is_personal: "1",
    };
    expect((await add(view, rep.token)).body.errors).toEqual([]);
    expect(await opens(rep.token)).toBe("My own first");
    expect(await opens(other.token)).toBe("Opens first");
    expect(await opens(admin)).toBe("Opens first");
  });
});

describe("a default that is deleted and restored", () => {
  const make = async (name: string, controller: string, is_personal = "0") => {
    const view = { name, controller, is_default: "1", is_personal };
    const { body } = await add({ ...view, query: query({ fields: [`${controller.slice(4)}.name`] }) }, admin);
    expect(body.errors).toEqual([]);
    return body.id as string;
  };
  const turn = async (operation: "delete" | "restore", id: string) => {
    const { body } = await service.post(`/core/listviews/${operation}.json?id=${id}&is_confirm=1`, {}, admin);
    expect(body.errors).toEqual([]);
  };
  const defaults = async (controller: string, is_personal = "0") => {
    const rows = await service.db.rows(sql`
      select name from core__listviews where organization_id = 1 and controller = ${controller} and is_default = 1
        and coalesce(is_personal, 0) = ${is_personal}::smallint and deleted = 0`);
    return rows.map(({ name }) => name);
  };
  /** As if it had come from elsewhere: an import, or a start that gave a new one. */
  const another = (id: string) => service.db.run(sql`update core__listviews set is_default = 1 where id = ${id}::uuid`);

  test.each(["0", "1"])("leaves the place to another (personal: %s)", async (is_personal) => {
    const first = await make("First", "crm/quotes", is_personal);
    const second = await make("Second", "crm/quotes", is_personal);
    await turn("delete", first);
    await another(first);
    await turn("restore", first);
    expect(await defaults("crm/quotes", is_personal)).toEqual(["Second"]);
    await turn("delete", second);
    await turn("restore", second);
    expect(await defaults("crm/quotes", is_personal)).toEqual(["Second"]);
  });

  test("of two that are made at the same time, one is it", async () => {
    const names = Array.from({ length: 6 }, (_, at) => `Parallel ${at}`);
    await Promise.all(names.map((name) => make(name, "crm/opportunities")));
    expect(await defaults("crm/opportunities")).toHaveLength(1);
  });
});

describe("clone", () => {
  const standard = async (name: string) =>
    (
      await service.db.row(
        sql`select id from core__listviews where organization_id = 1 and name = ${name} and controller = 'crm/leads'`,
      )
    )?.id ?? "";

  test("copies what one sees into a personal view of one's own", async () => {
    const id = await standard("By source");
    const { status, body } = await service.post(`/core/listviews/clone.json?id=${id}`, {}, rep.token);
    expect(body.errors).toEqual([]);
    expect(status).toBe(200);
    expect(body.message).toEqual(["By source copied"]);
    expect(body.data.listviews).toMatchObject({
      name: "Copy of By source",
      is_personal: "1",
      is_default: "0",
      owned_by: rep.id,
      ui_helper: "pie",
    });
    expect(body.id).not.toBe(id);
    expect((await open(body.id, rep.token)).paginate).toMatchObject({ ui_helper: "pie", __category_id: "Charts" });
    expect((await open(body.id, other.token)).listview_name).toBe("All leads");
    const arwa = await addPerson(service, "arwa", ["sales_rep"]);
    await service.db.run(sql`update access_controls__users set locale = 'ar_EG' where id = ${arwa.id}::bigint`);
    const arabic = await service.post(`/core/listviews/clone.json?id=${id}`, {}, arwa.token);
    expect(arabic.body.data.listviews.name).toBe("نسخة من By source");
  });

  test("takes another name along", async () => {
    const sent = { data: { listviews: { name: "Sources, mine" } } };
    const { body } = await service.post(
      `/core/listviews/clone.json?id=${await standard("By source")}`,
      sent,
      rep.token,
    );
    expect(body.data.listviews.name).toBe("Sources, mine");
  });

  test("of what one does not see is a 404, by GET a 405", async () => {
    const { body } = await add({ name: "Secret" }, other.token);
    expect((await service.post(`/core/listviews/clone.json?id=${body.id}`, {}, rep.token)).status).toBe(404);
    expect((await service.get(`/core/listviews/clone.json?id=${body.id}`, other.token)).status).toBe(405);
  });
});

test("a view that is deleted while somebody uses it gives way to the default, with a message", async () => {
  const { body } = await add({ name: "Short-lived", is_personal: "0", query: query({ fields: ["leads.name"] }) });
  expect((await service.get(`/crm/leads/index.json?current_listview=${body.id}`, other.token)).body.listview_name).toBe(
    "Short-lived",
  );
  const gone = await service.post(`/core/listviews/delete.json?id=${body.id}&is_confirm=1`, {}, rep.token);
  expect(gone.body.errors).toEqual([]);
  const asked = await service.get(`/crm/leads/index.json?current_listview=${body.id}`, other.token);
  expect(asked.body).toMatchObject({
    listview_name: "All leads",
    errors: [],
    message: [expect.stringContaining("no longer exists")],
  });
  const remembered = await service.get("/crm/leads/index.json", other.token);
  expect(remembered.body).toMatchObject({ listview_name: "All leads", message: [] });
});

describe("drafting", () => {
  const draft = async (value: unknown, path = "index") =>
    service.get(
      `/crm/leads/${path}.json?track_open=0&current_listview=${viewId}&listview_query=${encodeURIComponent(query(value))}`,
      rep.token,
    );
  let viewId: string;
  beforeAll(async () => {
    const { body } = await add({ name: "Narrow", query: query({ where: { "leads.score": { op: ">", value: 90 } } }) });
    viewId = body.id;
    for (const [name, score] of [
      ["Wide", 20],
      ["Slim", 95],
    ] as const) {
      const leads = { last_name: name, score, amount: "10.50" };
      await service.post("/crm/leads/add.json", { data: { leads, action: { save_progress: "Save" } } }, rep.token);
    }
  });

  test("runs in place of the view's own query, with its columns and totals, and changes nothing", async () => {
    expect((await open(viewId, rep.token)).paginate.total_count).toBe(1);
    const { body } = await draft({
      fields: ["leads.last_name", "leads.amount as Sum", "leads.owned_by as Owner"],
      columns: { "leads.amount": { compute_column_total: "1" }, "leads.last_name": { pinned: "1" } },
    });
    expect(body.errors).toEqual([]);
    expect(body).toMatchObject({ listview_id: viewId, listview_name: "Narrow" });
    expect(body.paginate.total_count).toBe(2);
    expect(body.paginate.header).toMatchObject([
      { expression: "leads.last_name", pinned: "1" },
      { expression: "leads.amount as Sum", pinned: "0", column_total_text: "21.00" },
      { expression: "leads.owned_by as Owner" },
    ]);
    expect((await open(viewId, rep.token)).paginate.total_count).toBe(1);
  });

  test("groups, exports, and says in words what is wrong", async () => {
    const groups = await draft({ group: ["leads.status"] });
    expect(groups.body.paginate.data).toMatchObject([{ "leads.status": "new", "count(leads.id)": "2" }]);
    expect(groups.body.paginate.header[1]).toMatchObject({ expression: "count(leads.id)" });
    const file = await draft({ fields: ["leads.last_name"], order: ["leads.last_name ASC"] }, "export");
    expect(file.body).toMatch(/Slim[\s\S]*Wide/);
    const wrong = await draft({ where: { "leads.nothing": 1 } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors[0]).toContain("leads.nothing is not a column of crm/leads");
  });

  test("compares with values that the field itself could not hold", async () => {
    const found = await draft({ where: { "leads.score": { op: "<", value: 150 } } });
    expect(found.body.paginate.total_count).toBe(2);
    const none = await draft({ where: { "leads.score": { op: ">", value: 150 } } });
    expect([none.status, none.body.paginate.total_count]).toEqual([200, 0]);
    expect((await draft({ where: { "leads.score": "x" } })).status).toBe(400);
  });
});

describe("the dashboard", () => {
  const dashboard = async (token: string) => {
    const { status, body } = await service.get("/core/listviews/dashboard.json", token);
    expect(status).toBe(200);
    return body.paginate.data;
  };
  const names = async (token: string) => (await dashboard(token)).map((pin: { name: string }) => pin.name);

  test("begins with what is pinned for everybody, in order, each with its query and the label of its module", async () => {
    const pins = await dashboard(rep.token);
    expect(pins.map((pin: { name: string }) => pin.name)).toEqual([
      "Open amount",
      "New leads",
      "Won amount",
      "New opportunities",
      "New leads by month",
      "By source",
      "Won by month",
      "Pipeline",
      "Closing this month",
      "By country",
      "Average probability",
    ]);
    expect(pins[0]).toMatchObject({
      controller: "crm/opportunities",
      module_label: "Sales",
      ui_helper: "number",
      sequence: "1",
    });
    expect(JSON.parse(pins[0].query)).toMatchObject({ ui_helper: "number" });
    for (const pin of pins) expect((await open(pin.id, rep.token, pin.controller)).errors).toEqual([]);
  });

  test("is changed by its owner, for its owner alone", async () => {
    const [first] = await dashboard(rep.token);
    const { body } = await add({ name: "Pinned", query: query({ fields: ["leads.name"] }) });
    const pinned = await service.post(`/core/listviews/pin.json?id=${body.id}&sequence=1`, {}, rep.token);
    expect(pinned.body.errors).toEqual([]);
    await service.post(`/core/listviews/unpin.json?id=${first.id}`, {}, rep.token);
    const mine = await names(rep.token);
    expect(mine[0]).toBe("Pinned");
    expect(mine).not.toContain("Open amount");
    expect(mine).toHaveLength(11);
    expect(await names(other.token)).toHaveLength(11);
    expect(await names(other.token)).toContain("Open amount");
  });

  test("is arranged by its owner: order and sizes, and what is not named comes after", async () => {
    const before = await dashboard(marketer.token);
    const ids = before.map((pin: { id: string }) => pin.id);
    const [first, second, third] = ids;
    const arrange = (body: object) => service.post("/core/listviews/arrange.json", body, marketer.token);
    const gone = "00000000-0000-7000-8000-000000000000";
    const { body } = await arrange({ ids: [third, gone, first], sizes: { [first]: "full" } });
    expect(body.paginate.data.map((pin: { id: string }) => pin.id)).toEqual([third, first, second, ...ids.slice(3)]);
    await arrange({ ids: `${second},${first}`, sizes: { [second]: "small" } });
    const after = await dashboard(marketer.token);
    expect(after.slice(0, 3).map((pin: { id: string; size: string | null }) => [pin.id, pin.size])).toEqual([
      [second, "small"],
      [first, "full"],
      [third, null],
    ]);
    expect((await arrange({ ids: ids, sizes: { [first]: "gigantic" } })).status).toBe(400);
    expect((await arrange({ ids: ["nonsense"] })).status).toBe(400);
    expect((await arrange({})).status).toBe(400);
    expect((await dashboard(other.token)).every((pin: { size: string | null }) => pin.size === null)).toBe(true);
  });

  test("stays empty once everything was taken off", async () => {
    for (const pin of await dashboard(marketer.token)) {
      await service.post(`/core/listviews/unpin.json?id=${pin.id}`, {}, marketer.token);
    }
    expect(await names(marketer.token)).toEqual([]);
  });

  test("does not show what its owner cannot see any more, nor pin what they never could", async () => {
    const { body } = await add({ name: "Passing", is_personal: "0", query: query({ fields: ["leads.name"] }) });
    await service.post(`/core/listviews/pin.json?id=${body.id}`, {}, other.token);
    expect(await names(other.token)).toContain("Passing");
    await save("edit", { id: body.id, is_personal: "1" }, rep.token);
    expect(await names(other.token)).not.toContain("Passing");
    expect((await service.post(`/core/listviews/pin.json?id=${body.id}`, {}, other.token)).status).toBe(404);
  });

  test("needs a token", async () => {
    expect((await service.get("/core/listviews/dashboard.json")).status).toBe(401);
  });
});

describe("standard views that are shipped later", () => {
  const viewOf = (controller: string, name: string, more: Partial<ShippedView["view"]> = {}): ShippedView => ({
    controller,
    view: {
      name,
      category: "Lists",
      helper: "table",
      isDefault: true,
      pinned: 1,
      query: { fields: [`${controller.split("/")[1]}.name`] },
      ...more,
    },
    sequence: 90,
  });
  const late = [viewOf("crm/leads", "Late leads"), viewOf("access_controls/groups", "All groups")];
  const listed = async (controller: string) => {
    const q = encodeURIComponent(JSON.stringify({ where: { "listviews.controller": controller } }));
    const { body } = await service.get(`/core/listviews/index.json?limit=1000&track_open=0&q=${q}`, admin);
    return body.paginate.data as { id: string; name: string; is_default: string; "listviews.is_pinned": string }[];
  };
  const give = async () => {
    await service.db.run(sql`delete from metadata__synced_tables where table_name = 'standard list views'`);
    return giveNewViews(service.db, snapshot, [...shippedViews, ...late]);
  };

  test("reach organizations that were founded before, once, and leave alone what people made of theirs", async () => {
    const audit = "access_controls/audit_events";
    const idOf = async (name: string) => (await listed(audit)).find((view) => view.name === name)?.id ?? "";
    await save("edit", { id: await idOf("Exports and bulk changes"), name: "Large work" }, admin);
    const gone = await idOf("Failed sign-ins by address");
    await service.post(`/core/listviews/delete.json?id=${gone}&is_confirm=1`, {}, admin);
    const [before, leads] = [await listed(audit), await listed("crm/leads")];
    // As of an organization from the time when nobody wrote down what it was given.
    await service.db.run(sql`delete from core__given_views where organization_id = 1`);

    expect(await give()).toBe(2);
    expect(await listed(audit)).toEqual(before);
    const added = (await listed("crm/leads")).filter(({ id }) => !leads.some((view) => view.id === id));
    // The default and the dashboards were chosen long ago.
    expect(added).toMatchObject([{ name: "Late leads", is_default: "0", "listviews.is_pinned": "0" }]);
    const [groups] = await listed("access_controls/groups");
    expect(groups).toMatchObject({ name: "All groups", is_default: "1" });
    expect((await open(groups?.id ?? "", admin, "access_controls/groups")).paginate.name).toBe("All groups");

    await service.post(`/core/listviews/delete.json?id=${added[0]?.id}&is_confirm=1`, {}, admin);
    expect(await give()).toBe(0);
    expect((await listed("crm/leads")).map(({ id }) => id).sort()).toEqual(leads.map(({ id }) => id).sort());
  });
});

test("the view that was used last is written down when it changes, by whichever process, and not again", async () => {
  const type = requireType(snapshot, "crm/leads");
  const [first, second] = [await add({ name: "First" }), await add({ name: "Second" })].map(({ body }) => body.id);
  const caller = testCaller({ userId: rep.id, organizationId: "1" });
  // Each knows nothing of what others have remembered, as a process that has just started.
  const use = (viewId: string) => createListViews(service.db, undefined as never).remember(caller, type, viewId);
  const stored = () =>
    service.db.row(sql`
      select listview_id::text as view, ctid::text || ' ' || xmax::text as version from core__listview_uses
      where user_id = ${rep.id}::bigint and controller = 'crm/leads'`);
  await use(first);
  const before = await stored();
  expect(before?.view).toBe(first);
  await use(first);
  expect(await stored()).toEqual(before);
  await use(second);
  expect((await stored())?.view).toBe(second);
});
