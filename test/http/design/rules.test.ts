// Rules of fields and of whole records over the wire: every way to write a record is held to them, in the designer's own words.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { logIn, openAccounts } from "../accounts.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;

const definition = {
  module: "lab",
  controller: "orders",
  label: "Order",
  plural: "Orders",
  displayField: "code",
  fields: [
    {
      name: "code",
      type: "short-text",
      settings: { pattern: "[A-Z]{2}-\\d{4}", patternMessage: "Two letters, a dash, four digits 😀" },
    },
    { name: "amount", type: "decimal", settings: { min: "0.5", max: 1000 } },
    { name: "share", type: "percent", settings: { max: 100 } },
    { name: "price", type: "money", settings: { min: 0 } },
    { name: "starts", type: "date", settings: { min: "2020-01-01" } },
    { name: "ends", type: "date" },
    { name: "seen", type: "date-time", settings: { max: "2030-01-01" } },
    { name: "kind", type: "short-text" },
    { name: "note", type: "long-text" },
    { name: "double", type: "decimal", computed: { kind: "formula", formula: "amount * 2" } },
  ],
  associations: [{ kind: "has-many", name: "lines", type: "lab/lines", via: "order_id", owned: true }],
  access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
  rules: [
    {
      name: "in_order",
      formula: "ends is empty or starts is empty or ends >= starts",
      message: "The end must not be before the start",
      messages: { ar: "يجب ألا تسبق النهاية البداية" },
      field: "ends",
    },
    { name: "not_too_dear", formula: "double is empty or double <= 500", message: "Twice the amount is at most 500" },
    { name: "told_why", formula: 'kind != "other" or note is not empty', message: "Say why", field: "note" },
    { name: "not_past", formula: "ends is empty or ends >= today() - 36500", message: "Too long ago" },
  ],
};
const lines = {
  module: "lab",
  controller: "lines",
  label: "Line",
  plural: "Lines",
  displayField: "text",
  fields: [
    { name: "text", type: "short-text" },
    { name: "count", type: "integer" },
    { name: "order_id", type: "reference", settings: { to: "lab/orders" } },
  ],
  access: definition.access,
  rules: [{ name: "some", formula: "count > 0", message: "Order at least one" }],
};

const design = (given: unknown, more: Json = {}) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(given), ...more }, admin);
const action = { save_progress: "Save" };
const add = (values: Json) => service.post("/lab/orders/add.json", { data: { orders: values, action } }, admin);
const edit = (id: string, values: Json) =>
  service.post("/lab/orders/edit.json", { data: { orders: { id, ...values }, action } }, admin);
const made = async (values: Json): Promise<string> => {
  const { body } = await add(values);
  expect(body.errors).toEqual([]);
  return body.id;
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const { associations: _, ...alone } = definition;
  expect((await design(alone)).body.errors).toEqual([]);
  expect((await design(lines)).body.errors).toEqual([]);
  expect((await design(definition)).body.errors).toEqual([]);
});
afterAll(() => service.stop());

test("a field takes what its pattern and its limits allow, and says what it needs", async () => {
  const { status, body } = await add({
    code: "ab-12",
    amount: "0.49",
    share: "100.01",
    price: "-1",
    starts: "2019-12-31",
    seen: "2030-01-01 00:00:01",
  });
  expect(status).toBe(422);
  expect(body.errors_by_field).toEqual({
    "orders.code": ["Two letters, a dash, four digits 😀"],
    "orders.amount": ["Amount must be at least 0.5"],
    "orders.share": ["Share must be at most 100"],
    "orders.price": ["Price must be at least 0"],
    "orders.starts": ["Starts must be at least 2020-01-01"],
    "orders.seen": ["Seen must be at most 2030-01-01 00:00:00"],
  });
  await made({ code: "AB-1234", amount: "0.5", share: "100", price: "0", starts: "2020-01-01", seen: "2030-01-01" });
  const form = await service.get("/lab/orders/add.json", admin);
  expect(form.body.filterRules.code).toContainEqual({
    rule: "pattern",
    params: ["[A-Z]{2}-\\d{4}"],
    message: "Two letters, a dash, four digits 😀",
  });
  expect(form.body.filterRules.ends).toContainEqual(
    expect.objectContaining({ rule: "formula", message: "The end must not be before the start" }),
  );
});

