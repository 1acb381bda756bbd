// Computed fields as somebody sees them who may not see what they are made of: not at all, by whichever way they are asked for.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;
/** Sees deals, but not their secret. */
let reader: Person;
/** Sees everything of deals, but may not look at ledgers. */
let outsider: Person;
let deal: string;
let note: string;

const action = { save_progress: "Save" };
const everyone = { read: ["organization"], edit: ["organization"], delete: [], comment: [] };
const type = (controller: string, fields: readonly Json[], access: Json = everyone) => ({
  module: "vault",
  controller,
  label: controller.slice(0, -1),
  plural: controller,
  displayField: "name",
  fields: [{ name: "name", type: "short-text", searchable: true }, ...fields],
  access,
});
const number = { type: "decimal", settings: { precision: 18, scale: 2 } };
const formula = (name: string, source: string) => ({ name, ...number, computed: { kind: "formula", formula: source } });
const reference = (name: string, to: string) => ({ name, type: "reference", settings: { to } });
const add = async (controller: string, values: Json): Promise<string> => {
  const { body } = await service.post(
    `/vault/${controller}/add.json`,
    { data: { [controller]: values, action } },
    admin,
  );
  expect(body.errors).toEqual([]);
  return body.id;
};
const save = async (definition: unknown) => {
  const { body } = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(body.errors).toEqual([]);
};
const role = async (code: string, types: readonly string[], hidden: readonly [string, string][]) => {
  const operations = types.map((record_type) => ({ record_type, operations: "index;view;export;edit" }));
  const fields = hidden.map(([record_type, field]) => ({ record_type, field, permission: "1" }));
  const { body } = await service.post(
    "/access_controls/roles/add.json",
    { data: { roles: { code, name: code, operations, fields }, action } },
    admin,
  );
  expect(body.errors).toEqual([]);
  return addPerson(service, code, [code]);
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  await save(type("ledgers", [{ name: "balance", ...number }], { ...everyone, read: ["owner"] }));
  const lookup = (more: Json) => ({ kind: "lookup", through: ["ledger_id"], field: "balance", ...more });
  const deals = (more: readonly Json[] = []) =>
    type("deals", [
      { name: "secret", ...number },
      { name: "open_value", ...number },
      reference("ledger_id", "vault/ledgers"),
      formula("doubled", "secret * 2"),
      formula("onward", "doubled + open_value"),
      formula("harmless", "open_value + 1"),
      { name: "kept_balance", ...number, computed: lookup({}) },
      { name: "shown_balance", ...number, computed: lookup({ reveals: true }) },
      ...more,
    ]);
  await save(deals());
  await save(
    type("notes", [
      reference("deal_id", "vault/deals"),
      { name: "deal_secret", ...number, computed: { kind: "lookup", through: ["deal_id"], field: "secret" } },
      { name: "deal_onward", ...number, computed: { kind: "lookup", through: ["deal_id"], field: "onward" } },
    ]),
  );
  await save(type("tasks", [reference("deal_id", "vault/deals"), { name: "hours", ...number }]));
  const rollUp = { kind: "roll-up", type: "vault/tasks", via: "deal_id" };
  const busy = { ...rollUp, function: "count", where: "hours > 3", reveals: true };
  await save(
    deals([
      { name: "all_hours", ...number, computed: { ...rollUp, function: "sum", field: "hours", reveals: true } },
      { name: "busy_tasks", type: "integer", computed: busy },
      { name: "overrun", type: "flag", computed: { kind: "formula", formula: "all_hours > 3" } },
    ]),
  );
  const narrow: [string, string][] = [
    ["vault/deals", "secret"],
    ["vault/tasks", "hours"],
  ];
  reader = await role("narrow", ["vault/deals", "vault/notes", "vault/ledgers", "vault/tasks"], narrow);
  outsider = await role("outside", ["vault/deals", "vault/notes"], []);
  const ledger = await add("ledgers", { name: "L", balance: "777.77" });
  deal = await add("deals", { name: "D", secret: "4321.5", open_value: "1", ledger_id: ledger });
  note = await add("notes", { name: "N", deal_id: deal });
  await add("tasks", { name: "T", deal_id: deal, hours: "61.25" });
});
afterAll(() => service.stop());

