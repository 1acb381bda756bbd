// A role that hides what records of a type are called: their name stands nowhere, neither where they are listed nor where others refer to them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

const SECRET = "Unspoken Holdings";

let service: TestService;
let admin: string;
let reader: Person;
let company: string;
let person: string;

const add = async (type: string, values: Record<string, unknown>): Promise<string> => {
  const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
  const { body } = await service.post(`/${type}/add.json`, { data }, admin);
  expect(body.errors).toEqual([]);
  return body.id;
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const operations = ["crm/companies", "crm/peoples"].map((record_type) => ({ record_type, operations: "index;view" }));
  const fields = [{ record_type: "crm/companies", field: "name", permission: "1" }];
  await add("access_controls/roles", { code: "nameless", name: "Nameless", operations, fields });
  reader = await addPerson(service, "reader", ["nameless"]);
  [company = ""] = await addRows(service, "crm/companies", [
    { name: SECRET, legal_name: "Plainly Limited", owned_by: reader.id },
  ]);
  person = await add("crm/peoples", { last_name: "Okafor", company_id: company, owned_by: reader.id });
});
afterAll(() => service.stop());

test("no list, search, view or history tells it, of the record itself or of one that refers to it", async () => {
  const q = encodeURIComponent(JSON.stringify({ fields: ["peoples.last_name", "peoples.company_id"] }));
  for (const address of [
    "/crm/companies/index.json",
    `/crm/companies/view.json?id=${company}`,
    "/core/search/index.json?text=Plainly",
    `/crm/peoples/index.json?q=${q}`,
    `/crm/peoples/view.json?id=${person}`,
    `/crm/peoples/revisions.json?id=${person}`,
    `/crm/peoples/timeline.json?id=${person}`,
  ]) {
    expect(JSON.stringify((await service.get(address, admin)).body), address).toContain(SECRET);
    const { status, body } = await service.get(address, reader.token);
    expect([status, JSON.stringify(body).includes(SECRET)], address).toEqual([200, false]);
  }
  const { body } = await service.get("/crm/companies/index.json", reader.token);
  expect(body.paginate.data).toMatchObject([{ record_display_name: company }]);
});