test("a record keeps the rules of its type in every way it is written", async () => {
  const wrong = { starts: "2026-05-01", ends: "2026-04-01" };
  const refused = await add({ code: "AA-0001", ...wrong, kind: "other", amount: "251" });
  expect(refused.body.errors_by_field).toEqual({
    "orders.ends": ["The end must not be before the start"],
    "orders.double": ["Twice the amount is at most 500"],
    "orders.note": ["Say why"],
  });
  const id = await made({ code: "AA-0002", starts: "2026-05-01", ends: "2026-06-01" });
  expect((await edit(id, { ends: "2026-04-30" })).status).toBe(422);
  expect((await edit(id, { amount: "250" })).status).toBe(200);
  expect((await edit(id, { amount: "250.01" })).body.errors).toContain("Twice the amount is at most 500");

  const other = await made({ code: "AA-0003", starts: "2026-01-01" });
  const bulk = await service.post(
    "/lab/orders/edit_selected.json",
    { ids: `${id},${other}`, data: { orders: { ends: "2026-03-01" } } },
    admin,
  );
  expect(bulk.body.data.changed).toEqual([other]);
  expect(JSON.stringify(bulk.body.data.failed[id])).toContain("The end must not be before the start");

  const many = await service.post(
    "/lab/orders/add_many.json",
    { data: { orders: [{ code: "AA-0004" }, { code: "AA-0005", kind: "other" }] }, partial: "1" },
    admin,
  );
  expect(many.body.data.orders.map((row: Json) => (row.errors as unknown[]).length)).toEqual([0, 1]);

  const child = await edit(id, { lines: [{ text: "None", count: "0" }] });
  expect(child.body.errors_by_field).toEqual({ "orders.lines.0.count": ["Order at least one"] });
});

test("a new rule keeps nobody from working on records that are there, until what it names changes; going back is held to it", async () => {
  const id = await made({ code: "AA-0006", kind: "old" });
  expect((await edit(id, { kind: "new" })).status).toBe(200);
  const rule = { name: "no_old", formula: 'kind != "old"', message: "Old is over" };
  expect((await design({ ...definition, rules: [...definition.rules, rule] })).body.errors).toEqual([]);
  const back = await service.post(`/lab/orders/revert.json?id=${id}&revision=1`, {}, admin);
  expect(back.body.errors).toContain("Old is over");
  const stricter = { name: "no_new", formula: 'kind != "new"', message: "New is over" };
  expect((await design({ ...definition, rules: [stricter] })).body.errors).toEqual([]);
  expect((await edit(id, { note: "Still here" })).status).toBe(200);
  expect((await edit(id, { kind: "new", note: "Sent as it is" })).status).toBe(200);
  expect((await design(definition)).body.errors).toEqual([]);
});

test("rules that cannot be judged are refused by their place", async () => {
  const fault = async (rule: Json) => {
    const { status, body } = await design({ ...definition, rules: [{ name: "one", message: "No", ...rule }] });
    expect(status).toBe(422);
    return body.errors_by_field;
  };
  expect(Object.keys(await fault({ formula: "gone > 1" }))).toEqual(["record_types.rules.one.formula"]);
  expect(Object.keys(await fault({ formula: "amount" }))).toEqual(["record_types.rules.one.formula"]);
  expect(Object.keys(await fault({ formula: "1 = 1" }))).toEqual(["record_types.rules.one.formula"]);
  expect(Object.keys(await fault({ formula: "amount > 1", field: "gone" }))).toEqual(["record_types.rules.one.field"]);
  expect(Object.keys(await fault({ formula: "amount > 1", message: "" }))).toEqual(["record_types.rules.0.message"]);
  // What depends on other records is not known yet when a rule is checked.
  const computed = { kind: "roll-up", type: "lab/lines", via: "order_id", function: "count" };
  const fields = [...definition.fields, { name: "line_count", type: "integer", computed }];
  const rules = [{ name: "one", message: "No", formula: "line_count > 0" }];
  expect((await design({ ...definition, fields, rules })).body.errors_by_field).toEqual({
    "record_types.rules.one.formula": [
      expect.stringContaining("line_count depends on other records, so a rule can't use it"),
    ],
  });
  const pattern = async (given: string) => {
    const fields = [{ name: "code", type: "short-text", settings: { pattern: given } }];
    const { status } = await design({ ...definition, controller: "others", associations: [], fields, rules: [] });
    return status;
  };
  for (const bad of ["(a+", "(?<=a)b", "((a{100}){100}){100}", "a{9999}", "x".repeat(300)]) {
    expect([bad, await pattern(bad)]).toEqual([bad, 422]);
  }
  const without = definition.fields.filter(({ name }) => name !== "note");
  const gone = await design({ ...definition, fields: without }, { discard: "note" });
  expect(Object.keys(gone.body.errors_by_field)).toEqual(["record_types.rules.told_why.formula"]);
});

