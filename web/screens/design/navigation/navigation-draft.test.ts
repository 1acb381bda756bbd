import { expect, test } from "vitest";
import { iconNames } from "../../../../contract/icons.ts";
import type { Place } from "../../../parts/controls/drag-place.ts";
import {
  MODULES,
  moved,
  type NavigationDraft,
  placeAfter,
  stepGap,
  withKeys,
  withLink,
  withNewModule,
} from "./navigation-draft.ts";

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
  expect(iconNames).toEqual(expect.arrayContaining([second?.icon, fleet?.entries[0]?.icon]));
});

const module = (name: string) => ({
  ...{ name, label: name, icon: null, is_active: true, hidden_for: [], is_own: true, entries: [] },
});

test("what stands in the navigation is found again wherever it or something else moves", () => {
  let draft: NavigationDraft = [module("a"), module("b")];
  for (const label of ["1", "2", "3"]) draft = withLink(draft, "a", label);
  for (const label of ["4", "5"]) draft = withLink(draft, "b", label);
  const places = ["a", "b"].flatMap((list) => [0, 1, 2, 3].map((index) => ({ list, index })));
  const labelAt = (now: NavigationDraft, { list, index }: Place) =>
    now.find(({ name }) => name === list)?.entries[index]?.label;
  for (const from of places.filter((one) => labelAt(draft, one) !== undefined)) {
    for (const gap of places.filter(({ list, index }) => list === "a" || index < 3)) {
      const now = moved(draft, from, gap);
      for (const place of places) {
        const label = labelAt(draft, place);
        if (label !== undefined) expect(labelAt(now, placeAfter(place, from, gap))).toBe(label);
      }
    }
  }
});

test("an entry steps past the end of its module into the next one, and stays at the very ends", () => {
  const draft = withLink(withLink([module("a"), module("b")], "a", "One"), "a", "Two");
  expect(stepGap(draft, { list: "a", index: 0 }, 1)).toEqual({ list: "a", index: 2 });
  expect(stepGap(draft, { list: "a", index: 1 }, 1)).toEqual({ list: "b", index: 0 });
  expect(stepGap(draft, { list: "a", index: 0 }, -1)).toBeUndefined();
  expect(stepGap(draft, { list: MODULES, index: 1 }, 1)).toBeUndefined();
});
