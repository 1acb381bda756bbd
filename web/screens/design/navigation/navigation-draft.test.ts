import { expect, test } from "vitest";
import { withKeys, withLink, withNewModule } from "./navigation-draft.ts";

test("a new module and a new link are known by what they are called, and never by a name that is taken", () => {
  const stored = [
    { name: "fleet", label: "Vans", icon: null, is_active: true, hidden_for: [], is_own: true, entries: [] },
  ];
  let draft = withLink(withNewModule(withNewModule(stored, "Fleet"), "الأسطول"), "fleet", "Road map");
  draft = withLink(draft, "fleet", "Road map");
  const [fleet, second, third] = withKeys(draft, stored);
  expect([fleet?.name, second?.name]).toEqual(["fleet", "fleet_2"]);
  expect(third?.name).toMatch(/^module_[a-z0-9]+$/u);
  expect(fleet?.entries.map(({ key }) => key)).toEqual(["road_map", "road_map_2"]);
});
