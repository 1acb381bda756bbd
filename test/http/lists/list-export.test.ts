// Exports on the wire: whole, in the list's order, of one moment, without what is hidden; cut off, they leave nothing.
import { Buffer } from "node:buffer";
import { readdir } from "node:fs/promises";
import { get } from "node:http";
import path from "node:path";
import readXlsxFile from "read-excel-file/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, describeAtLength, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let adminId: string;
let rep: Person;
let marketer: Person;
let reader: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  adminId = (await service.db.row(sql`select id from access_controls__users where user_name = 'admin'`))?.id ?? "";
  rep = await addPerson(service, "rep", ["sales_rep"]);
  marketer = await addPerson(service, "marketer", ["marketing"]);
  reader = await addPerson(service, "reader", ["read_only"]);
  const [company] = await addRows(service, "crm/companies", [{ name: 'Ek, Söhne & "Co"', owned_by: adminId }]);
  await addRows(service, "crm/opportunities", [
    {
      name: '=HYPERLINK("http://evil")',
      company_id: company,
      amount: "-12.50",
      stage: "won",
      expected_close: "2026-03-07",
      owned_by: rep.id,
    },
    { name: "Two, lines", company_id: company, amount: "1000.00", stage: "lost", owned_by: adminId },
    { name: "Gone", company_id: company, amount: "5.00", deleted: "1", owned_by: rep.id },
  ]);
  await addRows(
    service,
    "crm/peoples",
    Array.from({ length: 3_000 }, (_, index) => ({
      name: `Person ${String(index).padStart(4, "0")}`,
      last_name: "Person",
      job_title: "x".repeat(200),
      score: String(index % 100),
      owned_by: adminId,
    })),
  );
});
afterAll(() => service.stop());

