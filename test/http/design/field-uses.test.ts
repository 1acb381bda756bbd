// Fields and types are changed and removed while views, forms and formulas use them: what uses a field is told first, and lists go on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
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
let repair: string;

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
  const workflow = {
    stages: [
      { key: "idle", name: "Idle", kind: "start" },
      { key: "fixed", name: "Fixed", kind: "end" },
    ],
    transitions: [
      { name: "fix", label: "Fix", from: "idle", to: "fixed", condition: "hours > 1", required: ["name", "state"] },
    ],
  };
  const controller = "plant/machines";
  repair = await add("core/workflows", {
    workflows: { name: "Repair", controller, definition: JSON.stringify(workflow), is_active: "0" },
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

/** The workflow is put into force, or out of it. */
const turn = async (is_active: string) =>
  expect(
    (
      await service.post(
        `/core/workflows/edit.json?id=${repair}`,
        { data: { workflows: { is_active }, action } },
        admin,
      )
    ).body.errors,
  ).toEqual([]);

test("what uses a field is told, with what becomes of it", async () => {
  const found = await uses("hours");
  const brief = found.map(({ kind, name, on_remove }) => [kind, name, on_remove]);
  expect(brief).toEqual([
    ["rule", "Hours are not negative", "prevents"],
    ["formula", "Twice", "prevents"],
    ["view", "Active", "left_out"],
    ["form", "Plain", "left_out"],
    ["workflow", "Repair", "unmet"],
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
  // A transition that only requires a field goes on without it.
  expect(told.map(({ kind, on_remove }) => [kind, on_remove])).toEqual([
    ["view", "left_out"],
    ["form", "left_out"],
    ["workflow", "left_out"],
    ["dashboard", "left_out"],
  ]);
  expect((await service.get("/metadata/record_types/uses.json?key=plant/machines&field=gone", admin)).status).toBe(400);
  expect((await save(without("hours"), { discard: "hours" })).status).toBe(422);
  const changed = { definition: JSON.stringify({ ...without("hours", "twice"), rules: [] }), discard: "hours" };
  const answers = async () => {
    const workflow = (await uses("hours")).find(({ kind }) => kind === "workflow");
    const checked = await service.post("/metadata/record_types/check.json", changed, admin);
    return [workflow?.on_remove, checked.status, checked.body.errors];
  };
  const why = "Fix in the workflow Repair depends on Hours. Change it there first, then remove the field";
  expect(await answers()).toEqual(["unmet", 200, []]);
  await turn("1");
  expect(await answers()).toEqual(["prevents", 422, expect.arrayContaining([why])]);
  const stuck = await save({ ...without("hours", "twice"), rules: [] }, { discard: "hours" });
  expect(stuck.status).toBe(422);
  expect(stuck.body.errors).toContain(why);
  await turn("0");
});

test("whether a view's filters fit the new type of a field is told", async () => {
  const as = async (field: string, type: string) => {
    const fields = machines.fields.flatMap((one) =>
      one.name === "twice" ? [] : one.name === field ? [{ ...one, type }] : [one],
    );
    const definition = JSON.stringify({ ...machines, fields, rules: [] });
    const { body } = await service.post("/metadata/record_types/check.json", { definition, convert: field }, admin);
    expect(body.errors).toEqual([]);
    const found = body.data.record_types.uses[field] as Json[];
    return found
      .filter(({ kind }) => kind === "view" || kind === "dashboard")
      .map(({ kind, on_convert }) => `${kind} ${on_convert}`);
  };
  expect(await as("hours", "date")).toEqual(["view parts_ignored", "dashboard parts_ignored"]);
  expect(await as("hours", "decimal")).toEqual(["view stays", "dashboard stays"]);
  expect(await as("state", "long-text")).toEqual(["view stays", "dashboard stays"]);
  const known = await uses("hours");
  expect(known.find(({ kind }) => kind === "view")?.on_convert).toBe("may_ignore_parts");
  expect((await uses("name")).find(({ kind }) => kind === "view")?.on_convert).toBe("stays");
});

test("a design that removes a field which a transition needs has to change the transition too", async () => {
  await turn("1");
  const { body } = await service.get("/metadata/designs/export.json?modules=plant", admin);
  const design = JSON.parse(body.data.design);
  const type = design.files["record_types/plant.machines.json"];
  type.fields = type.fields.filter(({ name }: Json) => name !== "hours" && name !== "twice");
  type.rules = [];
  const send = (operation: string) =>
    service.post(`/metadata/designs/${operation}.json`, { design: JSON.stringify(design), allow_loss: "1" }, admin);
  const why = "Fix in the workflow Repair depends on Hours. Change it there first, then remove the field";
  const isRefused = async (reason = why) => {
    for (const operation of ["plan", "apply"]) {
      const refused = await send(operation);
      expect([operation, refused.status, refused.body.errors]).toEqual([
        operation,
        422,
        expect.arrayContaining([reason]),
      ]);
    }
  };
  await isRefused();
  expect((await uses("hours")).length).toBe(7);
  const [place = ""] = Object.keys(design.files).filter((one) => one.startsWith("workflows/"));
  const workflow = design.files[place];
  // The design doesn't speak of the workflow at all.
  delete design.files[place];
  await isRefused();
  // Out of force, it asks for nothing.
  design.files[place] = { ...workflow, is_active: false };
  expect((await send("plan")).body.errors).toEqual([]);
  // What is changed is checked as a whole.
  design.files[place] = workflow;
  workflow.definition.transitions[0].label = "Fix";
  workflow.definition.stages[0].name = "Elsewhere";
  await isRefused("Repair (plant/machines): Definition transitions.fix.condition: there is no field hours");
  delete workflow.definition.transitions[0].condition;
  expect((await send("plan")).body.errors).toEqual([]);
  expect((await send("apply")).body.errors).toEqual([]);
  expect((await service.post("/metadata/designs/rollback.json", {}, admin)).body.errors).toEqual([]);
  expect((await uses("hours")).length).toBe(7);
  await turn("0");
});

test("lists stay open while fields are added, removed and converted", async () => {
  expect(await lists()).toEqual(well);
  const told = async () =>
    (await service.get(`/plant/machines/index.json?current_listview=${view}`, admin)).body.message;
  expect(await told()).toEqual([]);
  await saved({ ...machines, fields: [...machines.fields, { name: "extra", type: "date" }] });
  expect(await lists()).toEqual(well);
  await saved(without("state", "place", "site_id"), { discard: "state place site_id extra" });
  expect(await lists()).toEqual(well);
  const open = await service.get(`/plant/machines/index.json?current_listview=${view}`, admin);
  expect(open.body.paginate.data.map((row: Json) => row["machines.name"])).toEqual(["Press"]);
  expect(open.body.paginate.data[0]).not.toHaveProperty("machines.state");
  const unfit = "Some filters of Active no longer fit their fields and are ignored. Change or remove them";
  expect(await told()).toEqual([unfit]);

  const converted = machines.fields.flatMap((one) =>
    one.name === "twice" ? [] : one.name === "hours" ? [{ ...one, type: "short-text" }] : [one],
  );
  await saved({ ...machines, fields: converted, rules: [] }, { convert: "hours" });
  expect(await lists()).toEqual(well);
});

test("a field gets another name once no form uses the old one, which stays an alias", async () => {
  const [role] = (await service.get("/access_controls/roles/index.json?limit=50", admin)).body.paginate.data;
  const hides = { role_id: role["roles.id"], record_type: "plant/gauges", field: "level", permission: "4" };
  const gauges = {
    ...sites,
    controller: "gauges",
    label: "Gauge",
    plural: "Gauges",
    displayField: "code",
    fields: [
      { name: "code", type: "short-text", searchable: true },
      { name: "level", type: "integer", indexed: true, searchable: false },
      { name: "site_id", type: "reference", settings: { to: "plant/sites" } },
      { name: "number", type: "auto-number", settings: { prefix: "G-" } },
      { name: "proof", type: "file" },
    ],
    unique: [["code"]],
    rules: [{ name: "some", formula: "level is empty or level >= 0", message: "Not below zero" }],
  };
  const renamed = {
    ...gauges,
    displayField: "label",
    fields: [
      { name: "label", type: "short-text", searchable: true, aliases: ["code"] },
      { name: "reading", type: "integer", indexed: true, aliases: ["level"] },
      { name: "location_id", type: "reference", settings: { to: "plant/sites" }, aliases: ["site_id"] },
      { name: "serial", type: "auto-number", settings: { prefix: "G-" }, aliases: ["number"] },
      { name: "evidence", type: "file", aliases: ["proof"] },
    ],
    unique: [["label"]],
    rules: [{ name: "some", formula: "reading is empty or reading >= 0", message: "Not below zero" }],
  };
  await saved(gauges);
  const computed = { kind: "lookup", through: ["gauge_id", "site_id"], field: "name" };
  await saved({
    ...sites,
    ...{ controller: "checks", label: "Check", plural: "Checks" },
    fields: [
      { name: "name", type: "short-text" },
      { name: "gauge_id", type: "reference", settings: { to: "plant/gauges" } },
      { name: "level", type: "integer", computed: { kind: "lookup", through: ["gauge_id"], field: "level" } },
      { name: "where", type: "short-text", computed },
    ],
  });
  const id = await add("plant/gauges", { gauges: { code: "North one", level: "7", site_id: site } });
  const edited = await service.post("/plant/gauges/edit.json", { data: { gauges: { id, level: "8" }, action } }, admin);
  expect(edited.body.errors).toEqual([]);
  await add("access_controls/role_fields", { role_fields: hides });
  const query = JSON.stringify({
    fields: ["gauges.code", "gauges.level", "gauges.site.name"],
    order: ["gauges.level"],
  });
  const own = { name: "Levels", controller: "plant/gauges", is_personal: "0", query };
  const levels = await add("core/listviews", { listviews: own });
  const definition = JSON.stringify({ sections: [{ section: "All", elements: [{ field: "level" }] }] });
  const form = await add("core/forms", { forms: { name: "Read", controller: "plant/gauges", definition } });

  const used = (await service.get("/metadata/record_types/uses.json?key=plant/gauges&field=level", admin)).body.data
    .uses;
  expect(used.map(({ kind, on_rename }: Json) => [kind, on_rename])).toEqual([
    ["rule", "renamed"],
    ["lookup", "by_alias"],
    ["view", "by_alias"],
    ["form", "prevents"],
    ["role", "renamed"],
  ]);
  const refused = await save(renamed);
  expect(refused.status).toBe(422);
  expect(refused.body.errors_by_field["record_types.fields.reading.name"].join(" ")).toContain("the form Read");
  await service.post(`/core/forms/delete.json?id=${form}&is_confirm=1`, {}, admin);
  const check = await service.post("/metadata/record_types/check.json", { definition: JSON.stringify(renamed) }, admin);
  expect(check.body.data.record_types.discarded).toEqual([]);
  expect(check.body.data.record_types.renamed.map(({ from, field }: Json) => `${from} ${field}`)).toContain(
    "level reading",
  );
  const answer = await save(renamed);
  expect(answer.body.errors).toEqual([]);
  expect(answer.body.data.record_types.renamed).toMatchObject({ code: "label", proof: "evidence" });

  // Lookups of another type go on by the old name, and are told of.
  const checkId = await add("plant/checks", { checks: { name: "Daily", gauge_id: id } });
  const looked = await service.get(`/plant/checks/view.json?id=${checkId}`, admin);
  expect(looked.body.data.checks).toMatchObject({ level: "8", where: "North" });

  // What knows the old name is still told of.
  const later = await service.get("/metadata/record_types/uses.json?key=plant/gauges&field=reading", admin);
  expect(later.body.data.uses).toContainEqual(expect.objectContaining({ kind: "view", name: "Levels" }));
  expect(later.body.data.uses).toContainEqual(expect.objectContaining({ kind: "lookup", name: "Level" }));

  // Requests, lists, history and access go on; nothing was written anew.
  const view = await service.get(`/plant/gauges/index.json?current_listview=${levels}`, admin);
  expect(view.body.paginate.data).toMatchObject([
    { "gauges.code": "North one", "gauges.level": "8", "gauges.site.name": "North" },
  ]);
  const sorted = await service.get("/plant/gauges/index.json?sort=gauges.reading&search_basic=north", admin);
  expect(sorted.body.paginate.data).toMatchObject([{ record_display_name: "North one" }]);
  const sent = await service.post("/plant/gauges/edit.json", { data: { gauges: { id, level: "9" }, action } }, admin);
  expect(sent.body.data.gauges).toMatchObject({ reading: "9", serial: "G-000001", location_id: site });
  const followed = await service.get(`/plant/checks/view.json?id=${checkId}`, admin);
  expect(followed.body.data.checks.level).toBe("9");
  const next = await add("plant/gauges", { gauges: { label: "South one" } });
  expect((await service.get(`/plant/gauges/view.json?id=${next}`, admin)).body.data.gauges.serial).toBe("G-000002");
  const { revisions } = (await service.get(`/plant/gauges/revisions.json?id=${id}`, admin)).body.data;
  const told = revisions.map(({ changes }: { changes: Json[] }) => changes.map(({ field }) => field));
  expect(told.slice(0, 2)).toEqual([["reading"], ["reading"]]);
  expect(told[2]).toEqual(expect.arrayContaining(["label", "reading", "location_id"]));
  const reverted = await service.post(`/plant/gauges/revert.json?id=${id}&revision=1`, {}, admin);
  expect(reverted.body.data.gauges.reading).toBe("7");
  const double = await service.post(
    "/plant/gauges/add.json",
    { data: { gauges: { code: "North one" }, action } },
    admin,
  );
  expect(double.status).toBe(409);
  const kept = await service.db.rows(sql`
    select field, deleted::text as deleted from access_controls__role_fields where record_type = 'plant/gauges'`);
  expect(kept).toEqual([{ field: "reading", deleted: "0" }]);
  const indexes = await service.db.rows(sql`
    select indexname as name from pg_indexes where tablename = 'plant__gauges' and indexname ~ 'level|code|site_id'`);
  expect(indexes).toEqual([]);

  // The name is taken as long as it is an alias, and goes back with its values.
  expect((await save({ ...renamed, fields: [...renamed.fields, { name: "level", type: "date" }] })).status).toBe(422);
  await saved(gauges);
  expect((await service.get(`/plant/gauges/view.json?id=${id}`, admin)).body.data.gauges.level).toBe("7");
});

test("a field that other types use keeps its name and its place until nothing does, and each use is told", async () => {
  const type = (controller: string, fields: readonly object[], more: object = {}) => ({
    ...{ module: "depot", controller, label: controller, plural: `All ${controller}`, displayField: "name" },
    fields: [{ name: "name", type: "short-text" }, ...fields],
    access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    ...more,
  });
  const reference = (name: string, to: string) => ({ name, type: "reference", settings: { to: `depot/${to}` } });
  const bins = (...fields: readonly object[]) => type("bins", fields);
  const own = [
    { name: "size", type: "integer" },
    { name: "usable", type: "flag" },
  ];
  await saved(bins(...own));
  await saved(type("shelves", [reference("bin_id", "bins")]));
  await saved(bins(...own, reference("shelf_id", "shelves")));
  await saved(
    type(
      "shelves",
      [
        { ...reference("bin_id", "bins"), label: "Main bin", where: "usable and size > 1" },
        { name: "room", type: "integer", label: "Room", initialFormula: "bin.size" },
        {
          ...{ name: "total", type: "integer", label: "Total" },
          computed: { kind: "roll-up", type: "depot/bins", via: "shelf_id", function: "sum", field: "size" },
        },
        {
          ...{ name: "seen", type: "integer", label: "Seen" },
          computed: { kind: "lookup", through: ["bin_id"], field: "size" },
        },
      ],
      { associations: [{ name: "bins", label: "Bins here", kind: "has-many", type: "depot/bins", via: "shelf_id" }] },
    ),
  );
  const renamed = bins(
    { name: "volume", type: "integer", aliases: ["size"] },
    { name: "usable", type: "flag" },
    { ...reference("rack_id", "shelves"), aliases: ["shelf_id"] },
  );
  const called = (field: string, name: string, user: string) =>
    `${field} is used under its current name, ${name}, by ${user} All shelves. Change it there first, then rename the field`;
  for (const operation of ["save", "check"]) {
    const refused = await service.post(
      `/metadata/record_types/${operation}.json`,
      { definition: JSON.stringify(renamed) },
      admin,
    );
    expect([refused.status, refused.body.errors_by_field]).toEqual([
      422,
      {
        "record_types.fields.volume.name": [
          called("Volume", "size", "the roll-up Total of"),
          called("Volume", "size", "the choices of Main bin in"),
          called("Volume", "size", "the default of Room in"),
        ],
        "record_types.fields.rack_id.name": [
          called("Rack", "shelf_id", "the roll-up Total of"),
          called("Rack", "shelf_id", "the related list Bins here of"),
        ],
      },
    ]);
  }
  const gone = await service.post(
    "/metadata/record_types/save.json",
    {
      definition: JSON.stringify(bins({ name: "usable", type: "flag" }, reference("shelf_id", "shelves"))),
      discard: "size",
    },
    admin,
  );
  expect(gone.body.errors_by_field["record_types.fields.size"]).toEqual(
    ["the roll-up Total of", "the lookup Seen of", "the choices of Main bin in", "the default of Room in"].map(
      (user) => `Size is used by ${user} All shelves. Change it there first, then remove the field`,
    ),
  );
});

test("those who do not design learn nothing", async () => {
  expect((await service.get("/metadata/record_types/uses.json?key=plant/machines&field=name")).status).toBe(401);
});
