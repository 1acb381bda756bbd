// Indexes that the service builds by itself: where people keep lacking one, within limits, never against a designer's word, once
// for all processes; and that it removes again where nobody uses them.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type AutomaticIndexes,
  createAutomaticIndexes,
} from "../../../server/controllers/metadata/automatic-indexes.ts";
import { sql } from "../../../server/database/sql.ts";
import { openMetadata } from "../../../server/metadata/store.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import type { Wish } from "../../../server/records/view-times/note-times.ts";
import { startService, startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

const LARGE = { LARGE_LIST_ROWS: "5" };
const KEY = "lab/things";
const FIELDS = ["a", "b", "c", "d", "e"];

let both: TwoServices;
let service: TestService;
let admin: string;
let representative: Person;
/** Those of two processes that hear of no list but what they are told here. */
let one: AutomaticIndexes;
let other: AutomaticIndexes;

beforeAll(async () => {
  both = await startTwoServices(LARGE);
  ({ service } = both);
  admin = await service.login();
  representative = await addPerson(service, "rep", ["sales_rep"]);
  const owned_by = representative.id;
  const leads = Array.from({ length: 8 }, (_, n) => ({ last_name: `L${n}`, name: `L${n}`, score: `${n}`, owned_by }));
  await addRows(service, "crm/leads", leads);
  const definition = JSON.stringify({
    module: "lab",
    controller: "things",
    label: "Thing",
    plural: "Things",
    displayField: "name",
    fields: [
      { name: "name", type: "short-text" },
      { name: "notes", type: "long-text" },
      ...FIELDS.map((name) => ({ name, type: "integer" })),
    ],
    access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  });
  await post("save", { definition });
  const create = async () => {
    const metadata = await openMetadata(service.db, builtInTypes);
    const log = { info: () => undefined, debug: (error: unknown) => expect.fail(String(error)) };
    return createAutomaticIndexes({ database: service.db, metadata, replicas: { usable: () => [] }, log });
  };
  one = await create();
  other = await create();
});
afterAll(() => both.stop());

beforeEach(async () => {
  await expect.poll(() => states()).not.toMatch(/building|removing/);
  for (const { field } of await indexes()) await post("remove_index", { key: KEY, field });
  await expect.poll(() => states()).toBe("");
  await service.db.run(sql`delete from metadata__index_wishes`);
});

const post = async (operation: string, body: Record<string, string>) => {
  const answer = await service.post(`/metadata/record_types/${operation}.json`, body, admin);
  expect(answer.body.errors).toEqual([]);
  return answer.body.message;
};
interface Index {
  readonly field: string;
  readonly state: string;
  readonly automatic: number;
  readonly since: string;
}
const indexes = async (key = KEY): Promise<readonly Index[]> =>
  (await service.get(`/metadata/record_types/indexes.json?key=${key}`, admin)).body.data.indexes;
/** `a ready, b building`; those that designers asked for in brackets. */
const states = async (key = KEY): Promise<string> =>
  (await indexes(key))
    .map(({ field, state, automatic }) => (automatic === 1 ? `${field} ${state}` : `(${field} ${state})`))
    .join(", ");
const wishes = (field: string, count = 5): readonly Wish[] =>
  Array.from({ length: count }, () => ({ recordType: KEY, field }));
/** A day has passed since the service last asked for one. */
const nextDay = () =>
  service.db.run(sql`
    update metadata__index_wishes set requested = requested - interval '25 hours', refused = refused - interval '25 hours'`);
const have = async (field: string): Promise<void> => {
  await nextDay();
  await one.request(wishes(field));
  await expect.poll(() => states()).toContain(`${field} ready`);
};
const audited = async (): Promise<string[]> => {
  const rows = await service.db.rows(sql`
    select concat(detail ->> 'reason', ' ', detail ->> 'changes', ' ', user_name) as entry from access_controls__audit_events
    where event = 'record_type_changed' and subject_id = ${KEY} and detail ? 'reason' order by id`);
  return rows.map(({ entry }) => entry ?? "");
};

test("a list that people keep sorting gets its index: counted once a person and while, of people, not of programs", async () => {
  const sorted = (by: TestService, token: string) =>
    by.get("/crm/leads/index.json?track_open=0&sort=leads.score&limit=3", token);
  const { body } = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "program", scope: "read" } } },
    admin,
  );
  const counted = async () =>
    (await service.db.row(sql`select wishes from metadata__index_wishes where record_type = 'crm/leads'`))?.wishes;
  await service.db.run(
    sql`insert into metadata__index_wishes (record_type, field, wishes) values ('crm/leads', 'score', 3)`,
  );
  const third = await startService(LARGE, both.database);
  const [hint] = (await sorted(third, representative.token)).body.notices;
  expect(hint).toMatchObject({ state: null, may_build: 0, may_design: 0, is_automatic: 1 });
  for (let n = 0; n < 6; n += 1) await sorted(third, representative.token);
  expect((await sorted(third, body.data.api_keys.secret)).body.notices).toHaveLength(1);
  await third.stop();
  expect(await counted()).toBe("4");
  expect(await indexes("crm/leads")).toEqual([]);

  const fourth = await startService(LARGE, both.database);
  await sorted(fourth, representative.token);
  await fourth.stop();
  await expect.poll(() => states("crm/leads")).toBe("score ready");
  await expect.poll(async () => (await sorted(service, representative.token)).body.notices).toBeUndefined();
  await service.post("/metadata/record_types/remove_index.json", { key: "crm/leads", field: "score" }, admin);
  // While one is removed, no other is asked for.
  await expect.poll(() => states("crm/leads")).toBe("");
});

