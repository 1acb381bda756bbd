// Fields and types come back from the bin into a design that went on without them: they fit, or are refused with a reason, and nothing breaks.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
});
afterAll(() => service.stop());

const type = (controller: string, fields: readonly object[]) => ({
  ...{ module: "bin", controller, label: controller, plural: `All ${controller}`, displayField: "name" },
  fields: [{ name: "name", type: "short-text" }, ...fields],
  access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
});
const save = async (definition: object, more: object = {}) => {
  const sent = { definition: JSON.stringify(definition), ...more };
  expect((await service.post("/metadata/record_types/save.json", sent, admin)).body.errors).toEqual([]);
};
const remove = async (key: string) =>
  expect(
    (await service.post(`/metadata/record_types/remove.json?key=${key}&is_confirm=1`, {}, admin)).body.errors,
  ).toEqual([]);
const restore = async (label: string, key?: string) => {
  const query = key === undefined ? "" : `?key=${key}`;
  const { body } = await service.get(`/metadata/record_types/removed.json${query}`, admin);
  const found = body.data.removed.find((one: { label: string }) => one.label === label);
  return service.post(`/metadata/record_types/restore.json?id=${found?.id}`, {}, admin);
};
const lists = async (...keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => (await service.get(`/bin/${key}/index.json`, admin)).status));

test("a type whose lookup speaks of a field that went meanwhile stays in the bin until the field is back", async () => {
  const price = { name: "price", type: "decimal" };
  const line = { name: "line_id", type: "reference", settings: { to: "bin/lines" } };
  const looked = { kind: "lookup", through: ["line_id"], field: "price" };
  await save(type("lines", [price]));
  await save(type("visits", [line, { name: "cost", label: "Cost", type: "decimal", computed: looked }]));
  await remove("bin/visits");
  await save(type("lines", []), { discard: "price" });
  const refused = await restore("All visits");
  expect([refused.status, refused.body.errors.join(" ")]).toEqual([422, expect.stringContaining("price")]);
  expect(await lists("lines", "visits")).toEqual([200, 404]);
  expect((await restore("Price", "bin/lines")).body.errors).toEqual([]);
  expect((await restore("All visits")).body.errors).toEqual([]);
  expect(await lists("lines", "visits")).toEqual([200, 200]);
});

test("no field comes back into a type that has as many as it can have", async () => {
  const fields = Array.from({ length: 499 }, (_, at) => ({ name: `f${at}`, type: "flag" }));
  await save(type("many", fields));
  await save(type("many", fields.slice(1)), { discard: "f0" });
  await save(type("many", [...fields.slice(1), { name: "other", type: "flag" }]));
  const refused = await restore("F0", "bin/many");
  expect([refused.status, refused.body.errors.length > 0]).toEqual([422, true]);
  expect(await lists("many")).toEqual([200]);
});
