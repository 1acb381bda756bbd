// Two people arrange the navigation at the same time: neither loses what the other doesn't contradict.
import { expect, test } from "vitest";
import type { ArrangedEntry } from "../../../../client/design/navigation.ts";
import { changedModules, mergedArrangement } from "./merge-arrangements.ts";
import type { NavigationDraft } from "./navigation-draft.ts";

const entry = (key: string, changes: Partial<ArrangedEntry> = {}): ArrangedEntry => ({
  ...{ id: `id ${key}`, key, label: key, url: "/", controller: null, plural: null, is_setup: false },
  ...{ icon: null, is_active: true, hidden_for: [] },
  ...changes,
});
const module = (name: string, ...entries: readonly ArrangedEntry[]) => ({
  ...{ name, label: name, icon: null, is_active: true, hidden_for: [], is_own: true, entries },
});
const shape = (draft: NavigationDraft) => draft.map(({ label, entries }) => [label, entries.map((one) => one.label)]);

const base = [module("sales", entry("a"), entry("b"), entry("c")), module("service", entry("d"))];

test("changes at different places come together", () => {
  const theirs = [
    module("service", entry("d", { label: "Desk" })),
    module("sales", entry("a"), entry("b"), entry("c")),
    module("plant", entry("e")),
  ];
  const mine = [
    { ...module("sales", entry("c"), entry("a"), entry("new", { id: null })), label: "Selling" },
    module("service", entry("d", { icon: "tool" }), entry("b")),
    module("module"),
  ];
  const merged = mergedArrangement(base, theirs, mine);
  expect(shape(merged)).toEqual([
    ["service", ["Desk", "b"]],
    ["Selling", ["c", "a", "new"]],
    ["plant", ["e"]],
    ["module", []],
  ]);
  expect(merged[0]?.entries[0]).toMatchObject({ icon: "tool", label: "Desk" });
  expect(changedModules(base, theirs)).toEqual(["service", "plant"]);
});

test("what one of them removed is gone, unless the other put something there", () => {
  const theirs = [module("sales", entry("a"), entry("c"))];
  const mine = [module("sales", entry("b"), entry("c")), module("service", entry("d"), entry("a"))];
  expect(shape(mergedArrangement(base, theirs, mine))).toEqual([
    ["sales", ["c"]],
    ["service", ["a"]],
  ]);
  expect(mergedArrangement(base, base, mine)).toEqual(mine);
  expect(mergedArrangement(base, theirs, base)).toEqual(theirs);
});
