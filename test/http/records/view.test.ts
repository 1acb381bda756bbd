// view, and the forms of edit and add, on the wire: every key of the interface, effective permissions, and what stays unseen.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, elements, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let marketing: Person;
let lead: string;
let company: string;
let opportunity: string;
let country: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  marketing = await addPerson(service, "marketing", ["marketing"]);
  const found = await service.db.row(sql`select id::text as id from masters__countries where name = 'Germany'`);
  country = found?.id ?? "";
  [company = ""] = await addRows(service, "crm/companies", [{ name: "Engines", owned_by: rep.id }]);
  [opportunity = ""] = await addRows(service, "crm/opportunities", [
    { name: "Big deal", company_id: company, amount: "100", owned_by: rep.id },
  ]);
  [lead = ""] = await addRows(service, "crm/leads", [
    {
      name: "Ada Lovelace",
      last_name: "Lovelace",
      status: "new",
      country_id: country,
      converted_opportunity_id: opportunity,
      tags: "key_account",
      owned_by: rep.id,
      created_by: rep.id,
      modified_by: rep.id,
    },
  ]);
  await addRows(service, "core/addresses", [
    {
      related_type: "crm/leads",
      related_id: lead,
      type: "work",
      address_line_1: "12 Baker Street",
      country_id: country,
    },
    { related_type: "crm/leads", related_id: lead, type: "home", address_line_1: "1 Home Road" },
    { related_type: "crm/peoples", related_id: lead, type: "home", address_line_1: "of somebody else" },
  ]);
});

afterAll(() => service.stop());

const view = (path: string, token = rep.token) => service.get(path, token);

