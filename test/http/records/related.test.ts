import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, elements } from "../people.ts";

let service: TestService;
let admin: string;
const ids: Record<string, string> = {};

async function add(
  controller: string,
  values: Record<string, unknown>,
  token = admin,
  operation = "add",
): Promise<string> {
  const alias = controller.split("/")[1] ?? "";
  const { body } = await service.post(
    `/${controller}/${operation}.json`,
    { data: { [alias]: values, action: { save_progress: "Save" } } },
    token,
  );
  expect(body.errors).toEqual([]);
  return body.id;
}

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  ids.acme = await add("crm/companies", { name: "Acme" });
  ids.other = await add("crm/companies", { name: "Other" });
  ids.ada = await add("crm/peoples", { last_name: "Lovelace", first_name: "Ada", company_id: ids.acme });
  ids.alan = await add("crm/peoples", { last_name: "Turing", first_name: "Alan", company_id: ids.other });
  ids.comment = await add("core/comments", { related_type: "crm/companies", related_id: ids.acme, body: "A good one" });
});
afterAll(() => service.stop());

const names = (body: { paginate: { data: { record_display_name: string }[] } }) =>
  body.paginate.data.map((row) => row.record_display_name);

describe("a view lists beside its record", () => {
  test("records related to another one through an association that the model class names", async () => {
    const q = encodeURIComponent(JSON.stringify({ related_model_class: "crm/companies", pheader: "0" }));
    const { status, body } = await service.get(`/crm/peoples/view.json?related_to=${ids.acme}&q=${q}`, admin);
    expect(status).toBe(200);
    expect(names(body)).toEqual(["Ada Lovelace"]);
    expect(body.paginate.header).toEqual([]);
  });

  test("records related by the foreign table's key, as the related-records q says", async () => {
    const where = { "companies.id": ids.other };
    const q = { where, pheader: "0", related_model_class: "companies", show_has_many_records: "all" };
    const { body } = await service.get(`/crm/peoples/view.json?q=${encodeURIComponent(JSON.stringify(q))}`, admin);
    expect(names(body)).toEqual(["Alan Turing"]);
  });

  test("records that belong to a record of any type", async () => {
    const { body } = await service.get(`/core/comments/view.json?related_to=${ids.acme}`, admin);
    expect(names(body)).toEqual(["A good one"]);
  });

  test("all records for an empty search text, and those that match for another", async () => {
    const all = await service.get("/crm/peoples/view.json?search_criteria=", admin);
    expect(names(all.body).sort()).toEqual(["Ada Lovelace", "Alan Turing"]);
    const some = await service.get("/crm/peoples/view.json?search_criteria=turing", admin);
    expect(names(some.body)).toEqual(["Alan Turing"]);
  });

  test("nothing of a type that no association leads to, and says so", async () => {
    const q = encodeURIComponent(JSON.stringify({ related_model_class: "masters/locales" }));
    const { status, body } = await service.get(`/crm/companies/view.json?related_to=1&q=${q}`, admin);
    expect(status).toBe(400);
    expect(body.errors[0]).toContain("related_to");
  });

  test("records of a person by whose they are, not by who wrote them down", async () => {
    const { id } = await addPerson(service, "rep", ["sales_rep"]);
    await add("crm/peoples", { last_name: "Hopper", owned_by: id });
    const q = encodeURIComponent(JSON.stringify({ related_model_class: "access_controls/users" }));
    const of = async (user: string) =>
      names((await service.get(`/crm/peoples/view.json?related_to=${user}&q=${q}`, admin)).body);
    expect(await of(id)).toEqual(["Hopper"]);
    expect(await of("1")).not.toContain("Hopper");
  });
});

test("a form lists related records that its reader may list, and offers to add those that they may add", async () => {
  const may = { "crm/companies": "index;view;add", "crm/peoples": "index", "crm/opportunities": "index" };
  const operations = Object.entries(may).map(([record_type, held]) => ({ record_type, operations: held }));
  await add("access_controls/roles", { code: "looker", name: "Looker", operations });
  const { token } = await addPerson(service, "looker", ["looker"]);
  const own = await add("crm/companies", { name: "Own" }, token);
  const lists = async () => {
    const { body } = await service.get(`/crm/companies/view.json?id=${own}`, token);
    const related = elements(body.form).filter(({ template }) => template === "related");
    return related.map(({ association, may_add }) => `${association} ${may_add}`);
  };
  expect(await lists()).toEqual(["peoples 0", "opportunities 0", "subsidiaries 1"]);
  const held = await service.db.row(sql`
    select id::text as id from access_controls__role_operations o where organization_id = 1 and record_type = 'crm/peoples'
      and role_id = (select id from access_controls__roles where organization_id = 1 and code = 'looker')`);
  const permit = (allowed: string) =>
    add("access_controls/role_operations", { id: held?.id, operations: allowed }, admin, "edit");
  await permit("index;add");
  expect(await lists()).toEqual(["peoples 1", "opportunities 0", "subsidiaries 1"]);
  await permit("view");
  expect(await lists()).toEqual(["opportunities 0", "subsidiaries 1"]);
});
