// Computed fields after changes that do not come from a form: a workflow's new version, a new owner, imported rates. And those who follow
// the changes of records hear of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { openAccounts } from "../accounts.ts";
import { addOrganization, addPerson } from "../people.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;

const action = { save_progress: "Save" };
const type = (controller: string, fields: readonly Json[], more: Json = {}) => ({
  module: "desk",
  controller,
  label: controller.slice(0, -1),
  plural: controller,
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }, ...fields],
  access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
  ...more,
});
const rollUp = (more: Json) => ({
  kind: "roll-up",
  type: "desk/tickets",
  via: "project_id",
  function: "count",
  ...more,
});
const projects = type("projects", [
  { name: "closed", type: "integer", computed: rollUp({ where: 'state = "closed"' }) },
]);
const tickets = type("tickets", [
  { name: "project_id", type: "reference", settings: { to: "desk/projects" } },
  { name: "hours", type: "integer" },
  {
    name: "state",
    type: "choice",
    settings: { options: ["open", "done", "closed"].map((value) => ({ value, label: value })) },
  },
  { name: "note", type: "short-text", computed: { kind: "formula", formula: '"is " & state' } },
]);
const stateless = type("projects", []);

const save = (definition: unknown, more: Record<string, string> = {}) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more }, admin);
const extend = async (key: string, field: Json): Promise<void> => {
  const { body } = await service.get(`/metadata/record_types/view.json?key=${key}`, admin);
  const definition = JSON.parse(body.data.record_types.definition);
  expect((await save({ ...definition, fields: [...definition.fields, field] })).body.errors).toEqual([]);
};
const write = async (path: string, values: Json, token = admin, taken: Json = action): Promise<string> => {
  const alias = path.split("/").at(-2) ?? "";
  const { body } = await service.post(`/${path}.json`, { data: { [alias]: values, action: taken } }, token);
  expect(body.errors).toEqual([]);
  return body.id;
};
const add = (controller: string, values: Json) => write(`desk/${controller}/add`, values);
const view = async (controller: string, id: string, token = admin): Promise<Json> =>
  (await service.get(`/desk/${controller}/view.json?id=${id}`, token)).body.data[controller];

const cursorOf = async (token = admin): Promise<string> =>
  (await service.get("/core/changes/index.json", token)).body.cursor;
const changes = async (after: string, token = admin): Promise<Json[]> =>
  (
    await service.get(
      `/core/changes/index.json?wait=5&controller=desk/projects;desk/tickets;desk/parts;masters/exchange_rates&after=${encodeURIComponent(after)}`,
      token,
    )
  ).body.data.changes;
const told = (all: readonly Json[]) => all.map(({ operation, controller, id }) => `${operation} ${controller} ${id}`);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  for (const one of [stateless, tickets, projects]) expect((await save(one)).body.errors).toEqual([]);
});
afterAll(() => service.stop());

describe("a preview", () => {
  test("of fields that depend on each other costs each of them once", async () => {
    const ticket = await add("tickets", { name: "deep", hours: "1" });
    const twenty = (name: string) => ({ kind: "formula", formula: Array(20).fill(name).join(" + ") });
    const layers = Array.from({ length: 8 }, (_, index) => ({
      name: `layer_${index}`,
      type: "decimal",
      settings: { precision: 18, scale: 0 },
      computed: twenty(index === 0 ? "hours" : `layer_${index - 1}`),
    }));
    const { body } = await service.post(
      "/metadata/record_types/preview_computed.json",
      { definition: JSON.stringify({ ...tickets, fields: [...tickets.fields, ...layers] }), field: "layer_7" },
      admin,
    );
    expect(body.data.rows).toContainEqual({ id: ticket, name: "deep", value: "25600000000" });
  });

  test("of a field that reads other records has their values", async () => {
    const project = await add("projects", { name: "Previewed" });
    const ticket = await add("tickets", { name: "of a project", hours: "3", project_id: project });
    await add("tickets", { name: "another", hours: "4", project_id: project });
    const previewed = async (
      definition: { readonly fields: readonly Json[] },
      field: Json & { readonly name: string },
    ) => {
      const changed = JSON.stringify({ ...definition, fields: [...definition.fields, field] });
      return (
        await service.post(
          "/metadata/record_types/preview_computed.json",
          { definition: changed, field: field.name },
          admin,
        )
      ).body;
    };
    const total = { name: "total", type: "integer", computed: rollUp({ function: "sum", field: "hours" }) };
    expect((await previewed(projects, total)).data.rows).toContainEqual({ id: project, name: "Previewed", value: "7" });
    const named = {
      name: "of",
      type: "short-text",
      computed: { kind: "lookup", through: ["project_id"], field: "name" },
    };
    expect((await previewed(tickets, named)).data.rows).toContainEqual({
      id: ticket,
      name: "of a project",
      value: "Previewed",
    });
  });
});

