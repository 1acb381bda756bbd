import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordRights } from "../../contract/permissions.ts";
import type { Grantee } from "../metadata/record-type.ts";
import {
  aclSets,
  aclText,
  followingSets,
  namedIn,
  type PrincipalLookup,
  parseRecipe,
  plainRecipe,
  principalOf,
  principalsOf,
  type Recipe,
  recipeText,
  type TemporaryGrantee,
} from "./acl.ts";
import { explainAccess } from "./explain.ts";

const facts: PrincipalLookup = {
  organization: 200,
  user: (id) => (id === "7" ? 107 : undefined),
  groupsOf: (id) => (id === "7" ? [302, 301] : []),
  group: (id) => (id === "3" ? 303 : undefined),
  roleById: () => undefined,
  managerOf: (id) => (id === "7" ? 108 : undefined),
  role: (code) => (code === "sales" ? 401 : undefined),
};
const policy = {
  read: ["owner", "owner_groups"],
  edit: ["role:sales"],
  delete: [],
  comment: ["organization"],
} as const;
const nothing = { read: [], edit: [], delete: [], comment: [] } as const;
const now = "2025-06-01 12:00:00";

describe("a recipe", () => {
  const shared: Recipe = {
    ...plainRecipe("crm/leads", "7", null),
    shares: [
      { principal: 150, rights: ["edit", "read"], until: null },
      { principal: 120, rights: ["read"], until: "2025-06-02 00:00:00" },
    ],
    grants: { read: [9, 3], edit: [], delete: [] },
  };

  test("has one spelling, in whatever order it was put together", () => {
    const turned: Recipe = {
      ...shared,
      shares: [...shared.shares].reverse().map((share) => ({ ...share, rights: [...share.rights].reverse() })),
      grants: { read: [3, 9, 3], edit: [], delete: [] },
    };
    expect(recipeText(turned)).toBe(recipeText(shared));
  });

  test("has one spelling when it lends rights to ids and to names", () => {
    const lending = (...read: TemporaryGrantee[]) => recipeText({ ...shared, grants: { read, edit: [], delete: [] } });
    const one = lending(3, 12, "owner", "role:sales");
    expect(lending("role:sales", "owner", 12, 3)).toBe(one);
    expect(lending(12, "role:sales", 3, "owner")).toBe(one);
  });

  test("has one spelling even when one principal was given two shares", () => {
    const [first, second] = [
      { principal: 120, rights: ["read"], until: "2025-06-02 00:00:00" },
      { principal: 120, rights: ["edit"], until: null },
    ] as const;
    const text = (shares: Recipe["shares"]) => recipeText({ ...shared, shares });
    expect(text([second, first])).toBe(text([first, second]));
  });

  test("is read back as what it was", () => {
    const text = recipeText(shared);
    expect(recipeText(parseRecipe("crm/leads", text))).toBe(text);
    expect(parseRecipe("crm/leads", text)).toMatchObject({ type: "crm/leads", owner: "7", group: null });
  });
});

describe("the sets that a recipe comes to", () => {
  test("name the principals that the policy speaks of, ascending", () => {
    const sets = aclSets(policy, plainRecipe("crm/leads", "7", "3"), facts, now);
    expect(sets).toMatchObject({ read: [107, 301, 302], edit: [401], delete: [], comment: [200], validUntil: null });
  });

  test("let whoever may edit or delete read as well, and do not let comments do that", () => {
    const sets = aclSets(policy, plainRecipe("crm/leads", null, null), facts, now);
    expect(sets.read).toEqual([]);
    expect(sets.readers).toEqual([401]);
  });

  test("let whoever may delete read as well, for good or for now", () => {
    const removers = { read: [], edit: [], delete: ["role:sales"], comment: [] } as const;
    const lent: Recipe = {
      ...plainRecipe("crm/leads", null, null),
      grants: { read: [501], edit: [502], delete: [503] },
    };
    const sets = aclSets(removers, lent, facts, now);
    expect(sets).toMatchObject({ delete: [401], tmpRead: [501], tmpEdit: [502], tmpDelete: [503] });
    expect(sets.readers).toEqual([401, 501, 502, 503]);
  });

  test.each(["read", "edit", "delete", "comment"] as const)("give a share of %s that right and no other", (right) => {
    const shares = [{ principal: 1001, rights: [right], until: null }];
    const sets = aclSets(nothing, { ...plainRecipe("crm/leads", null, null), shares }, facts, now);
    const held = { read: sets.read, edit: sets.edit, delete: sets.delete, comment: sets.comment };
    expect(held).toEqual({ read: [], edit: [], delete: [], comment: [], [right]: [1001] });
    expect(sets.readers).toEqual(right === "comment" ? [] : [1001]);
  });

  test("tell whose turn it is apart from what is lent", () => {
    const grants = { read: ["owner", 501], edit: [], delete: [], act: ["owner_manager", "owner", "group:3"] } as const;
    const sets = aclSets(nothing, { ...plainRecipe("crm/leads", "7", null), grants }, facts, now);
    expect(sets).toMatchObject({ tmpRead: [107, 501], actors: [107, 108, 303], readers: [107, 501] });
  });

  test("leave out a share from its last moment on, and say when the next one ends", () => {
    const share = (principal: number, until: string | null) => ({ principal, rights: ["read" as const], until });
    const recipe: Recipe = {
      ...plainRecipe("crm/leads", null, null),
      shares: [
        share(1001, now),
        share(1002, "2025-06-01 12:00:01"),
        share(1003, "2025-07-01 00:00:00"),
        share(1004, null),
      ],
    };
    const sets = aclSets(policy, recipe, facts, now);
    expect(sets.read).toEqual([1002, 1003, 1004]);
    expect(sets.validUntil).toBe("2025-06-01 12:00:01");
  });

  test("leave out owners, groups and roles that are not there", () => {
    const wide = { ...policy, read: ["owner", "primary_group", "role:nobody"] } as const;
    expect(aclSets(wide, plainRecipe("crm/leads", "8", "4"), facts, now).read).toEqual([]);
  });
});