test("a reference names only records that its designer lets it, and the list of choices says which", async () => {
  const type = (controller: string, fields: unknown[], access = definition.access) => ({
    ...{ module: "lab", controller, label: controller, plural: controller, displayField: "name", access },
    fields: [{ name: "name", type: "short-text" }, ...fields],
  });
  const refers = (name: string, to: string, more: Json = {}) => ({
    name,
    type: "reference",
    settings: { to },
    ...more,
  });
  const machines = [
    refers("site_id", "lab/sites"),
    { name: "is_active", type: "flag" },
    { name: "budget", type: "integer", permission: 1 },
  ];
  const visits = (where?: string, more: unknown[] = []) =>
    type("visits", [
      refers("site_id", "lab/sites"),
      { name: "done", type: "date" },
      refers("machine_id", "lab/machines", where === undefined ? {} : { where }),
      ...more,
    ]);
  expect((await design(type("sites", []))).body.errors).toEqual([]);
  expect(
    (await design(type("machines", machines, { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] })))
      .body.errors,
  ).toEqual([]);
  for (const [where, words] of [
    ["is_gone", "is_gone"],
    ["record.gone = name", "record.gone"],
    ["record.site_id = site_id and", "at the end"],
    ["is_active > 3", ""],
    ["name & site_id", ""],
    ['record.name = "x"', "must use at least one field"],
  ] as const) {
    const { status, body } = await design(visits(where));
    expect([status, JSON.stringify(body.errors_by_field)]).toEqual([422, expect.stringContaining("machine_id.where")]);
    expect(body.errors.join()).toContain(words);
  }
  const onText = visits(undefined, [{ name: "x", type: "short-text", where: "name is empty" }]);
  expect((await design(onText)).body.errors_by_field).toHaveProperty(["record_types.fields.x.where"]);
  const where = "is_active and site_id = record.site_id";
  expect((await design(visits(where))).body.errors).toEqual([]);

  const put = async (controller: string, values: Json, token = admin) => {
    const sent = { data: { [controller]: values, action } };
    return (await service.post(`/lab/${controller}/${values.id ? "edit" : "add"}.json`, sent, token)).body;
  };
  const [north, south] = [(await put("sites", { name: "North" })).id, (await put("sites", { name: "South" })).id];
  const machine = async (name: string, site: string, active: string) =>
    (await put("machines", { name, site_id: site, is_active: active })).id;
  const [drill, old, press] = [
    await machine("Drill", north, "1"),
    await machine("Old drill", north, "0"),
    await machine("Press", south, "1"),
  ];

  const choices = async (values: Json, more = "", token = admin) => {
    const record = encodeURIComponent(JSON.stringify(values));
    const asked = `choices_for=lab/visits.machine_id&choices_record=${record}&track_open=0${more}`;
    const { status, body } = await service.get(`/lab/machines/index.json?${asked}`, token);
    return status === 200 ? body.paginate.data.map((row: Json) => row.record_display_name) : status;
  };
  expect(await choices({ site_id: north })).toEqual(["Drill"]);
  expect(await choices({ site_id: south })).toEqual(["Press"]);
  expect(await choices({})).toEqual([]);
  expect(await choices({ site_id: south }, "&search_basic=drill")).toEqual([]);
  expect(await choices({ site_id: "1'; drop table lab__machines; --" })).toEqual([]);
  expect(await choices({ site_id: north }, "&q=%7B%22method%22%3A%22count%22%7D")).not.toBe(500);
  for (const wrong of ["lab/visits.gone", "lab/visits.site_id", "lab/gone.x", "nothing", "lab/visits.name"]) {
    const { status } = await service.get(`/lab/machines/index.json?choices_for=${wrong}`, admin);
    expect([wrong, status]).toEqual([wrong, 400]);
  }
  const broken = "/lab/machines/index.json?choices_for=lab/visits.machine_id&choices_record=";
  for (const wrong of ["%5B%5D", "%7B", "null", "%7B%22site_id%22%3A%22%5Cu0000%22%7D"]) {
    expect((await service.get(broken + wrong, admin)).status).toBe(400);
  }
  const all = { all_matching: "1", choices_for: "lab/visits.machine_id", data: { machines: { name: "All" } } };
  expect((await service.post("/lab/machines/edit_selected.json", all, admin)).body.error_params).toMatchObject({
    name: "choices_for",
  });
  const form = await service.get("/lab/visits/add.json", admin);
  expect(JSON.stringify(form.body)).toContain('"choices":{"for":"lab/visits.machine_id","by":["site_id"]}');
  const schema = await service.get("/metadata/schema/index.json?search_controller=lab/visits", admin);
  expect(JSON.stringify(schema.body)).toContain('"choices":{"for":"lab/visits.machine_id","by":["site_id"]}');

  // Every way to save it.
  const refused = "Machine doesn't fit this record. Choose another one, or change Site";
  const visit = await put("visits", { name: "One", site_id: north, machine_id: drill });
  expect(visit.errors).toEqual([]);
  expect((await put("visits", { name: "Two", site_id: north, machine_id: old })).errors_by_field).toEqual({
    "visits.machine_id": [refused],
  });
  expect((await put("visits", { id: visit.id, machine_id: press })).errors).toContain(refused);
  expect((await put("visits", { id: visit.id, site_id: south })).errors).toContain(refused);
  expect((await put("visits", { id: visit.id, site_id: south, machine_id: press })).errors).toEqual([]);
  const back = await service.post(`/lab/visits/revert.json?id=${visit.id}&revision=1`, {}, admin);
  expect(back.body.errors).toEqual([]);
  const other = (await put("visits", { name: "Three", site_id: south })).id;
  const bulk = await service.post(
    "/lab/visits/edit_selected.json",
    { ids: `${visit.id},${other}`, data: { visits: { machine_id: press } } },
    admin,
  );
  expect(bulk.body.data.changed).toEqual([other]);
  expect(JSON.stringify(bulk.body.data.failed[visit.id])).toContain(refused);
  const moved = { ids: visit.id, data: { visits: { site_id: south } } };
  expect((await service.post("/lab/visits/edit_selected.json", moved, admin)).body.errors).toContain(refused);
  const together = await service.post(
    "/lab/visits/edit_selected.json",
    { ...moved, ids: `${visit.id},${other}` },
    admin,
  );
  expect([together.status, together.body.data.changed]).toEqual([200, [other]]);
  expect(together.body.data.failed[visit.id]).toEqual([refused]);
  const rows = [
    { name: "Four", site_id: north, machine_id: press },
    { name: "Five", site_id: north, machine_id: drill },
  ];
  const many = await service.post("/lab/visits/add_many.json", { data: { visits: rows }, partial: "1" }, admin);
  expect(many.body.data.visits.map((row: Json) => (row.errors as unknown[]).length)).toEqual([1, 0]);
  // What was chosen before stays while nothing of it changes.
  expect((await put("machines", { id: drill, is_active: "0" })).errors).toEqual([]);
  expect((await put("visits", { id: visit.id, done: "2026-11-01" })).errors).toEqual([]);
  await put("machines", { id: drill, is_active: "1" });

  // Beside a record that they may not read, nobody finds out its values by trying others.
  const operations = [{ record_type: "lab/visits", operations: "index;view;edit" }];
  const role = { roles: { name: "Mechanic", code: "mechanic", operations }, action };
  expect((await service.post("/access_controls/roles/add.json", { data: role }, admin)).body.errors).toEqual([]);
  const accounts = await openAccounts(service.db);
  await accounts.add("mechanic", ["mechanic"]);
  const { access: mechanic } = await logIn(service, "mechanic");
  for (const site of [south, north]) {
    expect((await put("visits", { id: visit.id, site_id: site }, mechanic)).errors).toEqual([]);
  }

  // Nobody is offered what they may not read, and nobody finds out about a field that is hidden from them.
  await accounts.add("fitter", ["administrator"], await accounts.found("Elsewhere"));
  const { access: stranger } = await logIn(service, "fitter");
  expect(await choices({ site_id: north }, "", stranger)).toEqual([]);
  expect((await design(visits("budget < 5 and site_id = record.site_id"))).body.errors).toEqual([]);
  expect((await choices({ site_id: north })).sort()).toEqual(["Drill", "Old drill", "Press"]);
  expect((await put("visits", { name: "Six", site_id: north, machine_id: press })).errors).toContain(refused);
  expect((await design(visits('coalesce(record.done, today()) <= today() and name != me() & ""'))).body.errors).toEqual(
    [],
  );
  expect(await choices({ done: "2999-01-01" })).toEqual([]);
  expect(await choices({ done: "no day" })).toBe(400);

  // A field that a limit uses is not taken away.
  expect((await design(visits(where))).body.errors).toEqual([]);
  const uses = await service.get("/metadata/record_types/uses.json?key=lab/machines&field=is_active", admin);
  expect(uses.body.data.uses).toContainEqual(expect.objectContaining({ kind: "choices", controller: "lab/visits" }));
  const less = machines.filter(({ name }) => name !== "is_active");
  expect((await design(type("machines", less), { discard: "is_active" })).status).toBe(422);

  // References of built-in types, and those that people add to them; a design that moves has them.
  const view = async () =>
    JSON.parse(
      (await service.get("/metadata/record_types/view.json?key=crm/leads", admin)).body.data.record_types.definition,
    );
  const leads = await view();
  const added = refers("x_machine_id", "lab/machines", {
    label: "Machine",
    where: "is_active and name != record.last_name",
  });
  const fields = leads.fields.map((one: Json) =>
    one.name === "owned_by" || one.name !== "converted_company_id" ? one : { ...one, where: "name is not empty" },
  );
  expect((await design({ ...leads, fields: [...fields, added] })).body.errors).toEqual([]);
  expect((await view()).fields.find((one: Json) => one.name === "x_machine_id")).toEqual(added);
  const lead = { last_name: "Press", x_machine_id: press };
  const taken = await service.post("/crm/leads/add.json", { data: { leads: lead, action } }, admin);
  expect(taken.body.errors).toEqual([
    "Some fields need your attention",
    "Machine doesn't fit this record. Choose another one, or change Last name",
  ]);
  const exported = await service.get("/metadata/designs/export.json", admin);
  expect(JSON.stringify(exported.body)).toContain("name != record.last_name");
  expect((await design(leads, { discard: "x_machine_id" })).body.errors).toEqual([]);
});

