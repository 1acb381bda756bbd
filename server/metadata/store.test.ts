import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { builtInTypes } from "../modules/index.ts";
import { readConverted } from "./changes/convert-fields.ts";
import { extended as extendedTypes, readDesigns } from "./designs.ts";
import { requireType } from "./snapshot.ts";
import { openMetadata } from "./store.ts";
import { shapeTable } from "./table-shape.ts";
import { forgetWork, leaveForLater, type PendingWork, pendingWork } from "./table-work.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("prepared");
});
afterAll(() => database.close());

const define = (controller: string) => ({
  module: "lab",
  controller,
  label: "Thing",
  plural: "Things",
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }],
  access: { read: ["organization"], edit: [], delete: [], comment: [] },
});

test("a prepared database has a table per record type", async () => {
  const rows = await database.db.rows(sql`select count(*)::text as n from crm__leads`);
  expect(rows).toEqual([{ n: "0" }]);
  expect(await database.db.rows(sql`select count(*)::text as n from masters__countries`)).toEqual([{ n: "249" }]);
});

test("what two processes save at the same time is all there, and the version has moved with each", async () => {
  const stores = await Promise.all([1, 2, 3].map(() => openMetadata(database.db, builtInTypes)));
  const before = BigInt(stores[0]?.current().version ?? "0");
  await Promise.all(stores.map((store, index) => store.save({ definition: define(`at_once_${index}`) })));
  const last = await openMetadata(database.db, builtInTypes);
  for (const index of [0, 1, 2]) expect(last.current().types.has(`lab/at_once_${index}`)).toBe(true);
  expect(BigInt(last.current().version) - before).toBe(3n);
});

test("of designs that are read again, only those that changed are checked and compiled again", async () => {
  const store = await openMetadata(database.db, builtInTypes);
  const leads = builtInTypes.find(({ controller }) => controller === "leads");
  const withField = {
    ...leads,
    fields: [...(leads?.fields ?? []), { name: "x_size", label: "Size", type: "integer" }],
  };
  for (const definition of [define("as_it_was"), define("changed"), withField]) await store.save({ definition });
  const read = async () => {
    const designs = await readDesigns(database.db, builtInTypes);
    const all = [...extendedTypes(builtInTypes, designs), ...designs.types];
    return (type: string) => all.find(({ module, controller }) => type === `${module}/${controller}`);
  };
  const before = await read();
  await store.save({ definition: { ...define("changed"), label: "Another thing" } });
  const after = await read();
  expect(after("lab/changed")?.label).toBe("Another thing");
  for (const type of ["lab/as_it_was", "crm/leads"]) {
    expect(before(type)).toBeDefined();
    expect(after(type)).toBe(before(type));
  }
});

test("a reload that comes back late does not bring the older types back", async () => {
  const { db } = database;
  let release: () => void = () => undefined;
  let held = false;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** Answers the next reading of types only when it is let go. */
  const slow: Database = {
    ...db,
    rows: async (statement) => {
      const answer = await db.rows(statement);
      if (!held) return answer as never;
      held = false;
      await gate;
      return answer as never;
    },
  };
  const store = await openMetadata(slow, builtInTypes);
  held = true;
  const late = store.reload();
  // The late one has read by now; what is saved next it cannot know.
  await expect.poll(() => held).toBe(false);
  const other = await openMetadata(db, builtInTypes);
  await other.save({ definition: define("newer") });
  await store.reload();
  expect(store.current().types.has("lab/newer")).toBe(true);
  release();
  await late;
  expect(store.current().types.has("lab/newer")).toBe(true);
});

test("a type that was taken out of service is gone after a start, and its table is not", async () => {
  const store = await openMetadata(database.db, builtInTypes);
  await store.save({ definition: define("retired") });
  await store.remove("lab/retired");
  const again = await openMetadata(database.db, builtInTypes);
  expect(again.current().types.has("lab/retired")).toBe(false);
  expect(await database.db.row(sql`select to_regclass('lab__retired')::text as name`)).toEqual({
    name: "lab__retired",
  });
});

