// Counts, totals and groups while people write: whatever happened in between, they are those of the rows that the list
// shows, for everybody who asks.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { foldChanges, forgetRowChanges } from "../../../server/database/changes.ts";
import { sql } from "../../../server/database/sql.ts";
import { runs } from "../../runs.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let people: Person[];

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  people = [await addPerson(service, "anna", ["sales_rep"]), await addPerson(service, "bela", ["sales_rep"])];
});
afterAll(() => service.stop());

const columns = { "leads.amount": { compute_column_total: "1" }, "leads.score": { compute_column_total: "1" } };
const fields = ["leads.id", "leads.amount", "leads.score"];
const filters = [
  { "leads.source": "web" },
  { "leads.rating": "hot", "leads.score": { op: ">", value: 50 } },
  { "leads.city": { op: "contains", value: "ulm" } },
  { "leads.amount": { op: "is null" } },
];

async function look(where: unknown, token: string) {
  const draft = encodeURIComponent(JSON.stringify({ fields, where, columns }));
  const page = async (limit: number) => {
    const query = `track_open=0&limit=${limit}&listview_query=${draft}`;
    const { body } = await service.get(`/crm/leads/index.json?${query}`, token);
    expect(body.errors).toEqual([]);
    return body.paginate;
  };
  // A page that is not full tells the count by itself.
  const { header, total_count } = await page(1);
  const { data } = await page(1000);
  const sum = (name: string): number =>
    data.reduce((all: number, row: Record<string, string | null>) => all + Number(row[name] ?? 0), 0);
  const total = (name: string): number =>
    Number(header.find((one: Record<string, string>) => one.column_name === name)?.column_total ?? 0);
  return {
    told: { count: total_count, amount: total("leads.amount"), score: total("leads.score") },
    shown: { count: data.length, amount: sum("leads.amount"), score: sum("leads.score") },
  };
}

test("two filters whose values read the same one after the other are counted each by itself", async () => {
  const add = (last_name: string, city: string) =>
    service.post(
      "/crm/leads/add.json",
      { data: { leads: { last_name, city }, action: { save_progress: "Save" } } },
      admin,
    );
  for (const name of ["One", "Two"]) await add(name, "Three");
  const among = (names: string[], cities: string[]) => ({ "leads.last_name": names, "leads.city": cities });
  for (const where of [among(["One", "false", "Two"], ["Three"]), among(["One"], ["Two", "false", "Three"])]) {
    const { told, shown } = await look(where, admin);
    expect(told).toEqual(shown);
  }
});

/** The same groups twice: as they are kept, and worked out all over again for a query that nobody has asked yet. */
async function group(which: number, token: string, fresh: number) {
  const [by = [], order] = groupings[which] ?? [];
  const shown = ["count(leads.id)", "count(*)", "sum(leads.amount)", "sum(leads.score)", "avg(leads.score)"];
  const ask = async (where: Record<string, unknown>) => {
    const q = { fields: [...by, ...shown], group: by, order: order ?? by, where, ...havings[which] };
    const { body } = await service.get(
      `/crm/leads/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`,
      token,
    );
    expect(body.errors).toEqual([]);
    return { rows: body.paginate.data, total: body.paginate.total_count };
  };
  const all = { "leads.id": { op: ">", value: 0 } };
  return { kept: await ask(all), anew: await ask({ "leads.id": { op: ">", value: -1 - fresh } }) };
}

const groupings: readonly (readonly [string[], string[]?])[] = [
  [["leads.source"]],
  [["leads.owned_by", "leads.rating"], ["sum(leads.amount) DESC"]],
  [["leads.city"], ["count(*) DESC"]],
  [[], []],
  [["month(leads.created)"]],
];
const havings: readonly object[] = [{}, {}, { having: { "count(*)": { op: ">", value: 2 } } }, {}, {}];

const save = (leads: Record<string, unknown>, token: string, operation = "edit") =>
  service.post(`/crm/leads/${operation}.json`, { data: { leads, action: { save_progress: "Save" } } }, token);

