// Groups and aggregates on the wire: keys, display texts, periods in the caller's own calendar, having, order, access.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  const lead = (
    status: string,
    owned_by: string,
    amount: string | null,
    created: string,
    more: Record<string, string> = {},
  ) => ({
    name: `L ${created}`,
    last_name: "L",
    status,
    owned_by,
    amount,
    created,
    ...more,
  });
  await addRows(service, "crm/leads", [
    lead("new", rep.id, "0.10", "2026-01-31 23:30:00"),
    lead("new", rep.id, "0.20", "2026-02-01 10:00:00"),
    lead("qualified", other.id, "9999999999999.99", "2026-02-15 10:00:00"),
    lead("qualified", rep.id, null, "2026-05-04 10:00:00"),
    lead("converted", other.id, "5.00", "2025-12-29 10:00:00"),
    lead("new", rep.id, "7.00", "2026-02-02 10:00:00", { deleted: "1" }),
  ]);
});
afterAll(() => service.stop());

const ask = async (q: unknown, token: string = admin, more = "") =>
  (await service.get(`/crm/leads/index.json?track_open=0${more}&q=${encodeURIComponent(JSON.stringify(q))}`, token))
    .body;
const rows = async (q: unknown, token?: string, more?: string) => {
  const body = await ask(q, token, more);
  expect(body.errors).toEqual([]);
  return body.paginate.data;
};

/** What stands beside an amount of one currency. */
const inDollars = (key: string) => ({ [`${key}.currency`]: "USD", [`${key}.by_currency`]: null });

describe("rows", () => {
  test("have the value, what people read, and the aggregates, keyed by alias or by what they are", async () => {
    expect(
      await rows({
        fields: [
          "leads.status",
          "count(leads.id)",
          "sum(leads.amount) as Sum",
          "avg(leads.amount)",
          "min(leads.created)",
          "max(leads.score)",
          "count(*) as all",
        ],
        group: ["leads.status"],
      }),
    ).toEqual([
      {
        "leads.status": "new",
        Status: "New",
        "count(leads.id)": "2",
        Sum: "0.30",
        ...inDollars("Sum"),
        "avg(leads.amount)": "0.15",
        ...inDollars("avg(leads.amount)"),
        "min(leads.created)": "2026-01-31 23:30:00",
        "max(leads.score)": null,
        all: "2",
      },
      {
        "leads.status": "qualified",
        Status: "Qualified",
        "count(leads.id)": "2",
        Sum: "9999999999999.99",
        ...inDollars("Sum"),
        "avg(leads.amount)": "9999999999999.99",
        ...inDollars("avg(leads.amount)"),
        "min(leads.created)": "2026-02-15 10:00:00",
        "max(leads.score)": null,
        all: "2",
      },
      {
        "leads.status": "converted",
        Status: "Converted",
        "count(leads.id)": "1",
        Sum: "5.00",
        ...inDollars("Sum"),
        "avg(leads.amount)": "5",
        ...inDollars("avg(leads.amount)"),
        "min(leads.created)": "2025-12-29 10:00:00",
        "max(leads.score)": null,
        all: "1",
      },
    ]);
  });

  test("of references have the id and the display text", async () => {
    expect(await rows({ group: ["leads.owned_by"] })).toEqual([
      { "leads.owned_by": other.id, "Owned By": "other", "count(leads.id)": "2" },
      { "leads.owned_by": rep.id, "Owned By": "rep", "count(leads.id)": "3" },
    ]);
    expect(
      await rows({ fields: ["leads.owned_by as Owner", "count(leads.id) as n"], group: ["leads.owned_by"] }),
    ).toContainEqual({ Owner: rep.id, __Owner: "rep", n: "3" });
  });

  test("go through associations", async () => {
    expect(
      await rows({
        fields: ["leads.owned_by.user_name as who", "count(leads.id) as n"],
        group: ["leads.owned_by.user_name"],
        order: ["n DESC"],
      }),
    ).toEqual([
      { who: "rep", n: "3" },
      { who: "other", n: "2" },
    ]);
  });

  test("without a group are one row, also of nothing", async () => {
    expect(
      await rows({
        fields: ["count(leads.id) as n", "sum(leads.amount) as s"],
        where: { "leads.status": "unqualified" },
      }),
    ).toEqual([{ n: "0", s: null, "s.currency": null, "s.by_currency": null }]);
  });

  test("of two groups are their combinations", async () => {
    expect(await rows({ group: ["leads.status", "leads.owned_by"] })).toHaveLength(4);
  });
});