test("it is asked for at the fifth wish of a day, once by all processes, and told in the audit log and to designers", async () => {
  const before = (await audited()).length;
  await one.request(wishes("a", 4));
  await service.db.run(sql`update metadata__index_wishes set day = day - 1`);
  await one.request(wishes("a", 4));
  expect(await states()).toBe("");
  await Promise.all([one.request(wishes("a", 1)), other.request(wishes("b")), other.request(wishes("a", 1))]);
  await expect.poll(() => states()).toMatch(/^[ab] ready$/);
  const told = (await audited()).slice(before);
  expect(told).toEqual([expect.stringMatching(/^slow_lists \{"[ab]": \{"to": "index", "from": null\}\} $/)]);
  const { body } = await service.get("/core/listviews/budgets.json", admin);
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\d /);
  expect(body.data.automatic).toMatchObject([{ controller: KEY, type: "Things", state: "ready", automatic: 1, since }]);
  expect((await service.get("/core/listviews/budgets.json", representative.token)).status).toBe(403);
});

test("one a day of each record type, three at most, and five with those of designers", async () => {
  await one.request(wishes("a"));
  await expect.poll(() => states()).toBe("a ready");
  await one.request(wishes("b"));
  expect(await states()).toBe("a ready");
  await have("b");
  await have("c");
  await nextDay();
  await one.request(wishes("d"));
  expect(await states()).toBe("a ready, b ready, c ready");
  await post("keep_index", { key: KEY, field: "c" });
  await post("build_index", { key: KEY, field: "d" });
  await expect.poll(() => states()).toBe("a ready, b ready, (c ready), (d ready)");
  await have("e");
  await post("keep_index", { key: KEY, field: "e" });
  await nextDay();
  await one.request(Array.from({ length: 5 }, () => ({ recordType: KEY, field: "name" })));
  expect((await indexes()).length).toBe(5);
});

test("none while another is built, and none that could not be built before", async () => {
  await service.db.transaction(async (transaction) => {
    // Building waits for whoever was at it before.
    await transaction.run(sql`insert into lab__things (organization_id, acl_id, name) values (1, 1, 'x')`);
    await post("build_index", { key: KEY, field: "a" });
    await one.request(wishes("b"));
    expect(await states()).toBe("(a building)");
  });
  await expect.poll(() => states()).toBe("(a ready)");
  await service.db.script("alter table lab__things rename column b to other");
  await one.request(wishes("b", 1));
  await expect.poll(() => states()).toBe("(a ready), b failed");
  await service.db.script("alter table lab__things rename column other to b");
  await nextDay();
  await one.request(wishes("b"));
  expect(await states()).toBe("(a ready), b failed");
  await post("build_index", { key: KEY, field: "b" });
  await expect.poll(() => states()).toBe("(a ready), (b ready)");
});