/** Read to its end: what is not read keeps its connection. */
const file = async (path: string, token: string = admin) => {
  const response = await fetch(`${service.url}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
};
const q = (value: unknown) => `q=${encodeURIComponent(JSON.stringify(value))}`;
const deals = q({
  fields: [
    "opportunities.name",
    "opportunities.company_id",
    "opportunities.amount",
    "opportunities.stage",
    "opportunities.expected_close",
  ],
  order: ["opportunities.amount ASC"],
});

describe("CSV", () => {
  test("has labels, display texts and ids, and no formulas", async () => {
    const response = await file(`crm/opportunities/export.json?format=csv&${deals}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="All opportunities \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''All%20opportunities%20\d{4}-\d\d-\d\d\.csv$/,
    );
    const { text } = response;
    expect(text.split("\r\n")).toEqual([
      "Id,Name,Company,Company id,Amount,Stage,Expected close,Amount currency",
      expect.stringMatching(
        /^\d+,"'=HYPERLINK\(""http:\/\/evil""\)","Ek, Söhne & ""Co""",\d+,-12\.50,Closed won,2026-03-07,USD$/,
      ),
      expect.stringMatching(/^\d+,"Two, lines","Ek, Söhne & ""Co""",\d+,1000\.00,Closed lost,,USD$/),
      "",
    ]);
  });

  test("is only described to those who ask for its head, who take nothing with them", async () => {
    const exports = async () =>
      (await service.db.row(sql`select count(*)::text as n from access_controls__audit_events where event = 'export'`))
        ?.n;
    const before = await exports();
    const response = await fetch(`${service.url}/crm/peoples/export.json?format=csv`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${admin}` },
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(response.headers.get("server-timing")).not.toContain("query");
    expect(await exports()).toBe(before);
  });

  test("begins with a byte order mark where one is asked for", async () => {
    const { bytes } = await file(`crm/opportunities/export.json?bom=1&${deals}`);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test("has every row, whatever page and limit say", async () => {
    const { text } = await file("crm/peoples/export.json?format=csv&limit=10&page=3&sort=peoples.name");
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(3_001);
    expect(lines[1]).toContain("Person 0000");
    expect(lines[3_000]).toContain("Person 2999");
  });

  test("keeps to the search and the view", async () => {
    expect((await file("crm/peoples/export.json?search_basic=2999")).text.trimEnd().split("\r\n")).toHaveLength(3);
  });
});

test("gives the records that are named, or all but those, however many they are", async () => {
  const all = await file(
    `crm/peoples/export.json?format=json&${q({ fields: ["peoples.id"], order: ["peoples.id ASC"] })}`,
  );
  const ids: string[] = JSON.parse(all.text).data.map((row: Record<string, string>) => Object.values(row)[0]);
  expect(ids).toHaveLength(3_000);
  const named = async (sent: object): Promise<number> => {
    const answer = await service.post("/crm/peoples/export.json", { format: "csv", ...sent }, admin);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    return answer.body.trimEnd().split("\r\n").length - 1;
  };
  expect(await named({ ids: ids.slice(0, 2_500).join(",") })).toBe(2_500);
  expect(await named({ except_ids: ids.slice(0, 2_500).join(",") })).toBe(500);
  expect(await named({ ids: ids.slice(0, 3).join(","), q: JSON.stringify({ where: { name: "Person 0001" } }) })).toBe(
    1,
  );
  const many = Array.from({ length: 10_001 }, (_, at) => String(at + 1)).join(",");
  const refused = await service.post("/crm/peoples/export.json", { ids: many }, admin);
  expect([refused.status, refused.body.errors]).toEqual([400, ["ids: takes at most 10,000 ids, not 10,001"]]);
});

test("XLSX opens as a spreadsheet with numbers and dates", async () => {
  const response = await file(`crm/opportunities/export.json?format=xlsx&${deals}`);
  expect(response.headers.get("content-type")).toBe(
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  );
  const [sheet] = await readXlsxFile(response.bytes);
  expect(sheet?.data[0]).toEqual([
    ...["Id", "Name", "Company", "Company id", "Amount", "Stage", "Expected close"],
    "Amount currency",
  ]);
  expect(sheet?.data[1]?.slice(1)).toEqual([
    '\'=HYPERLINK("http://evil")',
    'Ek, Söhne & "Co"',
    expect.any(String),
    -12.5,
    "Closed won",
    new Date("2026-03-07T00:00:00Z"),
    "USD",
  ]);
});

test("JSON has the values of the list's rows, in the envelope", async () => {
  const { body } = await service.get(`/crm/opportunities/export.json?format=json&${deals}`, admin);
  expect(body).toMatchObject({ errors: [], message: [], controller: "crm/opportunities" });
  expect(body.data).toHaveLength(2);
  expect(body.data[0]).toMatchObject({
    "opportunities.name": '=HYPERLINK("http://evil")',
    "opportunities.amount": "-12.50",
    "opportunities.stage": "won",
    Company: 'Ek, Söhne & "Co"',
  });
});

test("groups are exported as they are drawn", async () => {
  const fields = ["opportunities.stage", "sum(opportunities.amount) as Amount"];
  const { text } = await file(`crm/opportunities/export.json?${q({ fields, group: ["opportunities.stage"] })}`);
  expect(text).toBe(
    "Stage,Amount,Amount currency,Amount by currency\r\nClosed won,-12.50,USD,\r\nClosed lost,1000.00,USD,\r\n",
  );
});

describe("access", () => {
  test("rows are those of the list", async () => {
    const { text } = await file(`crm/opportunities/export.json?${deals}`, rep.token);
    expect(text.trimEnd().split("\r\n")).toHaveLength(2);
  });

  test("what is hidden is absent, also from the view's own columns", async () => {
    const allowed = await file("crm/leads/export.json", marketer.token);
    expect(allowed.status).toBe(200);
    const refused = await file("crm/opportunities/export.json", marketer.token);
    expect(refused.status).toBe(403);
    await service.db.run(sql`update access_controls__role_operations set operations = '{index,view,export}'
      where organization_id = 1 and record_type = '*' and role_id = (select id from access_controls__roles where organization_id = 1 and code = 'marketing')`);
    const other = await addPerson(service, "marketer2", ["marketing"]);
    const { text } = await file("crm/opportunities/export.json", other.token);
    expect(text).not.toMatch(/Amount/);
    expect((await file(`crm/opportunities/export.json?${deals}`, other.token)).status).toBe(400);
  });

  test("what records bring along is what a view of them shows", async () => {
    const [lead = ""] = await addRows(service, "crm/leads", [{ last_name: "Ek", name: "Ek", owned_by: rep.id }]);
    const email = (address: string, deleted: string) => ({
      ...{ related_type: "crm/leads", related_id: lead, email: address, type: "work", deleted, owned_by: rep.id },
    });
    const addresses = [email("kept@x.example", "0"), email("removed@x.example", "1")];
    await addRows(service, "core/email_addresses", addresses);
    const brought = async () => (await file("crm/leads/export.json?format=json&children=1", rep.token)).text;
    const shown = await brought();
    expect([shown.includes("kept@x.example"), shown.includes("removed@x.example")]).toEqual([true, false]);
    const role = await service.db.row(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
    const fields = [{ record_type: "core/email_addresses", field: "email", permission: "1" }];
    const data = { roles: { id: role?.id, fields }, action: { save_progress: "Save" } };
    expect((await service.post("/access_controls/roles/edit.json", { data }, admin)).body.errors).toEqual([]);
    const hidden = await brought();
    expect([hidden.includes("Ek"), hidden.includes("kept@x.example")]).toEqual([true, false]);
  });

  test("whoever may not export is refused", async () => {
    expect((await file("crm/leads/export.json", reader.token)).status).toBe(403);
    expect((await service.get("/crm/leads/export.json")).status).toBe(401);
  });
});

test.each([
  ["format=pdf", 'format: must be one of csv, xlsx, json, not "pdf"'],
  ["format=toString", "format: must be one of"],
  ["sort=peoples.nothing", "sort: peoples.nothing is not a column"],
  [q({ where: { "peoples.nothing": 1 } }), "peoples.nothing is not a column"],
])("refuses %s", async (query, words) => {
  const { status, body } = await service.get(`/crm/peoples/export.json?${query}`, admin);
  expect(status).toBe(400);
  expect(body.errors[0]).toContain(words);
});

const reading = async (): Promise<number> => {
  const row = await service.db.row(sql`
    select count(*)::text as count from pg_stat_activity
    where datname = current_database() and application_name = 'dossier export'`);
  return Number(row?.count);
};

/** Asks, reads the first bytes, then does nothing until told. */
const begin = (path: string): Promise<{ cut(): void; rest(): Promise<string> }> =>
  new Promise((resolve, reject) => {
    const request = get(`${service.url}/${path}`, { headers: { authorization: `Bearer ${admin}` } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.once("readable", () =>
        resolve({
          cut: () => request.destroy(),
          rest: async () => {
            for await (const chunk of response) text += chunk;
            return text;
          },
        }),
      );
    });
    request.on("error", reject);
  });

describe("more than neither socket nor stream can hold", () => {
  const wide = q({ fields: ["peoples.name", "peoples.description"] });

  beforeAll(async () => {
    await describeAtLength(service, "crm__peoples", sql`repeat('wide ', 2000)`);
  });

  test("a reader that stalls holds no connection of the database, and gets the rest when it goes on", async () => {
    const running = await begin(`crm/peoples/export.json?format=json&${wide}`);
    await expect.poll(reading).toBe(0);
    const added = await addRows(service, "crm/peoples", [{ name: "Too late", last_name: "Late", owned_by: adminId }]);
    await service.db.run(sql`update crm__peoples set name = 'Changed' where name >= 'Person 2'`);
    const { data } = JSON.parse(await running.rest());
    expect(data).toHaveLength(3_000);
    expect(
      data.some((row: Record<string, string>) => row["peoples.id"] === added[0] || row["peoples.name"] === "Changed"),
    ).toBe(false);
    expect(await readdir(path.join(service.dataDir, "tmp"))).toEqual([]);
  });

  test("more than a few at once are asked to wait, another organization is not, and there is room afterwards", async () => {
    const other = await addOrganization(service, "exporters");
    const running = await Promise.all(Array.from({ length: 6 }, () => begin(`crm/peoples/export.json?${wide}`)));
    const refused = await file(`crm/peoples/export.json?${wide}`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await file("crm/leads/export.json", other.token)).status).toBe(200);
    for (const one of running) one.cut();
    await expect.poll(async () => (await file("crm/opportunities/export.json")).status).toBe(200);
    await expect.poll(reading).toBe(0);
  });
});
