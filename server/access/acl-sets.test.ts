import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { createUser, nextPrincipals } from "../identity/create-user.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { prepareDatabase } from "../prepare.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { plainRecipe, type Recipe } from "./acl.ts";
import { internAcl, refreshAcl } from "./acl-sets.ts";
import { lockAccess } from "./principal-lookup.ts";

let database: TestDatabase;
let metadata: MetadataStore;
const organizationId = "1";

beforeAll(async () => {
  database = await testDatabase("prepared");
  metadata = await prepareDatabase(database.db);
});
afterAll(() => database.close());

const recipeOf = (principal: number): Recipe => ({
  ...plainRecipe("crm/leads", "1", null),
  shares: [{ principal, rights: ["read"], until: null }],
});
const intern = (transaction: Queryable, recipes: readonly Recipe[]) =>
  internAcl(transaction, metadata.current(), organizationId, recipes);
const countSets = async (): Promise<string | null | undefined> =>
  (await database.db.row(sql`select count(*)::text as n from core__acl_sets`))?.n;

test("equal recipes share one set, however many records ask for it at once", async () => {
  const recipes = Array.from({ length: 40 }, (_, index) => recipeOf(5_000 + (index % 10)));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => database.db.transaction((transaction) => intern(transaction, recipes))),
  );
  expect(new Set(answers.map((ids) => ids.join(" "))).size).toBe(1);
  expect(new Set(answers[0]).size).toBe(10);
  const before = await countSets();
  await database.db.transaction((transaction) => intern(transaction, recipes));
  expect(await countSets()).toBe(before);
});

test("a set whose transaction was given up is made anew by the next that needs it", async () => {
  const { db } = database;
  const wanted = [recipeOf(5_500)];
  const givenUp = db.transaction(async (transaction) => {
    const [first] = await intern(transaction, wanted);
    expect(await intern(transaction, wanted)).toEqual([first]);
    throw new Error("given up");
  });
  await expect(givenUp).rejects.toThrow("given up");
  const [id = ""] = await db.transaction((transaction) => intern(transaction, wanted));
  expect(await db.row(sql`select id from core__acl_sets where id = ${id}`)).toBeDefined();
  expect(await db.transaction((transaction) => intern(transaction, wanted))).toEqual([id]);
});

test("a set made while groups change knows the change once both have ended", async () => {
  const { db } = database;
  const snapshot = metadata.current();
  const [principal = ""] = await nextPrincipals(db, 1);
  const groupType = snapshot.types.get("access_controls/groups");
  const memberType = snapshot.types.get("access_controls/group_members");
  if (!groupType || !memberType) throw new Error("the built-in types are missing");
  const [group = ""] = await insertRows(db, snapshot, groupType, organizationId, [
    { name: "Late joiners", principal_id: principal },
  ]);

  let join: () => void = () => undefined;
  const interned = new Promise<void>((resolve) => {
    join = resolve;
  });
  let aclId = "";
  const making = db.transaction(async (transaction) => {
    [aclId = ""] = await intern(transaction, [recipeOf(6_000)]);
    join();
    // The change waits for this transaction to end; give it the time to ask.
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  const changing = db.transaction(async (transaction) => {
    await insertRows(transaction, snapshot, memberType, organizationId, [{ group_id: group, user_id: "1" }]);
    await interned;
    await refreshAcl(transaction, snapshot, organizationId);
  });
  await Promise.all([making, changing]);
  const row = await db.row(sql`select array_to_string(_acl, ' ') as names from core__acl_sets where id = ${aclId}`);
  expect(row?.names?.split(" ")).toContain(principal);
});

test("changes of who is who that also make new sets do not stop one another when they lock first", async () => {
  const { db } = database;
  const snapshot = metadata.current();
  await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      db.transaction(async (transaction) => {
        await lockAccess(transaction, organizationId, "exclusive");
        await intern(transaction, [recipeOf(7_000 + index)]);
        await refreshAcl(transaction, snapshot, organizationId);
      }),
    ),
  );
  const row = await db.row(sql`
    select count(*)::text as n from core__acl_sets where recipe like '%[700_,%'`);
  expect(row?.n).toBe("6");
});

test("a refresh tells how many sets changed, and none when nothing did", async () => {
  const refresh = () =>
    database.db.transaction((transaction) => refreshAcl(transaction, metadata.current(), organizationId));
  await refresh();
  expect(await refresh()).toBe(0);
});

test("a user holds its own record from the first moment: nothing is left for a refresh", async () => {
  const { db } = database;
  const snapshot = metadata.current();
  const userId = await db.transaction(async (transaction) => {
    const person = { userName: "newcomer", firstName: null, lastName: "Newcomer", roleIds: [] };
    return createUser(transaction, snapshot, organizationId, person);
  });
  const held = await db.row(sql`
    select u.principal_id::text as principal, array_to_string(s.readers, ' ') as readers
    from access_controls__users u join core__acl_sets s on s.organization_id = u.organization_id and s.id = u.acl_id
    where u.id = ${userId}::bigint`);
  expect(held?.readers?.split(" ")).toContain(held?.principal);
  expect(await db.transaction((transaction) => refreshAcl(transaction, snapshot, organizationId))).toBe(0);
});

test("sets of a record type that was taken out of service are left as they are", async () => {
  const { db } = database;
  const definition = {
    module: "lab",
    controller: "passing",
    label: "Passing",
    plural: "Passing",
    displayField: "name",
    fields: [{ name: "name", type: "short-text" }],
    access: { read: ["owner"], edit: [], delete: [], comment: [] },
  };
  await metadata.save({ definition });
  const [aclId = ""] = await db.transaction((transaction) =>
    intern(transaction, [plainRecipe("lab/passing", "1", null)]),
  );
  await metadata.remove("lab/passing");
  await db.transaction((transaction) => refreshAcl(transaction, metadata.current(), organizationId));
  const row = await db.row(sql`select array_length(_acl, 1)::text as n from core__acl_sets where id = ${aclId}`);
  expect(row?.n).toBe("1");
});
