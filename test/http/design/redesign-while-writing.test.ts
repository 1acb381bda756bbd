// A text of a large table becomes a choice while people write: what they write meanwhile is looked at like all that was there before.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";

/** More than what is looked through under a lock. */
const ROWS = 10_200;

let service: TestService;
let admin: string;

const access = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };
const text = (name: string, more: object = {}) => ({ name, type: "short-text", ...more });
const options = [
  { value: "open", label: "Open" },
  { value: "done", label: "Done" },
];
const choice = (name: string) => ({ name, type: "choice", settings: { options } });

const send = (fields: readonly object[], wishes: object = {}) => {
  const names = { module: "lab", controller: "things", label: "Thing", plural: "Things", displayField: "name" };
  const definition = JSON.stringify({ ...names, fields: [text("name"), ...fields], access });
  return service.post("/metadata/record_types/save.json", { definition, ...wishes }, admin);
};
const post = (operation: string, things: object) =>
  service.post(`/lab/things/${operation}.json`, { data: { things, action: { save_progress: "Save" } } }, admin);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  expect((await send([text("state")])).body.errors).toEqual([]);
  expect((await post("add", { name: "first", state: "open" })).body.errors).toEqual([]);
  const rows = await service.db.rows(sql`
    select attname as name from pg_attribute where attrelid = 'lab__things'::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname not in ('id', 'name')`);
  const same = rows.map(({ name }) => `"${name}"`).join(", ");
  await service.db.script(`
    insert into lab__things (id, name, ${same})
    select 1000000 + n, 'thing ' || n, ${same} from lab__things, generate_series(1, ${ROWS}) n`);
});
afterAll(() => service.stop());

/** What somebody changes the design with, while it waits for a table. */
const waiting = (table: string) =>
  service.db.rows(sql`
    select virtualtransaction as transaction, waitstart::text as since from pg_locks
    where not granted and relation = to_regclass(${table}) and mode = 'AccessExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`);
const waits = async () => (await waiting("lab__things")).length;

test("a text becomes a choice while records are added and edited", async () => {
  const spelled = ["OPEN", "open", "Done", "DONE", "done"];
  const wanted = new Map<string, string>();
  let written = 0;
  let isOver = false;
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const state = spelled[(turn + writer) % spelled.length] ?? "";
      const id = String(1_000_000 + 100 * (writer + 1) + (turn % 7));
      const isNew = turn % 5 === 4;
      const things = isNew ? { name: `new ${writer}`, state } : { id, name: `edited ${turn}`, state };
      const answer = await post(isNew ? "add" : "edit", things);
      expect([answer.status, answer.body.errors]).toEqual([200, []]);
      wanted.set(isNew ? String(answer.body.id) : id, state.toLowerCase());
      written += 1;
    }
  };
  const { changed } = await service.db.transaction(async (transaction) => {
    await transaction.script("lock table lab__things in access share mode");
    const changed = send([choice("state")], { convert: "state" });
    // It has read all values by now.
    await expect.poll(waits).toBe(1);
    const writing = [0, 1, 2, 3].map(write);
    await expect.poll(() => written, { timeout: 60_000 }).toBeGreaterThan(60);
    isOver = true;
    await Promise.all(writing);
    return { changed };
  });
  const { body } = await changed;
  expect(body.errors).toEqual([]);
  const stored = await service.db.rows(sql`
    select id::text as id, state from lab__things where id::text = any(${[...wanted.keys()]}::text[])`);
  expect(new Map(stored.map(({ id, state }) => [id ?? "", state ?? ""]))).toEqual(wanted);
  expect(await service.db.rows(sql`select distinct state from lab__things order by 1`)).toEqual([
    { state: "done" },
    { state: "open" },
  ]);
});

