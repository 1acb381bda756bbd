// Views that group, sum, sort or filter by a field: what becomes of each is told before the field gets another type or is removed, and
// is what happens then. Whatever the type, nobody's list fails.
import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldTypeIds } from "../../../contract/field-types.ts";
import { planText } from "../../../server/commands/design.ts";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization } from "../people.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;

const labs = (fields: readonly Json[]) => ({
  ...{ module: "lab", controller: "tests", label: "Test", plural: "Tests", displayField: "name" },
  fields: [{ name: "name", type: "short-text" }, ...fields],
  access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
});
const save = (definition: unknown, more: Json = {}) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more }, admin);
const checked = async (definition: unknown): Promise<Json[]> => {
  const sent = { definition: JSON.stringify(definition) };
  const { body } = await service.post("/metadata/record_types/check.json", sent, admin);
  expect(body.errors).toEqual([]);
  return body.data.record_types.uses.x;
};
const add = async (path: string, data: Json): Promise<string> => {
  const sent = { data: { ...data, action: { save_progress: "Save" } } };
  const { body } = await service.post(`/${path}/add.json`, sent, admin);
  expect(body.errors).toEqual([]);
  return body.id;
};

const count = "count(tests.id) AS total";
const queries: Readonly<Record<string, Json>> = {
  grouped: { fields: ["tests.x", count], group: ["tests.x"] },
  "grouped alone": { fields: ["tests.x"], group: ["tests.x"] },
  chart: { fields: ["tests.x", "sum(tests.x) AS sum"], group: ["tests.x"], order: ["sum DESC"], ui_helper: "bar" },
  figure: { fields: ["sum(tests.x)"], ui_helper: "number" },
  "few of many": {
    fields: ["tests.name", count],
    group: ["tests.name"],
    having: { "sum(tests.x)": { op: ">", value: "1" } },
  },
  sorted: { fields: ["tests.name", "tests.x"], order: ["tests.x DESC"] },
  totals: { fields: ["tests.name", "tests.x"], columns: { "tests.x": { compute_column_total: "1" } } },
  sections: { fields: ["tests.name", "tests.x"], sections: ["tests.x"] },
};
const views = new Map<string, string>();
const x = (type: string, settings: Json = {}) => ({ name: "x", type, settings });

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  expect((await save(labs([x("integer")]))).body.errors).toEqual([]);
  await add("lab/tests", { tests: { name: "One" } });
  for (const [name, query] of Object.entries(queries)) {
    const listview = { name, controller: "lab/tests", is_personal: "0", query: JSON.stringify(query) };
    views.set(name, await add("core/listviews", { listviews: listview }));
  }
});
afterAll(() => service.stop());

/** What each view answers: its own, or another one in its place. */
const answers = async (): Promise<Json> => {
  const found: Json = {};
  for (const [name, id] of views) {
    const { status, body } = await service.get(`/lab/tests/index.json?current_listview=${id}`, admin);
    found[name] = [status, body.message ?? [], body.errors].flat().join(" ");
  }
  return found;
};
const well = Object.fromEntries(Object.keys(queries).map((name) => [name, "200"]));
/** It no longer compares the groups, and says so. */
const notice = "Some filters of few of many no longer fit their fields and are ignored. Change or remove them";
const unfit = { ...well, "few of many": `200 ${notice}` };
const asked = (q: Json) => service.get(`/lab/tests/index.json?q=${encodeURIComponent(JSON.stringify(q))}`, admin);
const canSum = async (): Promise<boolean> => (await asked({ fields: ["sum(tests.x)"] })).status === 200;
const lossesOf = (uses: readonly Json[]): Json =>
  Object.fromEntries(uses.filter(({ kind }) => kind === "view").map(({ name, loses }) => [name, loses ?? []]));

test("what a view does with a field is told, and what of it another type can't do", async () => {
  const uses = await checked(labs([x("long-text")]));
  expect(
    uses.filter(({ kind }) => kind === "view").map(({ name, does, on_convert }) => [name, does, on_convert]),
  ).toEqual([
    ["chart", ["group", "figure", "sort"], "parts_ignored"],
    ["few of many", ["filter"], "parts_ignored"],
    ["figure", ["figure"], "parts_ignored"],
    ["grouped", ["group"], "stays"],
    ["grouped alone", ["group"], "stays"],
    ["sections", ["group"], "stays"],
    ["sorted", ["sort"], "parts_ignored"],
    ["totals", ["figure"], "parts_ignored"],
  ]);
  expect(lossesOf(uses)).toMatchObject({ chart: ["figure", "sort"], figure: ["figure"], sorted: ["sort"] });
  // Another number loses nothing.
  expect(new Set(Object.values(lossesOf(await checked(labs([x("decimal")])))).flat())).toEqual(new Set());
});

