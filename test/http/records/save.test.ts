// add and edit on the wire: what is saved, what is refused, and that what is refused leaves the record as it was.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Queryable } from "../../../server/database/database.ts";
import { sql } from "../../../server/database/sql.ts";
import { fieldTypes } from "../../../server/fields/index.ts";
import { requireType } from "../../../server/metadata/snapshot.ts";
import { nextNumbers } from "../../../server/records/save/auto-number.ts";
import { insertRows } from "../../../server/records/save/insert-rows.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, elements, type Person, snapshot } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let manager: Person;
let other: Person;
let country: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  country = (await service.db.row(sql`select id::text as id from masters__countries where name = 'Germany'`))?.id ?? "";
});

afterAll(() => service.stop());

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };
const post = (
  path: string,
  values: Values,
  token = rep.token,
  action: Values = SAVE,
  headers = {},
): Promise<Answer> => {
  const [, , controller = ""] = path.split("/");
  return service.post(path, { data: { [controller]: values, action } }, token, headers);
};
const add = (values: Values, token?: string, type = "crm/leads") => post(`/${type}/add.json`, values, token);
const edit = (values: Values, token?: string, type = "crm/leads") => post(`/${type}/edit.json`, values, token);
const view = async (id: string, token = admin, type = "crm/leads") =>
  (await service.get(`/${type}/view.json?id=${id}`, token)).body.data[type.split("/")[1] ?? ""];
const history = async (id: string, type = "crm/leads") =>
  service.db.rows(sql`select number, operation, changes, created_by from core__revisions
    where related_type = ${type} and related_id = ${id} order by id`);

describe("a new record", () => {
  test("is answered as its own view, numbered, owned and dated, with a message", async () => {
    const { status, body } = await add({ first_name: " Ada ", last_name: "Lovelace", email: "Ada@EXAMPLE.com" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ errors: [], message: ["Lead saved"], name: "Ada Lovelace", is_editable: 1 });
    expect(body.data.leads).toMatchObject({
      id: body.id,
      first_name: "Ada",
      name: "Ada Lovelace",
      email: "Ada@example.com",
      status: "new",
      do_not_call: "0",
      owned_by: rep.id,
      created_by: rep.id,
      __created_by: "rep",
      revision: "1",
      deleted: "0",
    });
    expect(body.data.leads.business_key).toMatch(/^L-\d{6}$/);
    const [entry, ...more] = await history(body.id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ number: "1", operation: "add", created_by: rep.id });
    expect(JSON.parse(entry?.changes ?? "")).toMatchObject({ last_name: { from: null, to: "Lovelace" } });
  });

  test("is numbered without waiting for others that are being added, and none gets the number of another", async () => {
    const type = requireType(snapshot, "crm/leads");
    await service.db.transaction(async (transaction) => {
      await insertRows(transaction, snapshot, type, "1", [{ last_name: "Slow", name: "Slow" }]);
      const answers = await Promise.all(Array.from({ length: 10 }, () => add({ last_name: "Quick" })));
      const numbers = answers.map(({ body }) => body.data.leads.business_key);
      expect(new Set(numbers).size).toBe(10);
    });
  });

  test("that is given up gives its number back, unless another was given out since", async () => {
    const type = requireType(snapshot, "crm/leads");
    const field = type.field.get("business_key");
    if (!field) throw new Error("leads have no number");
    const next = (transaction: Queryable, count = 1) => nextNumbers(transaction, type, field, "1", count);
    const numbers = (texts: readonly string[]) => texts.map((text) => Number(text.slice(2)));
    const givenUp = (meanwhile: () => Promise<unknown>) =>
      service.db
        .transaction(async (transaction) => {
          await next(transaction, 2);
          await meanwhile();
          throw new Error("given up");
        })
        .catch(() => undefined);
    const [first = 0] = numbers(await service.db.transaction((transaction) => next(transaction)));
    await givenUp(async () => undefined);
    expect(numbers(await service.db.transaction((transaction) => next(transaction)))).toEqual([first + 1]);
    let taken: number[] = [];
    await givenUp(async () => {
      taken = numbers(await service.db.transaction((transaction) => next(transaction)));
    });
    const [after = 0] = numbers(await service.db.transaction((transaction) => next(transaction)));
    expect([taken, after]).toEqual([[first + 4], first + 5]);
  });

  test("is in lists and counts at once", async () => {
    const before = (await service.get("/crm/leads/index.json", rep.token)).body.paginate.total_count;
    await add({ last_name: "Counted" });
    const { body } = await service.get("/crm/leads/index.json", rep.token);
    expect(Number(body.paginate.total_count)).toBe(Number(before) + 1);
  });

  test.each([
    [
      "multipart form-data",
      (entries: [string, string][]) => {
        const form = new FormData();
        for (const [key, value] of entries) form.append(key, value);
        return form;
      },
    ],
    ["urlencoded text", (entries: [string, string][]) => new URLSearchParams(entries)],
  ])("comes as %s too, with normalized and companions", async (_, encoding) => {
    const body = encoding([
      ["data[leads][last_name]", "Encoded"],
      ["data[leads][email]", "null"],
      ["data[leads][country_id]", country],
      ["data[leads][__country_id]", "whatever"],
      ["data[leads][country_id_model]", "x"],
      ["data[leads][addresses][0][address_line_1]", "1 Road"],
      ["data[leads][addresses][0][type]", "Work"],
      ["data[leads][phone_numbers][0][number]", ""],
      ["data[normalized]", "1"],
      ["data[action][save_&_continue]", "Save & Continue"],
    ]);
    const answer = await service.post("/crm/leads/add.json", body, rep.token);
    expect(answer.status).toBe(200);
    expect(answer.body.data.leads).toMatchObject({
      last_name: "Encoded",
      email: null,
      __country_id: "Germany",
      phone_numbers: [],
    });
    expect(answer.body.data.leads.addresses).toMatchObject([
      { address_line_1: "1 Road", type: "work", related_id: answer.body.id },
    ]);
    expect(elements(answer.body.form).find((one) => one.__name === "leads.last_name").permission).toBe(2);
  });

  test("comes as a JSON-RPC call too", async () => {
    const params = { action: { save_continue: "Save & Continue" }, data: { leads: { last_name: "Called" } } };
    const call = { jsonrpc: "2.0", id: 7, method: "crm.leads.add", params };
    const { body } = await service.post("/crm/leads/add.json", call, rep.token);
    expect(body).toMatchObject({
      jsonrpc: "2.0",
      id: 7,
      result: { errors: [], data: { leads: { last_name: "Called" } } },
    });
  });

  test("is refused to those whose roles may not add", async () => {
    expect((await add({ name: "X" }, rep.token, "crm/types")).status).toBe(403);
  });

  test("of a shared type is the operator's alone, and is kept in history", async () => {
    const values = { code: "XTS", name: "Test money", symbol: "¤", decimals: "2", numeric_code: "963" };
    const { status, body } = await add(values, admin, "masters/currencies");
    expect([status, body.errors]).toEqual([200, []]);
    expect(await history(body.id, "masters/currencies")).toHaveLength(1);
    const strangers = await addOrganization(service, "strangers.of.money");
    expect((await add(values, strangers.token, "masters/currencies")).status).toBe(403);
  });
});

