// search_basic on the wire: every word somewhere in what the caller may see of the record, case and accents ignored.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let blind: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  blind = await addPerson(service, "blind", ["read_only"]);
  await service.db.run(sql`
    insert into access_controls__role_fields (organization_id, role_id, record_type, field, permission, acl_id)
    select 1, id, 'crm/companies', 'tax_number', 1, acl_id from access_controls__roles where organization_id = 1 and code = 'read_only'`);
  blind = { ...blind, token: await service.login("blind", service.admin.password) };
  await addRows(service, "crm/companies", [
    { name: "Société Générale", tax_number: "FR-7788", email: "info@sg.example" },
    { name: "Straße & Söhne", tax_number: "DE-1234", email: "post@soehne.example" },
    { name: "100% Wool_Works", tax_number: "GB-5555", legal_name: "Back\\slash Ltd" },
    { name: "FR-7788 Holding", tax_number: "US-1" },
    { name: "Deleted Générale", deleted: "1" },
    { name: "Łódź Steel", email: "łodz@example.pl" },
  ]);
});
afterAll(() => service.stop());

const found = async (text: string, token: string = admin, more = ""): Promise<string[]> => {
  const { body } = await service.get(
    `/crm/companies/index.json?track_open=0&sort=companies.name&search_basic=${encodeURIComponent(text)}${more}`,
    token,
  );
  expect(body.errors).toEqual([]);
  expect(body.paginate.total_count).toBe(body.paginate.data.length);
  return body.paginate.data.map((row: { record_display_name: string }) => row.record_display_name);
};

describe("finds", () => {
  test.each([
    ["a word", "Société", ["Société Générale"]],
    ["a part of a word", "énéra", ["Société Générale"]],
    ["in any case", "SOCIÉTÉ", ["Société Générale"]],
    ["without accents", "societe generale", ["Société Générale"]],
    ["with accents that are not there", "wööl", ["100% Wool_Works"]],
    ["what unaccenting spells differently", "strasse", ["Straße & Söhne"]],
    ["letters that are no accents", "lodz", ["Łódź Steel"]],
    ["words in any order", "generale societe", ["Société Générale"]],
    ["words of different columns", "soehne söhne", ["Straße & Söhne"]],
    ["the same word twice as once", "steel steel", ["Łódź Steel"]],
    [
      "one letter",
      "ł",
      ["Łódź Steel", "Société Générale", "Straße & Söhne", "100% Wool_Works", "FR-7788 Holding"].sort(),
    ],
    ["two letters", "oo", ["100% Wool_Works"]],
    ["a percent sign as itself", "100%", ["100% Wool_Works"]],
    ["an underscore as itself", "l_w", ["100% Wool_Works"]],
    ["a backslash as itself", "k\\s", ["100% Wool_Works"]],
    ["a quote", "o'", []],
    ["nothing that is in no column", "zzz", []],
    ["nothing across two columns", "generaleinfo", []],
    ["a number in a column", "7788", ["FR-7788 Holding", "Société Générale"]],
    ["the business key", "C-000003", ["100% Wool_Works"]],
    [
      "everything for spaces",
      "  ",
      ["100% Wool_Works", "FR-7788 Holding", "Łódź Steel", "Société Générale", "Straße & Söhne"],
    ],
  ])("%s", async (_, text, expected) => {
    expect([...(await found(text))].sort()).toEqual([...expected].sort());
  });
});

test("a percent sign alone is no wildcard", async () => {
  expect(await found("%")).toEqual(["100% Wool_Works"]);
});

describe("a hidden column", () => {
  test("is not searched, though the same text elsewhere is found", async () => {
    expect(await found("7788", blind.token)).toEqual(["FR-7788 Holding"]);
    expect(await found("DE-1234", blind.token)).toEqual([]);
    expect(await found("DE-1234")).toEqual(["Straße & Söhne"]);
  });

  test("cannot be reached together with a visible word", async () => {
    expect(await found("societe 7788", blind.token)).toEqual([]);
    expect(await found("societe info", blind.token)).toEqual(["Société Générale"]);
  });

  test("does not share its counts with those who see it", async () => {
    const count = async (token: string) =>
      (await service.get("/crm/companies/index.json?track_open=0&limit=1&search_basic=7788", token)).body.paginate
        .total_count;
    expect(await count(admin)).toBe(2);
    expect(await count(blind.token)).toBe(1);
  });
});

