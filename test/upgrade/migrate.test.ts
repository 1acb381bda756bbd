import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { type Migration, migrate, readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { type TestDatabase, testDatabase } from "../database.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase("empty");
});
afterEach(() => database.close());

const step = (number: number, text: string): Migration => ({ number, name: `000${number}_step.sql`, text });
const first = step(1, "create table one (id integer)");
const second = step(2, "create table two (id integer)");
const tables = async (): Promise<string[]> => {
  const rows = await database.db.rows(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`);
  return rows.map((row) => row.name ?? "");
};
const applied = async () =>
  (await database.db.rows(sql`select name from dossier_migrations order by number`)).map((row) => row.name);

/** As many processes as asked for, each with its own connections. */
async function processes<T>(count: number, work: (db: Database) => Promise<T>): Promise<T[]> {
  const all = Array.from({ length: count }, () => openDatabase(database.connection, { connections: 3 }));
  try {
    return await Promise.all(all.map(work));
  } finally {
    await Promise.all(all.map((db) => db.close()));
  }
}

test("ten processes that start at once on an empty database apply each migration once", async () => {
  const migrations = await readMigrations();
  const fresh = await processes(10, (db) => migrate(db, migrations));
  expect(fresh.flat().sort()).toEqual(migrations.map((migration) => migration.name));
  expect(await applied()).toEqual(migrations.map((migration) => migration.name));
});

test("ten processes that prepare an empty database at once end up with the same types and one set of rows", async () => {
  const stores = await processes(10, async (db) => (await prepareDatabase(db)).current());
  expect(new Set(stores.map((snapshot) => [...snapshot.types.keys()].join(" "))).size).toBe(1);
  expect(await applied()).toEqual((await readMigrations()).map((migration) => migration.name));
  const twice = await database.db.rows(sql`select code from masters__currencies group by code having count(*) > 1`);
  expect(twice).toEqual([]);
  const countries = await database.db.row(sql`select count(*)::text as n from masters__countries`);
  expect(countries).toEqual({ n: "249" });
});

test("what is missing is applied in order, and what is there is left alone", async () => {
  expect(await migrate(database.db, [first])).toEqual([first.name]);
  expect(await migrate(database.db, [first, second])).toEqual([second.name]);
  expect(await migrate(database.db, [first, second])).toEqual([]);
});

describe("a start is refused", () => {
  test("on a database of a newer version, which stays as it is", async () => {
    await migrate(database.db, [first, second]);
    await expect(migrate(database.db, [first])).rejects.toThrow(
      /upgraded by a newer Dossier \(migration 2\)\. Run that version/,
    );
    // A number that was left free may have been taken by the newer one.
    const third = step(3, "create table three (id integer)");
    await expect(migrate(database.db, [first, third])).rejects.toThrow(/newer Dossier \(migration 2\)/);
    expect(await applied()).toEqual([first.name, second.name]);
  });

  test("when a migration was changed after it had been applied", async () => {
    await migrate(database.db, [first]);
    const changed = { ...first, text: "create table other (id integer)" };
    await expect(migrate(database.db, [changed, second])).rejects.toThrow(
      "0001_step.sql was changed after it had been applied",
    );
    expect(await tables()).toEqual(["dossier_migrations", "one"]);
  });

  test("when a migration fails, and nothing of that one is left behind", async () => {
    const failing = step(2, "create table two (id integer); insert into two values (1); select no_such_function()");
    await expect(migrate(database.db, [first, failing, step(3, "create table three ()")])).rejects.toThrow(
      "Migration 0002_step.sql failed and left nothing behind",
    );
    expect(await tables()).toEqual(["dossier_migrations", "one"]);
    expect(await applied()).toEqual([first.name]);
    // Once it is repaired, the next start goes on where this one stopped.
    expect(await migrate(database.db, [first, second])).toEqual([second.name]);
  });

  test("without keeping the others waiting for ever", async () => {
    const failing = step(1, "select no_such_function()");
    await expect(migrate(database.db, [failing])).rejects.toThrow();
    expect(await migrate(database.db, [first])).toEqual([first.name]);
  });
});

test("what arrives with a lower number than the newest is applied all the same", async () => {
  expect(await migrate(database.db, [first, step(3, "create table three (id integer)")])).toHaveLength(2);
  expect(await migrate(database.db, [first, second, step(3, "create table three (id integer)")])).toEqual([
    second.name,
  ]);
});

test("the service's own migrations have each a number of their own, upwards", async () => {
  const migrations = await readMigrations();
  const numbers = migrations.map((migration) => migration.number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const { name } of migrations) expect(name).toMatch(/^\d{4}_[a-z0-9_]+\.sql$/);
});
