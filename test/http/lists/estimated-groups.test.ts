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
    amount: "10.00",
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
  // A sample of whole pages: about right, and grown to the size of the table.
  expect(counts.new).toBeGreaterThan(ROWS / 8);
  expect(counts.new).toBeLessThan(ROWS * 2);
  expect((counts.qualified ?? 0) / (counts.new ?? 1)).toBeCloseTo(1 / 3, 0);
  // Sums grow with what is counted; an amount keeps its digits.
  const amounts = numbers(early.data, "amount");
  expect(amounts.new).toBeCloseTo(10 * (counts.new ?? 0), -2);
  expect(early.data[0].amount).toMatch(/^\d+\.\d\d$/);

  // The exact figures are worked out behind it: whoever asks again gets them.
  const exact = { new: (ROWS * 3) / 4, qualified: ROWS / 4 };
  await expect.poll(async () => (await ask(byStatus, "&estimate=1")).total_count_is_exact).toBe(1);
  const known = await ask(byStatus, "&estimate=1");
  expect(numbers(known.data, "n")).toEqual(exact);
  expect(known.etag).not.toBeNull();
  // Whoever does not want an estimate never gets one.
  const unasked = { ...byStatus, fields: [...byStatus.fields, "max(leads.amount) as most"] };
  const whole = await ask(unasked, "");
  expect([whole.total_count_is_exact, numbers(whole.data, "n")]).toEqual([1, exact]);
});

test.each([
  [
    "the least and the greatest are those of the sample",
    ["min(leads.amount) as n", "max(leads.amount) as m"],
    ["10.00", "10.00"],
  ],
  ["an average is that of the sample", ["avg(leads.amount) as n"], ["10"]],
])("%s", async (_, fields, expected) => {
  const { data, total_count_is_exact: exact } = await ask({ fields }, "&estimate=1");
  expect(exact).toBe(0);
  expect([data[0].n, data[0].m].filter((value) => value !== undefined).map(Number)).toEqual(expected.map(Number));
});

test("what a sample has too little of is counted", async () => {
  const rare = { ...byStatus, where: { "leads.last_name": "L5" } };
  const { data, total_count_is_exact: exact } = await ask(rare, "&estimate=1");
  expect([exact, numbers(data, "n")]).toEqual([1, { new: 1 }]);
  const none = await ask({ ...byStatus, where: { "leads.last_name": "nobody" } }, "&estimate=1");
  expect([none.total_count_is_exact, none.data]).toEqual([1, []]);
});

test("who may read few has those counted, and nothing of the others", async () => {
  const { total_count_is_exact: exact, data } = await ask(byStatus, "&estimate=1", rep.token);
  expect([exact, numbers(data, "n")]).toEqual([1, { new: ROWS / 100, qualified: ROWS / 100 }]);
});

test("anything else than 0 and 1 is refused", async () => {
  const { status, errors } = await ask(byStatus, "&estimate=yes");
  expect([status, errors.join()]).toEqual([400, expect.stringContaining("estimate")]);
});
