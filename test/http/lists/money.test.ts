// Amounts in several currencies on the wire: each cell names its own, sums are converted by the rates of the day or told
// by currency, and nothing is ever added across currencies.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
/** Sees amounts, but not in which currency they are. */
let blind: Person;
let ids: Record<string, string>;

const today = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const rate = (base: string, quote: string, date: string, value: string) => ({
  base_id: ids[base],
  currency_id: ids[quote],
  date,
  rate: value,
});
const lead = (last_name: string, status: string, amount: string | null, currency: string | null) => ({
  name: last_name,
  last_name,
  status,
  amount,
  owned_by: blind.id,
  currency_id: currency === null ? null : ids[currency],
});

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const currencies = await service.db.rows(sql`select id::text as id, code from masters__currencies`);
  ids = Object.fromEntries(currencies.map((row) => [row.code ?? "", row.id ?? ""]));
  rep = await addPerson(service, "rep", ["sales_rep"]);
  const role = await service.post(
    "/access_controls/roles/add.json",
    {
      data: {
        roles: {
          name: "Blind",
          code: "blind",
          operations: [{ record_type: "*", operations: ["index", "view", "export"] }],
          fields: [{ record_type: "crm/leads", field: "currency_id", permission: "1" }],
        },
        action: { save_progress: "Save" },
      },
    },
    admin,
  );
  expect(role.body.errors).toEqual([]);
  blind = await addPerson(service, "blind", ["blind"]);
  // The organization's own currency is the US dollar.
  await addRows(service, "masters/exchange_rates", [
    rate("EUR", "USD", daysAgo(40), "1.00"),
    rate("EUR", "USD", daysAgo(2), "1.25"),
    rate("EUR", "USD", daysAgo(-1), "9.00"),
    rate("EUR", "JPY", daysAgo(3), "150"),
    rate("GBP", "USD", daysAgo(1), "1.333333"),
    rate("EUR", "GBP", daysAgo(50), "0.8"),
  ]);
  await addRows(service, "crm/leads", [
    lead("A", "new", "100.00", "USD"),
    lead("B", "new", "10.00", "EUR"),
    lead("C", "qualified", "300.00", "JPY"),
    lead("D", "qualified", "0.01", "GBP"),
    lead("E", "converted", "7.00", null),
    lead("F", "converted", null, "EUR"),
    { ...lead("K", "unqualified", "5.00", "KWD"), deleted: "1" },
  ]);
});
afterAll(() => service.stop());

const listed = async (q: unknown, token = admin, more = "") => {
  const { body } = await service.get(
    `/crm/leads/index.json?track_open=0${more}&q=${encodeURIComponent(JSON.stringify(q))}`,
    token,
  );
  expect(body.errors).toEqual([]);
  return body.paginate;
};
const draft = {
  fields: ["leads.last_name", "leads.amount"],
  columns: { "leads.amount": { compute_column_total: "1" } },
};
const drafted = async (query: unknown, token = admin, more = "") => {
  const { body } = await service.get(
    `/crm/leads/index.json?track_open=0${more}&listview_query=${encodeURIComponent(JSON.stringify(query))}`,
    token,
  );
  expect(body.errors).toEqual([]);
  return body.paginate;
};
const totalOf = (paginate: { header: Record<string, unknown>[] }) => {
  const header = paginate.header.find(({ column_name }) => column_name === "leads.amount") ?? {};
  return Object.fromEntries(
    Object.entries(header)
      .filter(([key]) => key.startsWith("column_total"))
      .map(([key, value]) => [key.slice(12), value]),
  );
};
const add = async (type: string, values: Record<string, unknown>, token = admin) =>
  service.post(
    `/${type}/add.json`,
    { data: { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } } },
    token,
  );

describe("an amount in a list", () => {
  test.each(["", "&sort=leads.amount&dir=DESC", "&sort=leads.last_name", "&search_basic=A"])(
    "names its record's currency, else the organization's, whatever else the list asks for (%s)",
    async (more) => {
      const { data } = await drafted(draft, admin, more);
      const expected: Record<string, string> = { A: "USD", B: "EUR", C: "JPY", D: "GBP", E: "USD", F: "EUR" };
      expect(data.length).toBeGreaterThan(0);
      for (const row of data) expect(row["leads.amount.currency"]).toBe(expected[row["leads.last_name"]]);
    },
  );

  test("keeps its currency under an alias, and through a reference", async () => {
    const [company] = await addRows(service, "crm/companies", [
      { name: "Far", credit_limit: "12.00", currency_id: ids.KWD },
    ]);
    const [id] = await addRows(service, "crm/opportunities", [
      { name: "Deal", company_id: company, amount: "1.00", currency_id: ids.GBP, stage: "qualification" },
    ]);
    const q = {
      fields: ["opportunities.amount as worth", "opportunities.company_id.credit_limit"],
      where: { "opportunities.id": id },
    };
    const { body } = await service.get(
      `/crm/opportunities/index.json?q=${encodeURIComponent(JSON.stringify(q))}`,
      admin,
    );
    expect(body.paginate.data[0]).toMatchObject({
      worth: "1.00",
      "worth.currency": "GBP",
      "opportunities.company_id.credit_limit": "12.00",
      "opportunities.company_id.credit_limit.currency": "KWD",
    });
  });

  test("says nothing of a currency that the caller may not see", async () => {
    const { data } = await drafted(draft, blind.token);
    expect(data).toHaveLength(6);
    for (const row of data) expect(Object.keys(row).some((key) => key.includes("currency"))).toBe(false);
  });
});