describe("computed fields follow", () => {
  test("records that are brought to a workflow's new version", async () => {
    const definition = (over: string, value: string) =>
      JSON.stringify({
        stage_field: "state",
        stages: [
          { key: "open", name: "Open", kind: "start", value: "open" },
          { key: over, name: "Over", kind: "end", value },
        ],
        transitions: [{ name: "end", label: "End", from: "open", to: over }],
      });
    const id = await write("core/workflows/add", {
      name: "Tickets",
      controller: "desk/tickets",
      is_active: "1",
      definition: definition("done", "done"),
    });
    const project = await add("projects", { name: "P" });
    const ticket = await add("tickets", { name: "T", project_id: project });
    await write("desk/tickets/edit", { id: ticket }, admin, { end: "End" });
    expect(await view("tickets", ticket)).toMatchObject({ state: "done", note: "is done" });
    await write("core/workflows/edit", { id, definition: definition("closed", "closed") });
    const moved = await service.post(
      `/core/workflows/move_records.json?id=${id}`,
      { is_confirm: "1", stages: { done: "closed" } },
      admin,
    );
    expect(moved.body.errors).toEqual([]);
    expect(await view("tickets", ticket)).toMatchObject({ state: "closed", note: "is closed" });
    expect(await view("projects", project)).toMatchObject({ closed: "1" });
  });

  test("everything that one person hands over to another", async () => {
    const count = { kind: "roll-up", type: "desk/tickets", via: "owned_by", function: "count", reveals: true };
    const byAuthor = { name: "x_tickets", type: "integer", computed: { ...count, via: "created_by" } };
    await expect(extend("access_controls/users", byAuthor)).rejects.toMatchObject({
      actual: expect.arrayContaining([expect.stringContaining("rolled up by who created them")]),
    });
    await extend("access_controls/users", { name: "x_tickets", type: "integer", computed: count });
    const [leaver, stayer] = [await addPerson(service, "leaver", []), await addPerson(service, "stayer", [])];
    const counted = async (id: string) =>
      (await service.get(`/access_controls/users/view.json?id=${id}`, admin)).body.data.users.x_tickets;
    await add("tickets", { name: "handed", owned_by: leaver.id });
    expect(await counted(leaver.id)).toBe("1");
    const path = `/access_controls/users/deactivate.json?id=${leaver.id}&hand_over_to=${stayer.id}`;
    expect((await service.post(path, {}, admin)).body.errors).toEqual([]);
    expect([await counted(leaver.id), await counted(stayer.id)]).toEqual(["0", "1"]);
  });

  test("children that change hands with their record, which those who follow them hear", async () => {
    const bare = type("boxes", []);
    const parts = type("parts", [{ name: "box_id", type: "reference", settings: { to: "desk/boxes" } }]);
    const owned = { kind: "has-many", name: "parts", type: "desk/parts", via: "box_id", owned: true };
    for (const one of [bare, parts, { ...bare, associations: [owned] }])
      expect((await save(one)).body.errors).toEqual([]);
    const count = { kind: "roll-up", type: "desk/parts", via: "owned_by", function: "count", reveals: true };
    await extend("access_controls/users", { name: "x_parts", type: "integer", computed: count });
    const [giver, taker] = [await addPerson(service, "giver", []), await addPerson(service, "taker", [])];
    const counted = async (id: string) =>
      (await service.get(`/access_controls/users/view.json?id=${id}`, admin)).body.data.users.x_parts;
    const box = await add("boxes", { name: "B", owned_by: giver.id, parts: [{ name: "p" }] });
    expect(await counted(giver.id)).toBe("1");
    const cursor = await cursorOf();
    await write("desk/boxes/edit", { id: box, owned_by: taker.id });
    expect([await counted(giver.id), await counted(taker.id)]).toEqual(["0", "1"]);
    expect(await changes(cursor)).toMatchObject([{ operation: "edit", controller: "desk/parts" }]);
    // And one that its record lets go of.
    const part = await service.db.row(sql`select id::text as id from desk__parts where box_id = ${box}::bigint`);
    await write("desk/boxes/edit", { id: box, parts: [{ id: part?.id, deleted: "1" }] });
    expect(await counted(taker.id)).toBe("0");
  });

  test("imported exchange rates, which those who follow them hear", async () => {
    const formula = { kind: "formula", formula: "rate * 2" };
    const settings = { precision: 18, scale: 2 };
    await extend("masters/exchange_rates", { name: "x_double", type: "decimal", settings, computed: formula });
    const send = (rate: string) => {
      const form = new FormData();
      form.append("file", new Blob([`Date, USD, \n13 November 2024, ${rate}, \n`]), "eurofxref.csv");
      return service.post("/masters/exchange_rates/import_rates.json", form, admin);
    };
    const code = { kind: "lookup", through: ["currency_id"], field: "code" };
    await extend("masters/exchange_rates", { name: "x_code", type: "short-text", computed: code });
    const cursor = await cursorOf();
    expect((await send("1.5")).body.data).toMatchObject({ added: 1 });
    expect((await send("2.5")).body.data).toMatchObject({ changed: 1 });
    const all = (await changes(cursor)).filter(({ operation }) => operation !== "reset");
    expect(all).toMatchObject([{ operation: "add" }, { operation: "edit", revision: "2" }]);
    const shown = await service.get(`/masters/exchange_rates/view.json?id=${all[0]?.id}`, admin);
    expect(shown.body.data.exchange_rates).toMatchObject({ x_double: "5.00", x_code: "USD" });
  });

  test("what all organizations share, in each of them, for whoever may not look at it", async () => {
    const computed = { kind: "lookup", through: ["currency_id"], field: "symbol" };
    const bills = type("bills", [
      { name: "currency_id", type: "reference", settings: { to: "masters/currencies" } },
      { name: "symbol", type: "short-text", computed },
    ]);
    expect((await save(bills)).body.errors).toEqual([]);
    const operations = [{ record_type: "desk/bills", operations: "index;view" }];
    await write("access_controls/roles/add", { code: "clerk", name: "Clerk", operations });
    const clerk = await addPerson(service, "clerk", ["clerk"]);
    const abroad = await addOrganization(service, "abroad");
    const francs = await service.db.row(sql`select id::text as id from masters__currencies where code = 'CHF'`);
    const bill = { name: "B", currency_id: francs?.id };
    const [here, there] = [await add("bills", bill), await write("desk/bills/add", bill, abroad.token)];
    await write("masters/currencies/edit", { id: francs?.id, symbol: "SFr." });
    const symbols = async () => [
      (await view("bills", here, clerk.token)).symbol,
      (await view("bills", there, abroad.token)).symbol,
    ];
    await expect.poll(symbols, { timeout: 20_000 }).toEqual(["SFr.", "SFr."]);
  });

  test("rows that the service itself adds: a user, and the roles that come with it", async () => {
    const count = { kind: "roll-up", type: "access_controls/roles_users", via: "user_id", function: "count" };
    const computed = { ...count, reveals: true };
    await extend("access_controls/users", { name: "x_roles", type: "integer", computed });
    const code = { kind: "lookup", through: ["role_id"], field: "code" };
    await extend("access_controls/roles_users", { name: "x_code", type: "short-text", computed: code });
    const id = await (await openAccounts(service.db)).add("counted", ["sales_rep", "administrator"]);
    const { users } = (await service.get(`/access_controls/users/view.json?id=${id}`, admin)).body.data;
    expect(users.x_roles).toBe("2");
    const held = await service.db.rows(sql`
      select x_code from access_controls__roles_users where organization_id = 1 and user_id = ${id}::bigint order by x_code`);
    expect(held.map(({ x_code }) => x_code)).toEqual(["administrator", "sales_rep"]);
  });

  test("fields of another type whose values are converted", async () => {
    const loads = type("loads", []);
    const weights = (amount: Json) =>
      type("weights", [{ name: "load_id", type: "reference", settings: { to: "desk/loads" } }, amount]);
    const sum = { kind: "roll-up", type: "desk/weights", via: "load_id", function: "max", field: "amount" };
    const total = { name: "total", type: "decimal", settings: { precision: 18, scale: 2 }, computed: sum };
    const decimal = { name: "amount", type: "decimal", settings: { precision: 18, scale: 2 } };
    for (const one of [
      loads,
      weights({ name: "amount", type: "integer" }),
      { ...loads, fields: [...loads.fields, total] },
    ])
      expect((await save(one)).body.errors).toEqual([]);
    const load = await add("loads", { name: "L" });
    await add("weights", { name: "W", load_id: load, amount: "1" });
    expect(await view("loads", load)).toMatchObject({ total: "1.00" });
    // As what it was worked out from before would be.
    await service.db.run(sql`update desk__loads set total = 7 where id = ${load}::bigint`);
    const converted = await save(weights(decimal), { convert: "amount" });
    expect(converted.body.errors).toEqual([]);
    await expect.poll(async () => (await view("loads", load)).total, { timeout: 20_000 }).toBe("1.00");
  });
});

