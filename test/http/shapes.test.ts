// What programs written for this wire read, for every record type of the menu, built-in and made at run time.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldTypeIds } from "../../contract/field-types.ts";
import { fieldTypes } from "../../server/fields/index.ts";
import type { TestService } from "../service.ts";
import { startDemoService } from "./demo-service.ts";
import { createProgram, type Program } from "./program.ts";
import { differences, shapes } from "./wire-shapes.ts";

let service: TestService;
let program: Program;
let types: string[];

/** A type made at run time with a field of every type that there is. */
const specimens = {
  module: "lab",
  controller: "specimens",
  label: "Specimen",
  plural: "Specimens",
  displayField: "label",
  businessKey: { prefix: "S-", digits: 4 },
  allowComments: true,
  fields: [
    { name: "label", type: "short-text", required: true, unique: true, searchable: true },
    { name: "count", type: "integer", required: true, settings: { min: 2, max: 9 } },
    { name: "mail", type: "email", required: true },
    { name: "call", type: "phone", required: true },
    ...fieldTypeIds.map((type) => ({ name: `a_${type.replaceAll("-", "_")}`, type, settings: settingsOf(type) })),
  ],
  associations: [{ kind: "has-many-polymorphic", name: "addresses", type: "core/addresses", owned: true }],
  access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: ["organization"] },
};

function settingsOf(type: (typeof fieldTypeIds)[number]): Readonly<Record<string, unknown>> {
  if (type === "reference") return { to: "crm/companies" };
  return type === "money" ? {} : fieldTypes[type].examples.settings;
}

beforeAll(async () => {
  service = await startDemoService(0.02);
  const token = await service.login();
  program = createProgram(service.url, token, typed);
  const saved = await program.post("metadata/record_types/save.json", { definition: JSON.stringify(specimens) });
  expect(saved.body.errors).toEqual([]);
  const view = (await program.get("lab/specimens/add.json")).body;
  const added = await program.post("lab/specimens/add.json", await program.entriesFor("lab/specimens", view));
  expect(added.body.errors).toEqual([]);
  types = await program.menu();
});
afterAll(() => service.stop());

/** What its rules do not tell of a field. */
const typed = {
  "access_controls/api_keys": { limits: '{"crm/leads":["read"]}', networks: "127.0.0.0/8" },
  "core/listviews": { controller: "crm/leads", query: '{"fields":["leads.name"]}', name: "Probe {unique}" },
  "core/webhooks": { record_types: "crm/leads", condition: '{"where":{"leads.rating":"hot"}}' },
  "core/categories": { controller: "crm/leads" },
  "core/forms": {
    controller: "crm/leads",
    definition: '{"sections":[{"section":"A","elements":[{"field":"last_name"}]}]}',
  },
  "core/workflows": {
    controller: "lab/specimens",
    definition:
      '{"stages":[{"key":"a","name":"A","kind":"start"},{"key":"b","name":"B","kind":"end"}],"transitions":[{"name":"go","label":"Go","from":"a","to":"b"}]}',
  },
  "access_controls/policies": {
    record_type: "crm/leads",
    policy: '{"read":["organization"],"edit":["owner"],"delete":["owner"],"comment":["organization"]}',
  },
  "access_controls/users": { time_zone: "UTC", locale: "en_US", theme: "default/dark" },
  "access_controls/roles": { is_administrator: "0", is_signup_role: "0", code: "{unique}" },
} as const;

/** Runs something for every record type of the menu and gives what is wrong, all together. */
async function everywhere(check: (type: string) => Promise<readonly string[]>): Promise<string[]> {
  const wrong: string[] = [];
  for (const type of types) wrong.push(...(await check(type)));
  return wrong;
}

const aliasOf = (type: string) => type.split("/")[1] ?? "";
const firstRow = async (type: string) => (await program.get(`${type}/index.json?limit=1`)).body.paginate.data[0];

test("the menu leads to every record type that is not hidden", () => {
  expect(types).toEqual(expect.arrayContaining(["crm/leads", "access_controls/users", "core/jobs", "lab/specimens"]));
  expect(types.length).toBeGreaterThan(25);
});

