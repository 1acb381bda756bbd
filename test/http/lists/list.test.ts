// The index on the wire: its envelope, headers and rows as interface.md parts 1 and 2 and contract.md section 4 say.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let adminId: string;
let rep: Person;
let other: Person;
let manager: Person;
let reader: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  adminId = (await service.db.row(sql`select id from access_controls__users where user_name = 'admin'`))?.id ?? "";
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  reader = await addPerson(service, "reader", ["read_only"]);
  const [type] = await addRows(service, "crm/types", [{ name: "Reseller", owned_by: adminId }]);
  await addRows(service, "crm/leads", [
    {
      name: "Ada Byron",
      last_name: "Byron",
      score: "90",
      amount: "1200.50",
      type_id: type,
      owned_by: rep.id,
      created_by: adminId,
    },
    { name: "Bo Ek", last_name: "Ek", score: "20", amount: "0.50", owned_by: other.id, created_by: rep.id },
    { name: "Cy Fell", last_name: "Fell", score: null, amount: null, owned_by: null },
    { name: "Gone Already", last_name: "Already", deleted: "1", owned_by: rep.id },
  ]);
});
afterAll(() => service.stop());

const index = (query = "", token: string = admin, type = "crm/leads"): Promise<Answer> =>
  service.get(`/${type}/index.json${query}`, token);
const withQ = (q: unknown, token?: string, type?: string) =>
  index(`?q=${encodeURIComponent(JSON.stringify(q))}`, token, type);
const names = (answer: Answer): string[] =>
  answer.body.paginate.data.map((row: { record_display_name: string }) => row.record_display_name);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("the envelope", () => {
  test("has every field of the table, with its type", async () => {
    const { status, body, headers } = await index("?track_open=0");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual({
      paginate: expect.any(Object),
      errors: [],
      message: [],
      current_listview: expect.stringMatching(uuid),
      __current_listview: "All leads",
      listview_id: body.current_listview,
      listview_name: "All leads",
      filter_form: expect.any(Object),
      organization_id: "1",
      user_id: adminId,
    });
    const { data, header, count_query, query, ...rest } = body.paginate;
    expect(data).toHaveLength(3);
    expect(header.length).toBeGreaterThan(5);
    expect(rest).toEqual({
      alias: "leads",
      model: "leads",
      controller: "crm/leads",
      render_as: "index",
      page: 1,
      page_size: 25,
      limit: 25,
      total_count: 3,
      total_count_is_exact: 1,
      primary_key: "leads.id",
      display_field: "leads.name",
      name: "All leads",
      is_default: "1",
      method: "find",
      ui_helper: "table",
      chart: null,
      field_alias: expect.arrayContaining(["leads.name", "Owned By"]),
      field_properties: expect.objectContaining({
        "leads.name": {
          column_name: "leads.name",
          width: "220",
          is_invisible: "0",
          render_type: null,
          __column: null,
        },
      }),
      category_id: expect.stringMatching(uuid),
      category_id_model: "categories",
      __category_id: "Lists",
      listview_id: body.current_listview,
    });
    expect(query).toEqual({
      fields: expect.arrayContaining(["leads.name", "leads.owned_by"]),
      where: [],
      order: ["leads.created DESC"],
      group: [],
      name: "All leads",
      is_default: "1",
      method: "find",
      ui_helper: "table",
      first_field_alias: "leads.name",
    });
    expect(count_query).toEqual(query);
  });

  test("describes the query that ran as data, the request's part included", async () => {
    const { body } = await withQ({ where: { "leads.score": { op: ">", value: 10 } }, order: ["leads.score ASC"] });
    expect(body.paginate.query.where).toEqual({ "leads.score": { op: ">", value: "10" } });
    expect(body.paginate.query.order).toEqual(["leads.score ASC"]);
    expect(JSON.stringify(body)).not.toMatch(/select |organization_id = /i);
  });

  test("tells a condition and a page as they were asked for, also where another request came to the same rows", async () => {
    for (const owner of [rep.id, "{{CURRENT_USER}}", rep.id]) {
      const where = { "leads.owned_by": { op: "=", value: owner } };
      for (const page of [1, 2]) {
        const query = `?page=${page}&limit=1&q=${encodeURIComponent(JSON.stringify({ where }))}`;
        const { paginate } = (await index(query, rep.token)).body;
        expect([paginate.query.where, paginate.page, paginate.total_count]).toEqual([where, page, 1]);
      }
    }
  });

  test("has a form from which a filter can be built", async () => {
    const { filter_form: form } = (await index("?track_open=0")).body;
    expect(form).toMatchObject({ template: "form", method: "filter" });
    const status = form.children.find((child: { __name: string }) => child.__name === "leads.status");
    expect(status).toMatchObject({
      name: ["leads", "status"],
      label: "Status",
      template: "select",
      method: "select",
      text: "Status",
      value: "leads.status",
    });
    for (const child of form.children) {
      for (const key of ["name", "label", "template", "method", "text", "value"]) expect(child).toHaveProperty(key);
      const answer = await withQ({ where: { [child.value]: { op: "is not null" } } });
      expect(answer.body.errors).toEqual([]);
    }
  });

  test("comes without header and filter form for pheader 0", async () => {
    const { body } = await withQ({ pheader: "0" });
    expect(body.paginate.header).toEqual([]);
    expect(body.filter_form).toEqual([]);
    expect(body.paginate.data).toHaveLength(3);
  });

  test("counts only for method count", async () => {
    const { body } = await withQ({ method: "count", where: { "leads.score": { op: "is not null" } } });
    expect(body.paginate).toMatchObject({ data: [], total_count: 2, method: "count" });
  });

  test("is the same for a JSON-RPC call and for POST", async () => {
    const posted = await service.post("/crm/leads/index.json", { track_open: 0 }, admin);
    expect(posted.body.paginate.data).toHaveLength(3);
    const rpc = await service.post(
      "/crm/leads/index.json",
      { jsonrpc: "2.0", id: 7, method: "crm.leads.index", params: { track_open: 0 } },
      admin,
    );
    expect(rpc.body).toMatchObject({ jsonrpc: "2.0", id: 7 });
    expect(rpc.body.result.paginate.data).toEqual(posted.body.paginate.data);
    const asked = { fields: ["leads.*"], where: { "leads.score": { op: "is not null" } }, order: "leads.id DESC" };
    const written = await withQ(asked);
    const asJson = await service.post("/crm/leads/index.json", { q: asked }, admin);
    expect(asJson.body.paginate.data).toHaveLength(2);
    expect(asJson.body.paginate).toEqual(written.body.paginate);
    expect((await withQ({ fields: ["people.*"] })).status).toBe(400);
  });
});