test("what is written to the records of others does not have the chart of somebody who reads few worked out again", async () => {
  const [anna, bela] = people as [Person, Person];
  const rows = Array.from({ length: 100 }, (_, index) => ({ name: `F${index}`, last_name: `F${index}`, score: "7" }));
  await addRows(
    service,
    "crm/leads",
    rows.map((lead) => ({ ...lead, owned_by: bela.id })),
  );
  const own = String((await save({ last_name: "Own", amount: "10.00" }, anna.token, "add")).body.id);
  const other = String((await save({ last_name: "Other" }, bela.token, "add")).body.id);
  // What is largest cannot be told from what changed.
  const q = encodeURIComponent(JSON.stringify({ fields: ["max(leads.amount) as most"] }));
  const most = async ({ token }: Person) =>
    (await service.get(`/crm/leads/index.json?track_open=0&q=${q}`, token)).body.paginate.data[0].most;
  const written = async (amount: string) => {
    expect((await save({ id: other, amount }, bela.token)).status).toBe(200);
    return [await most(anna), await most(bela)];
  };
  expect(await most(anna)).toBe("10.00");
  expect(await written("20.00")).toEqual(["10.00", "20.00"]);
  // Behind the service's back: whoever reads the record anew finds it.
  await service.db.run(sql`update crm__leads set amount = 30 where id = ${own}::bigint`);
  expect(await written("40.00")).toEqual(["10.00", "40.00"]);
  expect(await written("50.00")).toEqual(["10.00", "50.00"]);
  expect((await save({ id: own, city: "Ulm" }, anna.token)).status).toBe(200);
  expect(await most(anna)).toBe("30.00");
  // What comes to be hers, and what is taken from her.
  expect((await save({ id: other, owned_by: anna.id }, admin)).status).toBe(200);
  expect(await most(anna)).toBe("50.00");
  expect((await save({ id: other, owned_by: bela.id }, admin)).status).toBe(200);
  expect(await most(anna)).toBe("30.00");
  // What it was is told of no more: it may have been hers.
  expect((await save({ id: other, owned_by: anna.id }, admin)).status).toBe(200);
  await service.db.run(sql`delete from core__row_changes`);
  expect(await most(anna)).toBe("50.00");
});

const values = fc.record(
  {
    source: fc.constantFrom("web", "referral", ""),
    rating: fc.constantFrom("hot", "warm"),
    score: fc.integer({ min: 0, max: 100 }),
    amount: fc.constantFrom("10.50", "99999.99", ""),
    city: fc.constantFrom("Ulm", "Neu-Ulm", "Bonn"),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("add"), values, owner: fc.nat(1) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("edit"), values, at: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hand over"), owner: fc.nat(1), at: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("delete", "restore"), at: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("bulk"), values, at: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("fold", "forget") }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

test("counts, totals and groups are those of the rows, after whatever was written", async () => {
  const ids: string[] = [];
  const at = (index: number): string => ids[index % Math.max(1, ids.length)] ?? "0";
  const take = async (one: Step): Promise<void> => {
    switch (one.kind) {
      case "add": {
        const token = people["owner" in one ? one.owner : 0]?.token ?? admin;
        const sent = { last_name: `Lead ${ids.length}`, ...("values" in one ? one.values : {}) };
        ids.push(String((await save(sent, token, "add")).body.id));
        return;
      }
      case "edit":
        if ("values" in one && "at" in one) await save({ id: at(one.at), ...one.values }, admin);
        return;
      case "hand over":
        if ("owner" in one && "at" in one) await save({ id: at(one.at), owned_by: people[one.owner]?.id }, admin);
        return;
      case "delete":
      case "restore":
        if ("at" in one) await service.post(`/crm/leads/${one.kind}.json?id=${at(one.at)}&is_confirm=1`, {}, admin);
        return;
      case "bulk":
        if ("at" in one && "values" in one) {
          const some = { ids: [at(one.at), at(one.at + 1), at(one.at + 2)].join(","), data: { leads: one.values } };
          await service.post("/crm/leads/edit_selected.json", some, admin);
        }
        return;
      case "fold":
        await foldChanges(service.db);
        return;
      default:
        await service.db.run(sql`delete from core__row_changes`);
    }
  };
  for (let count = 0; count < 12; count += 1) await take({ kind: "add", values: {}, owner: count % 2 } as Step);
  // Of so many, the first of the two may read few, and most writes are nothing to her.
  const many = Array.from({ length: 300 }, (_, index) => ({ name: `M${index}`, last_name: `M${index}`, score: "7" }));
  await addRows(
    service,
    "crm/leads",
    many.map((lead) => ({ ...lead, owned_by: people[1]?.id ?? "" })),
  );
  const asked = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    filter: fc.nat(3),
    who: fc.nat(2),
    grouping: fc.nat(4),
  });
  let fresh = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ steps, filter, who, grouping }) => {
      for (const one of steps) await take(one);
      const token = [admin, ...people.map((one) => one.token)][who] ?? admin;
      const { told, shown } = await look(filters[filter], token);
      expect(told.count).toBe(shown.count);
      expect(told.amount).toBeCloseTo(shown.amount, 2);
      expect(told.score).toBeCloseTo(shown.score, 2);
      fresh += 1;
      const { kept, anew } = await group(grouping, token, fresh);
      expect(kept).toEqual(anew);
    }),
    { numRuns: runs(15) },
  );
});

test("what rows were is told for five minutes, and then forgotten", async () => {
  const ago = (minutes: number) => sql`(now() at time zone 'utc') - make_interval(mins => ${minutes}::integer)`;
  await service.db.run(sql`
    insert into core__row_changes (organization_id, record_type, record_id, entries, at)
    values (1, 'lab/rows', 'old', 0, ${ago(6)}), (1, 'lab/rows', 'new', 0, ${ago(3)})`);
  await forgetRowChanges(service.db);
  const left = await service.db.rows(sql`select record_id from core__row_changes where record_type = 'lab/rows'`);
  expect(left).toEqual([{ record_id: "new" }]);
});