test("every entry of the menu has a label, an address and an icon", async () => {
  const { body } = await program.get("development_base/menus/app_menu.json");
  const entries = Object.values<{ children: object }>(body.data).flatMap(({ children }) => Object.values(children));
  for (const entry of entries) {
    expect(entry).toMatchObject({ label: expect.any(String), url: expect.any(String), icon: expect.any(String) });
  }
});

test("values that make two records look like one have the rule of those that must differ", async () => {
  const { body } = await program.get("crm/leads/add.json");
  for (const field of ["email", "phone"]) {
    expect(body.filterRules[field].map(({ rule }: { rule: string }) => rule)).toContain(
      "\\kernel\\validation::notDuplicate",
    );
  }
  const { body: refused } = await program.get(`crm/leads/view.json?current_category=${crypto.randomUUID()}`);
  expect(refused.errors).toEqual(["current_category: crm/leads has no categories"]);
});

test("every record type of the menu has a record in the demo organization", async () => {
  expect(
    await everywhere(async (type) => {
      const { body } = await program.get(`${type}/index.json?limit=1`);
      return body.paginate?.total_count > 0 ? [] : [type];
    }),
  ).toEqual([]);
});

test("lists have the shape, through every view", async () => {
  const views = await program.get(
    `core/listviews/index.json?q=${encodeURIComponent(JSON.stringify({ fields: ["listviews.controller", "listviews.name"], limit: -1 }))}`,
  );
  const idsOf = (type: string): string[] =>
    views.body.paginate.data.flatMap((row: Record<string, string>) => (row.controller === type ? [row.id] : []));
  expect(
    await everywhere(async (type) => {
      const wrong: string[] = [];
      for (const view of [undefined, ...idsOf(type)]) {
        const { status, body } = await program.get(
          `${type}/index.json?limit=5&track_open=0${view ? `&current_listview=${view}` : ""}`,
        );
        const grouped =
          body.paginate?.query?.group?.length > 0 || !body.paginate?.query?.fields?.[0]?.startsWith(aliasOf(type));
        const shape = shapes.list(grouped ? shapes.groupRow : shapes.rowOf(aliasOf(type)));
        if (status !== 200) wrong.push(`${type} index ${view}: ${status}`);
        wrong.push(...differences(`${type} index ${body.listview_name}`, shape, body));
        if (view !== undefined && body.current_listview !== view) wrong.push(`${type}: opened another view`);
      }
      return wrong;
    }),
  ).toEqual([]);
});

test.each(["view", "edit", "add"])("%s has the shape", async (operation) => {
  expect(
    await everywhere(async (type) => {
      const row = await firstRow(type);
      const id = row?.[`${aliasOf(type)}.id`];
      const { status, body } = await program.get(`${type}/${operation}.json${operation === "add" ? "" : `?id=${id}`}`);
      if (status !== 200) return [`${type} ${operation}: ${status} ${body.errors}`];
      const wrong = differences(`${type} ${operation}`, shapes.record, body);
      if (operation === "add" && body.name !== "") wrong.push(`${type} add name: ${body.name}`);
      if (operation === "add" && program.buttons(body).length === 0) {
        const open = body.form.children.flatMap((one: object) => [...program.editable(one, 2)]);
        if (open.length > 0) wrong.push(`${type} add: has fields to fill in and no button`);
      }
      return wrong;
    }),
  ).toEqual([]);
});

test("what the server requires says so in its rules", async () => {
  expect(
    await everywhere(async (type) => {
      const { body } = await program.get(`${type}/add.json`);
      const required = Object.keys(body.notEmptyField?.[body.alias] ?? {});
      return required.flatMap((field) =>
        body.filterRules[field]?.some(({ rule }: { rule: string }) => rule === "required") ? [] : [`${type} ${field}`],
      );
    }),
  ).toEqual([]);
});

