// Forms decide who sees which field: only those who may design a record type add, change, remove or bring back its forms.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, elements, type Person } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };

let service: TestService;
let admin: string;
/** May add, edit and delete whatever there is, but designs nothing. */
let helper: Person;
/** Designs leads, and nothing else. */
let designer: Person;
let hiding: string;

const save = (type: string, operation: string, values: Values, token: string): Promise<Answer> =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action: SAVE } }, token);
const formOf = (elements: readonly Values[], more: Values = {}): Values => ({
  name: "Form",
  controller: "crm/leads",
  is_default: "1",
  definition: JSON.stringify({ sections: [{ section: "All", elements }] }),
  ...more,
});
const open = formOf([{ field: "last_name" }, { field: "amount" }], { name: "Open" });

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const everything = ["index", "view", "add", "edit", "delete", "comment", "import", "export", "bulk"].join(";");
  const role = async (code: string, operations: Values[]) => {
    const { body } = await save("access_controls/roles", "add", { code, name: code, operations }, admin);
    expect(body.errors).toEqual([]);
  };
  await role("helper", [{ record_type: "*", operations: everything }]);
  await role("designer", [
    { record_type: "*", operations: everything },
    { record_type: "crm/leads", operations: `${everything};design` },
  ]);
  helper = await addPerson(service, "helper", ["helper"]);
  designer = await addPerson(service, "designer", ["designer"]);
  const made = await save(
    "core/forms",
    "add",
    formOf([{ field: "last_name" }, { field: "amount", permission: 1 }]),
    admin,
  );
  hiding = made.body.id;
});
afterAll(() => service.stop());

const seesAmount = async (token: string): Promise<boolean> => {
  const { body } = await service.get("/metadata/schema/index.json?search_controller=crm/leads", token);
  return body.data.schema.some((field: { name: string }) => field.name === "amount");
};

test("a role with add, edit and delete on everything does not undo what a form hides", async () => {
  // An organization may let everybody edit the forms there are; designing is asked for all the same.
  const everybody = ["organization"];
  const policy = { read: everybody, edit: everybody, delete: everybody, comment: [] };
  const opened = await save("access_controls/policies", "add", { record_type: "core/forms", policy }, admin);
  expect(opened.body.errors).toEqual([]);
  expect(await seesAmount(helper.token)).toBe(false);

  const ask = (path: string, body: Values = {}) => service.post(`/core/forms/${path}`, body, helper.token);
  const gone = (await save("core/forms", "add", { ...open, is_default: "0" }, admin)).body.id;
  const edited = (await save("core/forms", "add", { ...open, is_default: "0" }, admin)).body.id;
  expect((await save("core/forms", "edit", { id: edited, name: "Second" }, admin)).body.errors).toEqual([]);
  expect((await service.post(`/core/forms/delete.json?id=${gone}&is_confirm=1`, {}, admin)).status).toBe(200);
  const params = { action: SAVE, data: { forms: open } };
  const refused: Record<string, Answer> = {
    add: await ask("add.json", { data: { forms: open, action: SAVE } }),
    "add by JSON-RPC": await ask("add.json", { jsonrpc: "2.0", id: 1, method: "core.forms.add", params }),
    edit: await ask("edit.json", { data: { forms: { id: hiding, definition: open.definition }, action: SAVE } }),
    "edit: not in use": await ask("edit.json", { data: { forms: { id: hiding, is_default: "0" }, action: SAVE } }),
    "edit: for another type": await ask("edit.json", {
      data: { forms: { id: hiding, controller: "crm/peoples" }, action: SAVE },
    }),
    delete: await ask(`delete.json?id=${hiding}&is_confirm=1`),
    restore: await ask(`restore.json?id=${gone}`),
    revert: await ask(`revert.json?id=${edited}&revision=1`),
    generated: await service.get("/core/forms/generated.json?controller=crm/leads", helper.token),
    preview: await ask("preview.json", { controller: "crm/leads", definition: open.definition }),
  };
  for (const [way, { status }] of Object.entries(refused)) expect(`${way}: ${status}`).toBe(`${way}: 403`);
  const many: Record<string, Answer> = {
    add_many: await ask("add_many.json", { partial: "1", data: { forms: { 0: open } } }),
    edit_many: await ask("edit_many.json", { data: { forms: { 0: { id: hiding, is_default: "0" } } } }),
    edit_selected: await ask("edit_selected.json", { ids: [hiding], data: { forms: { is_default: "0" } } }),
    delete_selected: await ask("delete_selected.json", { ids: [hiding], is_confirm: "1" }),
    restore_selected: await ask("restore_selected.json", { ids: [gone] }),
  };
  for (const [way, { body }] of Object.entries(many)) {
    expect(`${way}: ${JSON.stringify(body)}`).toMatch(/permission to design forms/);
  }
  expect(await seesAmount(helper.token)).toBe(false);
});