test("a start refuses a table whose column has another type, and says which", async () => {
  const own = await testDatabase("prepared");
  try {
    await own.db.script(`
      alter table crm__types add column sequence_of_test date;
      delete from metadata__synced_tables where table_name = 'crm__types'`);
    const types = builtInTypes.map((type) =>
      type.controller === "types"
        ? { ...type, fields: [...type.fields, { name: "sequence_of_test", type: "integer" as const }] }
        : type,
    );
    await expect(openMetadata(own.db, types)).rejects.toThrow(
      "crm__types.sequence_of_test is date and should be bigint",
    );
  } finally {
    await own.close();
  }
});

test("an index that was left half built is built anew by the next start, as it should be", async () => {
  const { db } = database;
  const snapshot = (await openMetadata(db, builtInTypes)).current();
  const { indexes } = shapeTable(requireType(snapshot, "masters/countries"), snapshot);
  const name = indexes.find(({ unique }) => !unique)?.name ?? "";
  const read = () =>
    db.rows(sql`select indexdef, indisvalid::text as valid from pg_indexes
      join pg_index on indexrelid = ${name}::regclass where indexname = ${name}`);
  const before = await read();
  await db.script(`drop index "${name}"`);
  const halfBuilt = `create unique index concurrently "${name}" on masters__countries (deleted)`;
  await expect(db.script(halfBuilt)).rejects.toThrow("could not create unique index");
  expect(await read()).toMatchObject([{ valid: "false" }]);
  await openMetadata(db, builtInTypes);
  expect(await read()).toEqual(before);
});

test("work that is requested again while it is being done is done again", async () => {
  const { db } = database;
  const snapshot = (await openMetadata(db, builtInTypes)).current();
  const shape = shapeTable(requireType(snapshot, "crm/leads"), snapshot);
  const work = { kind: "index", name: shape.indexes[0]?.name ?? "" } as const;
  const request = () => db.transaction((transaction) => leaveForLater(transaction, shape, [work]));
  const forgetOldest = async (pending: readonly PendingWork[]) => {
    for (const one of pending) await db.transaction((transaction) => forgetWork(transaction, snapshot, one));
    return pendingWork(db);
  };
  await request();
  const first = await pendingWork(db);
  await request();
  const second = await forgetOldest(first);
  expect(second).toMatchObject([work]);
  expect(await forgetOldest(second)).toEqual([]);
});

test.each(["integer", "choice"])("more values than can be made a %s at once are refused", async (name) => {
  const { db } = database;
  const store = await openMetadata(db, builtInTypes);
  const options = ["1", "2", "3"].map((value) => ({ value, label: value }));
  const fields = [
    { name: "name", type: "short-text" },
    { name: "integer", type: "integer" },
    { name: "choice", type: "choice", settings: { options } },
  ];
  await store.save({ definition: { ...define(`many_${name}`), fields } });
  const type = requireType(store.current(), `lab/many_${name}`);
  // Spelled otherwise than the choice has them.
  const keys = await db.rows(sql`
    select conname as name from pg_constraint where conrelid = ${type.table}::regclass and contype = 'f'`);
  await db.script(`
    ${keys.map((key) => `alter table ${type.table} drop constraint "${key.name}";`).join("")}
    insert into ${type.table} (organization_id, acl_id, name) values (1, 1, ' 1'), (1, 1, ' 2'), (1, 1, ' 3')`);
  const [from, to] = [type.field.get("name"), type.field.get(name)];
  if (!from || !to) throw new Error("there is no such field");
  const asked = { from, to, readable: undefined };
  expect(await readConverted(db, type, { ...asked, most: 3 })).toMatchObject({ fitting: 3, refused: 0 });
  const refused = readConverted(db, type, { ...asked, most: 2 });
  const byField = { [`record_types.fields.${name}.type`]: [{ code: "too_many_to_convert" }] };
  await expect(refused).rejects.toMatchObject({ detail: { byField } });
});