describe("a program adds, changes and deletes by the forms alone", () => {
  test("a record of every type that takes one", async () => {
    const taken: string[] = [];
    const wrong = await everywhere(async (type) => {
      const form = (await program.get(`${type}/add.json`)).body;
      if (program.buttons(form).length === 0) {
        const refused = await program.post(`${type}/add.json`, [["data[action][save_progress]", "Save"]]);
        return refused.status >= 400 ? differences(`${type} add`, shapes.failure, refused.body) : [`${type}: added`];
      }
      const added = await program.post(`${type}/add.json`, await program.entriesFor(type, form));
      if (added.status !== 200) return [`${type} add: ${added.status} ${added.body.errors.join("; ")}`];
      taken.push(type);
      const found = differences(`${type} added`, shapes.record, added.body);
      const id = String(added.body.id);
      const edit = (await program.get(`${type}/edit.json?id=${id}`)).body;
      if (program.buttons(edit).length > 0) {
        const changed = await program.post(`${type}/edit.json`, await program.entriesFor(type, edit, id));
        if (changed.status !== 200) return [`${type} edit: ${changed.status} ${changed.body.errors.join("; ")}`];
        found.push(...differences(`${type} edited`, shapes.record, changed.body));
      }
      const { body: view } = await program.get(`${type}/view.json?id=${id}`);
      const gone = await program.post(`${type}/delete.json?id=${id}&is_confirm=1`, []);
      const deleted = gone.body.errors.length === 0;
      if (deleted !== (view.is_deletable === 1)) found.push(`${type} delete: ${gone.status} ${gone.body.errors}`);
      return found;
    });
    expect(wrong).toEqual([]);
    expect(taken.length).toBeGreaterThan(15);
  });
});

describe("a program sends everything back that it was shown", () => {
  /** Every value under the key that brackets give it; nothing is the word null. */
  const flat = (key: string, value: unknown): (readonly [string, string])[] => {
    if (typeof value !== "object") return [[key, String(value)]];
    if (value === null) return [[key, "null"]];
    return Object.entries(value).flatMap(([name, one]) => flat(`${key}[${name}]`, one));
  };
  const kept = ({
    modified: _at,
    modified_by: _by,
    __modified_by: _who,
    revision: _n,
    ...rest
  }: Record<string, unknown>) => rest;

  test.each(["brackets", "JSON"])("companions, system fields and children, in %s, of every type", async (encoding) => {
    let count = 0;
    const wrong = await everywhere(async (type) => {
      const alias = aliasOf(type);
      const found: string[] = [];
      const q = encodeURIComponent(JSON.stringify({ fields: [`${alias}.id`], limit: 3 }));
      const { body: list } = await program.get(`${type}/index.json?track_open=0&q=${q}`);
      if (list.errors.length > 0) return [`${type}: ${list.errors}`];
      for (const row of list.paginate.data) {
        const { body: form } = await program.get(`${type}/edit.json?id=${row[`${alias}.id`]}`);
        const [button] = program.buttons(form);
        if (!button || form.is_editable === 0) continue;
        count += 1;
        const action = { [button.name.at(-1)]: button.label };
        const sent = { [alias]: form.data[alias], action, normalized: "1" };
        const { status, body } = await program.post(
          `${type}/edit.json`,
          encoding === "JSON" ? { data: sent } : flat("data", sent),
        );
        if (status !== 200) found.push(`${type} ${form.id}: ${status} ${body.errors}`);
        else if (JSON.stringify(kept(body.data[alias])) !== JSON.stringify(kept(form.data[alias]))) {
          found.push(`${type} ${form.id}: came back changed`);
        }
      }
      return found;
    });
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(50);
  });

  test("who belongs to a role is shown with it and is not changed there", async () => {
    const { body } = await program.get("access_controls/roles/index.json?limit=1&search_basic=Administrator");
    const id = body.paginate.data[0]["roles.id"];
    const change = (roles_users: unknown) =>
      program.post("access_controls/roles/edit.json", {
        data: { roles: { id, roles_users }, action: { save_progress: "Save" } },
      });
    const { roles_users: members } = (await program.get(`access_controls/roles/view.json?id=${id}`)).body.data.roles;
    for (const rows of [[{ user_id: "1" }], [{ ...members[0], deleted: "1" }], ["1"]]) {
      const refused = await change(rows);
      expect([refused.status, Object.keys(refused.body.errors_by_field)]).toEqual([422, ["roles.roles_users"]]);
    }
  });
});