describe("the view response", () => {
  test("has every key that the interface lists", async () => {
    const { status, body } = await view(`/crm/leads/view.json?id=${lead}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      errors: [],
      message: [],
      primary_key: "leads.id",
      display_field: "leads.name",
      model: "crm/leads",
      model_class: "crm/leads",
      modelClass: "crm/leads",
      controllerClass: "crm/leads",
      id: lead,
      is_record_deleted: false,
      name: "Ada Lovelace",
      rebaseline: [],
      allow_comments: 1,
      is_editable: 1,
      is_deletable: 1,
      alias: "leads",
      singular: "Lead",
      user_id: rep.id,
      user_fullname: "rep",
      organization_id: "1",
    });
    for (const key of ["permissions", "model_associations", "model_behaviours", "filterRules", "form", "labels"]) {
      expect(body[key]).toBeTypeOf("object");
    }
    expect(body.notEmptyField.leads).toMatchObject({ last_name: "Last name is required", status: expect.any(String) });
    expect(Object.keys(body.notEmptyField.addresses)).toEqual(["type", "address_line_1"]);
    expect(body.permissions).toMatchObject({ view: 1, edit: 1, delete: 1, add: 1, bulk: 1 });
  });

  test("holds the record with the companions of its references, as texts or null", async () => {
    const { body } = await view(`/crm/leads/view.json?id=${lead}`);
    expect(body.data.leads).toMatchObject({
      id: lead,
      last_name: "Lovelace",
      tags: "key_account",
      do_not_call: null,
      country_id: country,
      __country_id: "Germany",
      country_id_model: "masters/countries",
      owned_by: rep.id,
      __owned_by: "rep",
      owned_by_model: "access_controls/users",
      type_id: null,
      __type_id: null,
      type_id_model: "crm/types",
      deleted: "0",
      revision: "1",
    });
    expect(body.data.leads.business_key).toMatch(/^L-\d{6}$/);
    expect(body.data.leads.created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  test("brings the record's own children along, and nobody else's", async () => {
    const { body } = await view(`/crm/leads/view.json?id=${lead}`);
    expect(body.data.leads.addresses).toHaveLength(2);
    expect(body.data.leads.addresses[0]).toMatchObject({ address_line_1: "12 Baker Street", __country_id: "Germany" });
    expect(body.data.leads.phone_numbers).toEqual([]);
  });

  test("brings along what is shown beside it as far as the reader may read it", async () => {
    const kept = (read: string) => ({ read: [read], edit: ["owner"], delete: [], comment: [] });
    const plain = { module: "lab", displayField: "name", fields: [{ name: "name", type: "short-text" }] };
    const box = { ...plain, controller: "boxes", label: "Box", plural: "Boxes", access: kept("organization") };
    const via = { name: "box_id", type: "reference", settings: { to: "lab/boxes" } };
    const item = { ...plain, controller: "items", label: "Item", plural: "Items", fields: [...plain.fields, via] };
    const shown = { kind: "has-many", name: "items", label: "Items", type: "lab/items", via: "box_id", shown: true };
    for (const definition of [box, { ...item, access: kept("owner") }, { ...box, associations: [shown] }]) {
      const sent = { definition: JSON.stringify(definition) };
      expect((await service.post("/metadata/record_types/save.json", sent, admin)).body.errors).toEqual([]);
    }
    const add = async (controller: string, values: Record<string, unknown>): Promise<string> => {
      const data = { [controller]: values, action: { save_progress: "Save" } };
      const { body } = await service.post(`/lab/${controller}/add.json`, { data }, admin);
      expect(body.errors).toEqual([]);
      return body.id;
    };
    const id = await add("boxes", { name: "Box" });
    await add("items", { name: "Seen", box_id: id, owned_by: rep.id });
    await add("items", { name: "Kept from rep", box_id: id, owned_by: other.id });
    const { body } = await view(`/lab/boxes/view.json?id=${id}`);
    expect(body.data.boxes.items).toMatchObject([{ name: "Seen" }]);
    expect(JSON.stringify(body)).not.toContain("Kept from rep");
  });

  test("names a referenced record only to those who may read it", async () => {
    expect((await view(`/crm/leads/view.json?id=${lead}`)).body.data.leads.__converted_opportunity_id).toBe("Big deal");
    const [foreign = ""] = await addRows(service, "crm/opportunities", [
      { name: "Secret deal", company_id: company, owned_by: other.id },
    ]);
    const [own = ""] = await addRows(service, "crm/leads", [
      { last_name: "Of rep", status: "new", converted_opportunity_id: foreign, owned_by: rep.id },
    ]);
    const { body } = await view(`/crm/leads/view.json?id=${own}`);
    expect(body.data.leads).toMatchObject({ converted_opportunity_id: foreign, __converted_opportunity_id: null });
    expect(JSON.stringify(body)).not.toContain("Secret deal");
  });

  test("tells the rules of each field and child field", async () => {
    const { body } = await view(`/crm/leads/view.json?id=${lead}`);
    expect(body.filterRules.last_name).toEqual([
      { rule: "required", params: [], message: "Last name is required" },
      { rule: "max_length", params: [255], message: "Last name must have at most 255 characters" },
    ]);
    expect(body.filterRules.email).toEqual([
      { rule: "\\kernel\\validation::isValidEmail", params: [274], message: "Email must be a valid email address" },
      { rule: "\\kernel\\validation::notDuplicate", params: [], message: "Email is taken" },
    ]);
    expect(body.filterRules["addresses.address_line_1"][0].rule).toBe("required");
  });
});

describe("the form", () => {
  const of = async (path: string, token = rep.token) => elements((await view(path, token)).body.form);

  test("is a tree whose every element is named, labelled, templated and permitted", async () => {
    const [root, ...below] = await of(`/crm/leads/edit.json?id=${lead}`);
    expect(root?.name).toBe("leads");
    for (const element of below) {
      expect(element).toMatchObject({
        name: expect.any(Array),
        __name: element.name.join("."),
        label: expect.any(String),
        template: expect.any(String),
        method: expect.any(String),
        not_empty: expect.stringMatching(/^[01]$/),
      });
      expect([1, 2, 4]).toContain(element.permission);
    }
  });

  test.each([
    ["leads.last_name", "input", "text", 2],
    ["leads.status", "select", "select", 2],
    ["leads.tags", "select", "multiple", 2],
    ["leads.country_id", "reference", "picker", 2],
    ["leads.converted", "date", "datetime", 4],
    ["leads.created", "date", "datetime", 4],
    ["leads.owned_by", "reference", "picker", 2],
    ["leads.addresses", "grid", "has_many", 2],
    ["leads.addresses.{n}.city", "input", "text", 2],
    ["action.save_progress", "submit", "submit", 2],
  ])(
    "shows %s as %s/%s with permission %i in edit, and nothing editable in view",
    async (name, template, method, permission) => {
      const edit = (await of(`/crm/leads/edit.json?id=${lead}`)).find((element) => element.__name === name);
      expect(edit).toMatchObject({ template, method, permission });
      const seen = (await of(`/crm/leads/view.json?id=${lead}`)).find((element) => element.__name === name);
      if (template === "submit") expect(seen).toBeUndefined();
      else expect(seen.permission).toBe(4);
    },
  );

  test("has submit elements with every key of the interface", async () => {
    const submit = (await of("/crm/leads/add.json")).filter((element) => element.template === "submit");
    expect(submit.map((element) => [element.name, element.label])).toEqual([
      [["action", "save_progress"], "Save"],
      [["action", "save_&_continue"], "Save & Continue"],
    ]);
    for (const key of [
      "value",
      "__value",
      "is_web_compatible",
      "is_mobile_compatible",
      "rules_grid",
      "roles_grid",
      "helper",
      "allow_copy_to_clipboard",
      "allow_user_to_specify_user_level_default",
      "business_key",
      "template",
      "packaged_with_module",
      "mw",
    ]) {
      expect(submit[0]).toHaveProperty(key);
    }
  });

  test("lists related records of types that the caller may list", async () => {
    const related = (await of(`/crm/companies/view.json?id=${company}`)).filter((one) => one.template === "related");
    expect(related.map((element) => element.controller)).toEqual(["crm/peoples", "crm/opportunities", "crm/companies"]);
  });

  test("says how to list what is related through a third type", async () => {
    const [role = ""] = (
      await service.db.rows(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'marketing'`)
    ).map(({ id }) => id ?? "");
    const users = (await of(`/access_controls/roles/view.json?id=${role}`, admin)).find(
      (one) => one.template === "related" && one.controller === "access_controls/users",
    );
    expect(users?.where).toEqual({ "users.roles.id": "{{ID}}" });
    const q = encodeURIComponent(JSON.stringify({ where: { "users.roles.id": role } }));
    const { body } = await service.get(`/access_controls/users/index.json?q=${q}`, admin);
    expect(body.paginate.data).toMatchObject([{ "users.id": marketing.id }]);
  });

  test("offers nothing to change to somebody who may only look", async () => {
    const path = `/crm/companies/edit.json?id=${company}`;
    const { body } = await view(path, other.token);
    expect(body).toMatchObject({ is_editable: 0, is_deletable: 0 });
    expect(elements(body.form).filter((element) => element.permission === 2)).toEqual([]);
  });

  test("leaves a hidden field out of data, form, rules and labels alike", async () => {
    const { body } = await view(`/crm/opportunities/view.json?id=${opportunity}`, admin);
    expect(body.data.opportunities.amount).toBe("100.00");
    const [shared = ""] = await addRows(service, "crm/opportunities", [
      { name: "Seen", company_id: company, amount: "7", probability: "10", owned_by: marketing.id },
    ]);
    const masked = (await view(`/crm/opportunities/view.json?id=${shared}`, marketing.token)).body;
    expect(masked.data.opportunities).toMatchObject({ name: "Seen", probability: "10" });
    expect(JSON.stringify(masked)).not.toMatch(/"(?:opportunities\.)?amount"/);
  });
});

