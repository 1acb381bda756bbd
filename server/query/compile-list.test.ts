// Pages of a long list on a real database: a plan that is made once for all pages still walks along the index of the order.
// And how long plans are kept: the same one for the same question, nothing of a design or of people that are gone.
import v8 from "node:v8";
import vm from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { createAclDirectory } from "../access/acl-directory.ts";
import { readPerson } from "../access/read-caller.ts";
import { compile, sql } from "../database/sql.ts";
import { buildSnapshot, requireType, type Snapshot } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { generatedView } from "../plan/list-view.ts";
import { planList } from "../plan/plan-list.ts";
import { planRead } from "../plan/plan-read.ts";
import { withSets } from "../plan/readable-plan.ts";
import type { PresentedView } from "../records/read/present-view.ts";
import { createViewCache } from "../records/read/view-cache.ts";
import { parseListParameters } from "../request/list-parameters.ts";
import { compilePage } from "./compile-list.ts";

let database: TestDatabase;
const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

beforeAll(async () => {
  database = await testDatabase("prepared");
  await database.db.run(sql`
    insert into crm__leads (organization_id, created, modified, revision, deleted, acl_id, name, last_name, status)
    select 1, at, at, 1, 0, 1, 'Lead ' || g, 'Lead ' || g, (array['new', 'contacted', 'qualified'])[1 + g % 3]
    from generate_series(1, 20000) g cross join lateral (select timestamp '2026-01-01' + g * interval '1 minute' as at) t`);
  await database.db.script("analyze crm__leads");
});
afterAll(() => database.close());

const where = JSON.stringify({ where: { "leads.status": "contacted" } });

test.each([
  ["by leads.created", { sort: "leads.created" }, "walk", /crm__leads__created__id__index/],
  ["by leads.name", { sort: "leads.name" }, "walk", /crm__leads__name__id__index/],
  ["of one status", { sort: "leads.created", q: where }, "free", /crm__leads__status__created__id__index/],
] as const)("page 20 %s reads no more rows than it passes", async (_, asked, shape, index) => {
  const { db } = database;
  const first = await db.row(sql`select id::text as id from access_controls__users order by id limit 1`);
  const person = await readPerson(db, "1", first?.id ?? "");
  if (!person) throw new Error("nobody");
  const caller = { ...person, credential: { kind: "session", sessionId: "" } } as const;
  const scope = { snapshot, type: leads, caller, now: new Date() };
  const listed = planList(scope, generatedView(leads), parseListParameters({ ...asked, dir: "DESC" }));
  const plan = withSets(listed, await createAclDirectory(db).view(caller, leads));
  const { text, values } = compile(compilePage(plan, shape, { offset: 950, limit: 50 }, []));
  const literal = (value: unknown): string => {
    const one = Array.isArray(value) ? `{${value.join(",")}}` : String(value);
    return value === null ? "null" : `'${one.replaceAll("'", "''")}'`;
  };
  const explained = await db.transaction(async (transaction) => {
    await transaction.script(`set local plan_cache_mode = force_generic_plan; prepare page_20 as ${text}`);
    await transaction.script(
      `create temporary table told (line text) on commit drop;
       do $$ declare one text; begin
         for one in execute $q$explain execute page_20(${values.map(literal).join(",")})$q$ loop insert into told values (one); end loop;
       end $$; deallocate page_20`,
    );
    return (await transaction.rows(sql`select line from told`)).map(({ line }) => line).join("\n");
  });
  expect(explained).toMatch(/Index (?:Only )?Scan Backward/);
  expect(explained).toMatch(index);
  expect(explained).not.toMatch(/Seq Scan on crm__leads|Sort Key: .*(?:created|name)/);
});

const made = () => buildSnapshot(builtInTypes, [], "test");
const view = generatedView(leads);
const plan = (caller: ReturnType<typeof testCaller>, page = 1, of: Snapshot = snapshot) => {
  const scope = { snapshot: of, type: requireType(of, "crm/leads"), caller, now: new Date("2026-02-28T12:00:00Z") };
  return planList(scope, view, parseListParameters({ page: String(page) }));
};

test("the same page of the same person is one plan; another page has the same columns", () => {
  const caller = testCaller();
  expect(plan(caller)).toBe(plan(caller));
  expect(plan(caller, 2).columns).toBe(plan(caller).columns);
});

test("nothing that was planned or read keeps a design which was replaced", async () => {
  const caller = testCaller();
  const views = createViewCache(database.db);
  // Types that stay as they are go on from design to design.
  const { replaced, type } = await (async () => {
    const old = made();
    const type = requireType(old, "crm/leads");
    plan(caller, 1, old);
    plan(caller, 2, old);
    planRead(old, type, caller, "1");
    await views.view({ caller, snapshot: old, type, mode: "view", id: "1" }, async () => ({}) as PresentedView);
    return { replaced: new WeakRef(old), type };
  })();
  await new Promise(setImmediate);
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void; // the flag just above puts it there
  collect();
  // Compared here: what is in it would fill the screen.
  expect([replaced.deref() === undefined, type.key, typeof views.view]).toEqual([true, "crm/leads", "function"]);
});

test("whoever has not asked for long is forgotten", () => {
  const [first, second] = [testCaller(), testCaller()];
  const before = [plan(first), plan(second)];
  for (let count = 0; count < 999; count += 1) {
    plan(testCaller());
    plan(second);
  }
  expect(plan(second)).toBe(before[1]);
  expect(plan(first)).not.toBe(before[0]);
});
