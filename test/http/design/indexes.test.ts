// Indexes on demand, on the wire: a large list that is sorted without one says so, a designer has it built, lists use it at
// once in every process, and it goes again by wish, by redesign, and never by a crash.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import type { FieldDefinition } from "../../../server/metadata/record-type.ts";
import { startService, startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

const BUILD = "/metadata/record_types/build_index.json";
const REMOVE = "/metadata/record_types/remove_index.json";
const LARGE = { LARGE_LIST_ROWS: "5", AUTOMATIC_INDEXES: "0" };

let both: TwoServices;
let service: TestService;
let second: TestService;
let admin: string;
let representative: Person;
let tenant: Person;

beforeAll(async () => {
  both = await startTwoServices(LARGE);
  ({ service, second } = both);
  admin = await service.login();
  representative = await addPerson(service, "rep", ["sales_rep"]);
  tenant = await addOrganization(service, "tenant");
  const leads = Array.from({ length: 8 }, (_, n) => ({
    last_name: `L${n}`,
    name: `L${n}`,
    score: String((n * 37) % 8),
  }));
  await addRows(service, "crm/leads", leads);
});
afterAll(() => both.stop());

const build = (key: string, field: string, token = admin) => service.post(BUILD, { key, field }, token);
const remove = (key: string, field: string, token = admin) => service.post(REMOVE, { key, field }, token);
const states = async (key: string): Promise<Record<string, string>> => {
  const { body } = await service.get(`/metadata/record_types/indexes.json?key=${key}`, admin);
  return Object.fromEntries(
    body.data.indexes.map(({ field, state }: { field: string; state: string }) => [field, state]),
  );
};
const inCatalog = async (table: string, field: string): Promise<string[]> =>
  (
    await service.db.rows(sql`
      select c.relname as name, i.indisvalid::text as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = to_regclass(${table}) and c.relname like ${`%__${field}__id__index`} order by 1`)
  ).map(({ name, valid }) => `${name} ${valid}`);
const sorted = (by: TestService, field: string, token = admin) =>
  by.get(`/crm/leads/index.json?track_open=0&sort=leads.${field}&dir=DESC&limit=3`, token);
const scoresOf = (rows: readonly Record<string, string>[]) => rows.map((row) => row["leads.score"]);

const define = (controller: string, fields: readonly FieldDefinition[]): string =>
  JSON.stringify({
    module: "lab",
    controller,
    label: "Thing",
    plural: "Things",
    displayField: "name",
    fields: [{ name: "name", type: "short-text" }, ...fields],
    access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  });
const save = (definition: string, more: Record<string, string> = {}) =>
  service.post("/metadata/record_types/save.json", { definition, ...more }, admin);

test("a large list that is sorted by a field without an index says so, and to whom it offers one", async () => {
  const { body } = await sorted(service, "score");
  expect(body.notices).toEqual([
    {
      code: "needs_index",
      text: "This list is slow because Score has no index",
      controller: "crm/leads",
      field: "score",
      label: "Score",
      state: null,
      may_build: 1,
      is_automatic: 0,
      may_design: 1,
    },
  ]);
  expect((await sorted(service, "name")).body.notices).toBeUndefined();
  expect((await sorted(service, "created")).body.notices).toBeUndefined();
  const policy = { read: ["organization"], edit: ["owner"], delete: [], comment: [] };
  const opened = await service.post(
    "/access_controls/policies/add.json",
    {
      data: {
        policies: { record_type: "crm/leads", policy: JSON.stringify(policy) },
        action: { save_progress: "Save" },
      },
    },
    admin,
  );
  expect(opened.body.errors).toEqual([]);
  expect((await sorted(service, "score", representative.token)).body.notices).toMatchObject([{ may_build: 0 }]);
  // Of a table in which one has little, nothing is slow.
  expect((await sorted(service, "score", tenant.token)).body.notices).toBeUndefined();
});

test("why a list is slow is told before it has its rows, by what it asks for", async () => {
  const foretold = (more: string, token = admin) =>
    service.get(`/crm/leads/index.json?track_open=0&notices=only&${more}`, token);
  const { body } = await foretold("sort=leads.score");
  expect(body.notices).toMatchObject([{ code: "needs_index", field: "score", may_build: 1 }]);
  expect(body.paginate).toBeUndefined();
  // Of a condition it is told, too, to whoever waits for it; and nothing where there is an index, or a chart.
  const where = (condition: object) => `q=${encodeURIComponent(JSON.stringify({ where: condition }))}`;
  expect((await foretold(where({ "leads.score": "7" }))).body.notices).toMatchObject([{ field: "score" }]);
  expect((await foretold(where({ "leads.score": "7" }), tenant.token)).body.notices).toEqual([]);
  expect((await foretold("sort=leads.name")).body.notices).toEqual([]);
  expect(await foretold("notices=all")).toMatchObject({ status: 400 });
  expect(await foretold("sort=leads.nonsense")).toMatchObject({ status: 400 });
});

test.each([
  ["a representative", () => representative.token],
  ["an administrator of another organization", () => tenant.token],
])("%s may neither build, remove nor see indexes", async (_, token) => {
  for (const answer of [
    await build("crm/leads", "score", token()),
    await remove("crm/leads", "score", token()),
    await service.get("/metadata/record_types/indexes.json?key=crm/leads", token()),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { error_code: "designer_required" } });
  }
  expect(await states("crm/leads")).toEqual({});
});

