// Fields of child rows follow the same permissions as fields of records: declared by their type, or set for a role.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let rep: Person;

beforeAll(async () => {
  service = await startService();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  const admin = await service.login();
  const role = await service.db.row(
    sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`,
  );
  for (const [field, permission] of [
    ["city", "4"],
    ["zip", "1"],
  ]) {
    const values = { role_id: role?.id, record_type: "core/addresses", field, permission };
    const data = { role_fields: values, action: { save_progress: "Save" } };
    expect((await service.post("/access_controls/role_fields/add.json", { data }, admin)).body.errors).toEqual([]);
  }
});
afterAll(() => service.stop());

const save = (operation: "add" | "edit", values: Record<string, unknown>) =>
  service.post(
    `/crm/leads/${operation}.json`,
    { data: { leads: values, action: { save_progress: "Save" } } },
    rep.token,
  );

test("a child's read-only field is refused when it differs, and nothing is written", async () => {
  const { body } = await save("add", {
    last_name: "Child",
    addresses: [{ address_line_1: "1 Road" }],
    email_addresses: [{ email: "ada@d.example" }],
  });
  const [address] = body.data.leads.addresses;
  const [email] = body.data.leads.email_addresses;
  const refused = [
    { path: "addresses", row: { id: address.id, city: "Ulm" }, field: "city" },
    { path: "addresses", row: { id: address.id, zip: "89073" }, field: "zip" },
    { path: "addresses", row: { address_line_1: "2 Road", city: "Ulm" }, field: "city" },
    { path: "email_addresses", row: { id: email.id, is_confirmed: "1" }, field: "is_confirmed" },
    { path: "email_addresses", row: { email: "bo@d.example", is_confirmed: "1" }, field: "is_confirmed" },
  ];
  for (const { path, row, field } of refused) {
    const answer = await save("edit", { id: body.id, last_name: "Other", [path]: [row] });
    expect([answer.status, Object.keys(answer.body.errors_by_field)]).toEqual([422, [`leads.${path}.0.${field}`]]);
  }
  const { body: after } = await service.get(`/crm/leads/view.json?id=${body.id}`, rep.token);
  expect(after.data.leads).toMatchObject({
    last_name: "Child",
    addresses: [{ address_line_1: "1 Road", city: null }],
    email_addresses: [{ email: "ada@d.example", is_confirmed: "0" }],
  });
  expect(after.data.leads.addresses[0]).not.toHaveProperty("zip");
});

test("a child's read-only field that is sent back unchanged is accepted", async () => {
  const { body } = await save("add", { last_name: "Same", addresses: [{ address_line_1: "1 Road" }] });
  const [address] = body.data.leads.addresses;
  const row = { id: address.id, address_line_1: "3 Road", city: address.city };
  expect((await save("edit", { id: body.id, addresses: [row] })).body.data.leads.addresses[0]).toMatchObject({
    address_line_1: "3 Road",
  });
});
