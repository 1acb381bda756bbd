// Pages and counts on the wire, while others write: exact totals, and no row that was there all along repeated or skipped.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldChanges } from "../../../server/database/changes.ts";
import { sql } from "../../../server/database/sql.ts";
import { runs } from "../../runs.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let colleague: Person;
let serial = 0;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  colleague = await addPerson(service, "colleague", ["sales_rep"]);
});
afterAll(() => service.stop());

interface Page {
  readonly ids: string[];
  readonly total: number;
  readonly page: number;
}

const list = async (query: string, token: string = admin): Promise<Page> => {
  const { status, body } = await service.get(`/crm/leads/index.json?track_open=0&${query}`, token);
  expect(body.errors).toEqual([]);
  expect(status).toBe(200);
  expect(body.paginate.total_count_is_exact).toBe(1);
  return {
    ids: body.paginate.data.map((row: Record<string, string>) => row["leads.id"]),
    total: body.paginate.total_count,
    page: body.paginate.page,
  };
};

/** Created at moments of our choosing, so that rows come in anywhere in the list. */
const insert = (moments: readonly number[], owner: string, more: Record<string, string> = {}) =>
  addRows(
    service,
    "crm/leads",
    moments.map((moment) => {
      serial += 1;
      const created = new Date(Date.UTC(2026, 0, 1) + moment * 1000).toISOString().slice(0, 19).replace("T", " ");
      return {
        name: `Lead ${serial}`,
        last_name: `Lead ${serial}`,
        created,
        owned_by: owner,
        status: "new",
        score: String(serial % 7),
        ...more,
      };
    }),
  );

const remove = (ids: readonly string[]) =>
  service.post(`/crm/leads/delete_selected.json`, { ids: ids.join(","), is_confirm: "1" }, admin);