test("is_delete is true only where the delete succeeds", async () => {
  expect(
    await everywhere(async (type) => {
      const { body } = await program.get(`${type}/index.json?limit=3&track_open=0`);
      const wrong: string[] = [];
      for (const row of body.paginate.data) {
        const id = row[`${aliasOf(type)}.id`];
        if (id === undefined) continue;
        const { body: view } = await program.get(`${type}/view.json?id=${id}`);
        if ((view.is_deletable === 1) !== row.is_delete) wrong.push(`${type} ${id}: list and view differ`);
        if (row.is_delete) continue;
        const gone = await program.post(`${type}/delete.json?id=${id}&is_confirm=1&override=1`, []);
        if (gone.body.errors.length === 0) wrong.push(`${type} ${id}: was deleted`);
      }
      return wrong;
    }),
  ).toEqual([]);
});

test("one's own user, the last administrator and their role cannot be deleted, and say so", async () => {
  const { body: me } = await program.get("access_controls/users/profile.json");
  const list = await program.get(
    `access_controls/users/index.json?limit=1000&track_open=0&q=${encodeURIComponent('{"fields":["users.user_name"]}')}`,
  );
  const undeletable = list.body.paginate.data.filter((row: Record<string, unknown>) => row.is_delete !== true);
  expect(undeletable.map((row: Record<string, unknown>) => row["users.id"])).toEqual([me.user_id]);
  const roles = await program.get(`access_controls/roles/index.json?limit=1000`);
  const kept = roles.body.paginate.data.filter((row: Record<string, unknown>) => row.is_delete !== true);
  expect(kept.map((row: Record<string, unknown>) => row.record_display_name)).toEqual(["Administrator"]);
  const role = (await program.get(`access_controls/roles/view.json?id=${kept[0]["roles.id"]}`)).body;
  expect(role.is_deletable).toBe(0);
  expect(role.data.roles.roles_users).toEqual(
    expect.arrayContaining([expect.objectContaining({ user_id: me.user_id })]),
  );
});

test("the generated view has an id and a category of its own, and opens by that id", async () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const type of types) {
    const { body } = await program.get(
      `${type}/index.json?limit=1&current_listview=00000000-0000-0000-0000-000000000000`,
    );
    const id = body.current_listview;
    const again = (await program.get(`${type}/index.json?limit=1&current_listview=${id}`)).body;
    if (seen.has(id)) wrong.push(`${type}: has the view of another type`);
    seen.add(id);
    if (again.current_listview !== id || again.message.length > 0) wrong.push(`${type}: ${again.message}`);
    if ([again.paginate.category_id, again.paginate.__category_id].includes("")) wrong.push(`${type}: no category`);
    wrong.push(...differences(`${type} generated`, shapes.list(shapes.rowOf(aliasOf(type))), again));
  }
  expect(wrong).toEqual([]);
});

