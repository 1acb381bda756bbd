import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planDistribution, readTables } from "../../../server/database/citus/plan.ts";
import type { Queryable } from "../../../server/database/database.ts";
import { globalTables, localTables, referenceTables } from "../../../server/database/distribution.ts";
import { readMigrations } from "../../../server/database/migrate.ts";
import { sql } from "../../../server/database/sql.ts";
import type { RecordTypeDefinition } from "../../../server/metadata/record-type.ts";
import type { MetadataStore } from "../../../server/metadata/store.ts";
import { prepareDatabase } from "../../../server/prepare.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";
import { spreadFaults } from "../catalog.ts";

const visits: RecordTypeDefinition = {
  module: "lab",
  controller: "visits",
  label: "Visit",
  plural: "Visits",
  displayField: "title",
  businessKey: { prefix: "V-", digits: 4 },
  categories: true,
  allowComments: true,
  fields: [
    { name: "title", type: "short-text", required: true, unique: true, searchable: true },
    { name: "company_id", type: "reference", settings: { to: "crm/companies" } },
    { name: "country_id", type: "reference", settings: { to: "masters/countries" } },
    { name: "role_id", type: "reference", settings: { to: "access_controls/roles" } },
    { name: "follows_id", type: "reference", settings: { to: "lab/visits" } },
    { name: "day", type: "date", sortable: true },
    { name: "place", type: "address" },
  ],
  access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
  unique: [["company_id", "day"]],
  indexes: [["day"], ["country_id", "day"]],
};

let database: TestDatabase;
let metadata: MetadataStore;

beforeAll(async () => {
  database = await testDatabase("prepared");
  metadata = await prepareDatabase(database.db);
  await metadata.save({ definition: visits });
});
afterAll(() => database.close());

const faults = (db: Queryable = database.db): Promise<string[]> => {
  const shared = [...metadata.current().types.values()].filter((type) => type.scope === "shared");
  return spreadFaults(db, { global: globalTables, shared: shared.map((type) => type.table) });
};

test("every table can be spread by organization: keys, indexes and references begin with organization_id", async () => {
  expect(await faults()).toEqual([]);
});

test("every table has a place in a distributed database, and every listed table is there", async () => {
  const shared = [...metadata.current().types.values()].filter((type) => type.scope === "shared");
  const tables = await readTables(database.db, false);
  const plan = planDistribution(tables, new Set(shared.map((type) => type.table)));
  expect(plan.unknown).toEqual([]);
  expect(plan.distributed[0]).toBe("core__changes");
  expect([...plan.local].sort()).toEqual([...localTables].sort());
  expect([...plan.reference].sort()).toEqual([...referenceTables, ...shared.map((type) => type.table)].sort());
});

