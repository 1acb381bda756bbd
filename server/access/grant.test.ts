// What somebody is granted to write, what forms hide from whom, and the arithmetic of permissions that decides it, level by level.
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import type { Permission } from "../../contract/permissions.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { admit, type Grant, grantBulk, grantWithin, grantWrite, type WriteOperation } from "./grant.ts";
import { hiddenByForm } from "./hidden-by-form.ts";
import {
  acrossRoles,
  type EffectivePermission,
  effectivePermission,
  inherit,
  leastRestrictive,
  mostRestrictive,
} from "./permission.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

const role = (...operations: string[]) => ({
  id: "1",
  code: "some",
  isAdministrator: false,
  operations: new Map([["crm/leads", new Set(operations)]]) as never,
  fields: new Map(),
});
const callerWith = (...operations: string[]) => testCaller({ isAdministrator: false, roles: [role(...operations)] });
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return "granted";
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
};

const columns: readonly (readonly [WriteOperation, string])[] = [
  ["add", "add"],
  ["edit", "edit"],
  ["delete", "delete"],
  ["restore", "delete"],
  ["purge", "delete"],
];

describe("a grant", () => {
  test.each(columns)("to %s needs the column %s of the matrix, and no other", (operation, column) => {
    const others = ["index", "view", "add", "edit", "delete", "bulk", "export", "import"].filter(
      (one) => one !== column,
    );
    expect(codeOf(() => grantWrite(callerWith(column), leads, operation, {}))).toBe("granted");
    expect(codeOf(() => grantWrite(callerWith(...others), leads, operation, {}))).toBe("operation_forbidden");
  });

  test("of many records needs the right to bulk changes and the right to the change", () => {
    expect(codeOf(() => grantBulk(callerWith("bulk", "edit"), leads, "edit", {}))).toBe("granted");
    expect(codeOf(() => grantBulk(callerWith("bulk"), leads, "edit", {}))).toBe("operation_forbidden");
    expect(codeOf(() => grantBulk(callerWith("edit"), leads, "edit", {}))).toBe("operation_forbidden");
  });

  test("says who, what and which fields", () => {
    const caller = callerWith("edit");
    const grant = grantWrite(caller, leads, "edit", {});
    expect(grant).toMatchObject({ caller, type: leads, operation: "edit" });
    expect(grant.fields.editable.has("last_name")).toBe(true);
    expect(grant.fields.editable.has("created")).toBe(false);
  });

  test("is refused by what the type asks of its writers, also within something that was granted", () => {
    const within = (caller = callerWith(), rule = {}, operation: WriteOperation = "edit") =>
      codeOf(() => grantWithin(caller, leads, operation, { "crm/leads": rule }));
    const program = { credential: { kind: "api-key", keyId: "1", scope: "write" } } as const;
    expect(within()).toBe("granted");
    expect(within(callerWith(), { administratorsOnly: true })).toBe("operation_forbidden");
    expect(within(testCaller({ isAdministrator: true }), { administratorsOnly: true })).toBe("granted");
    expect(within(testCaller(program), { peopleOnly: "For people" })).toBe("conflict");
    expect(within(callerWith(), { peopleOnly: "For people" })).toBe("granted");
    expect(within(callerWith(), { refuses: { purge: "Never" } }, "purge")).toBe("conflict");
    expect(within(callerWith(), { refuses: { purge: "Never" } }, "delete")).toBe("granted");
  });

  test("of records that are never changed is for additions alone", () => {
    const log = [...snapshot.types.values()].find((type) => type.appendOnly && type.scope === "organization");
    if (!log) throw new Error("no type is append-only");
    const granted = (operation: WriteOperation) => codeOf(() => grantWithin(callerWith(), log, operation, {}));
    expect([granted("edit"), granted("delete"), granted("restore")]).toEqual(["conflict", "conflict", "conflict"]);
    expect(grantWithin(callerWith(), { ...log, refuses: {} }, "add", {}).operation).toBe("add");
  });

  test("is made for operations that write, and for no other", () => {
    expect(admit(callerWith("index"), leads, { matrix: "index" }, {})).toBeUndefined();
    expect(admit(callerWith("edit"), leads, { writes: "edit" }, {})?.operation).toBe("edit");
    expect(codeOf(() => admit(callerWith("edit"), leads, { matrix: "bulk", writes: "edit" }, {}))).toBe(
      "operation_forbidden",
    );
  });

  test("with a limited key is for operations that say what they need, or that keep to its limits themselves", () => {
    const keyed = { ...callerWith("index"), limits: new Map([["crm/leads", new Set(["index"] as const)]]) };
    const admitted = (...given: [type: typeof leads | undefined, needs: Parameters<typeof admit>[2]]) =>
      admit(keyed, ...given, {});
    expect(admitted(leads, { matrix: "index" })).toBeUndefined();
    expect(admitted(undefined, { keepsLimits: true })).toBeUndefined();
    expect(codeOf(() => admitted(leads, {}))).toBe("key_limited");
    expect(codeOf(() => admitted(undefined, { matrix: "index" }))).toBe("key_limited");
  });

  test("cannot be put together by hand", () => {
    const { caller, type, operation, fields, rules } = grantWrite(callerWith("edit"), leads, "edit", {});
    // @ts-expect-error only grant.ts makes a grant
    const made: Grant = { caller, type, operation, fields, rules };
    expect(made.type).toBe(leads);
  });
});