describe("the names in a recipe", () => {
  const recipe = plainRecipe("crm/leads", "7", "3");

  test.each<[Parameters<typeof principalsOf>[0], readonly (number | undefined)[]]>([
    ["owner", [107]],
    ["owner_groups", [302, 301]],
    ["primary_group", [303]],
    ["organization", [200]],
    ["everyone", [1]],
    ["role:sales", [401]],
    ["role:nobody", [undefined]],
  ])("of a policy: %s stands for %j", (grantee, principals) => {
    expect(principalsOf(grantee, recipe, facts)).toEqual(principals);
  });

  test("of a field are the user, the group or the role that the record names there", () => {
    const ids = new Map([["field:reviewer", 5]]);
    const named = (name: string) => principalsOf("field:reviewer", { ...recipe, facts: [[5, name]] }, byId, ids);
    const byId = { ...facts, roleById: (id: string) => (id === "4" ? 404 : undefined) };
    expect(["user:7", "group:3", "role:4", "role:3"].map(named)).toEqual([[107], [303], [404], [undefined]]);
    expect(principalsOf("field:reviewer", recipe, byId, ids)).toEqual([undefined]);
  });

  test("stand for nobody where the record has no owner and no group", () => {
    const bare = plainRecipe("crm/leads", null, null);
    expect(principalsOf("owner", bare, facts)).toEqual([undefined]);
    expect(principalsOf("owner_groups", bare, facts)).toEqual([]);
    expect(principalsOf("primary_group", bare, facts)).toEqual([undefined]);
    expect(principalOf("owner", null, facts)).toBeUndefined();
    expect(principalOf("owner_manager", null, facts)).toBeUndefined();
  });

  test("of a workflow stand for one principal each", () => {
    const actors = [12, "owner", "owner_manager", "role:sales", "group:3", "user:7", "user:8"] as const;
    expect(actors.map((actor) => principalOf(actor, "7", facts))).toEqual([12, 107, 108, 401, 303, 107, undefined]);
  });

  test("are all that has to be looked up: users and groups, of every right and of whose turn it is", () => {
    const grants = {
      read: ["user:1", "group:1", 9],
      edit: ["user:2", "owner"],
      delete: ["group:2", "role:sales"],
      act: ["user:3", "group:3"],
    } as const;
    const bare = plainRecipe("crm/leads", null, null);
    expect(namedIn([{ ...recipe, grants }, bare])).toEqual({
      users: ["7", "1", "2", "3"],
      groups: ["3", "1", "2", "3"],
    });
  });
});

test("ids are shown with one space between them, and an empty set as null", () => {
  expect(aclText([1, 20, 300])).toBe("1 20 300");
  expect(aclText([])).toBeNull();
});

