// What can be asked of somebody who wants to act, and what has to be looked up for it.
import { expect, test } from "vitest";
import type { Actor, PrincipalLookup } from "../access/acl.ts";
import type { Queryable } from "../database/database.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { actorContextOf, namedActors, needsFacts, principalsOf } from "./actor-context.ts";

/** Nothing here is looked up where it is known. */
const noDatabase = {} as Queryable;
const facts: PrincipalLookup = {
  organization: 1,
  user: (id) => 100 + Number(id),
  groupsOf: () => [],
  group: (id) => (id === "5" ? 205 : undefined),
  role: (code) => (code === "tested" ? 301 : undefined),
  roleById: () => undefined,
  managerOf: (id) => (id === "9" ? 107 : undefined),
};
const caller = testCaller({ userId: "7", principals: [1, 107, 205] });
const holding = async (owner: string | null, ...actors: Actor[]) => {
  const context = await actorContextOf(noDatabase, caller, owner, actors, false, facts);
  return actors.filter((actor) => context.holds(actor));
};

test("somebody is the owner, a user, or in a role of that very name", async () => {
  expect(await holding("7", "owner", "user:7", "role:tested")).toEqual(["owner", "user:7", "role:tested"]);
  expect(await holding("8", "owner", "user:8", "role:other", "user:77")).toEqual([]);
  expect(await holding(null, "owner")).toEqual([]);
});

test("somebody is a manager or in a group by the principals that they have", async () => {
  expect(await holding("9", "owner_manager", "group:5")).toEqual(["owner_manager", "group:5"]);
  expect(await holding("8", "owner_manager", "group:6")).toEqual([]);
  expect(await holding(null, "owner_manager")).toEqual([]);
});

test("whoever was not asked about is nobody", async () => {
  const context = await actorContextOf(noDatabase, caller, "9", [], true, facts);
  expect([context.mayEdit, context.holds("group:5")]).toEqual([true, false]);
});

test("actors are known by their principals; who stands for nobody has none", async () => {
  const found = await principalsOf(noDatabase, "3", "9", ["owner", "role:none", "group:6", "user:8"], facts);
  expect([...found]).toEqual([
    ["owner", 109],
    ["user:8", 108],
  ]);
  expect((await principalsOf(noDatabase, "3", "9", [])).size).toBe(0);
});

test("users and groups are looked up by their ids; only groups and managers need it", () => {
  expect(namedActors(["1"], ["user:8", "group:5", "owner", "role:tested"])).toEqual({
    users: ["1", "8"],
    groups: ["5"],
  });
  const all: Actor[] = ["owner", "owner_manager", "role:tested", "group:5", "user:8"];
  expect(all.filter(needsFacts)).toEqual(["owner_manager", "group:5"]);
});
