// How many transactions run at once: an organization that is alone gets its whole share, the spare places are for what a
// transaction opens itself, and there is always one for the next organization.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { type Database, openDatabase } from "./database.ts";
import {
  apartFromClient,
  currentScope,
  heldBytes,
  hold as holdBytes,
  inOrganization,
  openScope,
  within,
} from "./scope.ts";
import { sql } from "./sql.ts";

let own: TestDatabase;
beforeAll(async () => {
  own = await testDatabase();
});
afterAll(() => own.close());

/** Transactions of an organization that stay open until they are told to end. */
function hold(db: Database, organization: string, count: number) {
  let open = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = Array.from({ length: count }, () =>
    within(openScope(organization), () =>
      db.transaction(async (transaction) => {
        await transaction.run(sql`select 1`);
        open += 1;
        await ended;
      }),
    ),
  );
  return {
    open: () => open,
    end: async () => {
      end();
      await Promise.all(done);
    },
  };
}

test.each([
  { places: 8, share: 4 },
  { places: 5, share: 3 },
  { places: 3, share: 1 },
])("of $places places one organization alone gets $share, and the next one gets in", async ({ places, share }) => {
  const db = openDatabase(own.connection, { connections: places });
  const loud = hold(db, "1", places + 3);
  await expect.poll(loud.open).toBe(share);
  // It waits for its own to end, not for a connection: others have theirs at once.
  const quiet = hold(db, "2", 1);
  await expect.poll(quiet.open).toBe(1);
  expect(loud.open()).toBe(share);
  await quiet.end();
  await loud.end();
  expect(loud.open()).toBe(places + 3);
  await db.close();
});

test("PostgreSQL fetches no helpers for the statements of a save, and may for those of a read", async () => {
  const db = openDatabase(own.connection);
  const helpers = sql`select current_setting('max_parallel_workers_per_gather') as helpers`;
  const inRequest = <T>(work: () => Promise<T>) => within(openScope("1"), work);
  expect(await inRequest(() => db.transaction((transaction) => transaction.row(helpers)))).toEqual({ helpers: "0" });
  expect(await inRequest(() => db.row(helpers))).not.toEqual({ helpers: "0" });
  await db.close();
});

test("a transaction within a transaction takes a spare place, however many wait", async () => {
  const db = openDatabase(own.connection, { connections: 3 });
  const scope = openScope("1");
  const crowd = hold(db, "2", 5);
  await expect.poll(crowd.open).toBe(1);
  const inner = await within(scope, () =>
    db.transaction(async (transaction) => {
      await transaction.run(sql`select 1`);
      return db.transaction(async (other) => (await other.run(sql`select 2`)).rows);
    }),
  );
  expect(inner).toEqual([["2"]]);
  await crowd.end();
  await db.close();
});

test("what a transaction has done apart waits for nothing that waits for the transaction", async () => {
  const db = openDatabase(own.connection, { statementMs: 3_000, preparedConnections: 2 });
  await db.script("create table waited_for (id integer)");
  const lists: Promise<unknown>[] = [];
  const rows = await within(openScope("1"), () =>
    db.transaction(async (transaction) => {
      await transaction.script("lock table waited_for in access exclusive mode");
      for (let count = 0; count < 20; count += 1) lists.push(db.prepared(sql`select count(*) from waited_for`));
      await expect.poll(() => db.use().prepared.waiting).toBeGreaterThan(0);
      return transaction.apart(sql`select 1`);
    }),
  );
  expect(rows).toEqual([["1"]]);
  await Promise.all(lists);
  await db.close();
});

test("what was committed is known to its request; what was rolled back is not", async () => {
  const db = openDatabase(own.connection);
  const [saved, failed] = [openScope("1"), openScope("1")];
  await within(saved, () => db.transaction((transaction) => transaction.run(sql`select 1`)));
  const broken = within(failed, () => db.transaction(() => Promise.reject(new Error("no"))));
  await expect(broken).rejects.toThrow("no");
  expect([saved.saved, failed.saved]).toEqual([true, false]);
  await db.close();
});

test.each([
  ["in an organization's name", (work: () => Promise<void>) => inOrganization("1", 1_000, work)],
  ["apart from a client", (work: () => Promise<void>) => within(openScope("1"), () => apartFromClient(work))],
])("what is done %s holds nothing when it is over, or has failed", async (_, run) => {
  const holding = async () => {
    const scope = currentScope();
    if (scope) holdBytes(scope, 1_000_000);
    expect(heldBytes()).toBe(1_000_000);
  };
  await run(holding);
  expect(heldBytes()).toBe(0);
  await expect(
    run(async () => {
      await holding();
      throw new Error("given up");
    }),
  ).rejects.toThrow("given up");
  expect(heldBytes()).toBe(0);
});