describe("a record that follows another", () => {
  const record = fc.record({
    owner: fc.constantFrom("7", "8", null),
    group: fc.constantFrom("3", null),
    shares: fc.array(
      fc.record({
        principal: fc.integer({ min: 100, max: 110 }),
        rights: fc.subarray(["read", "edit", "delete", "comment"] as const, { minLength: 1 }),
        until: fc.constantFrom(null, "2025-06-02 00:00:00", "2025-05-01 00:00:00"),
      }),
      { maxLength: 3 },
    ),
  });

  test("is changed and deleted by those who may change that one, for now as well, where it follows its edit", () => {
    const lent: Recipe = {
      ...plainRecipe("crm/leads", "7", null),
      grants: { read: [501], edit: [502], delete: [503] },
    };
    const record = aclSets(policy, lent, facts, now);
    const author: Recipe = {
      ...plainRecipe("core/comments", "7", null),
      grants: { read: [], edit: [601], delete: [602] },
    };
    const own = aclSets(policy, author, facts, now);
    const rights = ({ edit, delete: remove, tmpEdit, tmpDelete }: typeof own) => ({ edit, remove, tmpEdit, tmpDelete });
    expect(rights(followingSets(own, record, "edit"))).toEqual({
      edit: [401],
      remove: [401],
      tmpEdit: [502],
      tmpDelete: [502],
    });
    expect(rights(followingSets(own, record, "read"))).toEqual({
      edit: [401],
      remove: [],
      tmpEdit: [601],
      tmpDelete: [602],
    });
  });

  test("is there until the first of both ends, if either does", () => {
    const sets = aclSets(policy, plainRecipe("crm/leads", "7", null), facts, now);
    const until = (own: string | null, of: string | null) =>
      followingSets({ ...sets, validUntil: own }, { ...sets, validUntil: of }, "read").validUntil;
    expect([until(null, null), until("2025-06-02", null), until(null, "2025-06-03")]).toEqual([
      null,
      "2025-06-02",
      "2025-06-03",
    ]);
    expect([until("2025-06-02", "2025-06-03"), until("2025-06-03", "2025-06-02")]).toEqual([
      "2025-06-02",
      "2025-06-02",
    ]);
  });

  test("is there for exactly those for whom that one is there, and no longer than that holds", () => {
    fc.assert(
      fc.property(record, fc.constantFrom("7", null), fc.constantFrom("read", "edit"), (of, author, follows) => {
        const followed: Recipe = { ...plainRecipe("crm/leads", of.owner, of.group), shares: of.shares };
        const sets = aclSets(policy, followed, facts, now);
        const own = aclSets({ ...policy, edit: ["owner"] }, plainRecipe("core/comments", author, null), facts, now);
        const both = followingSets(own, sets, follows);
        expect(both.readers).toEqual(sets.readers);
        expect(both.edit).toEqual(follows === "read" ? own.edit : sets.edit);
        expect(both.validUntil).toBe(sets.validUntil);
        const recipe: Recipe = { ...plainRecipe("core/comments", author, null), of: followed };
        const text = recipeText(recipe);
        expect(recipeText(parseRecipe("core/comments", text))).toBe(text);
        expect(JSON.parse(text).at(-1)[0]).toBe("crm/leads");
        expect(JSON.parse(text)[4][0]).toBe("crm/leads");
      }),
    );
  });
});

describe("the reasons of access", () => {
  const known: PrincipalLookup = {
    organization: 1,
    user: (id) => 10 + Number(id),
    groupsOf: (id) => [30 + Number(id), 40],
    group: (id) => 50 + Number(id),
    roleById: () => undefined,
    managerOf: () => undefined,
    role: (code) => (code === "manager" ? 70 : undefined),
  };
  const grantees: readonly Grantee[] = [
    "owner",
    "owner_groups",
    "primary_group",
    "organization",
    "everyone",
    "role:manager",
    "role:nobody",
  ];
  const some = fc.subarray([...grantees]);
  const rights = fc.subarray([...recordRights]);
  const moment = "2026-06-01 00:00:00";
  const who = fc.option(fc.constantFrom("1", "2"), { nil: null });
  const principals = fc.array(fc.integer({ min: 80, max: 84 }), { maxLength: 2 });

  test("gives every right that the sets hold a reason, and no other", () => {
    fc.assert(
      fc.property(
        fc.record({ read: some, edit: some, delete: some, comment: some }),
        fc.record({
          owner: who,
          group: who,
          shares: fc.array(
            fc.record({
              principal: fc.integer({ min: 60, max: 63 }),
              rights,
              until: fc.constantFrom(null, "2026-01-01 00:00:00", "2026-12-31 00:00:00"),
            }),
            { maxLength: 3 },
          ),
          grants: fc.record({ read: principals, edit: principals, delete: principals }),
        }),
        (policy, parts) => {
          const recipe: Recipe = { type: "crm/leads", ...parts };
          const sets = aclSets(policy, recipe, known, moment);
          const held = explainAccess(policy, recipe, known, moment);
          const tmp = { read: sets.tmpRead, edit: sets.tmpEdit, delete: sets.tmpDelete, comment: [] as number[] };
          for (const right of recordRights) {
            const explained = new Set(held.filter((one) => one.right === right).map(({ principal }) => principal));
            expect([...explained].sort()).toEqual([...new Set([...sets[right], ...tmp[right]])].sort());
          }
        },
      ),
    );
  });
});
