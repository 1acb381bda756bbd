// What takes long on a large table after an upgrade or a change of design is done while the service runs: nothing is written anew
// under a lock, searches are right meanwhile, and whoever comes after a process that was killed goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordChanges } from "../../server/database/changes.ts";
import type { Queryable } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";
import { checkService } from "../../server/doctor/run-checks.ts";
import { testConfig } from "../config.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { startProcess } from "../engine/real-process.ts";
import { startService, type TestService } from "../service.ts";

/** More than what is done at once. */
const ROWS = 10_200;
const BUILDER_LOCK = "6021023341275";

let database: TestDatabase;
let service: TestService;
let admin: string;
beforeAll(async () => {
  database = await testDatabase("prepared");
  service = await startService({}, database);
  admin = await service.login();
  await save(["name"]);
  const things = { name: "first", note: "note", parent_id: "" };
  await service.post("/lab/things/add.json", { data: { things, action: { save_progress: "Save" } } }, admin);
  const rows = await database.db.rows(sql`
    select attname as name from pg_attribute where attrelid = 'lab__things'::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname not in ('id', 'name', 'note')`);
  const same = rows.map(({ name }) => `"${name}"`).join(", ");
  await service.db.script(`
    insert into lab__things (id, name, note, ${same})
    select 1000000 + n, 'thing ' || n, 'Größe ' || n, ${same} from lab__things, generate_series(1, ${ROWS}) n`);
});
afterAll(async () => {
  await service.stop();
  await database.close();
});

/** Words are looked for in these fields, and only in these. */
async function save(searchable: readonly string[], more: readonly object[] = [], wishes = {}): Promise<void> {
  const { status, body } = await send(searchable, more, wishes);
  expect([status, body.errors]).toEqual([200, []]);
}

function send(searchable: readonly string[], more: readonly object[], wishes: object) {
  const field = (name: string, type: string) => ({ name, type, searchable: searchable.includes(name) });
  const definition = {
    module: "lab",
    controller: "things",
    label: "Thing",
    plural: "Things",
    displayField: "name",
    fields: [
      field("name", "short-text"),
      field("note", "short-text"),
      { name: "parent_id", type: "reference", settings: { to: "lab/things" } },
      ...more,
    ],
    access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
  };
  const sent = { definition: JSON.stringify(definition), ...wishes };
  return service.post("/metadata/record_types/save.json", sent, admin);
}

async function found(words: string, by: TestService = service): Promise<string[]> {
  const { body } = await by.get(`/lab/things/index.json?track_open=0&search_basic=${encodeURIComponent(words)}`, admin);
  return body.paginate.data.map((row: Record<string, string>) => row["things.name"]);
}

/** Whoever found the lock taken looks again by itself; sooner when it is told. */
const letBuild = async (session: Queryable) => {
  await session.run(sql`select pg_advisory_unlock(${BUILDER_LOCK}::bigint)`);
  await database.db.run(sql`select pg_notify('dossier_indexes', '')`);
};

const pending = async () =>
  (await database.db.rows(sql`select kind from metadata__table_work order by kind`)).map(({ kind }) => kind);
/** Entries of the log of changes that a standby is compared by. */
const changes = async () =>
  Number(
    (
      await database.db.row(sql`
        select (coalesce((select sum(changes) from core__versions where record_type = 'lab/things'), 0)
          + (select count(*) from core__changes where record_type = 'lab/things'))::text as n`)
    )?.n,
  );
const fileOf = () => database.db.row(sql`select relfilenode::text as file from pg_class where relname = 'lab__things'`);
/** Records whose text is not what PostgreSQL would make of their fields. */
const wrong = async () =>
  Number(
    (
      await database.db.row(sql`
        select count(*)::text as n from lab__things
        where search_text is distinct from dossier_fold((coalesce(name, '') || E'\x1f' || coalesce(note, '')) collate "default")`)
    )?.n,
  );