describe("a column total", () => {
  test("of one currency is in it, and as it always was", async () => {
    const where = { "leads.currency_id": ids.EUR };
    expect(totalOf(await drafted({ ...draft, where }))).toEqual({
      "": 10,
      _text: "10.00",
      _currency: "EUR",
      _rate_date: null,
      _by_currency: null,
    });
  });

  test("of several is converted to the organization's by the newest rates that are not in the future", async () => {
    // 107 + 10 × 1.25 + 300 ÷ 150 × 1.25 + 0.01 × 1.333333, rounded once.
    expect(totalOf(await drafted(draft))).toEqual({
      "": 122.01,
      _text: "122.01",
      _currency: "USD",
      _rate_date: daysAgo(3),
      _by_currency: "EUR 10.00, GBP 0.01, JPY 300.00, USD 107.00",
    });
  });

  test("without a rate is not told as one number", async () => {
    const [id] = await addRows(service, "crm/leads", [lead("K", "new", "5.00", "KWD")]);
    expect(totalOf(await drafted(draft))).toEqual({
      "": null,
      _text: null,
      _currency: null,
      _rate_date: null,
      _by_currency: "EUR 10.00, GBP 0.01, JPY 300.00, KWD 5.00, USD 107.00",
    });
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
  });

  test("of nothing is zero", async () => {
    const where = { "leads.last_name": "nobody" };
    expect(totalOf(await drafted({ ...draft, where }))).toMatchObject({ "": 0, _currency: "USD", _by_currency: null });
  });

  test("is not told where the currencies are hidden: it might add or convert them", async () => {
    for (const where of [{}, { "leads.last_name": "A" }]) {
      expect(totalOf(await drafted({ ...draft, where }, blind.token))).toEqual({
        "": null,
        _text: null,
        _currency: null,
        _rate_date: null,
        _by_currency: null,
      });
    }
  });

  test("follows a changed rate from one page to the next, and its ETag with it", async () => {
    const address = `/crm/leads/index.json?track_open=0&limit=2&listview_query=${encodeURIComponent(JSON.stringify(draft))}`;
    const first = await service.get(`${address}&page=1`, admin);
    const etag = first.headers.get("etag") ?? "";
    const found = await service.get(
      `/masters/exchange_rates/index.json?q=${encodeURIComponent(
        JSON.stringify({ fields: ["id"], where: { base_id: ids.GBP } }),
      )}`,
      admin,
    );
    const id = found.body.paginate.data[0]["exchange_rates.id"];
    const edit = (value: string) =>
      service.post(
        "/masters/exchange_rates/edit.json",
        { data: { exchange_rates: { id, rate: value }, action: { save_progress: "Save" } } },
        admin,
      );
    expect((await edit("1000")).body.errors).toEqual([]);
    const second = await service.get(`${address}&page=2`, admin);
    expect(totalOf(second.body.paginate)._text).toBe("132.00");
    const again = await fetch(`${service.url}${address}&page=1`, {
      headers: { authorization: `Bearer ${admin}`, "if-none-match": etag },
    });
    expect(again.status).toBe(200);
    expect((await edit("1.333333")).body.errors).toEqual([]);
  });
});

