import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import type { Queryable } from "../database/database.ts";
import { listen } from "../database/processes/notify.ts";
import { ident, sql } from "../database/sql.ts";
import { createUser, nextPrincipals } from "../identity/create-user.ts";
import { requireType } from "../metadata/snapshot.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { prepareDatabase } from "../prepare.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { plainRecipe, type Recipe } from "./acl.ts";
import { internAcl, refreshAcl } from "./acl-sets.ts";
import { actingAs } from "./acting-as.ts";
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

describe("what a recipe comes to in the organization", () => {
  const setOf = async (recipe: Recipe) => {
    const [id = ""] = await database.db.transaction((transaction) => intern(transaction, [recipe]));
    return database.db.row(sql`
      select id::text as id, array_to_string(readers, ' ') as readers, array_to_string(_acl_edit, ' ') as editors,
        array_to_string(subjects, ' ') as subjects, valid_until::text as until
      from core__acl_sets where organization_id = ${organizationId}::bigint and id = ${id}::integer`);
  };
  const principalOf = async (table: "users" | "organizations" | "groups", id: string): Promise<string> => {
    const row = await database.db.row(sql`
      select principal_id::text as p from ${ident(`access_controls__${table}`)}
      where organization_id = ${organizationId}::bigint and id = ${id}::bigint`);
    return row?.p ?? "";
  };

  test("is nothing that a workflow lends, where the type takes no workflow", async () => {
    const grants = { read: [8_001], edit: [8_001], delete: [] };
    expect((await setOf({ ...plainRecipe("crm/leads", null, null), grants }))?.readers?.split(" ")).toContain("8001");
    const set = await setOf({ ...plainRecipe("access_controls/groups", null, null), grants });
    expect(`${set?.readers} ${set?.editors}`).not.toContain("8001");
  });

  test("about a confidential record is for nobody whom the policy names by role or as the organization", async () => {
    const policies = metadata.current().types.get("access_controls/policies");
    if (!policies) throw new Error("there are no policies");
    const policy = JSON.stringify({
      read: ["owner", "organization", "everyone", "role:administrator"],
      edit: ["organization"],
      delete: [],
      comment: [],
    });
    await insertRows(database.db, metadata.current(), policies, organizationId, [
      { record_type: "core/revisions", policy },
    ]);
    const owner = await principalOf("users", "1");
    const organization = await principalOf("organizations", "1");
    const open = await setOf(plainRecipe("core/revisions", "1", null));
    expect(open?.readers?.split(" ")).toEqual(expect.arrayContaining(["1", owner, organization]));
    const of = plainRecipe("crm/leads", null, null);
    const held = await setOf({ ...plainRecipe("core/revisions", "1", null), of });
    expect(held).toMatchObject({ readers: owner, editors: null, subjects: "crm/leads" });
    // Whom other subjects hold back the readers do not tell: everybody lists again.
    await database.db.transaction(async (transaction) => {
      await refreshAcl(transaction, metadata.current(), organizationId);
      await transaction.run(sql`delete from core__pending_events`);
      await transaction.run(sql`
        update core__acl_sets set subjects = '{}' where organization_id = ${organizationId}::bigint and id = ${held?.id ?? null}::integer`);
      expect(await refreshAcl(transaction, metadata.current(), organizationId)).toBe(1);
      const told = await transaction.rows(sql`
        select record_type, operation, principals::text as principals from core__pending_events`);
      expect(told).toEqual([{ record_type: "core/revisions", operation: "reset", principals: null }]);
    });
  });

  test("does without groups, roles, managers and members that were deleted", async () => {
    const snapshot = metadata.current();
    const [principal = "", second = "", third = ""] = await nextPrincipals(database.db, 3);
    const [groups, members, roles] = ["groups", "group_members", "roles"].map((one) =>
      requireType(snapshot, `access_controls/${one}`),
    );
    if (!groups || !members || !roles) throw new Error("the built-in types are missing");
    const [role = ""] = await insertRows(database.db, snapshot, roles, organizationId, [
      { name: "Abolished", code: "abolished", principal_id: third },
    ]);
    const [group = "", other = ""] = await insertRows(database.db, snapshot, groups, organizationId, [
      { name: "Dissolved", principal_id: principal },
      { name: "Left", principal_id: second },
    ]);
    const person = (userName: string, roleIds: readonly string[]) => ({
      userName,
      firstName: null,
      lastName: userName,
      roleIds,
    });
    const [manager, managed] = await database.db.transaction(async (transaction) => [
      await createUser(transaction, snapshot, organizationId, person("boss.gone", [])),
      await createUser(transaction, snapshot, organizationId, person("left.behind", [role])),
    ]);
    await insertRows(database.db, snapshot, members, organizationId, [{ group_id: other, user_id: managed }]);
    await database.db.run(sql`
      update access_controls__users set manager_id = ${manager}::bigint where organization_id = 1 and id = ${managed}::bigint`);
    const grants = { read: ["owner_manager", `group:${group}`], edit: [], delete: [] } as const;
    // Each by a recipe of its own: a set is worked out when it is made.
    const readersBy = async (at: number) => {
      const shares = [{ principal: at, rights: ["comment" as const], until: null }];
      const set = await setOf({ ...plainRecipe("crm/leads", managed, group), shares, grants });
      return set?.readers?.split(" ") ?? [];
    };
    const named = [principal, second, await principalOf("users", manager)];
    const own = await principalOf("users", managed);
    const acting = async () => (await database.db.run(actingAs(organizationId, [managed]))).rows.flat();
    expect(await readersBy(9_001)).toEqual(expect.arrayContaining(named));
    expect(await acting()).toEqual([own, third, second]);
    await database.db.run(sql`update access_controls__roles set deleted = 1 where id = ${role}::uuid`);
    expect(await acting()).toEqual([own, second]);
    await database.db.run(sql`update access_controls__groups set deleted = 1 where id = ${group}::bigint`);
    await database.db.run(sql`update access_controls__users set deleted = 1 where id = ${manager}::bigint`);
    await database.db.run(sql`update access_controls__group_members set deleted = 1 where group_id = ${other}::bigint`);
    const left = await readersBy(9_002);
    expect(named.filter((one) => left.includes(one))).toEqual([]);
    expect(await acting()).toEqual([own]);
    await database.db.run(sql`update access_controls__group_members set deleted = 0 where group_id = ${other}::bigint`);
    await database.db.run(sql`update access_controls__groups set deleted = 1 where id = ${other}::bigint`);
    expect(await acting()).toEqual([own]);
  });

  test("ends with its share, at that very second, and is told of to everybody who keeps it", async () => {
    const ends = "2030-01-01 00:00:00";
    const shares = [{ principal: 9_100, rights: ["read" as const], until: ends }];
    const recipe = { ...plainRecipe("crm/leads", null, null), shares };
    const told: string[] = [];
    const listener = await listen(
      database.connection,
      [],
      (channel, payload) => told.push(`${channel} ${payload}`),
      () => undefined,
    );
    onTestFinished(() => listener.close());
    // Made together with one that never ends.
    await database.db.transaction((transaction) => intern(transaction, [recipe, recipeOf(9_101)]));
    await expect.poll(() => told).toContain(`dossier_access ${organizationId}`);
    const set = await setOf(recipe);
    expect(set?.until).toBe(ends);
    const expire = (at: string) => {
      vi.setSystemTime(`${at.replace(" ", "T")}Z`);
      return database.db.transaction((transaction) =>
        refreshAcl(transaction, metadata.current(), organizationId, { expiredOnly: true }),
      );
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await expire("2029-12-31 23:59:59")).toBe(0);
    expect(await expire(ends)).toBe(1);
    expect(await expire("2031-01-01 00:00:00")).toBe(0);
    const row = await database.db.row(sql`
      select array_to_string(readers, ' ') as readers, valid_until::text as until from core__acl_sets
      where organization_id = 1 and id = ${set?.id ?? ""}::integer`);
    expect([row?.readers?.split(" ").includes("9100"), row?.until]).toEqual([false, null]);
  });
});