test("A change of what is searched leaves a large table where it is; searches are right before, during and after", async () => {
  const before = await fileOf();
  let told = 0;
  await service.db.session(async (session) => {
    await session.run(sql`select pg_advisory_lock(${BUILDER_LOCK}::bigint)`);
    await save(["name", "note"]);
    expect(await fileOf()).toEqual(before);
    expect(await pending()).toEqual(["search"]);
    expect(await found("groesse 777 thing")).toEqual([]);
    expect(await found("GRÖSSE 10177")).toEqual(await found("thing 10177"));
    expect(await found("größe 10177")).toEqual(["thing 10177"]);
    await service.post(
      "/lab/things/add.json",
      { data: { things: { name: "written meanwhile", note: "Überall" }, action: { save_progress: "Save" } } },
      admin,
    );
    expect(await found("uberall")).toEqual(["written meanwhile"]);
    told = await changes();
    const findings = await checkService(service.db, testConfig(service.dataDir));
    expect(findings.filter(({ about }) => about === "Tables")).toMatchObject([
      { level: "fine", sentence: expect.stringContaining("lab__things: the search text is being built") },
    ]);
    await letBuild(session);
  });
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  // A standby that is not there yet is not asked.
  expect(await changes()).toBeGreaterThan(told);
  expect(await wrong()).toBe(0);
  expect(await found("größe 10177")).toEqual(["thing 10177"]);
  expect(await found("uberall")).toEqual(["written meanwhile"]);
  await service.db.run(sql`update lab__things set note = 'moved' where name = 'thing 5'`);
  expect(await found("moved")).toEqual(["thing 5"]);
});

test("A new field is found by its words at once: what is there already has nothing in it", async () => {
  const state = { name: "city", type: "short-text" };
  await service.db.session(async (session) => {
    await session.run(sql`select pg_advisory_lock(${BUILDER_LOCK}::bigint)`);
    await save(["name", "note"], [state]);
    expect(await pending()).toEqual([]);
    await service.db.run(sql`update lab__things set city = 'Ålesund' where name = 'thing 6'`);
    expect(await found("alesund")).toEqual(["thing 6"]);
    expect(await found("größe 10177")).toEqual(["thing 10177"]);
    // What is not filled in yet when the field comes is not forgotten.
    await save(["name"], [state]);
    expect(await pending()).toEqual(["search"]);
    await save(["name"], [state, { name: "street", type: "short-text" }]);
    expect(await pending()).toEqual(["search"]);
    await letBuild(session);
  });
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  const before = await database.db.row(sql`select search_text from lab__things where name = 'thing 6'`);
  expect(before?.search_text).toBe("thing 6\x1egrosse 6\x1falesund\x1f");
  await save(["name", "note"], [], { discard: "city,street" });
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  expect(await wrong()).toBe(0);
});

test("The first field that is searched brings the texts of all others along, also where that field is new", async () => {
  const [name, code] = [
    { name: "name", type: "short-text" },
    { name: "code", type: "short-text", searchable: true },
  ];
  const design = async (...fields: readonly object[]) => {
    const definition = {
      ...{ module: "lab", controller: "crates", label: "Crate", plural: "Crates", displayField: "name", fields },
      access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    };
    const sent = { definition: JSON.stringify(definition) };
    const { body } = await service.post("/metadata/record_types/save.json", sent, admin);
    expect(body.errors).toEqual([]);
  };
  await design(name);
  await service.db.script(`
    insert into lab__crates (organization_id, acl_id, name)
    select organization_id, acl_id, 'crate ' || n
    from (select * from lab__things limit 1) one, generate_series(1, ${ROWS}) n`);
  await service.db.session(async (session) => {
    await session.run(sql`select pg_advisory_lock(${BUILDER_LOCK}::bigint)`);
    await design(name, code);
    expect(await pending()).toContain("search");
    await letBuild(session);
  });
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  const { body } = await service.get("/lab/crates/index.json?track_open=0&search_basic=10177", admin);
  expect(body.paginate.data.map((row: Record<string, string>) => row["crates.name"])).toEqual(["crate 10177"]);
});

