// Changes of the design take turns, and hold no more connections than one while they wait; what follows a change waits for no other.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../server/database/database.ts";
import { withSchemaLock } from "../../../server/database/migrate.ts";
import { currentScope, giveTime, openScope, within } from "../../../server/database/scope.ts";
import { sql } from "../../../server/database/sql.ts";
import { type MetadataStore, openMetadata } from "../../../server/metadata/store.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import { seedSharedData } from "../../../server/seed/shared-data.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";

let database: TestDatabase;
let own: Database;
let metadata: MetadataStore;
beforeAll(async () => {
  database = await testDatabase("prepared");
  own = openDatabase(database.connection);
  metadata = await openMetadata(own, builtInTypes);
});
afterAll(async () => {
  await own.close();
  await database.close();
});

const nothing = () => metadata.design(({ transaction }) => transaction.run(sql`select 1`));

test("of changes that wait for another process, one has a connection; the others wait for it as long as a request may", async () => {
  const first = await withSchemaLock(database.db, async () => {
    const first = nothing();
    await expect.poll(() => own.use().background.busy).toBe(1);
    const others = Array.from({ length: 3 }, () => {
      const scope = openScope("1");
      giveTime(scope, 100);
      return within(scope, nothing).catch((error: unknown) => error);
    });
    for (const error of await Promise.all(others)) expect(error).toMatchObject({ code: "too_much_at_once" });
    expect(own.use().background.busy).toBe(1);
    return { first };
  });
  await first.first;
});

test("a change that is committed is known to be saved, whatever comes after it", async () => {
  const scope = openScope("1");
  await within(scope, nothing);
  expect(scope.saved).toBe(true);
  const other = openScope("1");
  const refused = metadata.design.bind(metadata);
  await within(other, () => expect(refused(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused"));
  expect(other.saved).toBe(false);
});

test("where nothing that is shipped has to be written, nobody waits for who changes the design", async () => {
  await seedSharedData(own, metadata.current());
  await withSchemaLock(database.db, async () => {
    expect(await seedSharedData(own, metadata.current())).toEqual([]);
  });
});

test("who changes the design when the service is about to end begins nothing more", async () => {
  const ending = openDatabase(database.connection);
  try {
    const began = within(openScope("1"), () =>
      ending.session(async (session) => {
        await session.script("begin");
        ending.abandon();
        expect(currentScope()).toBeDefined();
        await session.script("commit");
      }),
    );
    await expect(began).rejects.toMatchObject({ code: "not_ready" });
  } finally {
    await ending.close();
  }
});