test("a save that was checked before the change, and waits for it, is checked again", async () => {
  expect((await send([text("state")], { convert: "state" })).body.errors).toEqual([]);
  const answers: number[] = [];
  let isOver = false;
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const things = { name: `late ${turn}`, state: "OPEN" };
      const isNew = turn % 2 === 0;
      const { status } = await post(
        isNew ? "add" : "edit",
        isNew ? things : { ...things, id: String(1_000_900 + writer) },
      );
      answers.push(status);
    }
  };
  const saves = () =>
    service.db.rows(sql`
      select 1 as one from pg_locks where not granted and relation = 'lab__things'::regclass and mode like 'Row%'`);
  const { changed, writing } = await service.db.transaction(async (transaction) => {
    await transaction.script("lock table lab__things in access share mode");
    const changed = send([choice("state")], { convert: "state" });
    await expect.poll(waits).toBe(1);
    const writing = [0, 1, 2, 3].map(write);
    await expect.poll(async () => (await saves()).length, { interval: 10 }).toBeGreaterThan(1);
    return { changed, writing };
  });
  expect((await changed).body.errors).toEqual([]);
  const told = answers.length;
  await expect.poll(() => answers.length).toBeGreaterThan(told + 8);
  isOver = true;
  await Promise.all(writing);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await service.db.rows(sql`select distinct state from lab__things order by 1`)).toEqual([
    { state: "done" },
    { state: "open" },
  ]);
});

test("a save under which the design changes twice is checked three times", async () => {
  await service.db.script(`
    create function lab_hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
    create trigger hold before insert on lab__things for each row execute function lab_hold()`);
  const asked = () =>
    service.db.rows(sql`
      select 1 as one from pg_locks where locktype = 'advisory' and objid = 4711 and not granted
        and database = (select oid from pg_database where datname = current_database())`);
  const waiting = async (count: number) => expect.poll(async () => (await asked()).length).toBe(count);
  const hold = (until: Promise<unknown>) => {
    let taken = (): void => undefined;
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const over = service.db.transaction(async (transaction) => {
      await transaction.run(sql`select pg_advisory_xact_lock(4711)`);
      taken();
      await until;
    });
    return { isTaken, over };
  };
  const signals = [0, 1].map(() => {
    let give = (): void => undefined;
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    return { give, given };
  });
  const bump = () => service.db.run(sql`update metadata__state set version = version + 1`);
  const [first, second] = signals;
  if (!first || !second) throw new Error("two signals");
  const one = hold(first.given);
  await one.isTaken;
  const saved = post("add", { name: "twice", state: "open" });
  await waiting(1);
  const two = hold(second.given);
  await waiting(2);
  await bump();
  first.give();
  await two.isTaken;
  await waiting(1);
  await bump();
  second.give();
  expect((await saved).body.errors).toEqual([]);
  await Promise.all([one.over, two.over]);
  await service.db.script("drop trigger hold on lab__things; drop function lab_hold()");
  const rows = await service.db.rows(sql`select state from lab__things where name = 'twice'`);
  expect(rows).toEqual([{ state: "open" }]);
});

test("a computed text becomes a choice of its own, and what was worked out meanwhile is looked at", async () => {
  const computed = text("kind", { computed: { kind: "formula", formula: 'if(name = "", "done", "open")' } });
  expect((await send([choice("state"), computed])).body.errors).toEqual([]);
  const counts = () => service.db.row(sql`select count(*)::text as n from lab__things where kind is null`);
  await expect.poll(counts, { timeout: 60_000 }).toEqual({ n: "0" });
  const { refused } = await service.db.transaction(async (transaction) => {
    // As whoever fills a computed field of all records does it: without an event of each.
    await transaction.run(sql`update lab__things set kind = 'neither' where id = 1000008`);
    const refused = send([choice("state"), choice("kind")], { convert: "kind" });
    await expect.poll(waits).toBe(1);
    return { refused };
  });
  expect(JSON.stringify((await refused).body.errors)).toContain("neither");
});