test("A record that somebody holds while the texts are filled in gets its text too", async () => {
  const reached = async () =>
    Number(
      (await database.db.row(sql`select reached ->> 1 as id from metadata__table_work where kind = 'search'`))?.id,
    );
  await service.db.session(async (session) => {
    await session.run(sql`select pg_advisory_lock(${BUILDER_LOCK}::bigint)`);
    await save(["note"]);
    await database.db.transaction(async (holder) => {
      await holder.run(sql`update lab__things set parent_id = null where id = 1000500`);
      await letBuild(session);
      await expect.poll(reached, { timeout: 60_000 }).toBeGreaterThan(1_000_500);
    });
  });
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  const held = await database.db.row(sql`select search_text from lab__things where id = 1000500`);
  expect(held?.search_text).toBe("grosse 500\x1ething 500");
  await save(["name", "note"]);
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
});

test("A start that finds an older table is ready at once, and what a killed process began is finished by the next", async () => {
  const { db } = database;
  await service.stop();
  await db.script(`
    comment on column lab__things.search_text is 'as an older version made it';
    drop trigger search_text on lab__things;
    update lab__things set search_text = 'older';
    drop index lab__things__parent_id__index, lab__things__search_text__index;
    alter table lab__things drop constraint lab__things__parent_id__reference;
    delete from metadata__synced_tables where table_name = 'lab__things'`);
  // What is left of one that could not be built to its end.
  const halfBuilt = "create unique index concurrently lab__things__parent_id__index on lab__things (organization_id)";
  await expect(db.script(halfBuilt)).rejects.toThrow("could not create unique index");
  const before = await fileOf();
  const reached = () => db.row(sql`select (done > 0)::text as begun from metadata__table_work where kind = 'search'`);
  await db.session(async (holder) => {
    // Nobody begins before the process is ready, and then the last record cannot be written: there is something left.
    await holder.run(sql`select pg_advisory_lock(${BUILDER_LOCK}::bigint)`);
    const { child } = await startProcess(database.connection);
    expect(await pending()).toEqual(["index", "index", "reference", "search"]);
    await holder.script("begin");
    await holder.run(sql`select id from lab__things order by organization_id desc, id desc limit 1 for update`);
    await letBuild(holder);
    await expect.poll(reached, { timeout: 60_000 }).toEqual({ begun: "true" });
    child.kill("SIGKILL");
    await holder.script("commit");
  });
  expect(await fileOf()).toEqual(before);
  service = await startService({}, database);
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  expect(await wrong()).toBe(0);
  const state = await db.row(sql`
    select (select indisvalid from pg_index where indexrelid = 'lab__things__search_text__index'::regclass)::text as search,
      (select indisvalid from pg_index where indexrelid = 'lab__things__parent_id__index'::regclass)::text as parent,
      (select convalidated from pg_constraint where conname = 'lab__things__parent_id__reference')::text as reference`);
  expect(state).toEqual({ search: "true", parent: "true", reference: "true" });
  const findings = await checkService(db, testConfig(service.dataDir));
  expect(findings.filter(({ about }) => about === "Tables" || about === "Indexes").map(({ level }) => level)).toEqual([
    "fine",
    "fine",
  ]);
});

test("an older program beside a newer one leaves alone what it does not know", async () => {
  const key = await database.db.row(sql`
    select conname as name from pg_constraint where conrelid = 'lab__things'::regclass and contype = 'f' limit 1`);
  const unknown = ["index of tomorrow", "search text of tomorrow", "table of tomorrow"];
  await database.db.run(sql`
    insert into metadata__table_work (table_name, kind, name) values
      ('lab__things', 'index', ${unknown[0] ?? ""}), ('lab__things', 'search', ${unknown[1] ?? ""}),
      ('tomorrow__things', 'index', ${unknown[2] ?? ""}), ('lab__things', 'reference', ${key?.name ?? ""})`);
  const left = async () =>
    (await database.db.rows(sql`select name from metadata__table_work order by name`)).map(({ name }) => name);
  await database.db.run(sql`select pg_notify('dossier_indexes', '')`);
  // Its own is done, so it has looked at all of them.
  await expect.poll(left).toEqual(unknown);
  await database.db.run(sql`delete from metadata__table_work`);
});