describe("groups", () => {
  const by = (fields: readonly string[], more: object = {}) => ({
    fields: ["leads.status", ...fields],
    group: ["leads.status"],
    ...more,
  });

  test("have converted sums, averages and extremes, each with what it is made of", async () => {
    const paginate = await listed(
      by(["sum(leads.amount) as Sum", "avg(leads.amount) as Avg", "max(leads.amount) as Max", "count(id) as Leads"]),
    );
    const [fresh, qualified, converted] = ["new", "qualified", "converted"].map((status) =>
      paginate.data.find((row: Record<string, string>) => row["leads.status"] === status),
    );
    expect(fresh).toMatchObject({
      Sum: "112.50",
      "Sum.currency": "USD",
      "Sum.by_currency": "EUR 10.00, USD 100.00",
      Avg: "56.25",
      Max: "100.00",
      Leads: "2",
    });
    expect(qualified).toMatchObject({ Sum: "2.51", "Sum.currency": "USD", Max: "2.50" });
    expect(converted).toMatchObject({ Sum: "7.00", "Sum.by_currency": null, Avg: "7.00", Leads: "2" });
    const sum = paginate.header.find(({ name }: { name: string }) => name === "Sum");
    expect(sum).toMatchObject({ currency: "USD", rate_date: daysAgo(3) });
  });

  test("are ordered, limited and kept by what was converted", async () => {
    const q = by(["min(leads.amount) as Min"], { order: ["Min DESC"], having: { Min: { op: "<", value: "9" } } });
    expect((await listed(q)).data.map((row: Record<string, string>) => [row["leads.status"], row.Min])).toEqual([
      ["converted", "7.00"],
      ["qualified", "0.01"],
    ]);
    const one = await listed({ ...q, limit: 1 });
    expect([one.data.length, one.total_count]).toEqual([1, 2]);
    const named = await listed(by(["sum(leads.amount) as Sum"], { having: { "leads.status": "new" } }));
    expect(named.data.map((row: Record<string, string>) => row.Sum)).toEqual(["112.50"]);
  });

  test("by currency stay each in their own", async () => {
    const q = { fields: ["leads.currency_id", "sum(leads.amount) as Sum"], group: ["leads.currency_id"] };
    const sums = (await listed(q)).data.map((row: Record<string, string>) => [
      row.Currency,
      row.Sum,
      row["Sum.currency"],
    ]);
    expect(sums).toEqual([
      ["EUR", "10.00", "EUR"],
      ["GBP", "0.01", "GBP"],
      ["JPY", "300.00", "JPY"],
      ["USD", "100.00", "USD"],
      [null, "7.00", "USD"],
    ]);
  });

  test("of one currency are in it; of everything there is one figure", async () => {
    const where = { "leads.currency_id": ids.EUR };
    const q = { fields: ["sum(leads.amount) as Sum", "count(*) as All", "avg(leads.score) as Score"] };
    const one = await listed({ ...q, where });
    expect(one.data).toEqual([{ Sum: "10.00", "Sum.currency": "EUR", "Sum.by_currency": null, All: "2", Score: null }]);
    expect(one.header[0]).toMatchObject({ currency: "EUR", rate_date: null });
    expect((await listed(q)).data).toEqual([
      {
        Sum: "122.01",
        "Sum.currency": "USD",
        "Sum.by_currency": "EUR 10.00, GBP 0.01, JPY 300.00, USD 107.00",
        All: "6",
        Score: null,
      },
    ]);
    expect((await listed({ ...q, where: { "leads.last_name": "nobody" } })).data).toEqual([
      { Sum: null, "Sum.currency": null, "Sum.by_currency": null, All: "0", Score: null },
    ]);
  });

  test("without a rate have no sum where they need it, and their parts instead", async () => {
    const added = await addRows(service, "crm/leads", [
      lead("K", "new", "5.00", "KWD"),
      lead("K", "contacted", "5.00", "KWD"),
    ]);
    const { data } = await listed(by(["sum(leads.amount) as Sum"], { order: ["Sum DESC"] }));
    expect(data.map((row: Record<string, string>) => [row["leads.status"], row.Sum, row["Sum.by_currency"]])).toEqual([
      ["converted", "7.00", null],
      ["qualified", "2.51", "GBP 0.01, JPY 300.00"],
      ["contacted", null, "KWD 5.00"],
      ["new", null, "EUR 10.00, KWD 5.00, USD 100.00"],
    ]);
    for (const id of added) await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
  });

  test("say nothing of amounts whose currency is hidden, in rows, order or conditions", async () => {
    const { data } = await listed(by(["sum(leads.amount) as Sum", "count(id) as Leads"]), blind.token);
    expect(data.map((row: Record<string, unknown>) => [row.Sum, Object.keys(row).join()])).toEqual(
      data.map(() => [null, "leads.status,Status,Sum,Leads"]),
    );
    const q = by(["count(id) as Leads"], { having: { "sum(leads.amount)": { op: ">", value: "0" } } });
    expect((await listed(q, blind.token)).data).toEqual([]);
  });

  test("count only what the caller may read", async () => {
    const { data } = await listed({ fields: ["sum(leads.amount) as Sum"] }, rep.token);
    expect(data[0].Sum).toBeNull();
  });
});