test("a view's own search stays in force under a person's", async () => {
  const [id] = await addRows(service, "core/listviews", [
    { name: "Generals", controller: "crm/companies", query: '{"search_basic":"generale"}', is_personal: "0" },
  ]);
  const within = (text: string) => found(text, admin, `&current_listview=${id}`);
  expect(await within("")).toEqual(["Société Générale"]);
  expect(await within("info")).toEqual(["Société Générale"]);
  expect(await within("steel")).toEqual([]);
});

test("more words than are looked for are refused, not passed over", async () => {
  const words = Array.from({ length: 11 }, (_, index) => `w${index}`).join(" ");
  for (const query of [
    `search_basic=${encodeURIComponent(words)}`,
    `q=${encodeURIComponent(JSON.stringify({ search_basic: words }))}`,
  ]) {
    const { status, body } = await service.get(`/crm/companies/index.json?${query}`, admin);
    expect(status).toBe(400);
    expect(body.errors[0]).toContain("at most 10 different words");
  }
});

test("q can search as well", async () => {
  const q = encodeURIComponent(JSON.stringify({ search_basic: "steel" }));
  const { body } = await service.get(`/crm/companies/index.json?track_open=0&q=${q}`, admin);
  expect(body.paginate.total_count).toBe(1);
});

test("of a type without searchable columns, what its list shows is searched", async () => {
  const count = async (text: string) =>
    (await service.get(`/access_controls/role_operations/index.json?search_basic=${text}`, admin)).body.paginate
      .total_count;
  expect(await count("sales%20manager")).toBeGreaterThan(0);
  expect(await count("nowhere")).toBe(0);
});

describe("what the list shows is searched too", () => {
  const fields = ["companies.name", "companies.country_id", "companies.industry", "companies.employees"];
  const asked = (columns: readonly string[]) => `&q=${encodeURIComponent(JSON.stringify({ fields: columns }))}`;
  const shown = [...fields, "companies.owned_by", "companies.customer_since", "companies.last_contacted"];

  beforeAll(async () => {
    const country = await service.db.row(sql`select id::text as id from masters__countries where name = 'Canada'`);
    await addRows(service, "crm/companies", [
      {
        name: "Maple Works",
        country_id: country?.id ?? "",
        industry: "logistics",
        employees: "4711",
        owned_by: "1",
        last_contacted: "2021-03-04 05:06:07",
      },
    ]);
  });

  test.each([
    ["the name of a referenced record", "canada"],
    ["the label of a choice", "LOGÍSTICS"],
    ["a number as a whole", "4711"],
    ["the day of an instant", "2021-03-04"],
    ["an instant, word by word", "2021-03-04 05:06:07"],
    ["words of different columns", "Canada maple 4711"],
  ])("%s", async (_, text) => {
    expect(await found(text, admin, asked(shown))).toEqual(["Maple Works"]);
  });

  test.each([
    ["nothing that only other lists show", "canada", ["companies.name"]],
    ["no part of a number", "471", shown],
    ["no day that it is not", "2021-03-05", shown],
  ])("%s", async (_, text, columns) => {
    expect(await found(text, admin, asked(columns))).toEqual([]);
  });

  test("counts follow the names of what is referred to", async () => {
    expect(await found("administrator", admin, asked(shown))).toContain("Maple Works");
    const { body } = await service.post(
      "/access_controls/users/edit.json",
      { data: { users: { id: "1", last_name: "Renamedperson" }, action: { save_progress: "Save" } } },
      admin,
    );
    expect(body.errors).toEqual([]);
    expect(await found("renamedperson", admin, asked(shown))).toContain("Maple Works");
  });

  test("a column that is hidden from the caller finds nothing", async () => {
    expect(await found("4711", admin, asked(shown))).toEqual(["Maple Works"]);
    await service.db.run(sql`
      insert into access_controls__role_fields (organization_id, role_id, record_type, field, permission, acl_id)
      select 1, id, 'crm/companies', 'employees', 1, acl_id from access_controls__roles where organization_id = 1 and code = 'read_only'`);
    const token = await service.login("blind", service.admin.password);
    expect(await found("4711", token)).toEqual([]);
  });
});
