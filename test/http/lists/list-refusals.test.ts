// Every parameter of a list with a wrong value: a 400 that names the parameter, what it takes and what was sent.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processorTime } from "../../processor-time.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let marketer: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  marketer = await addPerson(service, "marketer", ["marketing"]);
});
afterAll(() => service.stop());

const get = (query: string, token: string = admin, type = "crm/leads") =>
  service.get(`/${type}/index.json?${query}`, token);
const q = (value: unknown) => `q=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`;

describe("a parameter", () => {
  test.each([
    ["page=0", 'page: must be a whole number from 1 to 1,000,000,000, not "0"'],
    ["page=-1", 'page: must be a whole number from 1 to 1,000,000,000, not "-1"'],
    ["page=1.5", 'page: must be a whole number from 1 to 1,000,000,000, not "1.5"'],
    ["page=x", 'page: must be a whole number from 1 to 1,000,000,000, not "x"'],
    ["page=1e3", "page: must be a whole number"],
    ["page=99999999999", "page: must be a whole number"],
    ["limit=0", 'limit: must be a whole number from 1 to 1,000, not "0"'],
    ["limit=1001", 'limit: must be a whole number from 1 to 1,000, not "1001"'],
    ["limit=-1", 'limit: must be a whole number from 1 to 1,000, not "-1"'],
    ["limit=all", 'limit: must be a whole number from 1 to 1,000, not "all"'],
    ["dir=up", 'dir: must be one of ASC, DESC, not "up"'],
    ["sort=leads.nothing", "sort: leads.nothing is not a column of crm/leads"],
    ["sort=leads.name;drop", "sort: leads.name;drop is not a column"],
    ["sort=leads.description", "sort: can't sort by leads.description"],
    ["sort=acl_id", "sort: acl_id is not a column"],
    ["current_listview=1", 'current_listview: must be the UUID of a list view, not "1"'],
    [`search_basic=${"x".repeat(201)}`, "search_basic: must be at most 200 characters"],
    ["page[]=1", "page"],
    ["q=[", "q: could not be read"],
    ["q=1", "q: must be a JSON object"],
  ])("%s is refused", async (query, words) => {
    const { status, body } = await get(query);
    expect(status).toBe(400);
    expect(body.errors[0]).toContain(words);
    expect(body).not.toHaveProperty("paginate");
  });
});