test("shipped lists of what a workflow can move show where it is and whose it is", async () => {
  const tracked = ["Type", "Sub Type", "Current Stage", "Current Workflow Actors", "Created By", "Owned By"];
  const { body } = await program.get(
    `core/listviews/index.json?q=${encodeURIComponent('{"fields":["listviews.controller","listviews.name"],"limit":-1}')}`,
  );
  const wrong: string[] = [];
  let count = 0;
  for (const { id, controller, name } of body.paginate.data) {
    if (!String(controller).startsWith("crm/")) continue;
    const { paginate } = (await program.get(`${controller}/index.json?limit=1&track_open=0&current_listview=${id}`))
      .body;
    if (paginate.query.group.length > 0 || !paginate.query.fields[0].startsWith(aliasOf(controller))) continue;
    count += 1;
    const missing = tracked.filter((column) => !paginate.field_alias.includes(column));
    if (missing.length > 0) wrong.push(`${controller} ${name}: ${missing}`);
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(20);
});

test("columns are answered under the names that they were asked for by", async () => {
  const list = async (q: object) =>
    (await program.get(`crm/leads/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`)).body.paginate;
  const fields = ["leads.owned_by_user.name", "leads.country_id.name", "leads.owned_by"];
  const rows = await list({ fields, limit: 1 });
  expect(rows.header.map((one: { column_name: string }) => one.column_name)).toEqual(fields);
  for (const field of fields) expect(rows.data[0][field]).toEqual(expect.any(String));
  const groups = await list({ group: ["leads.owned_by_user.name"] });
  expect(groups.data[0]["leads.owned_by_user.name"]).toEqual(expect.any(String));
  const twice = await program.get(
    `crm/leads/index.json?q=${encodeURIComponent('{"fields":["leads.owned_by_user.name","leads.owned_by.name"]}')}`,
  );
  expect(twice.status).toBe(400);
});

test("what can be chosen does not depend on the view that was looked at last", async () => {
  const { body: views } = await program.get(
    `core/listviews/index.json?q=${encodeURIComponent('{"fields":["listviews.name"],"where":{"listviews.controller":"crm/companies","listviews.name":"Recycle Bin"}}')}`,
  );
  await program.get(`crm/companies/index.json?current_listview=${views.paginate.data[0].id}`);
  const { body: form } = await program.get("crm/opportunities/add.json");
  const elements: { __name: string; href: string }[] = form.form.children.flatMap((one: object) => [
    ...program.editable(one, 2),
  ]);
  const company = elements.find((one) => one.__name === "opportunities.company_id");
  const { body } = await program.get(company?.href.slice(1) ?? "");
  expect(body.paginate.data[0]["companies.id"]).toEqual(expect.any(String));
});

test("q has room for its 32 KiB in the address, however it is encoded; past the headers' limit it is a 431", async () => {
  const values = (size: number) => Array.from({ length: 120 }, () => "ü".repeat(size));
  const q = (size: number) =>
    encodeURIComponent(JSON.stringify({ where: { "leads.last_name": { op: "in", value: values(size) } } }));
  expect(Buffer.byteLength(decodeURIComponent(q(134)))).toBeGreaterThan(31.5 * 1024);
  const full = await program.get(`crm/leads/index.json?q=${q(134)}`);
  expect([full.status, full.body.errors]).toEqual([200, []]);
  const ids = Array.from({ length: 5_400 }, (_, index) => 10_000 + index);
  const many = encodeURIComponent(JSON.stringify({ fields: ["leads.id"], where: { "leads.id": ids } }));
  expect((await program.get(`crm/leads/index.json?q=${many}`)).status).toBe(200);
  const tooLong = await program.get(`crm/leads/index.json?q=${q(140)}`);
  expect(tooLong.status).toBe(400);
  const pastAll = await program.get(`crm/leads/index.json?q=${"x".repeat(140_000)}`);
  expect([pastAll.status, pastAll.body.error_code]).toEqual([431, "headers_too_large"]);
});

describe("writes", () => {
  const leads = (rows: readonly object[]) => ({ data: { leads: rows } });

  test("add_many gives every row back with its fields, id and errors", async () => {
    const added = await program.post(
      "crm/leads/add_many.json",
      leads([{ last_name: "Uno" }, { last_name: "Due", score: "7" }]),
    );
    expect(added.body.data.leads).toEqual([
      expect.objectContaining({ last_name: "Uno", status: "new", id: expect.any(String), errors: [] }),
      expect.objectContaining({ last_name: "Due", score: "7", id: expect.any(String), errors: [] }),
    ]);
    const refused = await program.post(
      "crm/leads/add_many.json",
      leads([{ last_name: "Tre" }, { last_name: "", city: "X" }]),
    );
    expect(refused.status).toBe(422);
    expect(refused.body.data.leads).toEqual([
      { last_name: "Tre", id: null, errors: [] },
      { last_name: "", city: "X", id: null, errors: ["Last name is required"] },
    ]);
    expect(refused.body.data.failed).toEqual({ 1: ["Last name is required"] });
    expect(differences("crm/leads add_many", shapes.failure, refused.body)).toEqual([]);
    const partial = await program.post(
      "crm/leads/add_many.json?partial=1",
      leads([{ last_name: "Tre" }, { city: "X" }]),
    );
    expect(partial.body.errors).toEqual(Object.values(partial.body.errors_by_field).flat());
  });

  test("a failed write says everything in errors, and which record it was about, in every encoding", async () => {
    const wrong = await everywhere(async (type) => {
      const alias = aliasOf(type);
      const { body: form } = await program.get(`${type}/add.json`);
      if (program.buttons(form).length === 0) return [];
      const params = { data: { [alias]: { no_such_field: "1" }, action: { save_progress: "Save" } } };
      const plain = await program.post(`${type}/add.json`, params);
      const rpc = await program.post(`${type}/add.json`, {
        jsonrpc: "2.0",
        id: 4,
        method: `${type.replace("/", ".")}.add`,
        params: { normalized: 1, action: { save_progress: "Save" }, data: { [alias]: { no_such_field: "1" } } },
      });
      return [
        ...differences(`${type} failed add`, shapes.failure, plain.body),
        ...differences(`${type} failed add by JSON-RPC`, shapes.failure, rpc.body.result),
        ...(rpc.body.jsonrpc === "2.0" && rpc.body.id === 4 ? [] : [`${type}: is not answered as JSON-RPC`]),
        ...(type === "access_controls/api_keys" || "id" in rpc.body.result ? [] : [`${type}: a failed add without id`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test("JSON-RPC is answered by the view of the record", async () => {
    const { body } = await program.post("crm/leads/add.json", {
      jsonrpc: "2.0",
      id: "a",
      method: "crm.leads.add",
      params: { normalized: 1, action: { save_continue: "Save & Continue" }, data: { leads: { last_name: "Rpc" } } },
    });
    expect(differences("crm/leads add by JSON-RPC", shapes.answerOfRpc, body)).toEqual([]);
    expect(body.result.id).toEqual(expect.any(String));
  });

  test("Primary is a type of contact, and a locale may have an underscore", async () => {
    const primary = { type: "Primary" };
    const people = {
      last_name: "Contact",
      email_addresses: [{ ...primary, email: "p@example.com" }],
      phone_numbers: [{ ...primary, number: "+49 30 901820" }],
      addresses: [{ ...primary, address_line_1: "Here 1" }],
    };
    const { body } = await program.post("crm/peoples/add.json", {
      data: { peoples: people, action: { save_progress: "Save" } },
    });
    expect(body.errors).toEqual([]);
    for (const kind of ["email_addresses", "phone_numbers", "addresses"]) {
      expect(body.data.peoples[kind][0].type).toBe("primary");
    }
    const profile = await program.post("access_controls/users/profile.json", { data: { users: { locale: "de_DE" } } });
    expect(profile.body.data.users.locale).toBe("de-DE");
    await program.post("access_controls/users/profile.json", { data: { users: { locale: "en_US" } } });
  });
});

describe("without a session", () => {
  const signup = async (body: object) => {
    const response = await fetch(`${service.url}/access_controls/users/signup.json`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };

  test("signup has its shape, and so has a signup that fails", async () => {
    const form = await (await fetch(`${service.url}/access_controls/users/signup.json`)).json();
    expect(differences("signup", shapes.signup, form)).toEqual([]);
    for (const data of [
      { users: { user_name: "x", user_password: "secret" } },
      { users: {}, action: { dance: "Dance" } },
    ]) {
      const refused = await signup({ data });
      expect(refused.status).toBe(422);
      expect(differences("failed signup", shapes.signup, refused.body)).toEqual([]);
      expect(differences("failed signup", shapes.failure, refused.body)).toEqual([]);
      expect(JSON.stringify(refused.body)).not.toContain("secret");
    }
  });

  test("a login that fails is a 401, and a callback that is not allowed names the setting that allows it", async () => {
    const call = (operation: string, users: object) =>
      fetch(`${service.url}/access_controls/users/${operation}.json`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ data: { users } }),
      });
    expect((await call("login", { user_name: "nobody", user_password: "wrong" })).status).toBe(401);
    const answers = await Promise.all(
      [service.admin.userName, "nobody"].map(async (user_name) => {
        const answer = await call("activate_forgotten_password", { user_name, callback_url: "https://evil.example/x" });
        return { status: answer.status, errors: (await answer.json()).errors };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.errors.join(" ")).toMatch(/CORS_ORIGINS/);
  });
});

describe("the menu's records are the navigation", () => {
  const menu = async () => (await program.get("development_base/menus/app_menu.json")).body.data;
  const entry = async (url: string) => {
    const q = encodeURIComponent(JSON.stringify({ where: { "menus.url": url } }));
    const { body } = await program.get(`development_base/menus/index.json?q=${q}`);
    return body.paginate.data[0]["menus.id"];
  };
  const change = async (id: string, menus: object) => {
    const data = { menus: { id, ...menus }, action: { save_progress: "Save" } };
    expect((await program.post("development_base/menus/edit.json", { data })).body.errors).toEqual([]);
  };

  test("renamed, moved, hidden and added", async () => {
    const id = await entry("crm/quotes/index");
    await change(id, { label: "Offers", sequence: "0" });
    expect(Object.values((await menu()).crm.children)[0]).toMatchObject({ label: "Offers", url: "crm/quotes/index" });
    await change(id, { is_active: "0" });
    expect((await menu()).crm.children).not.toHaveProperty("quotes");
    await change(id, { is_active: "1", label: "Quotes" });
    const added = await program.post("development_base/menus/add.json", {
      data: {
        menus: { key: "help", label: "Help", url: "https://example.com/help", type: "link", module: "crm" },
        action: { save_progress: "Save" },
      },
    });
    expect(added.body.errors).toEqual([]);
    expect((await menu()).crm.children.help).toMatchObject({ label: "Help", url: "https://example.com/help" });
    await change(added.body.id, { url: "javascript:alert(1)" });
    expect((await menu()).crm.children).not.toHaveProperty("help");
    expect((await menu()).lab.children.specimens.label).toBe("Specimens");
    await change(await entry("lab/specimens/index"), { label: "Samples" });
    expect((await menu()).lab.children.specimens.label).toBe("Samples");
  });
});

describe("other names", () => {
  const q = (query: object) => encodeURIComponent(JSON.stringify(query));

  test("of a record type are taken everywhere, and the answer uses the name that was asked for", async () => {
    const list = await program.get(
      `crm/people/index.json?limit=2&sort=people.last_name&q=${q({ fields: ["peoples.name"] })}`,
    );
    expect(differences("crm/people index", shapes.list(shapes.rowOf("people")), list.body)).toEqual([]);
    expect(list.body.paginate.alias).toBe("people");
    const usual = await program.get("crm/peoples/index.json?limit=2");
    expect(differences("crm/peoples index", shapes.list(shapes.rowOf("peoples")), usual.body)).toEqual([]);
    const params = { normalized: 1, action: { save_progress: "Save" }, data: { people: { last_name: "Alias" } } };
    const { body } = await program.post("crm/people/add.json", {
      jsonrpc: "2.0",
      id: 1,
      method: "crm.people.add",
      params,
    });
    expect(differences("crm/people add", shapes.answerOfRpc, body)).toEqual([]);
    expect(body.result.data.people.last_name).toBe("Alias");
    expect(body.result.form.name).toBe("people");
    const crossed = { data: { people: { last_name: "Crossed" }, action: { save_progress: "Save" } } };
    expect((await program.post("crm/peoples/add.json", crossed)).body.data.peoples.last_name).toBe("Crossed");
    const schema = await program.get("metadata/schema/index.json?search_controller=crm/people");
    expect(schema.body.data.schema[0].column_name).toMatch(/^people\./);
    const refused = await program.post("crm/people/add.json", {
      data: { people: { email: "x" }, action: { save_progress: "Save" } },
    });
    expect(Object.keys(refused.body.errors_by_field)).toEqual(
      expect.arrayContaining(["people.email", "people.last_name"]),
    );
  });

  test("of a field are taken in q, in sort and in data", async () => {
    const query = { fields: ["countries.country_name"], where: { "countries.country_name": "France" } };
    const list = await program.get(`masters/countries/index.json?sort=countries.country_name&q=${q(query)}`);
    expect(list.body.paginate.data).toEqual([expect.objectContaining({ "countries.country_name": "France" })]);
    expect(list.body.paginate.header[0].column_name).toBe("countries.country_name");
    const id = list.body.paginate.data[0]["countries.id"];
    const change = async (name: string) => {
      const data = { countries: { id, country_name: name }, action: { save_progress: "Save" } };
      return (await program.post("masters/countries/edit.json", { data })).body.data.countries.name;
    };
    expect(await change("Gaul")).toBe("Gaul");
    expect(await change("France")).toBe("France");
  });

  test("are refused where they are another name already", async () => {
    const save = (more: object) =>
      program.post("metadata/record_types/save.json", {
        definition: JSON.stringify({ ...specimens, controller: "others", ...more }),
      });
    expect((await save({ aliases: ["specimens"] })).status).toBe(422);
    const fields = [{ name: "label", type: "short-text", aliases: ["created"] }];
    expect((await save({ fields })).status).toBe(422);
  });
});