test("a header object has every field of the table, with its type", async () => {
  const { header } = (await index("?track_open=0")).body.paginate;
  for (const column of header) {
    expect(column).toMatchObject({
      field_type: column.name === "current_workflow_actors" ? "Computed-Field" : "Data-Field",
      sortable: expect.any(Boolean),
      searchable: expect.any(Boolean),
      is_invisible: expect.stringMatching(/^[01]$/),
      clickable_link: expect.stringMatching(/^[01]$/),
      compute_column_total: expect.stringMatching(/^[01]$/),
      column_name: expect.stringMatching(/^leads\.\w+$/),
      name: expect.any(String),
      data_type: expect.any(String),
      visible: 1,
      column_total: expect.any(Number),
      total_count: 3,
      label: expect.any(String),
    });
  }
  const column = (name: string) => header.find((one: { name: string }) => one.name === name);
  expect(column("name")).toMatchObject({ clickable_link: "1", data_type: "VAR_STRING", searchable: true });
  expect(column("owned_by")).toMatchObject({ alias: "Owned By" });
});

test("column totals are over all matching rows that the caller may read, exactly, and follow every change", async () => {
  const query = JSON.stringify({
    fields: ["leads.name", "leads.amount", "leads.score"],
    columns: { "leads.amount": { compute_column_total: "1" }, "leads.name": { compute_column_total: "1" } },
    limit: 1,
  });
  const [id] = await addRows(service, "core/listviews", [
    { name: "Sums", controller: "crm/leads", query, is_personal: "0" },
  ]);
  const totals = async (token: string, more = "") => {
    const { header } = (await index(`?track_open=0&current_listview=${id}${more}`, token)).body.paginate;
    return header.map((one: { column_total: number; column_total_text: string | null }) => [
      one.column_total,
      one.column_total_text,
    ]);
  };
  const none = [0, null];
  expect(await totals(admin)).toEqual([none, [1201, "1201.00"], none]);
  expect(await totals(rep.token)).toEqual([none, [1200.5, "1200.50"], none]);
  expect(await totals(reader.token)).toEqual([none, [0, "0"], none]);
  expect(await totals(admin, "&search_basic=ek")).toEqual([none, [0.5, "0.50"], none]);
  const [added = ""] = await addRows(service, "crm/leads", [
    { name: "Z", last_name: "Z", status: "new", amount: "0.01", owned_by: rep.id },
  ]);
  expect(await totals(admin)).toEqual([none, [1201.01, "1201.01"], none]);
  await service.post(`/crm/leads/delete.json?id=${added}&is_confirm=1`, {}, admin);
  expect(await totals(rep.token)).toEqual([none, [1200.5, "1200.50"], none]);
});