test("a role that designs a record type makes and changes its forms, and those of no other", async () => {
  expect(await seesAmount(designer.token)).toBe(false);
  const made = await save("core/forms", "add", open, designer.token);
  expect(made.body.errors).toEqual([]);
  expect(await seesAmount(designer.token)).toBe(true);
  expect((await save("core/forms", "edit", { id: made.body.id, name: "Mine" }, designer.token)).body.errors).toEqual(
    [],
  );
  const elsewhere = await save("core/forms", "edit", { id: made.body.id, controller: "crm/peoples" }, designer.token);
  expect(elsewhere.status).toBe(403);
  expect(elsewhere.body.errors).toEqual([expect.stringMatching(/design forms for (?:crm\/peoples|People)/)]);
});

test("permissions.design tells who may design forms", async () => {
  const told = async (token: string) => {
    const forms = ["crm/leads", "crm/peoples"].map((key) => service.get(`/${key}/add.json`, token));
    return (await Promise.all(forms)).map(({ body }) => body.permissions.design);
  };
  const whoMay = async (token: string) =>
    (await service.get("/access_controls/roles/who_may.json?controller=crm/leads", token)).body.data.mine.design;
  const other = await addOrganization(service, "tenant");
  expect([await told(admin), await whoMay(admin)]).toEqual([[1, 1], 1]);
  expect([await told(designer.token), await whoMay(designer.token)]).toEqual([[1, 0], 1]);
  expect([await told(helper.token), await whoMay(helper.token)]).toEqual([[0, 0], 0]);
  // Administrators of other organizations design their forms too, though no record types.
  expect(await told(other.token)).toEqual([1, 1]);
});

test("what a form lets one role only read is not what it lets another, whoever opens it first", async () => {
  const own = [{ field: "name" }, { field: "website", roles: { helper: 4 } }];
  const made = await save("core/forms", "add", formOf(own, { controller: "crm/companies" }), admin);
  expect(made.body.errors).toEqual([]);
  const permission = async (token: string): Promise<number> => {
    const { body } = await service.get("/crm/companies/add.json", token);
    return elements(body.form).find((one) => one.__name === "companies.website")?.permission;
  };
  const found = [];
  for (const { token } of [designer, helper, designer]) found.push(await permission(token));
  expect(found).toEqual([2, 4, 2]);
  const sent = { name: "Written", website: "https://written.example" };
  const added = [];
  for (const { token } of [designer, helper]) added.push((await save("crm/companies", "add", sent, token)).status);
  expect(added).toEqual([200, 422]);
});

test("forms are for the record types that take them", async () => {
  for (const controller of [
    "access_controls/organizations",
    "access_controls/roles",
    "access_controls/api_keys",
    "core/jobs",
  ]) {
    const { status, body } = await save("core/forms", "add", formOf([{ field: "name" }], { controller }), admin);
    expect(`${controller} ${status}`).toBe(`${controller} 422`);
    expect(body.errors_by_field["forms.controller"]).toEqual([expect.stringMatching(/can't have a custom form/)]);
  }
});

test("a form gives no default to a field that nobody may fill in", async () => {
  const { status, body } = await save(
    "core/forms",
    "add",
    formOf([{ field: "converted", default: "2020-01-01" }]),
    admin,
  );
  expect(status).toBe(422);
  expect(body.errors_by_field["forms.definition"].join()).toMatch(/converted: a read-only field can't have a default/);
});