describe("those who follow changes", () => {
  test("hear of a computed value that another record changed, once and without a revision", async () => {
    const project = await add("projects", { name: "Followed" });
    const ticket = await add("tickets", { name: "T", project_id: project, state: "open" });
    const cursor = await cursorOf();
    await write("desk/tickets/edit", { id: ticket, state: "closed" }, admin, { end: "End" });
    const all = await changes(cursor);
    expect(told(all)).toEqual([`transition desk/tickets ${ticket}`, `edit desk/projects ${project}`]);
    expect(all[1]).not.toHaveProperty("revision");
    expect(all[1]).not.toHaveProperty("changes");
    // What comes to the same value is no change.
    const next = await cursorOf();
    await write("desk/tickets/edit", { id: ticket, hours: "3" });
    expect(told(await changes(next))).toEqual([`edit desk/tickets ${ticket}`]);
  });

  test("hear nothing of values that they do not see", async () => {
    const hidden = { ...projects, fields: projects.fields.map((one) => ({ ...one, permission: 1 })).slice(1) };
    const plain = { ...projects, fields: [...projects.fields.slice(0, 1), ...hidden.fields] };
    const project = await add("projects", { name: "Hidden" });
    const ticket = await add("tickets", { name: "T", project_id: project, state: "open" });
    expect((await save(plain)).body.errors).toEqual([]);
    const cursor = await cursorOf();
    await write("desk/tickets/edit", { id: ticket }, admin, { end: "End" });
    expect(told(await changes(cursor))).toEqual([`transition desk/tickets ${ticket}`]);
    expect((await save(projects)).body.errors).toEqual([]);
  });

  test("are told to list again once a field is filled in for the records that are there", async () => {
    const cursor = await cursorOf();
    const extra = { name: "double", type: "integer", computed: { kind: "formula", formula: "hours * 2" } };
    expect((await save({ ...tickets, fields: [...tickets.fields, extra] })).body.errors).toEqual([]);
    const seen = async () => told(await changes(cursor));
    await expect.poll(seen, { timeout: 20_000 }).toEqual(["reset desk/tickets null"]);
  });
});
