// The lock of everything that changes the shape of the database: whoever had it has left it, whatever became of them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import type { Database } from "../database.ts";
import { SCHEMA_LOCK, withSchemaLock } from "../migrate.ts";
import { openScope, within } from "../scope.ts";
import { sql } from "../sql.ts";

let own: TestDatabase;
let db: Database;
beforeAll(async () => {
  own = await testDatabase();
  db = own.db;
});
afterAll(() => own.close());

const locks = () =>
  db.rows(sql`
    select pid::text as pid from pg_locks
    where locktype = 'advisory' and objid::bigint = ${SCHEMA_LOCK}::bigint
      and database = (select oid from pg_database where datname = current_database())`);
const limits = async () => {
  const { rows } = await db.session((session) => session.run(sql`show statement_timeout`));
  return rows;
};

test("whoever leaves while having it leaves it", async () => {
  const client = new AbortController();
  await within({ ...openScope("x"), signal: client.signal }, () =>
    withSchemaLock(db, async () => client.abort()).catch(() => undefined),
  );
  expect(await locks()).toEqual([]);
  expect(await limits()).toEqual([["15min"]]);
});

test("whoever leaves while waiting for it leaves a connection as it was", async () => {
  const client = new AbortController();
  await withSchemaLock(db, async () => {
    const waiting = within({ ...openScope("x"), signal: client.signal }, () =>
      withSchemaLock(db, async () => undefined),
    );
    const told = expect(waiting).rejects.toMatchObject({ code: "client_gone" });
    while ((await locks()).length < 2);
    client.abort();
    await told;
  });
  expect(await locks()).toEqual([]);
  // All connections of this kind, as far as they are open.
  const seen = await Promise.all(Array.from({ length: 5 }, limits));
  expect(new Set(seen.flat(2))).toEqual(new Set(["15min"]));
});

test("a connection that can't leave it is closed", async () => {
  await expect(
    withSchemaLock(db, async (session) => {
      await session.script("begin");
      await session.run(sql`select 1 / 0`);
    }),
  ).rejects.toThrow("division by zero");
  // The server learns of it a moment later.
  await expect.poll(locks).toEqual([]);
});
