// Fields and types are changed and removed while views, forms and formulas use them: what uses a field is told first, and lists go on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;

const sites = {
  module: "plant",
  controller: "sites",
  label: "Site",
  plural: "Sites",
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }],
  access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
};
const machines = {
  ...sites,
  controller: "machines",
  label: "Machine",
  plural: "Machines",
  fields: [
    { name: "name", type: "short-text", searchable: true },
    { name: "state", type: "short-text", label: "State 😀", searchable: true },
    { name: "hours", type: "integer", indexed: true },
    { name: "place", type: "address" },
    { name: "site_id", type: "reference", settings: { to: "plant/sites" } },
    { name: "twice", type: "integer", computed: { kind: "formula", formula: "hours * 2" } },
  ],
  rules: [{ name: "some_hours", formula: "hours is empty or hours >= 0", message: "Hours are not negative" }],
};

const save = (definition: unknown, more: Json = {}) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more }, admin);
const saved = async (definition: unknown, more: Json = {}) =>
  expect((await save(definition, more)).body.errors).toEqual([]);
const without = (...names: readonly string[]) => ({
  ...machines,
  fields: machines.fields.filter(({ name }) => !names.includes(name)),
});
const action = { save_progress: "Save" };
const add = async (path: string, data: Json): Promise<string> => {
  const { body } = await service.post(`/${path}/add.json`, { data: { ...data, action } }, admin);
  expect(body.errors).toEqual([]);
  return body.id;
};
const uses = async (field: string): Promise<Json[]> =>
  (await service.get(`/metadata/record_types/uses.json?key=plant/machines&field=${field}`, admin)).body.data.uses;
let site: string;
let machine: string;
let view: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  await saved(sites);
  await saved(machines);
  site = await add("plant/sites", { sites: { name: "North" } });
  const place = { address_line_1: "1 Main St", city: "Springfield" };
  const values = { name: "Press", state: "active", hours: "12", site_id: site, place };
  machine = await add("plant/machines", { machines: values });
  const query = {
    fields: ["machines.name", "machines.state", "machines.hours"],
    where: { AND: [{ "machines.state": "active" }, { "machines.hours": { op: ">", value: "1" } }] },
    order: ["machines.hours DESC"],
  };
  const listview = { name: "Active", controller: "plant/machines", is_personal: "0", query: JSON.stringify(query) };
  view = await add("core/listviews", { listviews: listview });
  const definition = {
    sections: [{ section: "All", elements: [{ field: "name" }, { field: "state", if_condition: "hours > 1" }] }],
  };
  await add("core/forms", {
    forms: { name: "Plain", controller: "plant/machines", definition: JSON.stringify(definition), is_default: "1" },
  });
  await add("core/team_dashboards", { team_dashboards: { name: "Shift", tiles: JSON.stringify([{ id: view }]) } });
  const condition = JSON.stringify({ where: { "machines.hours": { op: ">", value: "1" } } });
  const webhook = { name: "To the plant", address: "https://example.com/", condition };
  await add("core/webhooks", { webhooks: { ...webhook, record_types: "plant/machines", is_active: "0" } });
});
afterAll(() => service.stop());

const lists = async (): Promise<number[]> => {
  const paths = [
    `index.json?current_listview=${view}`,
    "index.json",
    `view.json?id=${machine}`,
    "add.json",
    "export.json",
  ];
  const found: number[] = [];
  for (const path of paths) found.push((await service.get(`/plant/machines/${path}`, admin)).status);
  return found;
};
const well = [200, 200, 200, 200, 200];

test("what uses a field is told, with what becomes of it", async () => {
  const found = await uses("hours");
  const brief = found.map(({ kind, name, on_remove }) => [kind, name, on_remove]);
  expect(brief).toEqual([
    ["rule", "Hours are not negative", "prevents"],
    ["formula", "Twice", "prevents"],
    ["view", "Active", "left_out"],
    ["form", "Plain", "left_out"],
    ["webhook", "To the plant", "turned_off"],
    ["dashboard", "Shift", "left_out"],
  ]);
  expect((await uses("place")).length).toBe(0);
  const check = await service.post(
    "/metadata/record_types/check.json",
    { definition: JSON.stringify(without("state")) },
    admin,
  );
  const told = check.body.data.record_types.uses.state as Json[];
  expect(told.map(({ kind }) => kind)).toEqual(["view", "form", "dashboard"]);
  expect((await service.get("/metadata/record_types/uses.json?key=plant/machines&field=gone", admin)).status).toBe(400);
  expect((await save(without("hours"), { discard: "hours" })).status).toBe(422);
});

test("lists stay open while fields are added, removed and converted", async () => {
  expect(await lists()).toEqual(well);
  await saved({ ...machines, fields: [...machines.fields, { name: "extra", type: "date" }] });
  expect(await lists()).toEqual(well);
  await saved(without("state", "place", "site_id"), { discard: "state place site_id extra" });
  expect(await lists()).toEqual(well);
  const open = await service.get(`/plant/machines/index.json?current_listview=${view}`, admin);
  expect(open.body.paginate.data.map((row: Json) => row["machines.name"])).toEqual(["Press"]);
  expect(open.body.paginate.data[0]).not.toHaveProperty("machines.state");

  const converted = machines.fields.flatMap((one) =>
    one.name === "twice" ? [] : one.name === "hours" ? [{ ...one, type: "short-text" }] : [one],
  );
  await saved({ ...machines, fields: converted, rules: [] }, { convert: "hours" });
  expect(await lists()).toEqual(well);
});

test("those who do not design learn nothing", async () => {
  expect((await service.get("/metadata/record_types/uses.json?key=plant/machines&field=name")).status).toBe(401);
});