test.each([
  ["a field that is not there", "nothing", 400],
  ["a text of any length", "description", 409],
  ["several values", "tags", 409],
  ["a field of two columns", "location", 409],
  ["one that has its index", "name", 409],
])("%s gets none", async (_, field, status) => {
  const answer = await build("crm/leads", field);
  expect(answer.status).toBe(status);
  expect(answer.body.errors[0]).not.toBe("");
  expect(await states("crm/leads")).toEqual({});
});

test("an index is built, used by every process, asked for once, and removed again", async () => {
  const before = scoresOf((await sorted(service, "score")).body.paginate.data);
  expect(await build("crm/leads", "score")).toMatchObject({
    status: 200,
    body: { message: ["Building the index on Score"] },
  });
  await expect.poll(() => states("crm/leads")).toEqual({ score: "ready" });
  expect(await inCatalog("crm__leads", "score")).toEqual([
    "crm__leads__acl_id__score__id__index true",
    "crm__leads__score__id__index true",
  ]);
  for (const by of [service, second]) {
    await expect.poll(async () => (await sorted(by, "score")).body.notices).toBeUndefined();
    expect(scoresOf((await sorted(by, "score")).body.paginate.data)).toEqual(before);
  }
  expect((await build("crm/leads", "score")).body.errors).toEqual([expect.stringContaining("Score has an index")]);
  const { body } = await service.get("/access_controls/audit_events/index.json?limit=1&track_open=0", admin);
  expect(JSON.stringify(body.paginate.data)).toContain("record_type_changed");

  expect(await remove("crm/leads", "score")).toMatchObject({ status: 200 });
  expect((await sorted(service, "score")).body.notices).toHaveLength(1);
  await expect.poll(() => states("crm/leads")).toEqual({});
  expect(await inCatalog("crm__leads", "score")).toEqual([]);
  expect((await remove("crm/leads", "score")).status).toBe(400);
});

test("an index of what all organizations share, too", async () => {
  await build("masters/countries", "iso3");
  await expect.poll(() => states("masters/countries")).toEqual({ iso3: "ready" });
  expect(await inCatalog("masters__countries", "iso3")).toEqual(["masters__countries__iso3__id__index true"]);
  await remove("masters/countries", "iso3");
  await expect.poll(() => states("masters/countries")).toEqual({});
});

test("a record type has at most five", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  await save(
    define(
      "many",
      names.map((name) => ({ name, type: "integer" }) as const),
    ),
  );
  const answers = await Promise.all(names.map((name) => build("lab/many", name)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.find(({ status }) => status === 409)?.body.errors[0]).toContain("at most 5");
});

test("a redesign drops the indexes of fields that go or change, and keeps the others", async () => {
  const field = (name: string, type: "integer" | "short-text"): FieldDefinition => ({ name, type });
  await save(define("redone", [field("gone", "integer"), field("other", "short-text"), field("kept", "integer")]));
  for (const name of ["gone", "other", "kept"]) await build("lab/redone", name);
  await expect.poll(() => states("lab/redone")).toEqual({ gone: "ready", other: "ready", kept: "ready" });
  const redone = define("redone", [field("other", "integer"), field("kept", "integer")]);
  expect(await save(redone, { discard: "gone", convert: "other" })).toMatchObject({ status: 200 });
  expect(await states("lab/redone")).toEqual({ kept: "ready" });
  expect(await inCatalog("lab__redone", "other")).toEqual([]);
  expect(await inCatalog("lab__redone", "kept")).toHaveLength(2);
});