describe("a q", () => {
  test.each([
    ["an unknown key", { felds: [] }, 'there is no key "felds"'],
    ["an unknown column in fields", { fields: ["leads.nothing"] }, "leads.nothing is not a column of crm/leads"],
    ["an unknown column in where", { where: { "leads.nothing": 1 } }, "leads.nothing is not a column of crm/leads"],
    ["an unknown column in order", { order: ["leads.nothing ASC"] }, "leads.nothing is not a column of crm/leads"],
    ["an unknown column in group", { group: ["leads.nothing"] }, "leads.nothing is not a column of crm/leads"],
    ["a column of the tables behind", { fields: ["leads.acl_id"] }, "leads.acl_id is not a column"],
    ["a password", { fields: ["leads.owned_by.user_password"] }, "is not a column"],
    ["a wrong value", { where: { "leads.score": "many" } }, 'leads.score: "many"'],
    [
      "an operator that a type has not",
      { where: { "leads.score": { op: "contains", value: "1" } } },
      "contains doesn't work",
    ],
    ["another placeholder", { where: { "leads.owned_by": "{{ME}}" } }, '"{{ME}}" is not a placeholder'],
    ["limit 0", { limit: 0 }, "limit: must be a whole number from 1 to 1,000, or -1 for all"],
    ["SQL", { fields: ["leads.name, (select 1)"] }, "fields:"],
    [
      "a plain field beside a group",
      { fields: ["leads.name"], group: ["leads.status"] },
      "leads.name must be in group",
    ],
    ["a star beside a group", { fields: ["*"], group: ["leads.status"] }, "* can't be grouped"],
    ["the sum of texts", { fields: ["sum(leads.name)"] }, "can't be summed"],
    ["the month of a text", { group: ["month(leads.name)"] }, "is not a date"],
    ["an aggregate to group by", { group: ["count(leads.id)"] }, "must be a column, or the period of one"],
    ["a period without a group", { fields: ["month(leads.created)"] }, "month(leads.created) must be in group"],
    [
      "a having of something else",
      { group: ["leads.status"], having: { "leads.name": "x" } },
      "leads.name must be in group",
    ],
    [
      "an order by something else",
      { group: ["leads.status"], order: ["leads.name ASC"] },
      "is not a group or an aggregate",
    ],
    [
      "a column twice under other names",
      { fields: ["leads.description as a", "leads.name", "description as b"] },
      "fields: leads.description appears as a and as b. Name each column once",
    ],
    ["a column twice", { fields: ["leads.name", "{{MODEL}}.name"] }, "leads.name appears twice"],
    [
      "a column twice along another path",
      { fields: ["leads.owned_by.name as a", "owned_by_user.name as b"] },
      "leads.owned_by.name appears as a and as b",
    ],
    ["a figure twice", { fields: ["max(leads.name) as a", "max(name) as b"] }, "max(leads.name) appears as a and as b"],
    ["101 columns", { fields: Array.from({ length: 101 }, (_, at) => `leads.name as a${at}`) }, "fields: at most 100"],
    ["300 conditions", { where: { OR: Array(300).fill({ "leads.name": "a" }) } }, "where: at most 200 conditions"],
    [
      "40 conditions that look into texts",
      { where: { OR: Array(40).fill({ "leads.name": { op: "contains", value: "a" } }) } },
      "where: at most 32 conditions with contains",
    ],
    [
      "25 subqueries",
      { where: { OR: Array(25).fill({ "owned_by.groups.name": "a" }) } },
      "where: at most 24 conditions on related records",
    ],
    ["three has-many associations", { where: { "owned_by.groups.users.roles.code": "x" } }, "is not a column"],
  ])("with %s is refused", async (_, value, words) => {
    const { status, body } = await get(q(value));
    expect(status).toBe(400);
    expect(body.errors[0]).toMatch(/^q: /);
    expect(body.errors[0]).toContain(words);
  });

  const nested = (depth: number): unknown => (depth === 0 ? { "leads.score": 1 } : { OR: [nested(depth - 1)] });

  test.each([
    ["of 32 KiB and one byte", (): string => JSON.stringify({ search_basic: "" }).padEnd(32 * 1024 + 1, " ")],
    ["nested nine deep", (): string => JSON.stringify({ where: nested(9) })],
    ["with 16,000 values", (): string => `{"where":{"leads.id":[${Array(16_000).fill("1").join()}]}}`],
  ])("%s is refused, and cheaply", async (_, make) => {
    const body = new URLSearchParams({ q: make() });
    await service.post("/crm/leads/index.json", body, admin);
    const spent = await processorTime(async () => {
      const answer = await service.post("/crm/leads/index.json", body, admin);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]).toMatch(/^q: /);
    });
    expect(spent).toBeLessThan(500);
  });

  test("of exactly 32 KiB, nested eight deep, is taken", async () => {
    const body = new URLSearchParams({ q: JSON.stringify({ where: nested(8) }).padEnd(32 * 1024, " ") });
    expect((await service.post("/crm/leads/index.json", body, admin)).status).toBe(200);
  });

  test("in a list view that does not exist for the caller tells no more than one that never was", async () => {
    const { body } = await get("track_open=0&current_listview=01900000-0000-7000-8000-000000000000");
    expect(body.message[0]).toContain("no longer exists");
  });
});

describe("a field that is hidden from the caller", () => {
  test.each([
    ["fields", q({ fields: ["opportunities.amount"] })],
    ["where", q({ where: { "opportunities.amount": { op: ">", value: 5 } } })],
    ["order", q({ order: ["opportunities.amount DESC"] })],
    ["group", q({ group: ["opportunities.amount"] })],
    ["an aggregate", q({ fields: ["sum(opportunities.amount)"] })],
    ["having", q({ group: ["opportunities.stage"], having: { "sum(opportunities.amount)": { op: ">", value: 1 } } })],
    ["an order of groups", q({ group: ["opportunities.stage"], order: ["sum(opportunities.amount) DESC"] })],
    ["a path", q({ fields: ["opportunities.company.name"], where: { "company.opportunities.amount": 1 } })],
    ["sort", "sort=opportunities.amount"],
  ])("is unknown in %s, in the words of one that never was", async (_, query) => {
    const hidden = await get(query, marketer.token, "crm/opportunities");
    expect(hidden.status).toBe(400);
    const unknown = await get(query.replaceAll("amount", "amuont"), marketer.token, "crm/opportunities");
    expect(hidden.body.errors).toEqual(unknown.body.errors.map((text: string) => text.replaceAll("amuont", "amount")));
    expect((await get(query, admin, "crm/opportunities")).status).toBe(200);
  });

  test("is not in the rows, the header or the filter form", async () => {
    const { body } = await get("", marketer.token, "crm/opportunities");
    expect(body.paginate.header.map((column: { name: string }) => column.name)).not.toContain("amount");
    expect(JSON.stringify(body)).not.toContain("opportunities.amount");
  });
});

test.each([
  ["crm/nothing", 404],
  ["nothing/leads", 404],
])("%s is unknown", async (type, status) => {
  expect((await get("", admin, type)).status).toBe(status);
});

test("nobody lists anything without a token", async () => {
  const { status, body } = await service.get("/crm/leads/index.json");
  expect(status).toBe(401);
  expect(body.errors).toEqual(["Client need to login to access this URL"]);
});
