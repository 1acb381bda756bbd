import { expect, test } from "vitest";
import { navigationModules } from "./navigation.ts";

test("gives modules and entries in the order of the service", () => {
  const modules = navigationModules({
    data: {
      crm: {
        label: "Sales",
        icon: "briefcase",
        children: {
          leads: { label: "Leads", url: "crm/leads/index", icon: "target" },
          peoples: { label: "People", url: "crm/peoples/index" },
        },
      },
      empty: { label: "Empty" },
      broken: { label: "Broken", children: { x: { label: "X", url: "nowhere" } } },
    },
  });
  expect(modules).toHaveLength(1);
  expect(modules[0]?.entries.map((entry) => [entry.key, entry.label, entry.icon])).toEqual([
    ["crm/leads", "Leads", "target"],
    ["crm/peoples", "People", undefined],
  ]);
});
