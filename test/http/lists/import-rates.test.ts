// Importing the European Central Bank's reference rates: both of its formats, again and again, and files that mean harm.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows } from "../people.ts";

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
});
afterAll(() => service.stop());

const send = (
  content: string,
  token = admin,
  name = "eurofxref.xml",
  path = "masters/exchange_rates/import_rates.json",
) => {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  return service.post(`/${path}`, form, token);
};
const xml = (cubes: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<Cube>${cubes}
	</Cube>
</gesmes:Envelope>`;
const day = (date: string, rates: string) => `\n\t\t<Cube time='${date}'>${rates}</Cube>`;
const usd = (rate: string) => `<Cube currency='USD' rate='${rate}'/>`;
const stored = async (organizationId = "1") =>
  (
    await service.db.rows(sql`
      select r.date::text as date, b.code as base, c.code as code, r.rate::text as rate, r.source, r.revision::text as revision
      from masters__exchange_rates r
      join masters__currencies b on b.id = r.base_id join masters__currencies c on c.id = r.currency_id
      where r.organization_id = ${organizationId}::bigint and r.deleted = 0 order by r.date, c.code`)
  ).map(({ date, base, code, rate, source, revision }) => [date, base, code, rate, source, revision].join(" "));

describe("a file of the bank", () => {
  test("is taken as XML, again without a change, and again where a rate was corrected", async () => {
    const file = (rate: string) =>
      xml(day("2024-11-13", `${usd(rate)}<Cube currency="JPY" rate="162.5"/>`) + day("2024-11-12", usd("1.1")));
    const first = await send(file("1.0889"));
    expect([first.status, first.body.data]).toEqual([200, { added: 3, changed: 0, same: 0, unknown: [] }]);
    expect((await send(file("1.0889"))).body.data).toEqual({ added: 0, changed: 0, same: 3, unknown: [] });
    const corrected = await send(file("1.0900"));
    expect(corrected.body.message).toEqual(["0 exchange rates added, 1 updated, 2 unchanged"]);
    expect(await stored()).toEqual([
      "2024-11-12 EUR USD 1.100000 European Central Bank 1",
      "2024-11-13 EUR JPY 162.500000 European Central Bank 1",
      "2024-11-13 EUR USD 1.090000 European Central Bank 2",
    ]);
  });

  test("is taken as CSV, without currencies that are no more", async () => {
    const { body } = await send("Date,USD,GBP,CYP,\r\n2024-11-13,1.0900,0.8512,N/A,\r\n2000-01-03,1.0090,,0.5767,\r\n");
    expect(body.data).toEqual({ added: 2, changed: 0, same: 1, unknown: ["CYP"] });
    expect(body.message[1]).toBe("Skipped unknown currencies: CYP");
    const daily = await send("Date, USD, JPY, \n13 November 2024, 1.0900, 162.5, \n", admin, "eurofxref.csv");
    expect(daily.body.data).toMatchObject({ added: 0, same: 2 });
  });

  test("converts sums at once", async () => {
    const codes = await service.db.rows(sql`select id::text as id, code from masters__currencies`);
    const currency = (code: string) => codes.find((row) => row.code === code)?.id;
    await addRows(service, "crm/leads", [
      { name: "A", last_name: "A", amount: "10.00", currency_id: currency("EUR") },
      { name: "B", last_name: "B", amount: "1.00", currency_id: currency("USD") },
    ]);
    const q = encodeURIComponent(JSON.stringify({ fields: ["sum(leads.amount) as Sum"] }));
    const sum = async () => (await service.get(`/crm/leads/index.json?q=${q}`, admin)).body.paginate.data[0].Sum;
    expect(await sum()).toBe("11.90");
    await send(xml(day("2024-11-14", usd("2"))));
    expect(await sum()).toBe("21.00");
  });
});

describe("a file that is refused leaves everything as it was", () => {
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>`;
  test.each([
    ["nothing", "", /line 1: the file is empty/],
    ["something else", "<html><body>hello</body></html>", /no Cube elements/],
    ["entities", `<?xml version="1.0"?>${laughs}${xml(day("2024-11-13", usd("1")))}`, /document types, entities/],
    ["CDATA", xml(`<![CDATA[${usd("1")}]]>`), /entities and CDATA are not supported/],
    ["an endless tag", xml(`<Cube ${"a".repeat(20_000)}>`), /a tag is not closed/],
    ["an endless comment", xml("<!--").replaceAll("-->", ""), /a comment is not closed/],
    ["a cell of ten megabytes", `Date,USD\n2024-11-13,${"1".repeat(10_000_000)}\n`, /line 2: the line is longer than/],
    ["a rate below zero", xml(day("2024-11-13", usd("-1"))), /line 5: the rate of USD must be above 0/],
    ["a rate of zero", `Date,USD\n2024-11-13,0.000\n`, /line 2: the rate of USD must be above 0/],
    ["no number", `Date,USD\n2024-11-13,NaN\n`, /must be above 0 .* not "NaN"/],
    ["an exponent", `Date,USD\n2024-11-13,1e5\n`, /not "1e5"/],
    ["too many decimals", `Date,USD\n2024-11-13,1.0000001\n`, /at most 6 decimals/],
    ["a date that is none", xml(day("2024-02-30", usd("1"))), /"2024-02-30" is not a date/],
    ["no date", xml(usd("1")), /"" is not a date/],
    ["a date in the far future", xml(day("9999-12-31", usd("1"))), /must be between 1999-01-01 and/],
    ["a date before the euro", xml(day("1998-12-31", usd("1"))), /must be between 1999-01-01 and/],
    ["no currency code", xml(day("2024-11-13", "<Cube currency='<b>' rate='1'/>")), /is not a currency code/],
    ["the euro itself", xml(day("2024-11-13", "<Cube currency='EUR' rate='1'/>")), /EUR can.t have one/],
    ["two rates for a day", xml(day("2024-11-13", usd("1.5") + usd("1.6"))), /USD has two rates for 2024-11-13/],
    ["a right line before a wrong one", `Date,USD\n2024-11-11,3\n2024-11-10,x\n`, /line 3/],
  ])("%s", async (_, content, reason) => {
    const before = await stored();
    const { status, body } = await send(content);
    expect([status, body.errors]).toEqual([400, [expect.stringMatching(reason)]]);
    expect(await stored()).toEqual(before);
  });

  test("no file, a file that is too large, and one of somebody who may not", async () => {
    expect((await service.post("/masters/exchange_rates/import_rates.json", {}, admin)).status).toBe(400);
    expect((await send(`Date,USD\n${"\n".repeat(17 * 1024 * 1024)}`)).status).toBe(413);
    const rep = await addPerson(service, "rep", ["sales_rep"]);
    expect((await send(xml(day("2024-11-13", usd("5"))), rep.token)).status).toBe(403);
    const manager = await addPerson(service, "manager", ["sales_manager"]);
    expect((await send(xml(day("2024-11-13", usd("5"))), manager.token)).status).toBe(403);
  });
});

test("an import is the organization's own", async () => {
  const before = await stored();
  const other = await addOrganization(service, "Others");
  const { body } = await send(xml(day("2024-11-13", usd("7"))), other.token);
  expect(body.data).toMatchObject({ added: 1 });
  expect(await stored()).toEqual(before);
  expect(await stored(other.organizationId)).toEqual(["2024-11-13 EUR USD 7.000000 European Central Bank 1"]);
});