test("every record type stands in a table named after its module and controller", async () => {
  const rows = await database.db.rows(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  const tables = new Set(rows.map((row) => row.name));
  for (const type of metadata.current().types.values()) {
    expect(type.table).toBe(`${type.module}__${type.controller}`);
    expect(tables).toContain(type.table);
  }
});

/** Indexes of a reference alone that also hold the rows without one. */
const heavyIndexes = async (db: Queryable) =>
  (
    await db.rows(sql`
      select i.indexrelid::regclass::text as name from pg_index i
      join pg_constraint k on k.conrelid = i.indrelid and k.contype = 'f' and i.indkey::text = array_to_string(k.conkey, ' ')
      where i.indpred is null and not i.indisunique`)
  ).map((row) => row.name);

test("an index of references holds only the rows that have one, also where it was made before that", async () => {
  const { db } = database;
  expect(await heavyIndexes(db)).toEqual([]);
  await db.script("create index lab__visits__old__index on lab__visits (organization_id, company_id)");
  expect(await heavyIndexes(db)).toEqual(["lab__visits__old__index"]);
  const [migration] = (await readMigrations()).filter(({ name }) => name === "0034_filled_references.sql");
  await db.script(migration?.text ?? "");
  expect(await heavyIndexes(db)).toEqual([]);
});

test("a type made at run time has the keys and indexes that it asked for", async () => {
  const rows = await database.db.rows(sql`
    select indexdef as text from pg_indexes where tablename = 'lab__visits' order by indexname`);
  const texts = rows.map((row) => row.text).join("\n");
  expect(texts).toMatch(/UNIQUE INDEX \S+ ON \S+ USING btree \(organization_id, title\) WHERE \(deleted = 0\)/);
  expect(texts).toMatch(/UNIQUE INDEX \S+ ON \S+ USING btree \(organization_id, company_id, day\)/);
  expect(texts).toMatch(/USING btree \(organization_id, country_id, day\)/);
  const keys = await database.db.rows(sql`
    select confrelid::regclass::text as target from pg_constraint
    where conrelid = 'lab__visits'::regclass and contype = 'f' order by 1`);
  expect(new Set(keys.map((key) => key.target))).toEqual(
    new Set([
      "access_controls__groups",
      "access_controls__roles",
      "access_controls__users",
      "core__categories",
      "crm__companies",
      "lab__visits",
    ]),
  );
});

describe("the checker reports", () => {
  const violations: readonly { what: string; script: string; fault: string }[] = [
    {
      what: "a table without an organization",
      script: "create table lab__loose (id bigint primary key)",
      fault: "lab__loose has no organization_id",
    },
    {
      what: "an organization that may be missing",
      script:
        "create table lab__loose (organization_id bigint, id bigint); create index on lab__loose (organization_id)",
      fault: "lab__loose.organization_id may be null",
    },
    {
      what: "a table without a primary key",
      script: "create table lab__loose (organization_id bigint not null)",
      fault: "lab__loose has no primary key",
    },
    {
      what: "a primary key that begins with something else",
      script: "create table lab__loose (organization_id bigint not null, id bigint, primary key (id, organization_id))",
      fault: "the index lab__loose_pkey of lab__loose does not begin with organization_id",
    },
    {
      what: "a unique index over all organizations",
      script: "create unique index lab__visits__bad on lab__visits (title)",
      fault: "the index lab__visits__bad of lab__visits does not begin with organization_id",
    },
    {
      what: "an index that begins with an expression",
      script: "create index lab__visits__bad on lab__visits (lower(title), organization_id)",
      fault: "the index lab__visits__bad of lab__visits does not begin with organization_id",
    },
    {
      what: "a unique constraint over all organizations",
      script: "alter table lab__visits add constraint lab__visits__bad unique (business_key)",
      fault: "the index lab__visits__bad of lab__visits does not begin with organization_id",
    },
    {
      what: "a reference that leaves the organization out",
      script: "alter table lab__visits add constraint bad foreign key (country_id) references masters__countries (id)",
      fault: "the foreign key bad of lab__visits does not begin with organization_id",
    },
    {
      what: "a shared table with rows of an organization",
      script: "alter table masters__countries add column organization_id bigint",
      fault: "the shared table masters__countries has the column organization_id (0 rows filled)",
    },
    {
      what: "a table with another kind of name",
      script: "create table visits (organization_id bigint, id bigint, primary key (organization_id, id))",
      fault: "visits is not named <module>__<controller>",
    },
    {
      what: "a global table that is gone",
      script: "drop table metadata__synced_tables",
      fault: "metadata__synced_tables is listed and does not exist",
    },
  ];

  const stop = new Error("nothing of this is to stay");

  test.each(violations)("$what", async ({ script, fault }) => {
    let found: readonly string[] = [];
    const trial = database.db.transaction(async (transaction) => {
      await transaction.script(script);
      found = await faults(transaction);
      throw stop;
    });
    await expect(trial).rejects.toBe(stop);
    expect(found).toContain(fault);
    expect(await faults()).toEqual([]);
  });
});