const options = [
  { value: "open", label: "Open" },
  { value: "done", label: "Done" },
];
const choice = { name: "state", type: "choice", settings: { options } };
const places = async () =>
  (await database.db.rows(sql`select ctid::text as place from lab__things order by id`)).map(({ place }) => place);

test("A new field, and a text that becomes a choice, leave the records of a large table where they are, but those that are spelled otherwise", async () => {
  const { db } = database;
  const before = await places();
  await save(["name", "note"], [{ name: "state", type: "short-text" }]);
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  expect(await places()).toEqual(before);
  await db.run(sql`update lab__things set state = case name when 'thing 7' then 'OPEN' else 'open' end`);
  expect(await found("OPEN")).not.toEqual([]);
  // What somebody writes while the values are looked through is looked at too.
  const waits = async () =>
    (
      await db.rows(sql`select 1 as one from pg_locks where not granted and relation = 'lab__things'::regclass
      and database = (select oid from pg_database where datname = current_database())`)
    ).length;
  const { refused } = await db.transaction(async (transaction) => {
    const eight = await transaction.row(sql`
      update lab__things set state = 'neither' where name = 'thing 8'
      returning organization_id::text as organization, id::text as id, acl_id::text as acl`);
    const changed = { id: eight?.id ?? "", aclId: eight?.acl ?? "", delta: 0, operation: "edit" } as const;
    await recordChanges(transaction, eight?.organization ?? "", "lab/things", [changed]);
    const refused = send(["name", "note"], [choice], { convert: "state" });
    await expect.poll(waits).toBe(1);
    return { refused };
  });
  expect(JSON.stringify((await refused).body.errors)).toContain("neither");
  await db.run(sql`update lab__things set state = 'open' where name = 'thing 8'`);
  const filled = await places();
  await db.session(async (session) => {
    await session.run(sql`select pg_advisory_lock(${BUILDER_LOCK}::bigint)`);
    await save(["name", "note"], [choice], { convert: "state" });
    const moved = (await places()).filter((place, at) => place !== filled[at]);
    expect(moved).toHaveLength(1);
    await letBuild(session);
  });
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  const seven = await db.row(sql`select state, search_text from lab__things where name = 'thing 7'`);
  expect([seven?.state, seven?.search_text]).toEqual(["open", expect.not.stringContaining("open")]);
  const kept = await db.rows(
    sql`select value from metadata__discarded_values where record_type = 'lab/things' and field = 'state'`,
  );
  expect(kept).toEqual([{ value: "OPEN" }]);
  const column = await db.row(sql`
    select c.collname as collation from pg_attribute a join pg_collation c on c.oid = a.attcollation
    where a.attrelid = 'lab__things'::regclass and a.attname = 'state'`);
  expect(column).toEqual({ collation: "default" });
});

test("A field that few records have becomes searchable: the others stay where they are, also where texts stand behind it", async () => {
  const { db } = database;
  const [tag, city] = [
    { name: "tag", type: "short-text" },
    { name: "city", type: "short-text" },
  ];
  await save(["name", "note"], [choice, tag, city]);
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  await db.run(sql`update lab__things set city = 'Bern'`);
  await db.run(sql`update lab__things set tag = 'seldom' where name in ('thing 3', 'thing 4')`);
  const before = await places();
  await save(["name", "note"], [choice, { ...tag, searchable: true }, city]);
  await expect.poll(pending, { timeout: 60_000 }).toEqual([]);
  expect((await places()).filter((place, at) => place !== before[at])).toHaveLength(2);
  expect(await found("seldom")).toEqual(expect.arrayContaining(["thing 3", "thing 4"]));
});
