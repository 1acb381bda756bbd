// What of administration somebody is offered.
import { expect, test } from "vitest";
import { navigationModules } from "../../../client/lists/navigation.ts";
import { administrationItems } from "./administration-groups.ts";

const child = (key: string, section: "work" | "administration" | null) => ({
  label: key,
  url: `${key}/index`,
  controller: key,
  section,
});
const modules = navigationModules({
  data: {
    crm: {
      label: "Sales",
      children: { leads: child("crm/leads", "work"), types: child("crm/types", "administration") },
    },
    access_controls: {
      label: "People and access",
      children: {
        users: child("access_controls/users", "administration"),
        policies: child("access_controls/policies", "administration"),
      },
    },
    masters: { label: "Reference data", children: { locales: child("masters/locales", null) } },
  },
});

const named = (isAdministrator: boolean) =>
  administrationItems(modules, isAdministrator).map(({ group, items }) => [
    group,
    items.map((item) => (item.kind === "part" ? item.part : item.entry.key)),
  ]);

test("an administrator has the pages, then the lists that have none", () => {
  expect(named(true)).toEqual([
    [
      "people",
      ["users", "invitations", "groups", "roles", "sessions", "api_keys", "audit", "access_controls/policies"],
    ],
    ["data", ["record_types", "navigation", "translations", "designs", "speed", "crm/types"]],
    ["organization", ["organization", "license"]],
  ]);
});

test("others have the lists that they can change, and no page of administrators", () => {
  expect(named(false)).toEqual([
    ["people", ["access_controls/users", "access_controls/policies"]],
    ["data", ["crm/types"]],
  ]);
});
