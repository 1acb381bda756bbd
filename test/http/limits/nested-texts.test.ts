// JSON text within a value, with far too much in it: refused before it is read, which would keep everybody else waiting for seconds.
// Brackets that are never closed tell the two apart: whoever reads them first says that they are no JSON.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
});
afterAll(() => service.stop());

const deep = '[{"a":'.repeat(50_000);
const wide = `[${"1,".repeat(400_000)}`;

const post = async (address: string, body: unknown) => {
  const answer = await service.post(`/${address}.json`, body, admin);
  return [answer.status, answer.body.errors.at(-1)];
};
const save = { save_progress: "Save" };

test.each([
  ["core/listviews", "listviews", "query", { name: "Deep", controller: "crm/leads" }, "Query"],
  ["core/forms", "forms", "definition", { name: "Deep", controller: "crm/leads" }, "Definition"],
  ["core/workflows", "workflows", "definition", { name: "Deep", controller: "crm/leads" }, "Definition"],
  ["core/webhooks", "webhooks", "condition", { name: "Deep", record_types: "crm/leads" }, "Condition"],
  ["access_controls/policies", "policies", "policy", { record_type: "crm/leads" }, "Policy"],
])("a field of %s that holds JSON", async (type, alias, field, values, label) => {
  const send = (text: string) => post(`${type}/add`, { data: { [alias]: { ...values, [field]: text }, action: save } });
  const refusals = await Promise.all([send(deep), send(wide)]);
  expect(refusals.map(([status]) => status)).toEqual([422, 422]);
  const said = await service.post(
    `/${type}/add.json`,
    { data: { [alias]: { ...values, [field]: deep }, action: save } },
    admin,
  );
  expect(said.body.errors_by_field[`${alias}.${field}`]).toEqual([`${label} must not be nested deeper than 20 levels`]);
});

const tooDeep = "The request is nested more than 40 levels deep";
const tooMany = "The request has more than 100,000 keys";

test.each([
  ["access_controls/policies/consequences", "policy", { record_type: "crm/leads" }, 400],
  ["access_controls/roles/consequences", "operations", { id: "1" }, 400],
  ["access_controls/groups/consequences", "members", { id: "1" }, 400],
  ["metadata/record_types/check", "definition", {}, 400],
  ["metadata/record_types/preview_computed", "definition", { field: "name" }, 400],
  ["development_base/menus/arrange", "navigation", { revision: "1" }, 400],
  ["core/forms/preview", "definition", { controller: "crm/leads" }, 422],
])("a parameter of %s", async (address, name, more, status) => {
  const answers = [await post(address, { ...more, [name]: deep }), await post(address, { ...more, [name]: wide })];
  expect(answers).toEqual([
    [status, expect.stringContaining(tooDeep)],
    [status, expect.stringContaining(tooMany)],
  ]);
});

test.each([
  ["too deep", `{"crm/leads": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ["objects", '{"crm/leads": [{"a": [{}]}]}'],
  ["objects of the request itself", { "crm/leads": [{ a: "1" }] }],
])("the limits of a key: %s", async (_, limits) => {
  const { status, body } = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "Deep", limits } } },
    admin,
  );
  expect([status, Object.keys(body.errors_by_field)]).toEqual([422, ["api_keys.limits"]]);
});

test("the first line of a file of JSON lines", async () => {
  const form = new FormData();
  form.append("file", new Blob([`{"a":${"[".repeat(1_000_000)}\n{"a":1}\n`]), "a.txt");
  const { status, body } = await service.post("/crm/leads/import_columns.json", form, admin);
  expect([status, body.errors]).toEqual([422, [expect.stringContaining("nested")]]);
});