const index = (controller: string, q: Json, token: string) =>
  service.get(`/vault/${controller}/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`, token);
const hidden = ["doubled", "onward", "all_hours", "busy_tasks", "overrun"];

describe("who may not see a field", () => {
  const ways: readonly [string, (column: string) => Json][] = [
    ["shown", (column) => ({ fields: [column] })],
    ["filtered", (column) => ({ where: { [column]: { op: ">", value: "1" } } })],
    ["sorted", (column) => ({ order: [`${column} DESC`] })],
    ["grouped", (column) => ({ fields: [column, "count(deals.id) as n"], group: [column] })],
    ["added up", (column) => ({ fields: ["deals.name", `sum(${column}) as s`], group: ["deals.name"] })],
    [
      "compared in groups",
      (column) => ({
        fields: ["deals.name", "count(deals.id) as n"],
        group: ["deals.name"],
        having: { [`max(${column})`]: { op: ">", value: "1" } },
      }),
    ],
  ];
  const byName = { fields: ["deals.name", "sum(deals.secret) as s", "count(deals.id) as n"], group: ["deals.name"] };
  const told: readonly [string, Json][] = [
    ["By figure", { ...byName, having: { "sum(deals.secret)": { op: ">", value: "1" } } }],
    ["By alias", { ...byName, having: { s: { op: ">", value: "1" } } }],
    [
      "By the alias of a group",
      {
        fields: ["deals.name", "sum(deals.secret) as name"],
        group: ["deals.name"],
        having: { name: { op: "=", value: "1" } },
      },
    ],
    ["A number", { fields: ["sum(deals.secret)"], ui_helper: "number" }],
    ["Derived number", { fields: ["max(deals.onward)"], ui_helper: "number" }],
    ["A group", { fields: ["deals.secret"], group: ["deals.secret"] }],
  ];
  test.each(told)("is not shown a view that is about it alone or compares groups by it: %s", async (name, query) => {
    const listviews = { name, controller: "vault/deals", is_personal: "0", query: JSON.stringify(query) };
    const sent = { data: { listviews, action: { save_progress: "Save" } } };
    const saved = await service.post("/core/listviews/add.json", sent, admin);
    expect(saved.body.errors).toEqual([]);
    const place = `/vault/deals/index.json?track_open=0&current_listview=${saved.body.id}`;
    const { body } = await service.get(place, reader.token);
    expect([body.message].flat().join(" ")).toContain(`${name} uses columns that you don't have access to`);
  });

  test.each(ways)("does not have what is derived from it %s", async (_, query) => {
    for (const name of hidden) expect((await index("deals", query(`deals.${name}`), reader.token)).status).toBe(400);
    expect((await index("deals", query("deals.harmless"), reader.token)).status).toBe(200);
  });

  test("does not have it from another record, by a path or by a lookup", async () => {
    for (const column of ["notes.deal.doubled", "notes.deal_secret", "notes.deal_onward"]) {
      expect((await index("notes", { fields: [column] }, reader.token)).status).toBe(400);
      expect((await index("notes", { where: { [column]: { op: ">", value: "1" } } }, reader.token)).status).toBe(400);
    }
  });

  test("finds it in no record, form, schema, history, export or search", async () => {
    const paths = [
      `/vault/deals/view.json?id=${deal}`,
      `/vault/deals/edit.json?id=${deal}`,
      `/vault/notes/view.json?id=${note}`,
      "/vault/deals/index.json?track_open=0",
      "/metadata/schema/index.json?search_controller=vault/deals",
      `/vault/deals/revisions.json?id=${deal}`,
      `/vault/deals/timeline.json?id=${deal}`,
      "/vault/deals/index.json?track_open=0&search_basic=8643",
    ];
    for (const path of paths) {
      const { body } = await service.get(path, reader.token);
      const text = JSON.stringify(body);
      const kept = [...hidden, "8643", "8644", "4321", "61.25", "deal_secret", '777.77","kept'];
      for (const told of kept) expect(text, path).not.toContain(told);
    }
    const file = await fetch(`${service.url}/vault/deals/export.json?format=csv`, {
      headers: { authorization: `Bearer ${reader.token}` },
    });
    expect(file.status).toBe(200);
    expect(await file.text()).not.toMatch(/864[34]|4321|61\.25/);
    const sent = await service.post(
      "/vault/deals/edit.json",
      { data: { deals: { id: deal, doubled: "1" }, action } },
      reader.token,
    );
    expect(sent.status).toBe(422);
    expect(sent.body.errors.join()).toMatch(/doubled/);
  });

  test("does not hear of it in the feed of changes, where all that is computed is hidden", async () => {
    const cursor = async (token: string) => (await service.get("/core/changes/index.json", token)).body.cursor;
    const heard = async (after: string, token: string) =>
      (
        await service.get(`/core/changes/index.json?after=${after}&controller=vault/notes`, token)
      ).body.data.changes.map(({ operation, id }: Json) => [operation, id]);
    const [theirs, ours] = [await cursor(reader.token), await cursor(admin)];
    for (const secret of ["1.25", "4321.5"]) {
      const data = { deals: { id: deal, secret }, action };
      expect((await service.post("/vault/deals/edit.json", { data }, admin)).body.errors).toEqual([]);
    }
    expect(await heard(ours, admin)).toEqual([
      ["edit", note],
      ["edit", note],
    ]);
    expect(await heard(theirs, reader.token)).toEqual([]);
  });

  test("administrators see all of it", async () => {
    const { body } = await service.get(`/vault/deals/view.json?id=${deal}`, admin);
    expect(body.data.deals).toMatchObject({
      doubled: "8643.00",
      onward: "8644.00",
      all_hours: "61.25",
      busy_tasks: "1",
      overrun: "1",
      kept_balance: "777.77",
      shown_balance: "777.77",
    });
  });
});

