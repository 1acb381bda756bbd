// Migrations on data as an older version left it: each is taken back from the list of those applied, rows are written as
// they stood before it, and it runs again.
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { type TestDatabase, testDatabase } from "../database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("prepared");
});
afterAll(() => database.close());

/** Gives how often each record type's version moved meanwhile. */
async function runAgain(number: number): Promise<Record<string, number>> {
  const { db } = database;
  const last = await db.row(sql`select coalesce(max(id), 0)::text as id from core__changes`);
  await db.run(sql`delete from dossier_migrations where number = ${number}`);
  expect(await migrate(db, await readMigrations())).toHaveLength(1);
  const rows = await db.rows(sql`
    select record_type, count(*)::text as n from core__changes where id > ${last?.id ?? "0"}::bigint group by 1`);
  return Object.fromEntries(rows.map((row) => [row.record_type ?? "", Number(row.n)]));
}

test("0012: workflows of what decides on rights end, with what their stages lent; other workflows go on", async () => {
  const { db } = database;
  const active = (controller: string) =>
    db.row(sql`select is_active from core__workflows where organization_id = 1 and controller = ${controller}`);
  await db.run(sql`
    insert into core__workflows (organization_id, id, name, controller, definition, is_active, version, acl_id)
    select 1, gen_random_uuid(), 'Old', controller, '{}', 1, 1, 0
    from unnest(array['access_controls/users', 'access_controls/organizations']) as controller`);
  const lent = async (type: string) => {
    const recipe = `["7",null,[],[[${type.length}],[],[]]]`;
    await db.run(sql`
      insert into core__acl_sets (organization_id, record_type, recipe, _acl, _acl_edit, _acl_tmp, _acl_tmp_edit, actors, readers)
      values (1, ${type}, ${recipe}, '{5,3}', '{9}', '{77}', '{78}', '{77}', '{3,5,9,77,78}')`);
    return () =>
      db.row(sql`
        select _acl_tmp::text as read, _acl_tmp_edit::text as edit, actors::text as actors, readers::text as readers
        from core__acl_sets where organization_id = 1 and record_type = ${type} and recipe = ${recipe}`);
  };
  const [users, leads] = [await lent("access_controls/users"), await lent("crm/leads")];
  await runAgain(12);
  for (const controller of ["access_controls/users", "access_controls/organizations"]) {
    expect(await active(controller)).toEqual({ is_active: "0" });
  }
  expect(await active("crm/leads")).toEqual({ is_active: "1" });
  expect(await users()).toEqual({ read: null, edit: null, actors: null, readers: "{3,5,9}" });
  expect(await leads()).toEqual({ read: "{77}", edit: "{78}", actors: "{77}", readers: "{3,5,9,77,78}" });
});

test("0012: read-only fields of run-time types say that workflows set them; other fields and other types stay", async () => {
  const { db } = database;
  const definition = (permission?: number) => ({
    label: "Old",
    fields: [
      { name: "name", type: "short-text" },
      { name: "approved", type: "date", ...(permission === undefined ? {} : { permission }) },
      { name: "secret", type: "short-text", permission: 1 },
    ],
  });
  const store = (key: string, value: object) =>
    db.run(sql`insert into metadata__record_types (key, definition) values (${key}, ${JSON.stringify(value)}::jsonb)`);
  await store("lab/set", definition(4));
  await store("lab/unset", definition());
  await runAgain(12);
  const stored = async (key: string) =>
    JSON.parse(
      (await db.row(sql`select definition::text as d from metadata__record_types where key = ${key}`))?.d ?? "{}",
    );
  const marked = definition(4);
  expect(await stored("lab/set")).toEqual({
    ...marked,
    fields: marked.fields.map((field) => (field.name === "approved" ? { ...field, setByWorkflow: true } : field)),
  });
  expect(await stored("lab/unset")).toEqual(definition());
  await db.run(sql`delete from metadata__record_types where key in ('lab/set', 'lab/unset')`);
});

test("0020: representatives may bulk-edit where their role is as it was shipped, and nowhere else", async () => {
  const { db } = database;
  const shipped = ["index", "view", "add", "edit", "delete", "comment", "export"];
  const ofRep = (type: string) => sql`o.record_type = ${type} and o.role_id in
    (select id from access_controls__roles where organization_id = 1 and code = 'sales_rep')`;
  const set = (type: string, operations: readonly string[]) =>
    db.run(sql`
      update access_controls__role_operations o set operations = ${operations}::text[] where organization_id = 1 and ${ofRep(type)}`);
  const operations = async (type: string) =>
    (
      await db.row(sql`
        select array_to_string(operations, ' ') as o from access_controls__role_operations o
        where organization_id = 1 and ${ofRep(type)}`)
    )?.o?.split(" ");
  await set("crm/leads", shipped);
  await set("crm/peoples", [...shipped].reverse());
  await set("crm/companies", ["index", "view"]);
  await set("crm/opportunities", [...shipped, "import"]);
  const managers = sql`
    select o.record_type, array_to_string(o.operations, ' ') as operations from access_controls__role_operations o
    join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id and r.code <> 'sales_rep'
    where o.organization_id = 1 order by o.id`;
  const before = await db.rows(managers);
  const moved = await runAgain(20);
  expect(await operations("crm/leads")).toEqual([...shipped, "bulk"]);
  expect(new Set(await operations("crm/peoples"))).toEqual(new Set([...shipped, "bulk"]));
  expect(await operations("crm/companies")).toEqual(["index", "view"]);
  expect(await operations("crm/opportunities")).toEqual([...shipped, "import"]);
  expect(await db.rows(managers)).toEqual(before);
  // Whoever keeps the matrix in memory reads it anew.
  expect(moved).toEqual({ "access_controls/role_operations": 2 });
});