describe("a record that is not there for the caller", () => {
  test.each([
    ["of somebody else", () => lead, "other"],
    ["that does not exist", () => "999999", "rep"],
    ["with an id that no record has", () => "abc", "rep"],
    ["of another organization", () => lead, "stranger"],
  ])("%s is not found, in the same words", async (_, id, who) => {
    const stranger = who === "stranger" ? await addOrganization(service, "strangers") : undefined;
    const token = who === "other" ? other.token : (stranger?.token ?? rep.token);
    const { status, body } = await view(`/crm/leads/view.json?id=${id()}`, token);
    expect(status).toBe(404);
    expect(body.errors).toEqual(["Lead not found"]);
    expect(body.data).toBeUndefined();
  });

  test("once deleted, is seen by those who may bring it back and by nobody else", async () => {
    const [gone = ""] = await addRows(service, "crm/companies", [{ name: "Gone", owned_by: rep.id, deleted: "1" }]);
    const { status, body } = await view(`/crm/companies/view.json?id=${gone}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_record_deleted: true, is_editable: 0, is_deletable: 0 });
    expect(body.permissions).toMatchObject({ restore: 1, edit: 0 });
    expect((await view(`/crm/companies/view.json?id=${gone}`, other.token)).status).toBe(404);
  });
});

describe("an empty record", () => {
  test.each(["view", "edit", "add"])(
    "comes from %s without an id, with defaults and the caller as owner",
    async (operation) => {
      const { status, body } = await view(`/crm/leads/${operation}.json`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: null, name: "", is_deletable: 0, is_record_deleted: false });
      expect(body.data.leads).toMatchObject({
        id: null,
        status: "new",
        do_not_call: "0",
        owned_by: rep.id,
        __owned_by: "rep",
        addresses: [],
      });
    },
  );

  test("is refused to those who may not add", async () => {
    expect((await view("/crm/leads/add.json", (await addPerson(service, "reader", ["read_only"])).token)).status).toBe(
      403,
    );
  });
});

describe("a lookup", () => {
  const look = (type: string, where: unknown) =>
    view(`/${type}/view.json?q=${encodeURIComponent(JSON.stringify({ method: "find", fields: ["*"], where }))}`);

  test("puts what people work with before what it is sorted by", async () => {
    const { body } = await service.get("/development_base/menus/app_menu.json", admin);
    const keys = Object.keys(body.data.crm.children);
    expect(keys.indexOf("types")).toBeGreaterThan(keys.indexOf("leads"));
  });

  test("finds a menu entry by url and type", async () => {
    const { status, body } = await look("development_base/menus", { url: "crm/leads/index", type: "controller" });
    expect(status).toBe(200);
    expect(body.data.menus).toMatchObject({ url: "crm/leads/index", module: "crm", label: "Leads" });
  });

  test("finds nothing that the caller may not read, and refuses unknown columns", async () => {
    expect((await look("crm/leads", { last_name: "Lovelace" })).body.id).toBe(lead);
    const q = encodeURIComponent(JSON.stringify({ where: { last_name: "Lovelace" } }));
    expect((await view(`/crm/leads/view.json?q=${q}`, other.token)).status).toBe(404);
    expect((await look("crm/leads", { secret: "x" })).status).toBe(400);
    expect((await look("development_base/menus", { url: "no/such/index" })).status).toBe(404);
  });
});

test("form=<form_version> leaves out the form that the caller has, and sends one that is another", async () => {
  const parts = ["form", "labels", "filterRules", "notEmptyField", "model_associations", "model_behaviours"];
  const path = `/crm/leads/view.json?id=${lead}`;
  const whole = await view(path);
  const version: string = whole.body.form_version;
  expect(version).toMatch(/^[\w-]{16}$/);
  expect((await view(`${path}&form=0`)).body.form_version).toBe(version);
  for (let time = 0; time < 3; time += 1) {
    const known = await view(`${path}&form=${version}`);
    expect(known.body).toEqual({ ...whole.body, ...Object.fromEntries(parts.map((part) => [part, undefined])) });
  }
  const others = await Promise.all([
    view(`/crm/leads/edit.json?id=${lead}&form=${version}`),
    view(`${path}&form=${"x".repeat(16)}`),
  ]);
  for (const other of others) for (const part of parts) expect(other.body).toHaveProperty(part);
  expect(others[0]?.body.form_version).not.toBe(version);
});

test("the answer of a save leaves out the form that its sender has, and a retry may have another one", async () => {
  const key = { "idempotency-key": "form-1" };
  const save = (query: string, headers = {}) =>
    service.post(
      `/crm/leads/edit.json${query}`,
      { data: { leads: { id: lead, city: "Ulm" }, action: { save_progress: "Save" } } },
      admin,
      headers,
    );
  const whole = await save("");
  expect(whole.body).toHaveProperty("form");
  const known = await save(`?form=${whole.body.form_version}`, key);
  expect(known.body.errors).toEqual([]);
  expect(known.body).not.toHaveProperty("form");
  const again = await save("?form=0", key);
  expect(again.body.data).toEqual(known.body.data);
  // Whatever else it may be, it is no reason not to save.
  expect((await save("?form=any")).body).toMatchObject({ errors: [], form: {} });
});

test("form=0 gives the record without its form, and nothing else is a value of it", async () => {
  const whole = await view(`/crm/leads/view.json?id=${lead}`);
  const alone = await view(`/crm/leads/view.json?id=${lead}&form=0`);
  expect(alone.body.data).toEqual(whole.body.data);
  expect(whole.body).toHaveProperty("form");
  for (const key of ["form", "labels", "filterRules", "notEmptyField"]) expect(alone.body).not.toHaveProperty(key);
  const wrong = await view(`/crm/leads/view.json?id=${lead}&form=2`);
  expect(wrong).toMatchObject({
    status: 400,
    body: { errors: [expect.stringContaining('form: must be one of 0, 1, form_version, not "2"')] },
  });
});