test("while an index is built its type is not redesigned but a moment later, and writers do not wait", async () => {
  await save(define("busy", [{ name: "size", type: "integer" }]));
  const insert = sql`insert into lab__busy (organization_id, acl_id, name) values (1, 1, 'x')`;
  const discard = () => save(define("busy", []), { discard: "size" });
  const { waiting } = await service.db.transaction(async (transaction) => {
    // Building waits for whoever was at it before.
    await transaction.run(insert);
    await build("lab/busy", "size");
    await service.db.run(insert);
    expect(await discard()).toMatchObject({ status: 409 });
    const waiting = discard();
    expect(await states("lab/busy")).toEqual({ size: "building" });
    return { waiting };
  });
  expect(await waiting).toMatchObject({ status: 200 });
  expect(await inCatalog("lab__busy", "size")).toEqual([]);
});

test("what a killed process left half built is built anew by the next start", async () => {
  await save(define("killed", [{ name: "size", type: "integer" }]));
  for (const name of ["x", "y"])
    await service.db.run(sql`insert into lab__killed (organization_id, acl_id, name) values (1, 1, ${name})`);
  // A unique index that fails is left invalid, as one that was killed.
  const half = `create unique index concurrently "lab__killed__size__id__index" on lab__killed (organization_id)`;
  await expect(service.db.script(half)).rejects.toThrow();
  expect(await inCatalog("lab__killed", "size")).toEqual(["lab__killed__size__id__index false"]);
  await service.db.run(sql`insert into metadata__indexes (record_type, field) values ('lab/killed', 'size')`);
  const third = await startService(LARGE, both.database);
  try {
    await expect.poll(() => states("lab/killed")).toEqual({ size: "ready" });
    expect(await inCatalog("lab__killed", "size")).toEqual([
      "lab__killed__acl_id__size__id__index true",
      "lab__killed__size__id__index true",
    ]);
  } finally {
    await third.stop();
  }
});

test("an index that cannot be built says why, leaves nothing behind, and can be asked for again", async () => {
  await save(define("failing", [{ name: "size", type: "integer" }]));
  await service.db.script(`alter table lab__failing rename column size to other_size`);
  await build("lab/failing", "size");
  await expect.poll(() => states("lab/failing")).toEqual({ size: "failed" });
  await service.db.script(`alter table lab__failing rename column other_size to size`);
  expect(await inCatalog("lab__failing", "size")).toEqual([]);
  await build("lab/failing", "size");
  await expect.poll(() => states("lab/failing")).toEqual({ size: "ready" });
});

const rowsIn = async (table: string): Promise<void> =>
  service.db.script(
    `insert into ${table} (organization_id, acl_id, name) select 1, 1, n::text from generate_series(1, 3) n`,
  );
const fast = (name: string, indexed = true): FieldDefinition => ({ name, type: "integer", indexed });

test("Fast sorting of a type with records is built beside its writers, used when it is there, and dropped beside them too", async () => {
  await save(define("fast", [fast("size", false)]));
  await rowsIn("lab__fast");
  await service.db.transaction(async (transaction) => {
    // Who writes meanwhile is waited for by the building, and waits for nothing.
    await transaction.run(sql`insert into lab__fast (organization_id, acl_id, name) values (1, 1, 'x')`);
    expect(await save(define("fast", [fast("size")]))).toMatchObject({ status: 200 });
    expect(await states("lab/fast")).toEqual({ size: "building" });
  });
  await expect.poll(() => states("lab/fast")).toEqual({});
  expect(await inCatalog("lab__fast", "size")).toEqual([
    "lab__fast__acl_id__size__id__index true",
    "lab__fast__size__id__index true",
  ]);
  expect((await build("lab/fast", "size")).body.errors[0]).toContain("has an index");
  await service.db.transaction(async (transaction) => {
    await transaction.rows(sql`select id from lab__fast limit 1`);
    expect(await save(define("fast", [fast("size", false)]))).toMatchObject({ status: 200 });
    expect(await states("lab/fast")).toEqual({ size: "removing" });
  });
  await expect.poll(() => states("lab/fast")).toEqual({});
  expect(await inCatalog("lab__fast", "size")).toEqual([]);
});