test("a built-in type takes rules of one's own", async () => {
  const view = await service.get("/metadata/record_types/view.json?key=crm/leads", admin);
  const leads = JSON.parse(view.body.data.record_types.definition);
  const rule = { name: "named", formula: 'last_name != "Nobody"', message: "Name them" };
  expect((await design({ ...leads, rules: [rule] })).body.errors).toEqual([]);
  const again = await service.get("/metadata/record_types/view.json?key=crm/leads", admin);
  expect(JSON.parse(again.body.data.record_types.definition).rules).toEqual([rule]);
  const refused = await service.post(
    "/crm/leads/add.json",
    { data: { leads: { last_name: "Nobody" }, action } },
    admin,
  );
  expect(refused.body.errors).toContain("Name them");
  expect((await design({ ...leads, rules: [] })).body.errors).toEqual([]);
});

test("a new record takes over values of the records that it names, if its author may read them", async () => {
  const own = { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] };
  const type = (controller: string, fields: Json[], more: Json = {}) => ({
    ...{ module: "stock", controller, label: controller, plural: controller, displayField: "name" },
    ...{ access: definition.access, fields: [{ name: "name", type: "short-text" }, ...fields], ...more },
  });
  const refers = (name: string, to: string, initialFormula?: string) => ({
    ...{ name, type: "reference", settings: { to } },
    ...(initialFormula === undefined ? {} : { initialFormula }),
  });
  const notes = type("notes", [{ name: "is_open", type: "flag", initial: "1" }], { access: own });
  const sites = type("sites", [
    refers("currency_id", "masters/currencies"),
    { name: "secret", type: "short-text" },
    refers("note_id", "stock/notes"),
  ]);
  const parts = type("parts", [
    { name: "price", type: "decimal" },
    { name: "pictures", type: "file" },
    { name: "plain", type: "money" },
    { name: "amount", type: "money", settings: { currencyField: "currency_id" } },
    refers("currency_id", "masters/currencies"),
  ]);
  const linesWith = (more: Json[] = []) =>
    type("lines", [
      refers("order_id", "stock/orders"),
      refers("part_id", "stock/parts"),
      { name: "price", type: "decimal", initialFormula: "part.price" },
      { name: "part_name", type: "short-text", initialFormula: "part.name" },
      refers("currency_id", "masters/currencies", "order.currency_id"),
      { name: "whole", type: "integer", initialFormula: "part.price" },
      { name: "keeper", type: "short-text", initialFormula: "owned_by.user_name" },
      ...more,
    ]);
  const orders = (more: Json[] = []) =>
    type(
      "orders",
      [
        refers("site_id", "stock/sites"),
        // Before the reference that it comes by, which would be the organization's currency.
        { name: "code", type: "short-text", initialFormula: "currency.code" },
        refers("currency_id", "masters/currencies", "site.currency_id"),
        { name: "hint", type: "short-text", initialFormula: "site.secret" },
        { name: "note_name", type: "short-text", initialFormula: "note.name" },
        { ...refers("note_id", "stock/notes", "site.note_id"), where: "is_open and name != record.name" },
        refers("part_id", "stock/parts"),
        { name: "keeper", type: "short-text", initialFormula: "owned_by.user_name" },
        { name: "total", type: "money", settings: { currencyField: "currency_id" } },
        ...more,
      ],
      { associations: [{ kind: "has-many", name: "lines", type: "stock/lines", via: "order_id", owned: true }] },
    );
  const first = { ...orders(), associations: [] };
  for (const one of [notes, sites, parts, first, linesWith(), orders()]) {
    expect((await design(one)).body.errors).toEqual([]);
  }

  // What can never be right is refused at its place.
  const refusals: readonly (readonly [string, Json, string])[] = [
    ["gone.name", {}, "isn't a reference"],
    ["site.gone", {}, "there is no field site.gone"],
    ["site.organization_id", {}, "there is no field"],
    ["site.currency_id", {}, "doesn't fit"],
    ["site.currency_id", refers("x", "stock/parts"), "doesn't fit"],
    ["lines.name", {}, "isn't a reference"],
    ["x.name", refers("x_id", "stock/parts"), "isn't a reference"],
    ["site.name & 1", {}, "only use one value"],
    ["site.currency.name", {}, "only use one value"],
    ["name", {}, "only use one value"],
    ["me()", refers("x", "stock/parts"), "refer to what me() returns"],
    ["coalesce(me(), group())", refers("x", "access_controls/users"), "refer to what group() returns"],
    ["currency()", {}, "refer to what currency() returns"],
    ["part.amount", { type: "money" }, "has its own currency"],
    ["part.plain", { type: "money", settings: { currencyField: "currency_id" } }, "has its own currency"],
  ];
  for (const [initialFormula, field, words] of refusals) {
    const { status, body } = await design(orders([{ name: "x", type: "short-text", ...field, initialFormula }]));
    expect([initialFormula, status, body.errors.join()]).toEqual([initialFormula, 422, expect.stringContaining(words)]);
    expect(Object.keys(body.errors_by_field).join()).toContain(".initialFormula");
  }
  const waiting = type("waiting", [
    refers("site_id", "stock/sites"),
    { ...refers("note_id", "stock/notes", "site.note_id"), where: "name = record.a" },
    { name: "a", type: "short-text", initialFormula: "note.name" },
  ]);
  expect((await design(waiting)).body.errors.join()).toContain("depends on its own value");
  // Rows are saved with their order, before the service fills in anything there.
  const later = linesWith([{ name: "x", type: "date-time", initialFormula: "order.created" }]);
  expect((await design(later)).body.errors.join()).toContain("order.created: it isn't known yet");
  // What is stored already, and stays as it is, keeps nobody from saving the rest.
  const odd = (more: Json[]) => type("odd", [refers("x", "stock/parts"), ...more]);
  expect((await design(odd([]))).body.errors).toEqual([]);
  await service.db.run(sql`
    update metadata__record_types set definition = jsonb_set(definition, '{fields,1,initialFormula}', '"me()"') where key = 'stock/odd'`);
  const stays = refers("x", "stock/parts", "me()");
  expect((await design(type("odd", [stays, { name: "y", type: "flag" }]))).body.errors).toEqual([]);
  expect(
    (
      await design(
        type("odd", [
          { ...stays, label: "Z" },
          { name: "y", type: "flag" },
        ]),
      )
    ).status,
  ).toBe(422);
  const files = type("files", [
    refers("part_id", "stock/parts"),
    { name: "x", type: "file", initialFormula: "part.pictures" },
  ]);
  expect((await design(files)).status).toBe(422);
  const { fields, ...rest } = sites;
  const less = fields.filter(({ name }) => name !== "secret");
  const without = await design({ ...rest, fields: less }, { discard: "secret" });
  expect([without.status, without.body.errors.join()]).toEqual([
    422,
    expect.stringContaining("Secret is used by the default of Hint in orders"),
  ]);
  const uses = await service.get("/metadata/record_types/uses.json?key=stock/sites&field=secret", admin);
  expect(JSON.stringify(uses.body.data)).toContain('"default"');

  const sent = (controller: string, values: Json, token = admin) =>
    service.post(`/stock/${controller}/add.json`, { data: { [controller]: values, action } }, token);
  const madeHere = async (controller: string, values: Json, token = admin) => {
    const { body } = await sent(controller, values, token);
    expect(body.errors).toEqual([]);
    return (await service.get(`/stock/${controller}/view.json?id=${body.id}`, token)).body.data[controller];
  };
  const currency = async (code: string) => {
    const q = encodeURIComponent(JSON.stringify({ fields: ["currencies.id"], where: { "currencies.code": code } }));
    const list = await service.get(`/masters/currencies/index.json?q=${q}`, admin);
    return list.body.paginate.data[0]["currencies.id"];
  };
  const [yen, euro] = [await currency("JPY"), await currency("EUR")];
  const ours = { organizations: { id: "1", currency_id: euro }, action };
  expect((await service.post("/access_controls/organizations/edit.json", { data: ours }, admin)).body.errors).toEqual(
    [],
  );
  const note = await madeHere("notes", { name: "Vault" });
  const site = await madeHere("sites", { name: "North", currency_id: yen, secret: "42", note_id: note.id });
  const part = await madeHere("parts", { name: "Bolt", price: "2.50" });
  // A picker finds records by their names, which need not be searchable.
  const picked = encodeURIComponent(JSON.stringify({ fields: ["{{PRIMARY_KEY}}"], pheader: "0" }));
  for (const [words, names] of [
    ["bol", ["Bolt"]],
    ["nut", []],
  ] as const) {
    const { body } = await service.get(`/stock/parts/index.json?search_basic=${words}&q=${picked}`, admin);
    expect(body.paginate.data.map((row: Json) => row.record_display_name)).toEqual(names);
  }

  const order = await madeHere("orders", { name: "A", site_id: site.id, lines: [{ name: "1", part_id: part.id }] });
  expect([order.currency_id, order.code, order.hint, order.keeper]).toEqual([yen, "JPY", "42", "admin"]);
  expect([order.note_id, order.note_name]).toEqual([note.id, "Vault"]);
  expect(order.lines).toMatchObject([
    { price: "2.5000", part_name: "Bolt", currency_id: yen, whole: null, keeper: "admin" },
  ]);
  // What the record could not choose is not taken over.
  const same = await madeHere("orders", { name: "Vault", site_id: site.id });
  expect([same.note_id, same.note_name, same.hint]).toEqual([null, null, "42"]);
  // What is sent stays, an empty value too; later changes of the site change nothing.
  const empty = await madeHere("orders", { name: "B", site_id: site.id, currency_id: "", hint: "own" });
  expect([empty.currency_id, empty.hint]).toEqual([null, "own"]);
  // A row that is added later has the value that its order gets with it.
  const changed = { id: order.id, currency_id: "", lines: [{ name: "2", part_id: part.id, price: "9" }] };
  await service.post("/stock/orders/edit.json", { data: { orders: changed, action } }, admin);
  const grown = (await service.get(`/stock/orders/view.json?id=${order.id}`, admin)).body.data.orders;
  expect(grown.lines.map(({ currency_id, price }: Json) => [currency_id, price])).toEqual([
    [yen, "2.5000"],
    [null, "9.0000"],
  ]);
  const alone = await madeHere("lines", { name: "3", order_id: empty.id, part_id: part.id });
  expect([alone.currency_id, alone.price]).toEqual([null, "2.5000"]);

  // Many at once, and from a file.
  const many = [{ name: "M1", site_id: site.id }, { name: "M2" }, { name: "M3", site_id: site.id, hint: "x" }];
  const added = await service.post("/stock/orders/add_many.json", { data: { orders: many, action } }, admin);
  expect(added.body.errors).toEqual([]);
  const file = new FormData();
  file.append("file", new Blob([`name,site_id\nM4,${site.id}\n`]), "orders.csv");
  const { body: columns } = await service.post("/stock/orders/import_columns.json", file, admin);
  const mapping = { name: "name", site_id: "site_id" };
  const imported = await service.post("/stock/orders/import.json", { file: columns.data.file.id, mapping }, admin);
  expect(imported.body.errors).toEqual([]);
  const found = await service.get("/stock/orders/index.json?limit=100", admin);
  const rows = found.body.paginate.data.map((row: Json) => row["orders.id"]);
  const taken: unknown[] = [];
  for (const id of rows) {
    const { name, hint, currency_id } = (await service.get(`/stock/orders/view.json?id=${id}`, admin)).body.data.orders;
    if (String(name).startsWith("M")) taken.push([name, hint, currency_id]);
  }
  expect(taken.sort()).toEqual([
    ["M1", "42", yen],
    ["M2", null, euro],
    ["M3", "x", yen],
    ["M4", "42", yen],
  ]);

  // What a save would take over is told while somebody fills it in: the very values, what is sent left alone.
  const startsOf = async (values: unknown, more = "", token = admin) => {
    const sent = encodeURIComponent(typeof values === "string" ? values : JSON.stringify(values));
    return service.get(`/stock/orders/starts.json?values=${sent}${more}`, token);
  };
  const told = (await startsOf({ name: "A", site_id: site.id })).body.data;
  expect(told.values).toMatchObject({
    currency_id: yen,
    __currency_id: "JPY",
    code: "JPY",
    hint: "42",
    keeper: "admin",
    note_name: "Vault",
  });
  expect(told.values).toMatchObject({ note_id: note.id, __note_id: "Vault" });
  expect([...told.taken].sort()).toEqual(["code", "currency_id", "hint", "keeper", "note_id", "note_name"]);
  expect((await startsOf({ name: "Vault", site_id: site.id })).body.data.values.note_id).toBeNull();
  const chosen = (await startsOf({ site_id: site.id, currency_id: euro, hint: null })).body.data;
  expect(chosen.values).toMatchObject({ code: "EUR" });
  expect([chosen.values.currency_id, chosen.values.hint]).toEqual([undefined, undefined]);
  const unnamed = (await startsOf({})).body.data;
  expect([unnamed.values.currency_id, unnamed.taken]).toEqual([euro, ["code", "keeper"]]);
  const inRow = (await startsOf({ part_id: part.id }, "&rows_of=lines")).body.data;
  expect(inRow.values).toEqual({ price: "2.5000", part_name: "Bolt", whole: null });
  for (const [values, more] of [["[]"], ["{"], ["{}", "&rows_of=constructor"]] as const) {
    expect((await startsOf(values, more)).status).toBe(400);
  }
  expect((await startsOf({ site_id: "; drop", currency_id: { a: "b" } })).status).toBe(200);

  // It is described where there is something to take over, for those who may add.
  const describes = async (token: string, controller: string) =>
    Object.hasOwn((await service.get("/openapi.json", token)).body.paths, `/stock/${controller}/starts.json`);
  expect([await describes(admin, "orders"), await describes(admin, "sites")]).toEqual([true, false]);

  // Who may not read the part, or the field of the site, gets nothing of them, and is not told where they would come from.
  const operations = ["sites", "orders", "lines"].map((one) => ({
    record_type: `stock/${one}`,
    operations: "index;view;add;edit",
  }));
  const role = { roles: { name: "Clerk", code: "clerk", operations }, action };
  expect((await service.post("/access_controls/roles/add.json", { data: role }, admin)).body.errors).toEqual([]);
  await (await openAccounts(service.db)).add("lee", ["clerk"]);
  const lee = (await logIn(service, "lee")).access;
  const hide = (permission: number) =>
    design({ ...sites, fields: sites.fields.map((one) => (one.name === "secret" ? { ...one, permission } : one)) });
  expect((await hide(1)).body.errors).toEqual([]);
  const hidden = await madeHere("orders", { name: "H", site_id: site.id }, lee);
  expect([hidden.hint, hidden.currency_id]).toEqual([null, yen]);
  const { body: form } = await service.get("/stock/orders/add.json", lee);
  const seen = (await startsOf({ site_id: site.id }, "", lee)).body.data;
  expect([seen.values.currency_id, seen.values.note_id, seen.values.hint]).toEqual([yen, null, null]);
  expect((await startsOf({ part_id: part.id }, "&rows_of=lines", lee)).body.data.values).toMatchObject({ price: null });
  const text = JSON.stringify(form.form);
  expect(text).toContain('"starts_from":{"reference":"site_id","controller":"stock/sites","field":"currency_id"}');
  expect(text).toContain('"starts_from":{"reference":null,"controller":"stock/orders","field":"currency_id"}');
  expect(text).not.toContain('"secret"');
  expect(text).not.toContain('"controller":"stock/parts","field":"price"');
  expect(text).toContain('"controller":"stock/parts","field":"name"');
  // Of what they may look at from now on they are told, for as long as they may.
  const clerk = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'clerk'`);
  const more = { role_operations: { role_id: clerk?.id, record_type: "stock/parts", operations: "view" }, action };
  const given = await service.post("/access_controls/role_operations/add.json", { data: more }, admin);
  const isTold = async () =>
    JSON.stringify((await service.get("/stock/orders/add.json", lee)).body.form).includes(
      '"controller":"stock/parts","field":"price"',
    );
  expect(await isTold()).toBe(true);
  const { id: rightId } = given.body;
  await service.post("/access_controls/role_operations/delete.json", { id: rightId, is_confirm: "1" }, admin);
  expect(await isTold()).toBe(false);
  // A form shows no value that the record will not have.
  expect(form.data.orders).toMatchObject({ currency_id: null, note_id: null });
  expect((await hide(2)).body.errors).toEqual([]);
  // A record that they may not read is neither named nor read by way of one that they may.
  expect([hidden.note_id, hidden.note_name]).toEqual([null, null]);
  const line = { name: "S", order_id: hidden.id, part_id: part.id };
  const stolen = await madeHere("lines", line, lee);
  expect([stolen.part_name, stolen.price, stolen.currency_id]).toEqual(["Bolt", null, yen]);
  const around = { name: "T", site_id: site.id, lines: [{ name: "1", part_id: part.id }] };
  expect((await madeHere("orders", around, lee)).lines).toMatchObject([{ price: null, currency_id: yen }]);
  // Nor by a key that is limited to other records, whosever it is.
  const limits = { "stock/lines": ["read", "write"], "stock/orders": ["read"], "stock/parts": ["add"] };
  const key = { api_keys: { name: "Lines", scope: "write", limits } };
  const { body: keys } = await service.post("/access_controls/api_keys/add.json", { data: key }, admin);
  const limited = await madeHere("lines", line, keys.data.api_keys.secret);
  expect([
    await describes(keys.data.api_keys.secret, "lines"),
    await describes(keys.data.api_keys.secret, "orders"),
  ]).toEqual([true, false]);
  expect([limited.part_name, limited.price, limited.currency_id]).toEqual(["Bolt", null, yen]);
  // Nor by a workflow: what it makes is made in its name, and what that takes over is the person's to read.
  const workflow = {
    stages: [
      { key: "open", name: "Open", kind: "start" },
      { key: "done", name: "Done", kind: "end" },
    ],
    transitions: [
      {
        ...{ name: "pack", label: "Pack", from: "open", to: "done" },
        effects: [{ create: "stock/lines", as: "line", values: { name: "name", part_id: "part_id" } }],
      },
    ],
  };
  const flow = { name: "Packing", controller: "stock/orders", is_active: "1", definition: JSON.stringify(workflow) };
  const saved = await service.post("/core/workflows/add.json", { data: { workflows: flow, action } }, admin);
  expect(saved.body.errors).toEqual([]);
  for (const [name, token, price] of [
    ["Packed by admin", admin, "2.5000"],
    ["Packed by lee", lee, null],
  ] as const) {
    const { id } = await madeHere("orders", { name, part_id: part.id }, admin);
    const packing = { data: { orders: { id }, action: { pack: "Pack" } } };
    expect((await service.post("/stock/orders/edit.json", packing, token)).body.errors).toEqual([]);
    const row = await service.db.row(
      sql`select price::text as price, part_name from stock__lines where name = ${name}`,
    );
    expect(row).toEqual({ price, part_name: "Bolt" });
  }
  // Nothing names what has been deleted meanwhile.
  const gone = await service.post(`/stock/notes/delete.json?id=${note.id}&is_confirm=1`, {}, admin);
  expect(gone.body.errors).toEqual([]);
  const late = await madeHere("orders", { name: "L", site_id: site.id });
  expect([late.note_id, late.note_name, late.hint]).toEqual([null, null, "42"]);
});

test("a condition names only options that there are, until one is taken away", async () => {
  const state = (...values: string[]) => ({
    name: "state",
    type: "choice",
    settings: { options: values.map((value) => ({ value, label: value })) },
  });
  const tickets = (values: readonly string[], formula: string) => ({
    ...lines,
    controller: "tickets",
    fields: [...lines.fields, state(...values)],
    rules: [{ name: "open", formula, message: "Closed" }],
  });
  const misspelled = tickets(["open", "closed"], 'state != "clsoed"');
  for (const operation of ["save", "check"]) {
    const sent = { definition: JSON.stringify(misspelled) };
    const { status, body } = await service.post(`/metadata/record_types/${operation}.json`, sent, admin);
    expect([operation, status]).toEqual([operation, 422]);
    expect(body.errors_by_field["record_types.rules.open.formula"]).toEqual(["State has no option clsoed"]);
  }
  expect((await design(tickets(["open", "closed"], 'state != "closed"'))).body.errors).toEqual([]);
  expect((await design(tickets(["open"], 'state != "closed"'))).body.errors).toEqual([]);
  expect((await design(tickets(["open"], 'state = "open" or state != "closed"'))).status).toBe(422);
});
