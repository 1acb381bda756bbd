// View budgets on the wire: how long the lists of each view took, over all processes, for administrators of their own
// organization, with the index that would help; and nothing else about anybody.
import { afterAll, beforeAll, expect, test } from "vitest";
import { generatedViewId } from "../../../contract/generated-view.ts";
import { sql } from "../../../server/database/sql.ts";
import { bucketOf } from "../../../server/records/view-times/buckets.ts";
import { startService, startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

const BUDGETS = "/core/listviews/budgets.json";
const LARGE = { LARGE_LIST_ROWS: "5", AUTOMATIC_INDEXES: "0" };

let both: TwoServices;
let service: TestService;
let admin: string;
let tenant: Awaited<ReturnType<typeof addOrganization>>;
let representative: Person;

beforeAll(async () => {
  both = await startTwoServices(LARGE);
  ({ service } = both);
  admin = await service.login();
  tenant = await addOrganization(service, "tenant");
  representative = await addPerson(service, "rep", ["sales_rep"]);
  const leads = Array.from({ length: 8 }, (_, n) => ({ last_name: `L${n}`, name: `L${n}`, score: String(n) }));
  await addRows(service, "crm/leads", leads);
});
afterAll(() => both.stop());

const read = async (token = admin) => (await service.get(BUDGETS, token)).body.data;
const ofView = async (id: string, controller = "crm/leads", token = admin) =>
  (await read(token)).views.find(
    (one: { id: string; controller: string }) => one.id === id && one.controller === controller,
  );

/** So many lists of a view that took so long, so many days ago. */
const took = async (organization: string, view: string, ms: number, lists: number, days = 0, wanted = "") =>
  service.db.run(sql`
    insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
    values (${organization}::bigint, (now() at time zone 'utc')::date - ${days}::integer, 'crm/leads', ${view},
      ${bucketOf(ms)}::smallint, ${wanted}, ${lists}::bigint)`);
const addView = async (name: string, token = admin): Promise<string> => {
  const listviews = { name, controller: "crm/leads", query: JSON.stringify({ fields: ["leads.name"] }) };
  const { body } = await service.post(
    "/core/listviews/add.json",
    { data: { listviews, action: { save_continue: "Save" } } },
    token,
  );
  expect(body.errors).toEqual([]);
  return String(body.id);
};

test("lists of every process are counted by view, in batches, with the index they lacked", async () => {
  const view = await addView("Counted");
  const third = await startService(LARGE, both.database);
  const lists = async (by: TestService, more: string) => {
    const { status } = await by.get(`/crm/leads/index.json?track_open=0&${more}`, admin);
    expect(status).toBe(200);
  };
  await lists(third, `current_listview=${view}&sort=leads.score`);
  await lists(third, `current_listview=${view}`);
  await lists(both.second, `current_listview=${view}`);
  const q = encodeURIComponent(JSON.stringify({ fields: ["leads.name"] }));
  await lists(third, `q=${q}`);
  await third.stop();
  await expect.poll(async () => (await ofView(view))?.lists).toBe("3");
  expect(await ofView(view)).toMatchObject({
    name: "Counted",
    label: "Leads",
    is_over: 0,
    index: { field: "score", label: "Score", state: null, progress: null, failure: null, may_build: 1, may_remove: 1 },
  });
  // Fields of one's own are no view's.
  expect(await ofView("")).toMatchObject({ name: "", lists: "1", index: null });
});

test("p50 and p95 are of the last seven days, the slowest view first", async () => {
  const [slow, quick] = [await addView("Slow"), await addView("Quick")];
  await took("1", quick, 10, 90);
  await took("1", slow, 10, 90, 1);
  await took("1", slow, 4_000, 10, 6);
  await took("1", slow, 30_000, 1_000, 7);
  const { views, days, budget_ms } = await read();
  expect([days, budget_ms]).toEqual([7, 500]);
  const [first] = views;
  expect(first).toMatchObject({ id: slow, lists: "100", is_over: 1 });
  expect(first.p50_ms).toBeLessThanOrEqual(16);
  expect(first.p95_ms).toBeGreaterThan(2_800);
  expect(first.p95_ms).toBeLessThan(5_700);
  expect(await ofView(quick)).toMatchObject({ is_over: 0 });
});

test("what is older than eight days goes, and only that", async () => {
  const view = await addView("Old");
  await took("1", view, 10, 1, 8);
  await took("1", view, 10, 1, 7);
  const third = await startService({}, both.database);
  await third.stop();
  const rows = await service.db.rows(sql`select lists from core__view_times where view = ${view}`);
  expect(rows).toHaveLength(1);
});

test("an administrator sees the own organization alone, and builds nothing", async () => {
  const view = await addView("Theirs", tenant.token);
  await took(tenant.organizationId, view, 4_000, 5, 0, "score");
  const { views } = await read(tenant.token);
  expect(views.map(({ name }: { name: string }) => name)).toEqual(["Theirs"]);
  expect(views[0].index).toEqual({
    field: "score",
    label: "Score",
    state: null,
    automatic: 0,
    progress: null,
    failure: null,
    may_build: 0,
    may_remove: 0,
  });
  expect(JSON.stringify(await read())).not.toContain("Theirs");
  const refused = await service.post(
    "/metadata/record_types/build_index.json",
    { key: "crm/leads", field: "score" },
    tenant.token,
  );
  expect(refused).toMatchObject({ status: 403, body: { error_code: "designer_required" } });
});

test.each([
  ["a person", () => representative.token, 403],
  ["a stranger", () => "", 401],
])("%s sees nothing of it", async (_, token, status) => {
  const answer = await service.get(BUDGETS, token());
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).not.toContain("p95");
});

test("of a view that is gone there are no figures; a type's own view has its name", async () => {
  const view = await addView("Gone");
  await took("1", view, 10, 1);
  await took("1", generatedViewId("crm/leads"), 10, 1);
  await service.post("/core/listviews/delete.json", { id: view, is_confirm: "1" }, admin);
  expect(await ofView(view)).toBeUndefined();
  expect((await ofView(generatedViewId("crm/leads")))?.name).toBeTruthy();
});

test("figures whose field or type is unknown by now do no harm", async () => {
  const view = await addView("Odd");
  await took("1", view, 900, 1, 0, "no_such_field");
  await service.db.run(sql`
    insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
    values (1, (now() at time zone 'utc')::date, 'lab/gone', '', 3, '', 1)`);
  expect((await ofView(view)).index).toBeNull();
});