test("Fast sorting of an empty type is there with the save; one that was added before becomes the design's own", async () => {
  await save(define("early", [fast("size"), fast("weight", false)]));
  expect(await inCatalog("lab__early", "size")).toHaveLength(2);
  await rowsIn("lab__early");
  await build("lab/early", "weight");
  await expect.poll(() => states("lab/early")).toEqual({ weight: "ready" });
  await save(define("early", [fast("size"), fast("weight")]));
  expect(await states("lab/early")).toEqual({});
  expect(await inCatalog("lab__early", "weight")).toHaveLength(2);
});

test("Fast sorting that cannot be built says why, is tried again, and goes when the design no longer asks for it", async () => {
  await save(define("stuck", [fast("size", false)]));
  await rowsIn("lab__stuck");
  await service.db.script("alter table lab__stuck rename column size to other_size");
  // Other columns than the design has: too long for an index.
  await service.db.script("alter table lab__stuck add column size text");
  await service.db.script(
    "update lab__stuck set size = (select string_agg(md5(n::text || name), '') from generate_series(1, 300) n)",
  );
  expect(await save(define("stuck", [fast("size")]))).toMatchObject({ status: 200 });
  await expect.poll(() => states("lab/stuck")).toEqual({ size: "failed" });
  const { body } = await service.get("/metadata/record_types/indexes.json?key=lab/stuck", admin);
  expect(body.data.indexes[0].failure).toContain("index row");
  expect((await remove("lab/stuck", "size")).body.errors).toEqual([expect.stringContaining("Fast sorting on")]);
  await build("lab/stuck", "size");
  await expect.poll(() => states("lab/stuck")).toEqual({ size: "failed" });
  expect(await save(define("stuck", [fast("size", false)]))).toMatchObject({ status: 200 });
  expect(await states("lab/stuck")).toEqual({});
  expect(await inCatalog("lab__stuck", "size")).toEqual([]);
});

test("an added index that somebody dropped, or that is not valid, is found by the next start and built anew", async () => {
  await save(define("lost", [fast("size", false), fast("weight", false)]));
  for (const name of ["size", "weight"]) await build("lab/lost", name);
  await expect.poll(() => states("lab/lost")).toEqual({ size: "ready", weight: "ready" });
  await service.db.script("drop index lab__lost__size__id__index");
  await service.db.script("drop index lab__lost__weight__id__index");
  await rowsIn("lab__lost");
  const half = `create unique index concurrently "lab__lost__weight__id__index" on lab__lost (organization_id)`;
  await expect(service.db.script(half)).rejects.toThrow();
  const third = await startService(LARGE, both.database);
  try {
    await expect
      .poll(async () => [...(await inCatalog("lab__lost", "size")), ...(await inCatalog("lab__lost", "weight"))])
      .toEqual([
        "lab__lost__acl_id__size__id__index true",
        "lab__lost__size__id__index true",
        "lab__lost__acl_id__weight__id__index true",
        "lab__lost__weight__id__index true",
      ]);
    await expect.poll(() => states("lab/lost")).toEqual({ size: "ready", weight: "ready" });
  } finally {
    await third.stop();
  }
});

test("a redesign that waits for a writer lets everybody else through, and is done once the writer is", async () => {
  await save(define("held", []));
  await rowsIn("lab__held");
  const waits = async () =>
    (
      await service.db.rows(sql`
        select 1 as one from pg_locks where not granted and relation = 'lab__held'::regclass
          and database = (select oid from pg_database where datname = current_database())`)
    ).length > 0;
  const { saving } = await service.db.transaction(async (transaction) => {
    await transaction.run(sql`insert into lab__held (organization_id, acl_id, name) values (1, 1, 'x')`);
    const saving = save(define("held", [{ name: "size", type: "integer" }]));
    await expect.poll(waits).toBe(true);
    expect((await service.get("/lab/held/index.json", admin)).status).toBe(200);
    return { saving };
  });
  expect(await saving).toMatchObject({ status: 200 });
});
