// Every list view that a new organization starts with, run on the demo by people with different rights.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { viewKinds } from "../../../contract/view-kinds.ts";
import { standardViews } from "../../../server/seed/standard-views.ts";
import type { TestService } from "../../service.ts";
import { startDemoService } from "../demo-service.ts";

let service: TestService;
let admin: string;
let manager: string;
let rep: string;
let marketer: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  service = await startDemoService();
  admin = await service.login();
  const password = service.admin.password;
  manager = await service.login("daniel.okafor", password);
  rep = await service.login("oliver.hughes", password);
  marketer = await service.login("felix.brandt", password);
  const { body } = await service.get("/core/listviews/index.json?limit=1000&track_open=0", admin);
  for (const row of body.paginate.data) ids.set(`${row.controller} ${row.name}`, row.id);
});
afterAll(() => service.stop());

const open = (controller: string, name: string, token: string) =>
  service.get(`/${controller}/index.json?track_open=0&current_listview=${ids.get(`${controller} ${name}`)}`, token);

const all = Object.entries(standardViews).flatMap(([controller, views]) =>
  views.map((view) => ({ controller, view, title: `${controller}: ${view.name}` })),
);

describe.each(all)("$title", ({ controller, view }) => {
  test("opens for an administrator, a manager and a representative as what it is", async () => {
    for (const token of [admin, manager, rep]) {
      const { status, body } = await open(controller, view.name, token);
      expect(body.errors).toEqual([]);
      expect(status).toBe(200);
      expect(body.message).toEqual([]);
      expect(body.paginate).toMatchObject({ name: view.name, ui_helper: view.helper, controller });
      expect(body.paginate.__category_id).toBe(view.category);
      expect(body.paginate.header.length).toBeGreaterThan(0);
      const columns: string[] = body.paginate.header.map((column: { column_name: string }) => column.column_name);
      expect(columns.length).toBe((view.query.fields as unknown[]).length);
    }
  });
});

test("every helper is among them, and every kind of chart that the interface names", () => {
  const helpers = new Set(all.map(({ view }) => view.helper));
  expect([...helpers].sort()).toEqual([...viewKinds].sort());
});

test("every record type has one default, which is the first", () => {
  for (const views of Object.values(standardViews)) {
    expect(views.filter((view) => view.isDefault)).toEqual([views[0]]);
    expect(new Set(views.map((view) => view.name)).size).toBe(views.length);
  }
});

test("mine are those that I own, my groups' those of my colleagues as well", async () => {
  const every = (await open("crm/leads", "All leads", rep)).body.paginate;
  const mine = (await open("crm/leads", "My leads", rep)).body.paginate;
  const ours = (await open("crm/leads", "My groups' leads", rep)).body.paginate;
  expect(mine.total_count).toBeGreaterThan(0);
  expect(ours.total_count).toBeGreaterThan(mine.total_count);
  expect(every.total_count).toBeGreaterThanOrEqual(ours.total_count);
  expect(new Set(mine.data.map((row: Record<string, string>) => row["Owned By"]))).toEqual(new Set(["Oliver Hughes"]));
  const group = await service.get(
    `/access_controls/users/index.json?track_open=0&limit=100&current_listview=${ids.get("access_controls/users My groups' users")}`,
    rep,
  );
  const names = new Set(group.body.paginate.data.map((row: Record<string, string>) => row["users.name"]));
  expect(names).toContain("Oliver Hughes");
  expect(names).toContain("Amélie Laurent");
  expect(names).not.toContain("Yuki Tanaka");
});

test("the Recycle Bin has what is deleted, and nothing else does", async () => {
  const bin = (await open("crm/leads", "Recycle Bin", admin)).body.paginate;
  expect(bin.data.every((row: Record<string, string>) => row["leads.deleted"] === "1")).toBe(true);
  const every = (await open("crm/leads", "All leads", admin)).body.paginate;
  expect(every.data.every((row: Record<string, string>) => row["leads.deleted"] === "0")).toBe(true);
});

test("amounts are totalled over all opportunities, exactly", async () => {
  const { paginate } = (await open("crm/opportunities", "All opportunities", admin)).body;
  const header = paginate.header.find((column: { name: string }) => column.name === "amount");
  const rows = await service.get(
    `/crm/opportunities/index.json?track_open=0&q=${encodeURIComponent('{"fields":["opportunities.amount"],"limit":1000}')}`,
    admin,
  );
  const cents = rows.body.paginate.data.reduce(
    (sum: bigint, row: Record<string, string | null>) =>
      sum + BigInt((row["opportunities.amount"] ?? "0.00").replace(".", "")),
    0n,
  );
  expect(header.compute_column_total).toBe("1");
  expect(BigInt(header.column_total_text.replace(".", ""))).toBe(cents);
  expect(header.column_total).toBeCloseTo(Number(header.column_total_text), 2);
});

test("what is hidden from a person is in no chart of theirs", async () => {
  const { body } = await open("crm/opportunities", "By stage", marketer);
  expect(body.errors).toEqual([]);
  expect(body.paginate.header.map((column: { column_name: string }) => column.column_name)).toEqual([
    "opportunities.stage",
    "count(opportunities.id)",
  ]);
  for (const row of body.paginate.data) expect(row).not.toHaveProperty("Amount");
});

test("groups come with what people read, choices in their own order, months one after the other", async () => {
  const pipeline = (await open("crm/opportunities", "By stage", admin)).body.paginate;
  const stages = pipeline.data.map((row: Record<string, string>) => row["opportunities.stage"]);
  const order = ["qualification", "needs_analysis", "proposal", "negotiation", "won", "lost"];
  expect(stages).toEqual(order.filter((stage) => stages.includes(stage)));
  expect(pipeline.data[0].Stage).toBe("Qualification");
  const months = (await open("crm/leads", "New leads by month", admin)).body.paginate.data.map(
    (row: Record<string, string>) => row["month(leads.created)"],
  );
  expect(months.length).toBeGreaterThan(6);
  expect(months).toEqual([...months].sort());
  expect(months.every((month: string) => /^\d{4}-\d{2}-01$/.test(month))).toBe(true);
  const countries = (await open("crm/leads", "By country", admin)).body.paginate.data;
  expect(countries[0].Country).toMatch(/\p{L}/u);
  expect(Number(countries[0].Leads)).toBeGreaterThanOrEqual(Number(countries.at(-1).Leads));
});