describe("periods", () => {
  const by = async (period: string, token?: string) =>
    (
      await rows(
        { fields: [`${period}(leads.created) as p`, "count(leads.id) as n"], group: [`${period}(leads.created)`] },
        token,
      )
    ).map((row: { p: string; n: string }) => `${row.p} ${row.n}`);

  test.each([
    ["day", ["2025-12-29 1", "2026-01-31 1", "2026-02-01 1", "2026-02-15 1", "2026-05-04 1"]],
    ["week", ["2025-12-29 1", "2026-01-26 2", "2026-02-09 1", "2026-05-04 1"]],
    ["month", ["2025-12-01 1", "2026-01-01 1", "2026-02-01 2", "2026-05-01 1"]],
    ["quarter", ["2025-10-01 1", "2026-01-01 3", "2026-04-01 1"]],
    ["year", ["2025-01-01 1", "2026-01-01 4"]],
  ])("by %s begin on its first day", async (period, expected) => {
    expect(await by(period)).toEqual(expected);
  });

  test("are those of the caller's own calendar", async () => {
    await service.db.run(sql`update access_controls__users set time_zone = 'Europe/Stockholm' where user_name = 'rep'`);
    const token = await service.login("rep", service.admin.password);
    await service.db.run(sql`select pg_notify('dossier_access', '1')`);
    await expect.poll(() => by("month", token)).toEqual(["2026-02-01 2", "2026-05-01 1"]);
  });
});

describe("which groups", () => {
  const groups = { fields: ["leads.status as s", "count(leads.id) as n"], group: ["leads.status"] };
  const names = async (more: object, parameters = "") =>
    (await rows({ ...groups, ...more }, admin, parameters)).map((row: { s: string }) => row.s);

  test.each<[string, object, string, string[]]>([
    ["having by alias", { having: { n: { op: ">", value: 1 } } }, "", ["new", "qualified"]],
    ["having by aggregate", { having: { "sum(leads.amount)": { op: "<", value: "1.5" } } }, "", ["new"]],
    ["having by group", { having: { "leads.status": ["new", "converted"] } }, "", ["new", "converted"]],
    ["where", { where: { "leads.owned_by": "{{CURRENT_USER}}" } }, "", []],
    ["search", {}, "&search_basic=2026-02", ["new", "qualified"]],
    ["order by an aggregate", { order: ["sum(leads.amount) DESC"] }, "", ["qualified", "converted", "new"]],
    [
      "order by an alias, then by group",
      { order: ["n ASC", "leads.status DESC"] },
      "",
      ["converted", "qualified", "new"],
    ],
    ["sort", {}, "&sort=count(leads.id)&dir=DESC", ["new", "qualified", "converted"]],
    ["limit", { limit: 2 }, "", ["new", "qualified"]],
    ["page", {}, "&limit=2&page=2", ["converted"]],
  ])("%s", async (_, more, parameters, expected) => {
    expect(await names(more, parameters)).toEqual(expected);
  });

  test("are counted, past the end as well, and by method count", async () => {
    expect((await ask({ ...groups, limit: 1 })).paginate.total_count).toBe(3);
    expect((await ask({ ...groups, limit: 1, page: 9 })).paginate).toMatchObject({ total_count: 3, data: [] });
    expect((await ask({ ...groups, method: "count" })).paginate).toMatchObject({
      total_count: 3,
      data: [],
      method: "count",
    });
  });
});

test("headers tell columns from what was computed", async () => {
  const { paginate } = await ask({
    fields: ["leads.status", "month(leads.created) as When", "sum(leads.amount) as Amount"],
    group: ["leads.status", "month(leads.created)"],
  });
  expect(paginate.header).toMatchObject([
    { field_type: "Data-Field", column_name: "leads.status", alias: "Status", name: "leads.status", sortable: true },
    { field_type: "Computed", column_name: "month(leads.created)", alias: "When", period: "month" },
    { field_type: "Computed", column_name: "sum(leads.amount)", alias: "Amount", aggregate: "sum", label: "Amount" },
  ]);
  expect(paginate.query).toMatchObject({ group: ["leads.status", "month(leads.created)"] });
});

test("everybody's groups are of the rows that they may read, and follow every change", async () => {
  const q = { fields: ["count(leads.id) as n", "sum(leads.amount) as s"] };
  const token = await service.login("other", service.admin.password);
  expect(await rows(q, admin)).toEqual([{ n: "5", s: "10000000000005.29", ...inDollars("s") }]);
  expect(await rows(q, token)).toEqual([{ n: "2", s: "10000000000004.99", ...inDollars("s") }]);
  await addRows(service, "crm/leads", [
    { name: "x", last_name: "x", status: "new", owned_by: other.id, amount: "0.01" },
  ]);
  expect(await rows(q, token)).toEqual([{ n: "3", s: "10000000000005.00", ...inDollars("s") }]);
  expect(await rows(q, admin)).toEqual([{ n: "6", s: "10000000000005.30", ...inDollars("s") }]);
  // What a role lets them read is theirs for as long as they have it.
  const role = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`);
  const held = { roles_users: { user_id: other.id, role_id: role?.id }, action: { save_progress: "Save" } };
  const { body } = await service.post("/access_controls/roles_users/add.json", { data: held }, admin);
  expect(body.errors).toEqual([]);
  expect(await rows(q, token)).toEqual([{ n: "6", s: "10000000000005.30", ...inDollars("s") }]);
  const gone = await service.post(`/access_controls/roles_users/delete.json?id=${body.id}&is_confirm=1`, {}, admin);
  expect(gone.body.errors).toEqual([]);
  expect(await rows(q, token)).toEqual([{ n: "3", s: "10000000000005.00", ...inDollars("s") }]);
});