const elements = [
  { field: "plain" },
  { field: "secret", roles: { rep: 1, boss: 2 } },
  { field: "gone", permission: 1, roles: { boss: 2 } },
] as const;

test.each<[string, readonly string[], readonly string[]]>([
  ["a role that it names", ["rep"], ["secret", "gone"]],
  ["a role that it does not name", ["other"], ["gone"]],
  ["a role whose code every object has as a name", ["constructor"], ["gone"]],
  ["several roles by the widest", ["rep", "boss"], ["gone"]],
  ["somebody without a role", [], ["gone"]],
])("hides fields from %s", (_, roles, hidden) => {
  expect([...hiddenByForm({ sections: [{ elements }] }, roles).named]).toEqual(hidden);
});

test("hides all that stands in a hidden section, tab or form", () => {
  const within = { sections: [{ elements, roles: { rep: 1 } as const }, { elements: [{ field: "open" }] }] };
  expect([...hiddenByForm(within, ["rep"]).named]).toEqual(["plain", "secret", "gone"]);
  expect([...hiddenByForm({ tabs: [{ ...within, roles: { boss: 1 } }] }, ["boss"]).named]).toEqual([
    "plain",
    "secret",
    "gone",
    "open",
  ]);
  expect([...hiddenByForm({ ...within, permission: 1 }, ["other"]).named]).toHaveLength(4);
});

test("leaves what it hides in one place and shows in another", () => {
  const [shown, hidden] = [{ elements: [{ field: "a" }] }, { permission: 1 as const, elements: [{ field: "a" }] }];
  for (const sections of [
    [shown, hidden],
    [hidden, shown],
  ]) {
    const found = hiddenByForm({ sections }, ["rep"]);
    expect([[...found.named], found.has("a")]).toEqual([[], false]);
  }
});

test("leaves what is only shown, and what depends on a condition", () => {
  const shown = [
    { field: "a", permission: 4 },
    { field: "b", if_condition: "a = 1" },
  ] as const;
  expect([...hiddenByForm({ sections: [{ elements: shown }] }, ["rep"]).named]).toEqual([]);
});

/** From the widest to the narrowest. */
const levels: readonly EffectivePermission[] = [2, 4, 1];

test("of two levels the narrower or the wider one is taken, in whichever order", () => {
  for (const [wide, one] of levels.entries()) {
    for (const [narrow, other] of levels.entries()) {
      expect(mostRestrictive(one, other)).toBe(levels[Math.max(wide, narrow)]);
      expect(leastRestrictive(one, other)).toBe(levels[Math.min(wide, narrow)]);
    }
  }
});

test("what says nothing takes its parent's level, and nothing shows inside what is hidden", () => {
  for (const parent of levels) expect(inherit(parent, 0)).toBe(parent);
  for (const own of levels) {
    expect(inherit(2, own)).toBe(own);
    expect(inherit(4, own)).toBe(own);
    expect(inherit(1, own)).toBe(1);
  }
});

test.each<[readonly (Permission | undefined)[], EffectivePermission]>([
  [[], 2],
  [[undefined], 2],
  [[0], 2],
  [[1, 0], 2],
  [[1, undefined], 2],
  [[1, 4], 4],
  [[1, 1], 1],
])("roles that say %j allow %i", (overrides, allowed) => {
  expect(acrossRoles(overrides)).toBe(allowed);
});

test("each source narrows the others", () => {
  const open = { parent: 2, declared: 0, roles: 2, form: 0, operation: "edit" } as const;
  expect(effectivePermission(open)).toBe(2);
  expect(effectivePermission({ ...open, operation: "add" })).toBe(2);
  expect(effectivePermission({ ...open, operation: "view" })).toBe(4);
  for (const level of levels) {
    expect(effectivePermission({ ...open, parent: level })).toBe(level);
    expect(effectivePermission({ ...open, declared: level })).toBe(level);
    expect(effectivePermission({ ...open, roles: level })).toBe(level);
    expect(effectivePermission({ ...open, form: level })).toBe(level);
  }
});

test("hides all others where their section is hidden, also what the record type gets later", () => {
  const section = { others: true, roles: { rep: 1 } as const, elements: [{ field: "listed" }] };
  const form = { sections: [{ elements }, section] };
  const hiddenFrom = (role: string) =>
    ["plain", "secret", "listed", "x_added_later", "deleted", "id"].filter((name) =>
      hiddenByForm(form, [role]).has(name),
    );
  expect(hiddenFrom("rep")).toEqual(["secret", "listed", "x_added_later"]);
  expect(hiddenFrom("boss")).toEqual([]);
});