test("what a designer removed is left alone for thirty days; what has no place in an index, always", async () => {
  await have("a");
  await post("remove_index", { key: KEY, field: "a" });
  await expect.poll(() => states()).toBe("");
  await nextDay();
  await one.request(wishes("a"));
  expect(await states()).toBe("");
  await service.db.run(sql`update metadata__index_wishes set refused = refused - interval '29 days'`);
  await one.request([...wishes("notes"), ...wishes("gone"), { recordType: "lab/gone", field: "a" }]);
  expect(await states()).toBe("");
  await one.request(wishes("a"));
  await expect.poll(() => states()).toBe("a ready");
});

test("one that nobody used on thirty days is removed; use, and counters that were reset, keep it", async () => {
  const look = async (scans: string, idleDays: number): Promise<string> => {
    await service.db.run(sql`
      update metadata__indexes set scans = ${scans}, idle_days = ${idleDays}::integer, looked = looked - 1`);
    await one.removeUnused();
    const row = await service.db.row(sql`select concat(state, ' ', idle_days) as text from metadata__indexes`);
    return row?.text ?? "gone";
  };
  await have("a");
  await one.removeUnused();
  expect(await look("0", 28)).toBe("ready 29");
  // A second look on the same day says nothing new.
  await one.removeUnused();
  expect(await look("7", 29)).toBe("ready 0");
  const before = (await audited()).length;
  expect(await look("0", 29)).toMatch(/removing|gone/);
  await expect.poll(() => states()).toBe("");
  expect((await audited()).slice(before)).toEqual([expect.stringContaining("unused_index")]);
  await nextDay();
  await one.request(wishes("a"));
  expect(await states()).toBe("");
  await have("b");
  // Whoever builds what is there already keeps it.
  expect(await post("build_index", { key: KEY, field: "b" })).toEqual(["Index on B kept"]);
  expect(await look("0", 99)).toBe("ready 99");
});

test("use is what the database counts, of standbys too", async () => {
  const metadata = await openMetadata(service.db, builtInTypes);
  const log = { info: () => undefined, debug: () => undefined };
  const standbys = { usable: () => [service.db] };
  const withStandby = createAutomaticIndexes({ database: service.db, metadata, replicas: standbys, log });
  await have("a");
  await withStandby.removeUnused();
  const scans = async () => (await service.db.row(sql`select scans from metadata__indexes`))?.scans;
  expect(await scans()).toMatch(/^\d+ \d+$/);
  const before = await scans();
  await service.db.transaction(async (transaction) => {
    await transaction.script("set local enable_seqscan = off");
    await transaction.rows(
      sql`select id from lab__things where organization_id = 1 and deleted = 0 order by a, id limit 1`,
    );
  });
  await expect
    .poll(async () => {
      await withStandby.removeUnused();
      return scans();
    })
    .not.toBe(before);
});

test("a service that is told to builds none and removes none", async () => {
  await have("a");
  await service.db.run(
    sql`update metadata__indexes set scans = '0', idle_days = 99, looked = looked - 1 where automatic`,
  );
  const off = await startService({ ...LARGE, AUTOMATIC_INDEXES: "0" }, both.database);
  const list = await off.get("/crm/leads/index.json?track_open=0&sort=leads.amount", admin);
  expect(list.body.notices).toMatchObject([{ field: "amount", may_build: 1, is_automatic: 0 }]);
  await off.stop();
  expect(await states()).toBe("a ready");
  const row = await service.db.row(sql`select 1 as found from metadata__index_wishes where field = 'amount'`);
  expect(row).toBeUndefined();
});