describe("values of records that somebody may not read", () => {
  const dealOf = async (token: string): Promise<Json> =>
    (await service.get(`/vault/deals/view.json?id=${deal}`, token)).body.data.deals;

  test("are there for nobody who does not read all of them, unless the designer reveals them", async () => {
    const seen = await dealOf(reader.token);
    expect(seen).not.toHaveProperty("kept_balance");
    expect(seen).toMatchObject({ shown_balance: "777.77" });
    expect((await index("deals", { order: ["deals.kept_balance ASC"] }, reader.token)).status).toBe(400);
  });

  test("are there for nobody who may not look at the type, whatever the designer says", async () => {
    const seen = await dealOf(outsider.token);
    expect(seen).not.toHaveProperty("kept_balance");
    expect(seen).not.toHaveProperty("shown_balance");
    expect(seen).toMatchObject({ doubled: "8643.00" });
  });

  test("follow the policy of the organization", async () => {
    const record = { record_type: "vault/ledgers", policy: JSON.stringify({ ...everyone, read: ["organization"] }) };
    const { body } = await service.post(
      "/access_controls/policies/add.json",
      { data: { policies: record, action } },
      admin,
    );
    expect(body.errors).toEqual([]);
    expect(await dealOf(reader.token)).toMatchObject({ kept_balance: "777.77" });
    await service.get(`/access_controls/policies/delete.json?id=${body.id}&is_confirm=1`, admin);
    expect(await dealOf(reader.token)).not.toHaveProperty("kept_balance");
  });
});

test("nothing is computed from what is confidential", async () => {
  const definition = type("notes", [
    reference("deal_id", "vault/deals"),
    { name: "owner_name", type: "short-text", computed: { kind: "lookup", through: ["owned_by"], field: "name" } },
  ]);
  const { status, body } = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(status).toBe(422);
  expect(body.errors.join()).toContain("values can't be computed from");
});
