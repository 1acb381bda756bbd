// Computed fields after changes that do not come from a form: a workflow's new version, a new owner, imported rates. And those who follow
// the changes of records hear of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

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

const save = (definition: unknown) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition) }, admin);
const write = async (path: string, values: Json, token = admin, taken: Json = action): Promise<string> => {
  const alias = path.split("/").at(-2) ?? "";
  const { body } = await service.post(`/${path}.json`, { data: { [alias]: values, action: taken } }, token);
  expect(body.errors).toEqual([]);
  return body.id;
};
const add = (controller: string, values: Json) => write(`desk/${controller}/add`, values);
const view = async (controller: string, id: string, token = admin): Promise<Json> =>
  (await service.get(`/desk/${controller}/view.json?id=${id}`, token)).body.data[controller];

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
});

describe("those who follow changes", () => {
  const cursorOf = async (token = admin): Promise<string> =>
    (await service.get("/core/changes/index.json", token)).body.cursor;
  const changes = async (after: string, token = admin): Promise<Json[]> =>
    (
      await service.get(
        `/core/changes/index.json?controller=desk/projects;desk/tickets&after=${encodeURIComponent(after)}`,
        token,
      )
    ).body.data.changes;
  const told = (all: readonly Json[]) => all.map(({ operation, controller, id }) => `${operation} ${controller} ${id}`);

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