describe("total_count", () => {
  test("follows inserts, deletes and changes of owner at once, for every caller, folded or not", async () => {
    const count = async () => [
      (await list("", admin)).total,
      (await list("", rep.token)).total,
      (await list("", colleague.token)).total,
    ];
    expect(await count()).toEqual([0, 0, 0]);
    const mine = await insert([1, 2, 3, 4, 5], rep.id);
    await insert([6, 7], colleague.id);
    expect(await count()).toEqual([7, 5, 2]);
    await foldChanges(service.db);
    expect(await count()).toEqual([7, 5, 2]);
    const [first = "", second = ""] = mine;
    const deleted = await service.post(`/crm/leads/delete.json?id=${first}&is_confirm=1`, {}, rep.token);
    expect(deleted.body.errors).toEqual([]);
    expect(await count()).toEqual([6, 4, 2]);
    const data = { leads: { id: second, owned_by: colleague.id }, action: { save_progress: "Save" } };
    const handed = await service.post("/crm/leads/edit.json", { data }, admin);
    expect(handed.body.errors).toEqual([]);
    expect(await count()).toEqual([6, 3, 3]);
    await service.post(`/crm/leads/restore.json?id=${first}`, {}, admin);
    expect(await count()).toEqual([7, 4, 3]);
    await service.db.run(sql`delete from crm__leads`);
    await service.db.run(sql`delete from core__changes where record_type = 'crm/leads'`);
    await service.db.run(sql`delete from core__counters where record_type = 'crm/leads'`);
    await service.db.run(sql`update core__versions set changes = changes + 100 where record_type = 'crm/leads'`);
  });

  test("of a filtered list follows as well, and is each caller's own", async () => {
    await insert([1, 2, 3], rep.id, { status: "qualified" });
    await insert([4, 5], colleague.id, { status: "qualified" });
    await insert([6, 7, 8], rep.id, { status: "new" });
    const q = `q=${encodeURIComponent('{"where":{"leads.status":"qualified"}}')}`;
    const count = async (token: string) => (await list(`${q}&limit=1`, token)).total;
    expect([await count(admin), await count(rep.token), await count(colleague.token)]).toEqual([5, 3, 2]);
    await insert([9], rep.id, { status: "qualified" });
    expect([await count(admin), await count(rep.token), await count(colleague.token)]).toEqual([6, 4, 2]);
  });

  test("through an association follows the records on its other side", async () => {
    const q = `q=${encodeURIComponent('{"where":{"leads.owned_by.first_name":"Zoë"}}')}`;
    const count = async () => (await list(`${q}&limit=1`)).total;
    expect(await count()).toBe(0);
    const { total } = await list("limit=1", rep.token);
    const data = { users: { id: rep.id, first_name: "Zoë" }, action: { save_progress: "Save" } };
    expect((await service.post("/access_controls/users/edit.json", { data }, admin)).body.errors).toEqual([]);
    expect(await count()).toBe(total);
  });

  test("through an association is each caller's own, and follows what they may read there", async () => {
    const [a, b, c] = await addRows(service, "crm/companies", [{ name: "A" }, { name: "B" }, { name: "C" }]);
    const deal = (company_id: string | undefined, { id }: Person) => ({ name: "Deal", company_id, owned_by: id });
    await addRows(service, "crm/opportunities", [deal(a, rep), deal(b, rep), deal(c, colleague)]);
    const q = encodeURIComponent('{"where":{"companies.opportunities.name":"Deal"}}');
    const count = async (token: string) => {
      const { body } = await service.get(`/crm/companies/index.json?track_open=0&limit=1&q=${q}`, token);
      return [body.errors, body.paginate.total_count];
    };
    for (let time = 0; time < 2; time += 1) {
      expect([await count(admin), await count(rep.token), await count(colleague.token)]).toEqual([
        [[], 3],
        [[], 2],
        [[], 1],
      ]);
    }
    const role = await service.db.row(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`);
    const held = { user_id: colleague.id, role_id: role?.id };
    const data = { roles_users: held, action: { save_progress: "Save" } };
    const { body } = await service.post("/access_controls/roles_users/add.json", { data }, admin);
    expect([body.errors, await count(colleague.token)]).toEqual([[], [[], 3]]);
    const gone = await service.post(`/access_controls/roles_users/delete.json?id=${body.id}&is_confirm=1`, {}, admin);
    expect(gone.body.errors).toEqual([]);
    expect(await count(colleague.token)).toEqual([[], 1]);
  });
});

describe("a page past the end", () => {
  test.each(["", "&sort=leads.name", `&q=${encodeURIComponent('{"where":{"leads.status":"qualified"}}')}`])(
    "is empty and tells the true count%s",
    async (more) => {
      const first = await list(`page=1${more}`);
      expect(await list(`page=1000${more}`)).toEqual({ ids: [], total: first.total, page: 1000 });
      expect(await list(`page=1000000000&limit=1000${more}`)).toEqual({
        ids: [],
        total: first.total,
        page: 1_000_000_000,
      });
    },
  );
});

describe("pages", () => {
  test.each([
    "limit=3",
    "limit=3&sort=leads.name&dir=ASC",
    "limit=3&sort=leads.score&dir=DESC",
    "limit=3&sort=leads.owned_by",
    "limit=3&sort=leads.rating",
    "limit=3&search_basic=lead",
    `limit=3&q=${encodeURIComponent('{"order":["leads.score ASC","leads.status DESC"]}')}`,
  ])("by %s are the whole list, each row once", async (query) => {
    const whole = await list(query.replace("limit=3", "limit=1000"));
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const { ids } = await list(`${query}&page=${page}`);
      if (ids.length === 0) break;
      seen.push(...ids);
    }
    expect(seen).toEqual(whole.ids);
  });

  test("jumped to in any order are the same pages", async () => {
    const whole = await list("limit=1000");
    for (const page of [3, 1, 2, 3, 2]) {
      expect((await list(`limit=2&page=${page}`)).ids).toEqual(whole.ids.slice((page - 1) * 2, page * 2));
    }
  });

  test("do not go on from where somebody else is", async () => {
    await insert([1_001, 1_003, 1_005], rep.id);
    await insert([5_001, 5_002, 5_003, 5_004], colleague.id);
    const { ids } = await list("limit=1000", colleague.token);
    await list("limit=2&page=1", rep.token);
    expect((await list("limit=2&page=2", colleague.token)).ids).toEqual(ids.slice(2, 4));
  });

  /** What a person does between two pages, and what others do meanwhile. */
  const step = fc.record({
    moments: fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 4 }),
    remove: fc.option(fc.nat(30), { nil: undefined }),
  });

  test.each([
    ["everything", () => admin],
    ["half of it", () => rep.token],
  ] as const)("turned one by one never repeat or skip what was there all along, for who sees %s", async (_, token) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 2, max: 5 }),
        async (steps, limit) => {
          await insert(
            Array.from({ length: 8 }, (_, index) => index * 600),
            rep.id,
          );
          const before = new Set((await list("limit=1000", token())).ids);
          const gone = new Set<string>();
          const seen: string[] = [];
          for (let page = 1; ; page += 1) {
            const { ids } = await list(`limit=${limit}&page=${page}`, token());
            seen.push(...ids);
            if (ids.length < limit) break;
            const { moments, remove: which } = steps[page % steps.length] ?? { moments: [], remove: undefined };
            if (page < 12 && moments.length > 0) await insert(moments, rep.id);
            const victim = which === undefined ? undefined : [...before][which];
            if (victim !== undefined && !gone.has(victim)) {
              await service.post(`/crm/leads/delete.json?id=${victim}&is_confirm=1`, {}, admin);
              gone.add(victim);
            }
          }
          expect(new Set(seen).size).toBe(seen.length);
          const stayed = [...before].filter((id) => !gone.has(id));
          const shown = new Set(seen);
          expect(stayed.filter((id) => !shown.has(id))).toEqual([]);
        },
      ),
      { numRuns: runs(4) },
    );
  });

  test("turned back never repeat or skip either", async () => {
    const limit = 4;
    const there = (await list("limit=1000", rep.token)).ids;
    for (let page = 1; page <= 6; page += 1) await list(`limit=${limit}&page=${page}`, rep.token);
    const from = (await list(`limit=${limit}&page=6`, rep.token)).ids[0] ?? "";
    const seen: string[] = [];
    for (let page = 5; page >= 2; page -= 1) {
      await insert([4_999, 0, page * 700], rep.id);
      seen.unshift(...(await list(`limit=${limit}&page=${page}`, rep.token)).ids);
    }
    expect(new Set(seen).size).toBe(seen.length);
    // Of what was there, an unbroken stretch that ends where the way back began.
    const known = seen.filter((id) => there.includes(id));
    const end = there.indexOf(from);
    expect(end).toBeGreaterThan(0);
    expect(known).toEqual(there.slice(end - known.length, end));
  });
});

test("a deletion of many is counted", async () => {
  const { ids, total } = await list("limit=5");
  expect((await remove(ids)).status).toBe(200);
  expect((await list("limit=1")).total).toBe(total - 5);
});