describe("a row", () => {
  const fields = [
    "leads.name",
    "leads.score",
    "leads.amount",
    "leads.type_id",
    "leads.sub_type_id",
    "leads.created_by",
    "leads.owned_by",
  ];

  test("has its columns as strings or null, display texts, access, deleted and flags", async () => {
    const { body } = await withQ({ fields, where: { "leads.last_name": "Byron" } });
    const [row] = body.paginate.data;
    const repPrincipal = (
      await service.db.row(sql`select principal_id from access_controls__users where id = ${rep.id}::bigint`)
    )?.principal_id;
    expect(row).toEqual({
      "leads.id": expect.stringMatching(/^\d+$/),
      "leads.name": "Ada Byron",
      "leads.score": "90",
      "leads.amount": "1200.50",
      "leads.amount.currency": "USD",
      "leads.type_id": expect.stringMatching(/^\d+$/),
      Type: "Reseller",
      "leads.sub_type_id": null,
      "Sub Type": null,
      "leads.created_by": adminId,
      "Created By": "Administrator",
      "leads.owned_by": rep.id,
      "Owned By": "rep",
      "leads._acl_comment": expect.stringContaining(String(repPrincipal)),
      "leads._acl_edit": expect.stringContaining(String(repPrincipal)),
      "leads._acl_tmp_edit": null,
      "leads._acl_delete": expect.stringContaining(String(repPrincipal)),
      "leads._acl_tmp_delete": null,
      "leads.deleted": "0",
      record_display_name: "Ada Byron",
      is_edit: true,
      is_delete: true,
      is_comment: true,
    });
    const ids = row["leads._acl_edit"].split(" ").map(Number);
    expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b));
  });

  test.each([
    [
      "an administrator",
      () => admin,
      { "Ada Byron": [true, true, true], "Bo Ek": [true, true, true], "Cy Fell": [true, true, true] },
    ],
    [
      "a manager",
      () => manager.token,
      { "Ada Byron": [true, true, true], "Bo Ek": [true, true, true], "Cy Fell": [true, true, true] },
    ],
    ["the owner", () => rep.token, { "Ada Byron": [true, true, true] }],
    ["another representative", () => other.token, { "Bo Ek": [true, true, true] }],
    ["somebody who only looks", () => reader.token, {}],
  ])("is there for %s with that person's flags", async (_, token, expected) => {
    const { body } = await index("?track_open=0", token());
    const flags = Object.fromEntries(
      body.paginate.data.map((row: Record<string, unknown>) => [
        row.record_display_name,
        [row.is_edit, row.is_delete, row.is_comment],
      ]),
    );
    expect(flags).toEqual(expected);
    expect(body.paginate.total_count).toBe(Object.keys(expected).length);
  });

  test("shows all fields for *, and none that is hidden", async () => {
    const { body } = await withQ({ fields: ["*"] });
    expect(body.paginate.data[0]).toHaveProperty("leads.description");
    expect(body.paginate.data[0]).toHaveProperty("leads.business_key");
    const users = await withQ({ fields: ["*"] }, admin, "access_controls/users");
    expect(users.body.errors).toEqual([]);
    expect(users.body.paginate.data[0]).not.toHaveProperty("users.principal_id");
  });

  test("keeps an alias for the value of a reference, and its text beside it", async () => {
    const { body } = await withQ({
      fields: ["leads.owned_by as Owner", "leads.owned_by.user_name as login"],
      where: { "leads.last_name": "Ek" },
    });
    expect(body.paginate.data[0]).toMatchObject({ Owner: other.id, __Owner: "other", login: "other" });
    expect(body.paginate.header[1]).toMatchObject({
      field_type: "Joined-Field",
      alias: "login",
      column_name: "leads.owned_by.user_name",
    });
  });
});

