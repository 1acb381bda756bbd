// What forms hide from whom, and the arithmetic of permissions that decides it, level by level.
import { expect, test } from "vitest";
import type { Permission } from "../../contract/permissions.ts";
import { hiddenByForm } from "./hidden-by-form.ts";
import {
  acrossRoles,
  type EffectivePermission,
  effectivePermission,
  inherit,
  leastRestrictive,
  mostRestrictive,
} from "./permission.ts";

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
  expect([...hiddenByForm({ sections: [{ elements }] }, roles)]).toEqual(hidden);
});

test("hides all that stands in a hidden section, tab or form", () => {
  const within = { sections: [{ elements, roles: { rep: 1 } as const }, { elements: [{ field: "open" }] }] };
  expect([...hiddenByForm(within, ["rep"])]).toEqual(["plain", "secret", "gone"]);
  expect([...hiddenByForm({ tabs: [{ ...within, roles: { boss: 1 } }] }, ["boss"])]).toEqual([
    "plain",
    "secret",
    "gone",
    "open",
  ]);
  expect([...hiddenByForm({ ...within, permission: 1 }, ["other"])]).toHaveLength(4);
});

test("leaves what is only shown, and what depends on a condition", () => {
  const shown = [
    { field: "a", permission: 4 },
    { field: "b", if_condition: "a = 1" },
  ] as const;
  expect([...hiddenByForm({ sections: [{ elements: shown }] }, ["rep"])]).toEqual([]);
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
