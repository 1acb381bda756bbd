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
  "core/listviews": { controller: "crm/leads", query: '{"fields":["leads.name"]}', name: "Probe {unique}" },
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