describe("an edit", () => {
  let lead: string;
  beforeEach(async () => {
    lead = (
      await add({
        first_name: "Grace",
        last_name: "Hopper",
        score: "10",
        addresses: [
          { address_line_1: "1 Road", type: "work" },
          { address_line_1: "2 Road", type: "home" },
        ],
      })
    ).body.id;
  });

  test("writes what changed, one revision, and nothing else", async () => {
    const { status, body } = await edit({ id: lead, last_name: "Murray", score: "10" });
    expect(status).toBe(200);
    expect(body.data.leads).toMatchObject({ last_name: "Murray", name: "Grace Murray", score: "10", revision: "2" });
    const entries = await history(lead);
    expect(entries).toHaveLength(2);
    expect(JSON.parse(entries[1]?.changes ?? "")).toEqual({
      last_name: { from: "Hopper", to: "Murray" },
      name: { from: "Grace Hopper", to: "Grace Murray" },
    });
  });

  test("that changes nothing writes nothing and is answered all the same", async () => {
    const { status, body } = await edit({ id: lead, last_name: "Hopper", score: " 010 " });
    expect([status, body.data.leads.revision]).toEqual([200, "1"]);
    expect(await history(lead)).toHaveLength(1);
  });

  test("finds its record by the parameter id as well, and refuses two that differ or none", async () => {
    expect((await post(`/crm/leads/edit.json?id=${lead}`, { score: "11" })).body.data.leads.score).toBe("11");
    expect((await post(`/crm/leads/edit.json?id=${lead}1`, { id: lead, score: "12" })).status).toBe(400);
    expect((await edit({ score: "12" })).status).toBe(400);
  });

  test("accepts system fields and does not write them", async () => {
    const sent = {
      id: lead,
      created: "2001-01-01 00:00:00",
      created_by: "1",
      business_key: "X",
      deleted: "1",
      organization_id: "7",
      modified: "x",
    };
    expect((await edit(sent)).status).toBe(200);
    expect(await view(lead)).toMatchObject({ created_by: rep.id, deleted: "0", organization_id: "1", revision: "1" });
  });

  test("takes the whole record back as view gave it", async () => {
    const { status, body } = await edit({ ...(await view(lead, rep.token)), score: "12" });
    expect([status, body.errors]).toEqual([200, []]);
    expect(body.data.leads).toMatchObject({ score: "12", revision: "2" });
  });

  test("takes every element that may be edited, as a program sends it that knows nothing but the form", async () => {
    const { form, data } = (await service.get(`/crm/leads/edit.json?id=${lead}`, rep.token)).body;
    const body = new FormData();
    const bracketed = (name: readonly string[]) => `data${name.map((part) => `[${part}]`).join("")}`;
    for (const element of elements(form)) {
      if (element.permission !== 2 || element.template === "submit" || !Array.isArray(element.name)) continue;
      const [, field, ...deeper] = element.name;
      const value = deeper.length > 0 || Array.isArray(data.leads[field]) ? undefined : data.leads[field];
      body.append(bracketed(element.name), value ?? "null");
      const text = data.leads[`__${field}`];
      if (text !== undefined) body.append(`data[leads][__${field}]`, text ?? "null");
    }
    for (const name of [
      "id",
      "created",
      "created_by",
      "created_by_model",
      "owned_by_model",
      "revision",
      "business_key",
    ]) {
      body.set(`data[leads][${name}]`, data.leads[name] ?? "null");
    }
    body.set("data[leads][score]", "44");
    body.append("data[normalized]", "1");
    const submit = elements(form).find((one) => one.template === "submit");
    body.append(bracketed(submit.name), submit.label);
    const answer = await service.post("/crm/leads/edit.json", body, rep.token);
    expect([answer.status, answer.body.errors]).toEqual([200, []]);
    expect(answer.body.data.leads).toMatchObject({ score: "44", revision: "2", addresses: data.leads.addresses });
  });

  test("adds, changes and removes children in one go; those not mentioned stay", async () => {
    const [first, second] = (await view(lead)).addresses;
    const { status, body } = await edit({
      id: lead,
      addresses: [{ id: first.id, city: "Ulm" }, { id: second.id, deleted: "1" }, { address_line_1: "3 Road" }],
    });
    expect([status, body.errors]).toEqual([200, []]);
    expect(body.data.leads.addresses).toMatchObject([
      { id: first.id, address_line_1: "1 Road", city: "Ulm", revision: "2" },
      { address_line_1: "3 Road", type: "work", revision: "1" },
    ]);
    expect(body.data.leads.revision).toBe("2");
    expect(await history(second.id, "core/addresses")).toMatchObject([{ operation: "add" }, { operation: "delete" }]);
    const again = await edit({ id: lead, score: "13" });
    expect(again.body.data.leads.addresses).toHaveLength(2);
  });

  test("of a stale revision changes nothing and shows the record as it is, and what differs", async () => {
    await edit({ id: lead, score: "20", revision: "1" });
    const { status, body } = await edit({ id: lead, score: "30", last_name: "Hopper", revision: "1" });
    expect(status).toBe(409);
    expect(body.data.leads).toMatchObject({ score: "30" });
    expect(body.current.leads).toMatchObject({ score: "20", revision: "2" });
    expect(body.differences).toEqual([{ field: "score", label: "Score", sent: "30", stored: "20" }]);
    // A revision that there never was is as little the record's.
    for (const revision of ["3", "0", "x"]) expect((await edit({ id: lead, score: "30", revision })).status).toBe(409);
    expect(await view(lead)).toMatchObject({ score: "20", revision: "2" });
  });

  test("of two at once on one revision lets one through", async () => {
    const answers = await Promise.all(["41", "42", "43"].map((score) => edit({ id: lead, score, revision: "1" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test("that hands the record to somebody else moves access and counts with it", async () => {
    const count = async (person: Person, type = "crm/leads") =>
      Number((await service.get(`/${type}/index.json`, person.token)).body.paginate.total_count);
    const more = (await edit({ id: lead, addresses: [{ address_line_1: "Gone" }] })).body.data.leads.addresses;
    await edit({ id: lead, addresses: [{ id: more.at(-1).id, deleted: "1" }] });
    const addresses = await count(other, "core/addresses");
    const before = [await count(rep), await count(other)];
    const { status, body } = await edit({ id: lead, owned_by: other.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: lead, message: ["Lead saved. You no longer have access to it"] });
    expect((await service.get(`/crm/leads/view.json?id=${lead}`, rep.token)).status).toBe(404);
    expect((await view(lead, other.token)).owned_by).toBe(other.id);
    expect([await count(rep), await count(other)]).toEqual([(before[0] ?? 0) - 1, (before[1] ?? 0) + 1]);
    const [address, ...others] = (await view(lead)).addresses;
    expect([address.owned_by, await count(other, "core/addresses")]).toEqual([other.id, addresses + 1 + others.length]);
    expect((await service.get(`/core/addresses/view.json?id=${address.id}`, rep.token)).status).toBe(404);
    expect((await service.get(`/core/addresses/view.json?id=${address.id}`, other.token)).status).toBe(200);
  });

  test.each([
    ["a stranger's", () => other.token, 404],
    ["an administrator's", () => admin, 200],
    ["a manager's", () => manager.token, 200],
  ])("is %s business as the record's access says", async (_, token, status) => {
    expect((await edit({ id: lead, score: "1" }, token())).status).toBe(status);
  });

  test("is forbidden, not hidden, to those who may look", async () => {
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "Seen by all", owned_by: rep.id }]);
    expect((await edit({ id: company, name: "Mine" }, other.token, "crm/companies")).status).toBe(403);
    expect((await view(company, admin, "crm/companies")).name).toBe("Seen by all");
  });
});

describe("bad input", () => {
  let lead: string;
  let before: unknown;
  beforeAll(async () => {
    lead = (await add({ last_name: "Steady", score: "5", addresses: [{ address_line_1: "1 Road" }] })).body.id;
    before = await view(lead);
  });

  const long = "x".repeat(300);
  test.each<[string, Values, Record<string, unknown>]>([
    ["a missing required value", { last_name: "" }, { "leads.last_name": ["Last name is required"] }],
    ["an unknown field", { shoe_size: "46" }, { "leads.shoe_size": ["shoe_size is not a field of this record type"] }],
    ["an over-long value", { first_name: long }, { "leads.first_name": [expect.stringContaining("at most 255")] }],
    ["a wrong e-mail", { email: "ada" }, { "leads.email": ["Email must be a valid email address"] }],
    ["a wrong number", { score: "ten" }, { "leads.score": ["Score must be a whole number"] }],
    ["a number out of range", { score: "101" }, { "leads.score": ["Score must be at most 100"] }],
    ["a wrong choice", { status: "lost" }, { "leads.status": [expect.stringContaining("must be one of")] }],
    ["a wrong date", { next_follow_up: "2026-02-30" }, { "leads.next_follow_up": [expect.any(String)] }],
    ["a wrong instant", { last_contacted: "yesterday" }, { "leads.last_contacted": [expect.any(String)] }],
    ["a wrong flag", { do_not_call: "maybe" }, { "leads.do_not_call": [expect.any(String)] }],
    ["a wrong amount", { amount: "1,23" }, { "leads.amount": [expect.any(String)] }],
    ["a wrong address of a page", { website: "javascript:alert(1)" }, { "leads.website": [expect.any(String)] }],
    ["a wrong phone number", { phone: "call me" }, { "leads.phone": [expect.any(String)] }],
    ["a wrong place", { location: "91,0" }, { "leads.location": [expect.any(String)] }],
    ["a wrong list of choices", { tags: "none_such" }, { "leads.tags": [expect.any(String)] }],
    ["an object for a text", { last_name: { a: "b" } }, { "leads.last_name": ["Last name must be text"] }],
    ["a reference to nothing", { country_id: "999999" }, { "leads.country_id": ["Country does not exist"] }],
    ["a reference that is no id", { country_id: "DE" }, { "leads.country_id": [expect.any(String)] }],
    [
      "a computed field of its own",
      { name: "Somebody Else" },
      { "leads.name": ["Full name is calculated from other fields"] },
    ],
    ["a read-only field", { converted: "2026-01-01 00:00:00" }, { "leads.converted": ["You can't edit Converted on"] }],
    ["children that are no list", { addresses: "12" }, { "leads.addresses": ["Addresses must be a list of records"] }],
    ["a child that is no record", { addresses: ["12"] }, { "leads.addresses.0": ["Address must be a record"] }],
    [
      "a child without what it needs",
      { addresses: [{ city: "Ulm" }] },
      { "leads.addresses.0.address_line_1": ["Address line 1 is required"] },
    ],
    [
      "a child with a wrong value",
      { email_addresses: [{ email: "x@y.example" }, { email: "x" }] },
      { "leads.email_addresses.1.email": [expect.any(String)] },
    ],
    [
      "a child that is not there",
      { addresses: [{ id: "99999", city: "Ulm" }] },
      { "leads.addresses.0.id": ["Address does not exist"] },
    ],
  ])("refuses %s, field by field, and keeps the record", async (_, values, byField) => {
    const { status, body } = await edit({ id: lead, ...values });
    expect(status).toBe(422);
    expect(body.errors_by_field).toEqual(byField);
    expect(body.errors.length).toBeGreaterThan(1);
    expect(body.data.leads).toEqual({ id: lead, ...values });
    expect(await view(lead)).toEqual(before);
  });

  test("tells all faults at once", async () => {
    const { status, body } = await add({
      email: "x",
      score: "x",
      country_id: "999999",
      addresses: [{ city: "Ulm" }],
      nonsense: "1",
    });
    expect(status).toBe(422);
    expect(Object.keys(body.errors_by_field).sort()).toEqual([
      "leads.addresses.0.address_line_1",
      "leads.country_id",
      "leads.email",
      "leads.last_name",
      "leads.nonsense",
      "leads.score",
    ]);
  });

  test("refuses a reference to a record that the caller may not read, as one that does not exist", async () => {
    const [company = "", gone = ""] = await addRows(service, "crm/companies", [
      { name: "C", owned_by: rep.id },
      { name: "D", owned_by: rep.id },
    ]);
    await service.post(`/crm/companies/delete.json?id=${gone}&is_confirm=1`, {}, rep.token);
    const strangers = await addOrganization(service, "strangers");
    const [foreign = ""] = await addRows(service, "crm/companies", [{ name: "F" }], strangers.organizationId);
    for (const [id, status] of [
      [company, 200],
      [foreign, 422],
      [gone, 422],
      ["999999", 422],
    ] as const) {
      const answer = await add({ name: "Deal", company_id: id }, rep.token, "crm/opportunities");
      expect(answer.status).toBe(status);
      if (status === 422)
        expect(answer.body.errors_by_field).toEqual({ "opportunities.company_id": ["Company does not exist"] });
    }
  });

  test("refuses another record's child, and another organization's record", async () => {
    const foreign = (await add({ last_name: "Elsewhere", addresses: [{ address_line_1: "9 Road" }] })).body.data.leads;
    const { status, body } = await edit({ id: lead, addresses: [{ id: foreign.addresses[0].id, city: "Ulm" }] });
    expect([status, Object.keys(body.errors_by_field)]).toEqual([422, ["leads.addresses.0.id"]]);
    expect((await view(foreign.id)).addresses[0].city).toBeNull();
    const strangers = await addOrganization(service, "more.strangers");
    expect((await edit({ id: lead, score: "9" }, strangers.token)).status).toBe(404);
  });

  test("refuses a role's hidden field as unknown and its read-only field as unchangeable", async () => {
    const marketing = await addPerson(service, "marketer", ["marketing", "read_only"]);
    await service.db.run(sql`update access_controls__role_operations set operations = '{index,view,edit}'
      where role_id = (select id from access_controls__roles where code = 'marketing' limit 1) and record_type = '*'`);
    const own = await addPerson(service, "marketer2", ["marketing"]);
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "C2" }]);
    const [deal = ""] = await addRows(service, "crm/opportunities", [
      { name: "Deal", stage: "proposal", company_id: company, amount: "5", probability: "10", owned_by: own.id },
    ]);
    const path = "/crm/opportunities/edit.json";
    const hidden = await post(path, { id: deal, amount: "7" }, own.token);
    expect([hidden.status, hidden.body.errors_by_field]).toEqual([
      422,
      { "opportunities.amount": ["amount is not a field of this record type"] },
    ]);
    const fixed = await post(path, { id: deal, probability: "20" }, own.token);
    expect([fixed.status, fixed.body.errors_by_field]).toEqual([
      422,
      { "opportunities.probability": ["You can't edit Probability"] },
    ]);
    const same = await post(path, { id: deal, probability: "10", name: "Better deal" }, own.token);
    expect([same.status, same.body.errors]).toEqual([200, []]);
    expect(marketing.id).not.toBe(own.id);
  });

  test.each<[string, Values | undefined]>([
    ["no action", undefined],
    ["two actions", { save_progress: "Save", "save_&_continue": "Save & Continue" }],
    ["an action of another stage", { convert: "Convert" }],
  ])("refuses %s and names those possible", async (_, action) => {
    const { status, body } = await post("/crm/leads/edit.json", { id: lead, score: "9" }, rep.token, action ?? {});
    expect(status).toBe(422);
    expect(body.errors[0]).toContain("save_progress (Save), save_&_continue (Save & Continue)");
    expect(body.data.leads).toEqual({ id: lead, score: "9" });
    expect(await view(lead)).toEqual(before);
  });

  test.each<[string, () => BodyInit, Record<string, string>, number]>([
    ["a prototype key", () => "data[leads][__proto__][x]=1&data[action][save_progress]=Save", {}, 400],
    ["6,000 keys", () => Array.from({ length: 6000 }, (_, n) => `data[leads][k${n}]=1`).join("&"), {}, 400],
    ["20 levels", () => `data[leads]${"[a]".repeat(20)}=1&data[action][save_progress]=Save`, {}, 400],
    [
      "the same key twice with different values",
      () => "data[leads][score]=8&data[leads][score]=9&data[action][save_progress]=Save",
      {},
      400,
    ],
    [
      "the same key twice in a multipart body",
      () => {
        const form = new FormData();
        for (const [key, value] of [
          ["data[leads][score]", "8"],
          ["data[leads][score]", "9"],
          ["data[action][save_progress]", "Save"],
        ] as const)
          form.append(key, value);
        return form;
      },
      {},
      400,
    ],
    [
      "the same JSON key twice",
      () => '{"data":{"leads":{"score":"8","score":"9"},"action":{"save_progress":"Save"}}}',
      { "content-type": "application/json" },
      400,
    ],
    [
      "a list of revisions",
      () => "data[leads][revision][]=1&data[leads][score]=9&data[action][save_progress]=Save",
      {},
      422,
    ],
    [
      "another record type's data",
      () => `data[leads][id]=${lead}&data[users][id]=1&data[action][save_progress]=Save`,
      {},
      400,
    ],
    ["fields that are no object", () => "data[leads]=12&data[action][save_progress]=Save", {}, 400],
    [
      "a truncated multipart body",
      () => '--b\r\nContent-Disposition: form-data; name="data[leads][score]"\r\n\r\n9',
      { "content-type": "multipart/form-data; boundary=b" },
      400,
    ],
    ["a text that is no JSON", () => "{", { "content-type": "application/json" }, 400],
    ["a body of another kind", () => "<x/>", { "content-type": "text/xml" }, 415],
  ])("refuses %s", async (_, body, headers, status) => {
    const content = body();
    const typed = { "content-type": "application/x-www-form-urlencoded", ...headers };
    const response = await fetch(`${service.url}/crm/leads/edit.json?id=${lead}`, {
      method: "POST",
      headers: { authorization: `Bearer ${rep.token}`, ...(content instanceof FormData ? {} : typed) },
      body: content,
    });
    expect(response.status).toBe(status);
    expect((await response.json()).errors.length).toBeGreaterThan(0);
    expect(await view(lead)).toEqual(before);
  });
});

