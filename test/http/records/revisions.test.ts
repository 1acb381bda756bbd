// The history of a record on the wire, and going back in it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let lead: string;
let country: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  country = (await service.db.row(sql`select id::text as id from masters__countries where name = 'Germany'`))?.id ?? "";
  lead = (await save("add", { last_name: "First", status: "new", addresses: [{ address_line_1: "1 Road" }] })).body.id;
  await save("edit", { id: lead, last_name: "Second", country_id: country });
  await save("edit", { id: lead, status: "contacted", last_name: "Third" }, admin);
});

afterAll(() => service.stop());

const save = (operation: "add" | "edit", values: Record<string, unknown>, token = rep.token, type = "crm/leads") => {
  const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
  return service.post(`/${type}/${operation}.json`, { data }, token);
};
const history = (query = `?id=${lead}`, token = rep.token) => service.get(`/crm/leads/revisions.json${query}`, token);
const revert = (revision: string, id = lead, token = rep.token) =>
  service.post(`/crm/leads/revert.json?id=${id}&revision=${revision}`, {}, token);

describe("revisions", () => {
  test("tell who changed what from what to what, newest first, in words", async () => {
    const { status, body } = await history();
    expect([status, body.total_count]).toEqual([200, 3]);
    const [third, second, first] = body.data.revisions;
    expect(third).toMatchObject({ revision: "3", operation: "edit", __created_by: "Administrator" });
    expect(third.changes).toContainEqual({
      field: "status",
      label: "Status",
      from: "new",
      to: "contacted",
      __from: "New",
      __to: "Contacted",
    });
    expect(second).toMatchObject({ revision: "2", created_by: rep.id, __created_by: "rep" });
    expect(second.changes).toContainEqual({
      field: "country_id",
      label: "Country",
      from: null,
      to: country,
      __from: null,
      __to: "Germany",
    });
    expect(first).toMatchObject({ revision: "1", operation: "add" });
    expect(first.created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  test("come in pages", async () => {
    const { body } = await history(`?id=${lead}&limit=1&page=2`);
    expect(body.data.revisions.map((entry: { revision: string }) => entry.revision)).toEqual(["2"]);
    expect((await history(`?id=${lead}&limit=0`)).status).toBe(400);
  });

  test("are not there for whom the record is not there", async () => {
    expect((await history(`?id=${lead}`, other.token)).status).toBe(404);
    expect((await history("?id=999999")).status).toBe(404);
    expect((await history("")).status).toBe(400);
    // In the recycle bin a record is there for those who may delete it.
    const { id } = (await save("add", { last_name: "Binned" })).body;
    const known = await service.db.row(
      sql`select principal_id::text as id from access_controls__users where id = ${other.id}::bigint`,
    );
    await service.post(`/crm/leads/share.json?id=${id}`, { principal_id: known?.id, rights: "read" }, rep.token);
    expect((await history(`?id=${id}`, other.token)).status).toBe(200);
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, rep.token);
    expect((await history(`?id=${id}`, other.token)).status).toBe(404);
    expect((await history(`?id=${id}`)).status).toBe(200);
  });

  test("leave a hidden field out", async () => {
    const marketing = await addPerson(service, "marketing", ["marketing"]);
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "C" }]);
    const values = { name: "Deal", company_id: company, amount: "5", owned_by: marketing.id };
    const deal = (await save("add", values, admin, "crm/opportunities")).body.id;
    const path = `/crm/opportunities/revisions.json?id=${deal}`;
    const fields = async (token: string) =>
      (await service.get(path, token)).body.data.revisions[0].changes.map((change: { field: string }) => change.field);
    expect(await fields(admin)).toContain("amount");
    expect(await fields(marketing.token)).not.toContain("amount");
  });
});

describe("revert", () => {
  test("sets the record back to its state after that revision, as a new edit, and leaves children alone", async () => {
    const { status, body } = await revert("1");
    expect([status, body.message]).toEqual([200, ["Lead restored to revision 1"]]);
    expect(body.data.leads).toMatchObject({
      last_name: "First",
      name: "First",
      status: "new",
      country_id: null,
      revision: "4",
    });
    expect(body.data.leads.addresses).toHaveLength(1);
    const [entry] = (await history()).body.data.revisions;
    expect(entry).toMatchObject({ revision: "4", operation: "revert" });
    const again = await revert("3");
    expect(again.body.data.leads).toMatchObject({
      last_name: "Third",
      status: "contacted",
      country_id: country,
      revision: "5",
    });
  });

  test("to where the record is already writes nothing", async () => {
    const { body } = await history();
    const answer = await revert(body.data.revisions[0].revision);
    expect([answer.status, (await history()).body.total_count]).toEqual([200, body.total_count]);
  });

  test.each(["0", "99", "x", "-1"])("to revision %s is refused with the range", async (revision) => {
    const { status, body } = await revert(revision);
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining("from 1 to 5")]);
  });

  test("needs the right to edit, and follows today's rules", async () => {
    expect((await revert("1", lead, other.token)).status).toBe(404);
    const id = (await save("add", { last_name: "Ref", country_id: country })).body.id;
    await save("edit", { id, country_id: "" });
    await service.db.run(sql`update masters__countries set deleted = 1 where id::text = ${country}`);
    const { status, body } = await revert("1", id);
    expect([status, body.errors_by_field]).toEqual([422, { "leads.country_id": ["Country does not exist"] }]);
    await service.db.run(sql`update masters__countries set deleted = 0 where id::text = ${country}`);
  });

  test("leaves a hidden field as it is", async () => {
    const id = (await save("add", { last_name: "Before", score: "1" })).body.id;
    await save("edit", { id, last_name: "After", score: "2" }, admin);
    const role = await service.db.row(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
    const hidden = { role_id: role?.id, record_type: "crm/leads", field: "score", permission: "1" };
    expect((await save("add", hidden, admin, "access_controls/role_fields")).body.errors).toEqual([]);
    expect((await revert("1", id)).body.errors).toEqual([]);
    const { leads } = (await service.get(`/crm/leads/view.json?id=${id}`, admin)).body.data;
    expect([leads.last_name, leads.score]).toEqual(["Before", "2"]);
  });
});
