// Groups of a large table from a sample: only on wish, only where the sample can say something, never of hidden records.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

/** A table of three times the size that counts as large; a sample has a thirtieth of it. */
const LARGE = 2_000;
const ROWS = 3 * LARGE;
let service: TestService;
let admin: string;
let rep: Person;

beforeAll(async () => {
  service = await startService({ LARGE_LIST_ROWS: String(LARGE) });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  const owner = ["owner"];
  const policy = JSON.stringify({ read: owner, edit: owner, delete: owner, comment: [] });
  await addRows(service, "access_controls/policies", [{ record_type: "crm/leads", policy }]);
  const other = await addPerson(service, "other", ["sales_rep"]);
  // One in four is qualified, and one in fifty the representative's. As wide as people's, so that they lie on many pages.
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    name: `L${index}`,
    last_name: `L${index}`,
    status: index % 4 === 0 ? "qualified" : "new",
    amount: index % 2 === 0 ? "5.00" : "15.00",
    owned_by: index % 50 === 0 ? rep.id : other.id,
    description: "x".repeat(700),
  }));
  await addRows(service, "crm/leads", rows);
});
afterAll(() => service.stop());

const byStatus = {
  fields: ["leads.status", "count(leads.id) as n", "sum(leads.amount) as amount"],
  group: ["leads.status"],
};
const ask = async (q: unknown, more: string, token = admin) => {
  const path = `/crm/leads/index.json?track_open=0${more}&q=${encodeURIComponent(JSON.stringify(q))}`;
  const { body, headers, status } = await service.get(path, token);
  return { ...body.paginate, status, errors: body.errors, etag: headers.get("etag") };
};
const numbers = (data: readonly Record<string, string>[], key: string) =>
  Object.fromEntries(data.map((row) => [row["leads.status"], Number(row[key])]));

test("a chart that nobody has asked for is estimated at once, and is exact for whoever asks without", async () => {
  const early = await ask(byStatus, "&estimate=1");
  expect([early.status, early.total_count_is_exact, early.total_count, early.etag]).toEqual([200, 0, 2, null]);
  const counts = numbers(early.data, "n");
  // A sample of whole pages, always the same ones: about right, and grown to the size of the table.
  expect(counts.new).toBeGreaterThan(0.6 * ROWS * (3 / 4));
  expect(counts.new).toBeLessThan(1.6 * ROWS * (3 / 4));
  expect((counts.qualified ?? 0) / (counts.new ?? 1)).toBeGreaterThan(0.25);
  expect((counts.qualified ?? 0) / (counts.new ?? 1)).toBeLessThan(0.42);
  // Sums grow with what is counted; an amount keeps its digits.
  const amounts = numbers(early.data, "amount");
  expect((amounts.new ?? 0) / (counts.new ?? 1)).toBeGreaterThan(11);
  expect((amounts.new ?? 0) / (counts.new ?? 1)).toBeLessThan(12.5);
  expect(early.data[0].amount).toMatch(/^\d+\.\d\d$/);

  const exact = { new: (ROWS * 3) / 4, qualified: ROWS / 4 };
  const whole = await ask(byStatus, "");
  expect([whole.total_count_is_exact, numbers(whole.data, "n")]).toEqual([1, exact]);
  expect(whole.etag).not.toBeNull();
  // What is known is not estimated.
  const known = await ask(byStatus, "&estimate=1");
  expect([known.total_count_is_exact, numbers(known.data, "n")]).toEqual([1, exact]);
});

test("the least, the greatest and the average are those of the sample", async () => {
  const fields = ["min(leads.amount) as least", "max(leads.amount) as most", "avg(leads.amount) as mean"];
  const { data, total_count_is_exact: exact } = await ask({ fields }, "&estimate=1");
  expect([exact, data[0].least, data[0].most]).toEqual([0, "5.00", "15.00"]);
  expect(Number(data[0].mean)).toBeGreaterThan(9);
  expect(Number(data[0].mean)).toBeLessThan(11);
});

test("what a sample has too little of is counted", async () => {
  const rare = { ...byStatus, where: { "leads.last_name": "L5" } };
  const { data, total_count_is_exact: exact } = await ask(rare, "&estimate=1");
  expect([exact, numbers(data, "n")]).toEqual([1, { new: 1 }]);
  const none = await ask({ ...byStatus, where: { "leads.last_name": "nobody" } }, "&estimate=1");
  expect([none.total_count_is_exact, none.data]).toEqual([1, []]);
});

test("groups of a few rows each, and which groups have many, are counted", async () => {
  const each = { fields: ["leads.name", "count(leads.id) as n"], group: ["leads.name"] };
  const many = { ...byStatus, having: { "count(leads.id)": { op: ">", value: ROWS / 2 } } };
  for (const q of [each, many]) expect((await ask({ ...q, limit: 10 }, "&estimate=1")).total_count_is_exact).toBe(1);
});

test("who may read few has those counted, and nothing of the others", async () => {
  const { total_count_is_exact: exact, data } = await ask(byStatus, "&estimate=1", rep.token);
  expect([exact, numbers(data, "n")]).toEqual([1, { new: ROWS / 100, qualified: ROWS / 100 }]);
});

test("anything else than 0 and 1 is refused", async () => {
  const { status, errors } = await ask(byStatus, "&estimate=yes");
  expect([status, errors.join()]).toEqual([400, expect.stringContaining("estimate")]);
});