test("refuses what each type of field refuses, over the wire as anywhere, and keeps the record", async () => {
  const types = Object.values(fieldTypes).filter((type) => type.id !== "auto-number");
  const fieldOf = (id: string) => `f_${id.replaceAll("-", "_")}`;
  const definition = {
    module: "lab",
    controller: "kinds",
    label: "Kind",
    plural: "Kinds",
    displayField: "title",
    fields: [
      { name: "title", type: "short-text", required: true },
      { name: "currency_id", type: "reference", settings: { to: "masters/currencies" } },
      ...types.map(({ id, examples }) => ({
        name: fieldOf(id),
        type: id,
        settings: id === "reference" ? { to: "masters/countries" } : examples.settings,
      })),
    ],
    access: { read: ["owner"], edit: ["owner"], delete: [], comment: [] },
  };
  const made = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(made.body.errors).toEqual([]);
  const { id } = (await add({ title: "Steady" }, admin, "lab/kinds")).body;
  const before = await view(id, admin, "lab/kinds");
  const wire = /^(?:NaN|-?Infinity)$/u;
  for (const type of types) {
    const name = fieldOf(type.id);
    // What JSON itself cannot say never gets this far.
    const bad = type.examples.bad.filter((one) => !wire.test(String(one)) && typeof one !== "boolean").slice(0, 6);
    for (const value of [...bad, ...(type.id === "json" ? [] : [{ unheard_of: { x: ["y"] } }])]) {
      const { status, body } = await edit({ id, title: "Other", [name]: value }, admin, "lab/kinds");
      const told = [type.id, JSON.stringify(value)?.slice(0, 60), status, Object.keys(body.errors_by_field ?? {})];
      // What no database can hold does not come as far as its field.
      const atTheDoor = typeof value === "string" && (value.includes("\0") || !value.isWellFormed());
      expect(told).toEqual([type.id, told[1], ...(atTheDoor ? [400, []] : [422, [`kinds.${name}`]])]);
    }
  }
  expect(await view(id, admin, "lab/kinds")).toEqual(before);
});