describe("sorting", () => {
  test.each([
    ["sort=leads.name&dir=ASC", ["Ada Byron", "Bo Ek", "Cy Fell"]],
    ["sort=leads.name&dir=DESC", ["Cy Fell", "Bo Ek", "Ada Byron"]],
    ["sort=leads.name", ["Ada Byron", "Bo Ek", "Cy Fell"]],
    ["sort=leads.name&dir=desc", ["Cy Fell", "Bo Ek", "Ada Byron"]],
    ["sort=leads.owned_by&dir=ASC", ["Bo Ek", "Ada Byron", "Cy Fell"]],
  ])("by %s", async (query, expected) => {
    expect(names(await index(`?track_open=0&${query}`))).toEqual(expected);
  });

  test("by every column that its header calls sortable", async () => {
    const { header } = (await withQ({ fields: ["*"] })).body.paginate;
    for (const column of header.filter((one: { sortable: boolean }) => one.sortable)) {
      const { body } = await index(`?track_open=0&sort=${encodeURIComponent(column.column_name)}&dir=DESC`);
      expect(body.errors, column.column_name).toEqual([]);
      expect(body.paginate.data).toHaveLength(3);
    }
  });
});

describe("which view", () => {
  const viewId = async (name: string, controller = "crm/leads"): Promise<string> => {
    const row = await service.db.row(sql`
      select id from core__listviews where organization_id = 1 and controller = ${controller} and name = ${name}`);
    return row?.id ?? "";
  };

  test("the one asked for, then the last used, which track_open=0 leaves as it was", async () => {
    const person = await addPerson(service, "memory", ["sales_manager"]);
    const opened = async (query: string) => (await index(query, person.token)).body.__current_listview;
    expect(await opened("")).toBe("All leads");
    expect(await opened(`?current_listview=${await viewId("My leads")}`)).toBe("My leads");
    await expect.poll(() => opened("?track_open=0")).toBe("My leads");
    expect(await opened(`?track_open=0&current_listview=${await viewId("Hot leads")}`)).toBe("Hot leads");
    expect(await opened("")).toBe("My leads");
    expect((await index("", manager.token)).body.__current_listview).toBe("All leads");
    // Who looked into the recycle bin comes back to the records.
    expect(await opened(`?current_listview=${await viewId("Recycle Bin")}`)).toBe("Recycle Bin");
    await expect.poll(() => opened("?track_open=0")).toBe("All leads");
  });

  test("a q with fields of its own does not depend on what was used last", async () => {
    const person = await addPerson(service, "program", ["sales_manager"]);
    await index(`?current_listview=${await viewId("Hot leads")}`, person.token);
    const last = async () => (await index("?track_open=0", person.token)).body.listview_name;
    await expect.poll(last).toBe("Hot leads");
    const { body } = await withQ({ fields: ["leads.name"] }, person.token);
    expect(body).toMatchObject({ listview_name: "All leads", paginate: { total_count: 3 } });
    const groups = await withQ({ group: ["leads.deleted"] }, person.token);
    expect(groups.body.paginate.data).toEqual([expect.objectContaining({ "leads.deleted": "0" })]);
    expect(await last()).toBe("Hot leads");
  });

  test("one that is gone gives way to the default, with a message", async () => {
    const [gone = ""] = await addRows(service, "core/listviews", [
      { name: "Soon gone", controller: "crm/leads", query: '{"fields":["leads.name"]}', is_personal: "0" },
    ]);
    expect((await index(`?track_open=0&current_listview=${gone}`)).body.__current_listview).toBe("Soon gone");
    await service.db.transaction(async (transaction) => {
      await transaction.run(sql`update core__listviews set deleted = 1 where id = ${gone}::uuid`);
      await transaction.run(
        sql`insert into core__changes (organization_id, record_type, acl_id, delta) values (1, 'core/listviews', 0, 0)`,
      );
    });
    const { status, body, headers } = await index(`?track_open=0&current_listview=${gone}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      __current_listview: "All leads",
      errors: [],
      message: [expect.stringContaining("Showing All leads instead")],
    });
    expect(headers.get("etag")).toBeNull();
  });

  test("a personal one is there for its owner alone", async () => {
    const [personal = ""] = await addRows(service, "core/listviews", [
      {
        name: "Just mine",
        controller: "crm/leads",
        query: '{"fields":["leads.name"]}',
        is_personal: "1",
        owned_by: rep.id,
      },
    ]);
    expect((await index(`?track_open=0&current_listview=${personal}`, rep.token)).body.listview_name).toBe("Just mine");
    expect((await index(`?track_open=0&current_listview=${personal}`, other.token)).body.listview_name).toBe(
      "All leads",
    );
    const listed = async (token: string) =>
      (await index("?track_open=0&limit=1000", token, "core/listviews")).body.paginate.data.some(
        (row: { id: string }) => row.id === personal,
      );
    expect(await listed(rep.token)).toBe(true);
    expect(await listed(other.token)).toBe(false);
    expect(await listed(admin)).toBe(true);
  });

  test("one that filters by what is hidden from the person gives way, and does not lock them out", async () => {
    const [rich = ""] = await addRows(service, "core/listviews", [
      {
        name: "Big",
        controller: "crm/opportunities",
        query: '{"where":{"opportunities.amount":{"op":">","value":"1"}}}',
        is_personal: "0",
      },
    ]);
    const marketer = await addPerson(service, "marketer", ["marketing"]);
    const { status, body } = await index(`?current_listview=${rich}`, marketer.token, "crm/opportunities");
    expect(status).toBe(200);
    expect(body.message).toEqual([expect.stringContaining("Big uses columns that you don't have access to")]);
  });

  test("a type without views has one of its own", async () => {
    const { body } = await index("", admin, "masters/countries");
    expect(body.paginate).toMatchObject({ name: "All countries", is_default: "1", total_count: expect.any(Number) });
    expect(body.paginate.total_count).toBeGreaterThan(200);
    expect(body.paginate.data).toHaveLength(25);
    expect(body.paginate.data[0]).toMatchObject({ "countries.deleted": "0", is_edit: expect.any(Boolean) });
  });
});

describe("core/listviews", () => {
  test("are listed by a q, with bare names, headers and a joined category", async () => {
    const { body } = await withQ(
      {
        method: "find",
        fields: [
          "listviews.id",
          "listviews.name",
          "listviews.controller",
          "category.name as category_name",
          "listviews.is_default",
        ],
        where: [{ "listviews.controller": "crm/leads" }],
        order: ["category.sequence ASC", "listviews.sequence ASC"],
      },
      rep.token,
      "core/listviews",
    );
    expect(body.errors).toEqual([]);
    expect(body.paginate.headers).toEqual(body.paginate.header);
    const [first] = body.paginate.data;
    expect(first).toMatchObject({
      id: expect.stringMatching(uuid),
      name: "All leads",
      controller: "crm/leads",
      category_name: "Lists",
      is_default: "1",
      _acl_comment: null,
      _acl_edit: expect.any(String),
      _acl_tmp_edit: null,
      _acl_delete: expect.any(String),
      _acl_tmp_delete: null,
      "listviews.name": "All leads",
      is_edit: false,
    });
    expect(new Set(body.paginate.data.map((row: { controller: string }) => row.controller))).toEqual(
      new Set(["crm/leads"]),
    );
    const opened = await index(`?track_open=0&current_listview=${first.id}`, rep.token);
    expect(opened.body.listview_id).toBe(first.id);
  });

  test("in full hold a query whose ui_helper names the chart", async () => {
    const { body } = await withQ(
      { fields: ["*"], where: { "listviews.name": "By source" } },
      rep.token,
      "core/listviews",
    );
    expect(JSON.parse(body.paginate.data[0].query)).toMatchObject({ ui_helper: "pie", group: ["leads.source"] });
  });
});

describe("other record types", () => {
  test("with UUIDs", async () => {
    const { body } = await index("?track_open=0&limit=5&page=2", admin, "core/listviews");
    expect(body.paginate.data).toHaveLength(5);
  });

  test("made at run time", async () => {
    const definition = {
      module: "lab",
      controller: "samples",
      label: "Sample",
      plural: "Samples",
      displayField: "title",
      fields: [
        { name: "title", type: "short-text", searchable: true },
        { name: "weight", type: "decimal" },
      ],
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    const saved = await service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition) },
      admin,
    );
    expect(saved.body.errors).toEqual([]);
    const { body } = await index("", admin, "lab/samples");
    expect(body.paginate).toMatchObject({ name: "All samples", total_count: 0, data: [] });
  });
});
