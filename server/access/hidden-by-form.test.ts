// Which fields a form hides, by roles.
import { expect, test } from "vitest";
import { hiddenByForm } from "./hidden-by-form.ts";

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