describe("comments on a record", () => {
  test("are changed by their authors alone, even by those who may edit the record", async () => {
    const lead = (await add({ last_name: "Talked about", comments: [{ body: "Mine" }] })).body;
    const [comment] = lead.data.leads.comments;
    const sent = (values: Values) => ({ id: lead.id, comments: [{ id: comment.id, ...values }] });
    const other = await edit(sent({ body: "Yours" }), manager.token);
    expect(other.body.errors_by_field).toEqual({
      "leads.comments.0.body": ["Only its author can edit a comment"],
    });
    expect((await edit(sent({ deleted: "1" }), manager.token)).status).toBe(422);
    // Who sends the record as it was shown changes no comment.
    expect((await edit({ ...sent({ body: "Mine" }), city: "Ulm" }, manager.token)).body.errors).toEqual([]);
    expect((await edit(sent({ body: "Still mine" }))).body.data.leads.comments[0].body).toBe("Still mine");
    expect((await edit(sent({ deleted: "1" }), admin)).body.data.leads.comments).toEqual([]);
  });
});

describe("what must be unique", () => {
  test("is refused as a conflict that names the field, before and at the moment of writing", async () => {
    const values = { name: "Twice", applies_to: "leads" };
    expect((await add(values, admin, "crm/types")).status).toBe(200);
    const { status, body } = await add(values, admin, "crm/types");
    expect(status).toBe(409);
    expect(body.errors_by_field).toEqual({
      "types.name": ["Another record already has this combination of values: Applies to, Name"],
    });
    const more = await add({ ...values, sequence: "many" }, admin, "crm/types");
    expect([more.status, more.body.error_code, Object.keys(more.body.errors_by_field).length]).toEqual([
      422,
      "invalid",
      2,
    ]);
    // One of the two is enough to change.
    const { id } = (await add({ name: "Once", applies_to: "leads" }, admin, "crm/types")).body;
    const renamed = await post("/crm/types/edit.json", { id, name: "Twice", sequence: "many" }, admin);
    expect(Object.keys(renamed.body.errors_by_field).sort()).toEqual(["types.name", "types.sequence"]);
    const rush = { name: "At once", applies_to: "leads" };
    const answers = await Promise.all([1, 2, 3].map(() => add(rush, admin, "crm/types")));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });

  test.each([
    ["with its commit", {}],
    ["with the answer that is kept", { "idempotency-key": "taken-meanwhile" }],
  ])("is told in the same words where the database finds it out %s", async (name, headers) => {
    const values = { name: `Meanwhile ${name}`, applies_to: "leads" };
    const types = requireType(snapshot, "crm/types");
    const waiting = async () =>
      (
        await service.db.row(
          sql`select count(*)::text as n from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
        )
      )?.n ?? "";
    const { status, body } = await service.db
      .transaction(async (transaction) => {
        await insertRows(transaction, snapshot, types, "1", [values]);
        const second = post("/crm/types/add.json", values, admin, SAVE, headers);
        // It has looked and found nothing, and waits for whoever came first.
        await expect.poll(waiting).toBe("1");
        return { second };
      })
      .then(({ second }) => second);
    expect([status, body.error_code]).toEqual([409, "conflict"]);
    expect(body.errors_by_field).toEqual({
      "types.name": ["Another record already has this combination of values: Applies to, Name"],
    });
    expect(body.data.types).toMatchObject(values);
  });
});

test("a database that is lost at the commit is not said to have changed nothing", async () => {
  await service.db.script(`
    create function lose_commit() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger lose_commit after insert on crm__leads deferrable initially deferred
      for each row when (new.last_name = 'At the last moment') execute function lose_commit();`);
  const { status, body } = await add({ last_name: "At the last moment" });
  await service.db.script("drop function lose_commit cascade");
  expect([status, body.error_code, body.errors]).toEqual([
    503,
    "outcome_unknown",
    [expect.stringContaining("may have been saved")],
  ]);
  expect((await add({ last_name: "Afterwards" })).status).toBe(200);
});

test("a save that meets another design between its commit and its answer is told as saved", async () => {
  await service.db.script(`
    create function redesign() returns trigger language plpgsql as
      $$ begin alter table core__addresses rename column city to town; return null; end $$;
    create constraint trigger redesign after insert on crm__leads deferrable initially deferred
      for each row when (new.last_name = 'Redesigned') execute function redesign();`);
  const { status, body } = await add({ last_name: "Redesigned" });
  await service.db.script("drop function redesign cascade; alter table core__addresses rename column town to city");
  expect([status, body.errors, body.message]).toEqual([200, [], [expect.stringMatching(/^Lead saved/)]]);
  expect(body.data).toEqual({ leads: { id: body.id } });
  expect((await service.get(`/crm/leads/view.json?id=${body.id}`, rep.token)).body.data.leads.last_name).toBe(
    "Redesigned",
  );
});

describe("an Idempotency-Key", () => {
  const once = (key: string, values: Values, token = rep.token) =>
    fetch(`${service.url}/crm/leads/add.json`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ data: { leads: values, action: SAVE } }),
    });
  const count = async () => (await service.db.row(sql`select count(*)::text as n from crm__leads`))?.n;

  test("belongs to one record: for another one it is refused", async () => {
    const ids = [(await add({ last_name: "A" })).body.id, (await add({ last_name: "B" })).body.id];
    const edit = (id: string) =>
      post(`/crm/leads/edit.json?id=${id}`, { city: "Ulm" }, rep.token, SAVE, { "idempotency-key": "one-of-two" });
    expect((await edit(ids[0] ?? "")).status).toBe(200);
    expect((await edit(ids[1] ?? "")).status).toBeGreaterThanOrEqual(400);
    expect((await edit(ids[0] ?? "")).body.id).toBe(ids[0]);
  });

  test("gives a retry the first answer, byte for byte, and writes nothing", async () => {
    const first = await (await once("k1", { last_name: "Once" })).text();
    const before = await count();
    const again = await once("k1", { last_name: "Once" });
    expect([again.status, await again.text()]).toEqual([200, first]);
    expect(await count()).toBe(before);
  });

  test("is its user's own: the same one of somebody else is another", async () => {
    const told = async (token: string) => (await once("k-both", { last_name: "Both" }, token)).text();
    const [mine, theirs] = [await told(rep.token), await told(admin)];
    expect(JSON.parse(mine).id).not.toBe(JSON.parse(theirs).id);
    expect([await told(rep.token), await told(admin)]).toEqual([mine, theirs]);
  });

  test("answers with what was saved, a profile as well", async () => {
    for (const [zone, title] of [
      ["Asia/Tokyo", "Guest"],
      ["UTC", "Host"],
    ]) {
      const sent = { data: { users: { time_zone: zone, title } } };
      const path = "/access_controls/users/profile.json";
      const { body } = await service.post(path, sent, rep.token, { "idempotency-key": `zone-${zone}` });
      expect(body.data.users).toMatchObject({ time_zone: zone, title });
    }
  });

  test("makes duplicates at once wait for the first", async () => {
    const before = Number(await count());
    const texts = await Promise.all([1, 2, 3, 4].map(async () => (await once("k2", { last_name: "Rush" })).text()));
    expect(new Set(texts).size).toBe(1);
    expect(Number(await count())).toBe(before + 1);
  });

  test("is remembered for a day and no longer", async () => {
    const first = await (await once("k-day", { last_name: "Yesterday" })).text();
    const before = Number(await count());
    const age = (time: string) =>
      service.db.run(sql`
        update core__idempotency_keys set created = now() at time zone 'utc' - ${time}::interval where key = 'k-day'`);
    await age("23 hours 55 minutes");
    expect(await (await once("k-day", { last_name: "Yesterday" })).text()).toBe(first);
    expect(Number(await count())).toBe(before);
    await age("24 hours 5 minutes");
    expect((await once("k-day", { last_name: "Yesterday" })).status).toBe(200);
    expect(Number(await count())).toBe(before + 1);
  });

  test("is not another's, not another request's, and not spent by a failure", async () => {
    await once("k3", { last_name: "Mine" });
    expect((await once("k3", { last_name: "Other request" })).status).toBe(409);
    expect((await once("k3", { last_name: "Of another" }, other.token)).status).toBe(200);
    expect((await once("k4", { last_name: "" })).status).toBe(422);
    expect((await once("k4", { last_name: "" })).status).toBe(422);
  });
});

describe("whatever is sent to whatever address", () => {
  const texts = fc.constantFrom(
    ...[
      "",
      "null",
      "0",
      "-1",
      "1",
      "1.5",
      "1e9",
      "NaN",
      "x",
      "\u00e4\ud83d\ude00",
      "'\"\\;--",
      "%_",
      "{}",
      "[1]",
      '{"a":1}',
      "\u202e\n",
    ],
    ...[
      "2026-02-30",
      "2026-02-28 10:00:00",
      "9999-12-31",
      "9".repeat(30),
      "y".repeat(3_000),
      "1,2,3",
      "crm/leads",
      "a@b.example",
    ],
    ...[
      "00000000-0000-0000-0000-000000000000",
      "{{CURRENT_USER}}",
      "{{TODAY}}-1d",
      "{{NOW}}+5M",
      "read;edit",
      "52.5,13.4",
      "ASC",
    ],
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      texts,
      fc.constantFrom(null, 1, 2.5, true),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("id", "op", "value", "deleted", "0", "AND", "NOT", "leads.score"), tie("value"), {
        maxKeys: 2,
      }),
    ),
  }));
  const fields = [
    "id",
    "name",
    "last_name",
    "score",
    "amount",
    "status",
    "tags",
    "location",
    "country_id",
    "owned_by",
    "created",
  ];
  const columns = [
    ...fields,
    "leads.current_workflow_actors",
    "owned_by.name",
    "count(leads.id)",
    "sum(amount)",
    "month(created)",
    "*",
  ];
  const list = fc.array(fc.constantFrom(...columns), { maxLength: 3 });
  const q = fc.record(
    {
      where: fc.dictionary(fc.constantFrom(...columns, "OR", "NOT"), value, { maxKeys: 2 }),
      fields: list,
      group: list,
      order: list,
      having: value,
      limit: texts,
      method: fc.constantFrom("find", "count"),
    },
    { requiredKeys: [] },
  );
  const parameters = fc.dictionary(
    fc.constantFrom(
      "id",
      "page",
      "limit",
      "sort",
      "dir",
      "search_basic",
      "current_listview",
      "related_to",
      "current_category",
      "search_criteria",
      "revision",
      "ids",
      "format",
      "form",
      "is_confirm",
      "principal_id",
      "rights",
      "share",
      "find",
      "field",
    ),
    texts,
    { maxKeys: 3 },
  );
  const operations = [
    "index",
    "export",
    "view",
    "edit",
    "add",
    "delete",
    "restore",
    "purge",
    "revisions",
    "revert",
    "access",
    "share",
    "unshare",
    "add_many",
    "edit_selected",
    "delete_selected",
    "restore_selected",
    "stage_log",
    "download",
  ];
  const request = fc.record({
    type: fc.constantFrom(
      "crm/leads",
      "crm/opportunities",
      "crm/types",
      "core/listviews",
      "core/comments",
      "core/attachments",
      "masters/countries",
    ),
    operation: fc.constantFrom(...operations),
    parameters,
    q: fc.option(q),
    sent: fc.option(
      fc.dictionary(fc.constantFrom(...fields, "addresses", "stage_log", "revision", "__x", "nonsense"), value, {
        maxKeys: 4,
      }),
    ),
    action: fc.constantFrom("save_progress", "save_&_continue", "qualify", "x"),
    asker: fc.constantFrom("admin", "rep"),
  });

  test.each(["restore_selected", "delete_selected", "edit_selected"])(
    "%s of the word null is told so",
    async (name) => {
      const data = { leads: { score: "1" }, action: SAVE };
      const answer = await service.post(`/crm/leads/${name}.json?id=null`, { data }, admin);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
      expect(answer.body.errors.length).toBeGreaterThan(0);
    },
  );

  test("is answered in the envelope, truthfully, and never by an error of ours", async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ type, operation, parameters: given, q: asked, sent, action, asker }) => {
        const token = asker === "admin" ? admin : rep.token;
        const query = new URLSearchParams({ ...given, ...(asked === null ? {} : { q: JSON.stringify(asked) }) });
        const path = `/${type}/${operation}.json?${query}`;
        const data = {
          [type.split("/")[1] ?? ""]: operation === "add_many" ? [sent] : sent,
          action: { [action]: "X" },
        };
        const answer = sent === null ? await service.get(path, token) : await service.post(path, { data }, token);
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        const isFile = answer.status < 300 && (operation === "export" || operation === "download");
        if (!isFile) expect(answer.body.errors.length > 0).toBe(answer.status >= 400);
      }),
      { numRuns: 250 },
    );
  });
});