describe("an export", () => {
  const exported = async (q: unknown, format: string, token = admin) =>
    (await service.get(`/crm/leads/export.json?format=${format}&q=${encodeURIComponent(JSON.stringify(q))}`, token))
      .body;

  test("has the currency of each amount behind all other columns", async () => {
    const q = { fields: ["leads.last_name", "leads.amount"], order: ["leads.last_name ASC"] };
    expect(
      String(await exported(q, "csv"))
        .split("\r\n")
        .slice(0, 3),
    ).toEqual([
      "Id,Last name,Estimated amount,Estimated amount currency",
      expect.stringMatching(/^\d+,A,100\.00,USD$/),
      expect.stringMatching(/^\d+,B,10\.00,EUR$/),
    ]);
    const hidden = String(await exported(q, "csv", blind.token));
    expect(hidden.split("\r\n")[0]).toBe("Id,Last name,Estimated amount");
  });

  test("of groups has converted sums with their currency", async () => {
    const q = {
      fields: ["leads.status", "sum(leads.amount) as Sum"],
      group: ["leads.status"],
      where: { status: "new" },
    };
    const [row] = (await exported(q, "json")).data;
    expect(row).toEqual({
      "leads.status": "new",
      Sum: "112.50",
      "Sum.currency": "USD",
      "Sum.by_currency": "EUR 10.00, USD 100.00",
    });
    expect(await exported(q, "csv")).toContain('New,112.50,USD,"EUR 10.00, USD 100.00"');
  });
});

describe("exchange rates", () => {
  test("are read by everybody and written by administrators", async () => {
    const list = await service.get("/masters/exchange_rates/index.json", rep.token);
    expect(list.body.paginate.total_count).toBe(6);
    expect((await add("masters/exchange_rates", rate("EUR", "CHF", today, "0.95"), rep.token)).status).toBe(403);
  });

  test.each([
    ["0", "Rate must be greater than 0"],
    ["-1", "Rate must be greater than 0"],
    ["NaN", "Rate must be a plain decimal number"],
    ["", "Rate is required"],
  ])("refuse %j", async (value, sentence) => {
    const { status, body } = await add("masters/exchange_rates", rate("EUR", "CHF", today, value));
    expect([status, body.errors_by_field]).toEqual([422, { "exchange_rates.rate": [sentence] }]);
  });

  test("refuse a currency against itself, and a second one for a day", async () => {
    expect((await add("masters/exchange_rates", rate("EUR", "EUR", today, "1"))).status).toBe(422);
    expect((await add("masters/exchange_rates", rate("EUR", "USD", daysAgo(2), "1.3"))).status).toBe(409);
  });

  test("of another organization convert nothing here", async () => {
    const stranger = await addOrganization(service, "Strangers");
    await addRows(service, "masters/exchange_rates", [rate("KWD", "USD", today, "3.3")], stranger.organizationId);
    const [id] = await addRows(service, "crm/leads", [lead("K", "new", "5.00", "KWD")]);
    expect(totalOf(await drafted(draft))._text).toBeNull();
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
  });

  test("that are deleted convert nothing any more", async () => {
    const added = await add("masters/exchange_rates", rate("KWD", "USD", today, "3"));
    const [id] = await addRows(service, "crm/leads", [lead("K", "new", "5.00", "KWD")]);
    expect(totalOf(await drafted(draft))._text).toBe("137.01");
    await service.post(`/masters/exchange_rates/delete.json?id=${added.body.id}&is_confirm=1`, {}, admin);
    expect(totalOf(await drafted(draft))._text).toBeNull();
    await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
  });
});

test("a changed currency of the organization is what sums are converted to, at once, in its own digits", async () => {
  const set = (currency: string) =>
    service.post(
      "/access_controls/organizations/edit.json",
      { data: { organizations: { id: "1", currency_id: ids[currency] }, action: { save_progress: "Save" } } },
      admin,
    );
  expect((await set("JPY")).body.errors).toEqual([]);
  // Those without a currency of their own are yen now: 100 USD × 120 + 10 EUR × 150 + 307 JPY + 0.01 GBP × 187.5.
  expect(totalOf(await drafted(draft))).toMatchObject({ _text: "13809", _currency: "JPY" });
  expect((await listed({ fields: ["sum(leads.amount) as Sum"] })).data[0].Sum).toBe("13809");
  expect((await set("USD")).body.errors).toEqual([]);
});

test("an exchange rate joins two different currencies, and its form says so before and after", async () => {
  const rate = { date: "2026-01-01", base_id: ids.EUR, currency_id: ids.EUR, rate: "1" };
  const data = { exchange_rates: rate, action: { save_progress: "Save" } };
  const refused = await service.post("/masters/exchange_rates/add.json", { data }, admin);
  expect([refused.status, refused.body.errors_by_field]).toEqual([
    422,
    { "exchange_rates.currency_id": ["Choose a currency other than From currency"] },
  ]);
  const { body } = await service.get("/masters/exchange_rates/add.json", admin);
  expect(JSON.stringify(body.form)).toContain("A different currency than the one above");
});