test("a reference is removed: the table that it referred to is asked for with its own, without counting its values again", async () => {
  const to = { name: "in_id", type: "reference", settings: { to: "lab/boxes" } };
  const boxes = { module: "lab", controller: "boxes", label: "Box", plural: "Boxes", displayField: "name" };
  const definition = JSON.stringify({ ...boxes, fields: [text("name")], access });
  expect((await service.post("/metadata/record_types/save.json", { definition }, admin)).body.errors).toEqual([]);
  const rest = [
    choice("state"),
    text("kind", { computed: { kind: "formula", formula: 'if(name = "", "done", "open")' } }),
  ];
  expect((await send([...rest, to])).body.errors).toEqual([]);
  const key = () => service.db.rows(sql`select 1 as one from metadata__table_work where kind = 'reference'`);
  await expect.poll(key, { timeout: 60_000 }).toEqual([]);
  const transactions = new Set<string>();
  const tries = new Set<string>();
  const { changed } = await service.db.transaction(async (transaction) => {
    await transaction.script("lock table lab__boxes in access share mode");
    const changed = send(rest, { discard: "in_id" });
    await expect
      .poll(async () => {
        for (const row of await waiting("lab__boxes")) {
          transactions.add(row.transaction ?? "");
          tries.add(row.since ?? "");
        }
        return tries.size;
      })
      .toBeGreaterThan(2);
    return { changed };
  });
  expect((await changed).body.errors).toEqual([]);
  expect(transactions.size).toBe(1);
});

test("deleting a field permanently locks its table only after everything else of it is deleted", async () => {
  expect((await send([], { discard: "state" })).body.errors).toEqual([]);
  const bin = await service.get("/metadata/record_types/removed.json?key=lab/things", admin);
  const { id } = bin.body.data.removed.find(({ field }: { field: string }) => field === "state");
  const kept = sql`from metadata__discarded_values where record_type = 'lab/things' and field = 'state'`;
  const { purged, locked } = await service.db.transaction(async (transaction) => {
    expect((await transaction.run(sql`select 1 ${kept} for update`)).rows).not.toEqual([]);
    const purged = service.post("/metadata/record_types/purge.json", { id, is_confirm: "1" }, admin);
    const purges = () =>
      service.db.rows(sql`
        select pid::text as pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query ilike '%delete from metadata__discarded_values%'`);
    await expect.poll(async () => (await purges()).length).toBe(1);
    const locked = await service.db.rows(sql`
      select 1 as one from pg_locks where granted and relation = 'lab__things'::regclass and mode = 'AccessExclusiveLock'`);
    return { purged, locked };
  });
  expect(locked).toEqual([]);
  expect((await purged).body.errors).toEqual([]);
  expect(await service.db.rows(sql`select 1 as one ${kept}`)).toEqual([]);
  const columns = await service.db.rows(sql`
    select attname as name from pg_attribute where attrelid = 'lab__things'::regclass and not attisdropped
      and starts_with(attname, ${`_removed_${id}_`})`);
  expect(columns).toEqual([]);
});

test("a change that is saved, but not what follows it in time, is told as possibly saved", async () => {
  await service.db.script(`
    create function lab_cut() returns trigger language plpgsql as $$ begin raise exception using errcode = '57014'; end $$;
    create trigger cut before insert or update on metadata__synced_tables for each row
      when (starts_with(new.table_name, 'access of ')) execute function lab_cut()`);
  const names = { module: "lab", controller: "later", label: "Later", plural: "Later", displayField: "name" };
  const definition = JSON.stringify({ ...names, fields: [text("name")], access });
  const saved = await service.post("/metadata/record_types/save.json", { definition }, admin);
  await service.db.script("drop trigger cut on metadata__synced_tables; drop function lab_cut()");
  expect([saved.status, saved.body.errors]).toEqual([503, [expect.stringContaining("may have been saved")]]);
  expect((await service.get("/lab/later/index.json", admin)).status).toBe(200);
});