test("what views of other organizations lose is told of all of them together", async () => {
  const { token } = await addOrganization(service, "Elsewhere");
  const query = JSON.stringify(queries.sorted);
  const sent = {
    data: { listviews: { name: "theirs", controller: "lab/tests", query }, action: { save_progress: "Save" } },
  };
  const { body } = await service.post("/core/listviews/add.json", sent, token);
  expect(body.errors).toEqual([]);
  const other = (await checked(labs([x("long-text")]))).find(({ kind }) => kind === "other");
  expect(other).toMatchObject({ count: 1, on_convert: "may_ignore_parts", loses: ["sort"], on_remove: "left_out" });
  await service.db.run(sql`update core__listviews set deleted = 1 where id = ${body.id}::uuid`);
});

test("the preview of a design lists them too, as they are with the design", async () => {
  const { body: exported } = await service.get("/metadata/designs/export.json?modules=lab", admin);
  const design = JSON.parse(exported.data.design);
  design.files["record_types/lab.tests.json"] = labs([x("long-text")]);
  // A view that the design changes itself loses nothing.
  for (const view of Object.values<Json>(design.files)) if (view.name === "sorted") view.query = queries.grouped;
  const sent = { design: JSON.stringify(design) };
  const { body } = await service.post("/metadata/designs/plan.json", sent, admin);
  expect(body.errors).toEqual([]);
  const { plan } = body.data;
  const names = ["chart", "few of many", "figure", "totals"];
  expect(plan.uses.map(({ name }: Json) => name)).toEqual(names);
  expect(planText(plan)).toContain("! lab/tests.x: view chart continues; no longer: figure, sort");
});

test("the preview lists what uses a field that gets another type and another name at once", async () => {
  const { body: exported } = await service.get("/metadata/designs/export.json?modules=lab", admin);
  const design = JSON.parse(exported.data.design);
  design.files["record_types/lab.tests.json"] = labs([{ name: "y", type: "long-text", aliases: ["x"] }]);
  const { body } = await service.post("/metadata/designs/plan.json", { design: JSON.stringify(design) }, admin);
  expect(body.errors).toEqual([]);
  const { uses, uses_left_out, uses_complete } = body.data.plan;
  expect(uses.map(({ field, name }: Json) => `${field} ${name}`)).toContain("y chart");
  expect([uses_left_out, uses_complete]).toEqual([0, 1]);
});

test("a view of an earlier version that has a figure twice compares by either name", async () => {
  const grouped = { fields: ["tests.name", "sum(tests.x) AS one"], group: ["tests.name"] };
  const query = JSON.stringify(grouped);
  const id = await add("core/listviews", { listviews: { name: "twice", controller: "lab/tests", query } });
  // Saving it like that is refused by now.
  const stored = { ...grouped, fields: [...grouped.fields, "sum(tests.x) AS other"] };
  const text = JSON.stringify({ ...stored, having: { other: { op: ">", value: "1" } } });
  await service.db.run(sql`update core__listviews set query = ${text} where id = ${id}::uuid`);
  const { body } = await service.get(`/lab/tests/index.json?track_open=0&current_listview=${id}`, admin);
  expect([body.message ?? [], body.paginate.data]).toEqual([[], []]);
});

/** Settings that a type can't do without. */
const needed: Readonly<Record<string, Json>> = {
  choice: { options: [{ value: "a", label: "A" }] },
  "multi-choice": { options: [{ value: "a", label: "A" }] },
  reference: { to: "crm/companies" },
};

test("views go on over every type that a field can have, and without the field", async () => {
  expect(await answers()).toEqual(well);
  for (const type of fieldTypeIds) {
    const definition = labs([x(type, needed[type])]);
    const { status, body } = await save(definition, { convert: "x" });
    // Some are only for what the service itself makes.
    if (status === 422) continue;
    expect([type, body.errors]).toEqual([type, []]);
    expect([type, await answers()]).toEqual([type, (await canSum()) ? well : unfit]);
  }
  expect((await save(labs([]), { discard: "x" })).body.errors).toEqual([]);
  expect(await answers()).toEqual(unfit);
});
