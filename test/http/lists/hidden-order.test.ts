// Lists of somebody whose role hides what they would be sorted by: sorted by what they may see, never refused.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let reader: Person;

const save = async (type: string, values: Record<string, unknown>, token: string): Promise<string> => {
  const alias = type.split("/")[1] ?? "";
  const sent = { data: { [alias]: values, action: { save_progress: "Save" } } };
  const { body } = await service.post(`/${type}/add.json`, sent, token);
  expect(body.errors).toEqual([]);
  return body.id;
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const operations = ["crm/leads", "crm/companies", "crm/quotes"].map((record_type) => ({
    record_type,
    operations: "index;view;export",
  }));
  const hidden = (record_type: string, names: readonly string[]) =>
    names.map((field) => ({ record_type, field, permission: "1" }));
  await save(
    "access_controls/roles",
    {
      code: "narrow",
      name: "Narrow",
      operations: [...operations, { record_type: "access_controls/users", operations: "index;view" }],
      fields: [
        ...hidden("crm/leads", ["created", "amount"]),
        ...hidden("crm/companies", ["created"]),
        ...hidden("crm/quotes", ["created"]),
        ...hidden("access_controls/users", ["name"]),
      ],
    },
    admin,
  );
  reader = await addPerson(service, "reader", ["narrow"]);
  await addRows(
    service,
    "crm/leads",
    ["30", "10", "20"].map((amount, at) => ({
      last_name: `Lead ${at}`,
      name: `Lead ${at}`,
      status: at === 0 ? "new" : "contacted",
      amount,
      owned_by: reader.id,
    })),
  );
});
afterAll(() => service.stop());

const list = async (type: string, parameters: Record<string, unknown> = {}) => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const address = `/${type}/index.json?track_open=0&${new URLSearchParams(texts)}`;
  return service.get(address, reader.token);
};
const namesOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.paginate.data.map((row: Record<string, string>) => row.record_display_name);
const newest = ["Lead 2", "Lead 1", "Lead 0"];

test("the default view, a list of one's own, and pages of it come newest first", async () => {
  expect(namesOf(await list("crm/leads"))).toEqual(newest);
  expect(namesOf(await list("crm/leads", { q: { fields: ["leads.last_name"] } }))).toEqual(newest);
  expect(namesOf(await list("crm/leads", { limit: "2", page: "2" }))).toEqual(newest.slice(2));
  expect(namesOf(await list("crm/leads", { search_basic: "lead" }))).toEqual(newest);
  for (const type of ["crm/companies", "crm/quotes"]) expect((await list(type)).body.errors).toEqual([]);
  const exported = await service.get("/crm/leads/export.json", reader.token);
  expect(exported.status).toBe(200);
});

test("a view that is sorted by what is hidden leaves that out, and goes on by the rest", async () => {
  const query = { fields: ["leads.last_name"], order: ["leads.amount ASC", "leads.last_name DESC"] };
  const view = { controller: "crm/leads", name: "By amount", is_personal: "0" };
  const id = await save("core/listviews", { ...view, query: JSON.stringify(query) }, admin);
  expect(namesOf(await list("crm/leads", { current_listview: id }))).toEqual(newest);
  const groups = {
    fields: ["leads.status", "count(leads.id) as n", "sum(leads.amount) as total"],
    group: ["leads.status"],
    order: ["sum(leads.amount) DESC", "count(leads.id) DESC"],
  };
  const grouped = await save("core/listviews", { ...view, name: "Groups", query: JSON.stringify(groups) }, admin);
  const { body } = await list("crm/leads", { current_listview: grouped });
  expect(body.errors).toEqual([]);
  expect(body.paginate.data.map((row: Record<string, string>) => row.n)).toEqual(["2", "1"]);
});

test("a reference whose names are hidden is sorted by its numbers", async () => {
  const { status, body } = await list("crm/leads", { sort: "leads.owned_by" });
  expect([status, body.errors]).toEqual([200, []]);
});

test("whoever asks for it is told", async () => {
  for (const parameters of [{ sort: "leads.created" }, { q: { order: ["leads.amount ASC"] } }]) {
    expect((await list("crm/leads", parameters)).status).toBe(400);
  }
});