test("0091: roles that are as they were shipped may save import mappings and share dashboards", async () => {
  const { db } = database;
  const of = (code: string) =>
    sql`role_id in (select id from access_controls__roles where organization_id = 1 and code = ${code})`;
  const rights = async () =>
    (
      await db.rows(sql`
        select r.code || ' ' || o.record_type as entry from access_controls__role_operations o
        join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id
        where o.organization_id = 1 and o.record_type in ('core/import_mappings', 'core/team_dashboards') order by 1`)
    ).map(({ entry }) => entry);
  const founded = await rights();
  await db.run(sql`
    delete from access_controls__role_operations
    where organization_id = 1 and record_type in ('core/import_mappings', 'core/team_dashboards')`);
  await db.run(sql`
    update access_controls__role_operations set operations = '{index,view}'
    where organization_id = 1 and record_type = 'core/listviews' and ${of("support")}`);
  expect(await runAgain(91)).toEqual({ "access_controls/role_operations": 4 });
  expect(await rights()).toEqual(founded.filter((entry) => !entry?.startsWith("support")));
  expect(await runAgain(91)).toEqual({});
});

test("0150: roles that are as they were shipped may make feed links", async () => {
  const { db } = database;
  const rights = async () =>
    (
      await db.rows(sql`
        select r.code || ' ' || array_to_string(o.operations, ';') as entry from access_controls__role_operations o
        join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id
        where o.organization_id = 1 and o.record_type = 'core/feed_links' order by 1`)
    ).map(({ entry }) => entry);
  const shipped = sql`organization_id = 1 and role_id in
    (select id from access_controls__roles where organization_id = 1 and code in ('marketing', 'support'))`;
  const founded = await rights();
  expect(founded).toContain("sales_rep index;view;add;delete");
  await db.run(sql`
    delete from access_controls__role_operations where organization_id = 1 and record_type = 'core/feed_links'`);
  await db.run(sql`
    update access_controls__role_operations set operations = '{index,view}'
    where ${shipped} and record_type = 'core/listviews'`);
  const lacking = ["marketing", "support"];
  expect(await runAgain(150)).toEqual({ "access_controls/role_operations": 2 });
  expect(await rights()).toEqual(founded.filter((entry) => !lacking.some((code) => entry?.startsWith(code))));
  expect(await runAgain(150)).toEqual({});
});

test("0026: shipped views show the six columns that programs look for; a view that somebody changed stays as it is", async () => {
  const { db } = database;
  const six = ["type_id", "sub_type_id", "current_stage", "current_workflow_actors", "created_by", "owned_by"];
  const view = (name: string) => sql`organization_id = 1 and controller = 'crm/leads' and name = ${name}`;
  const fields = async (name: string): Promise<string[]> =>
    JSON.parse((await db.row(sql`select query ->> 'fields' as f from core__listviews where ${view(name)}`))?.f ?? "[]");
  const older = JSON.stringify(["leads.name", "leads.owned_by", "leads.created"]);
  await db.run(sql`
    update core__listviews set query = jsonb_set(query, '{fields}', ${older}::jsonb)
    where organization_id = 1 and controller = 'crm/leads' and not query ? 'group'`);
  await db.run(sql`update core__listviews set revision = 2 where ${view("My leads")}`);
  await db.run(sql`update core__listviews set created_by = 1 where ${view("Hot leads")}`);
  await db.run(sql`update core__listviews set deleted = 1 where ${view("To follow up")}`);
  const charts = sql`select id, query from core__listviews where organization_id = 1 and query ? 'group' order by id`;
  const drawn = await db.rows(charts);
  const moved = await runAgain(26);
  expect(await fields("All leads")).toEqual([
    ...JSON.parse(older),
    ...six.filter((name) => name !== "owned_by").map((name) => `leads.${name}`),
  ]);
  for (const name of ["My leads", "Hot leads", "To follow up"])
    expect([name, await fields(name)]).toEqual([name, JSON.parse(older)]);
  expect(await db.rows(charts)).toEqual(drawn);
  expect(moved["core/listviews"]).toBeGreaterThan(0);
  // Once more changes nothing.
  expect(await runAgain(26)).toEqual({});
});
