// What a field that names record types offers.
import { expect, test } from "vitest";
import { navigationModules } from "../../../client/lists/navigation.ts";
import { typeChoices } from "./type-choices.ts";

const entry = (label: string, url: string, is_followed: 0 | 1) => ({ label, url, is_followed });
const modules = navigationModules({
  data: {
    crm: { label: "CRM", children: { leads: entry("Leads", "crm/leads/index", 1) } },
    core: { label: "Core", children: { revisions: entry("History", "core/revisions/index", 0) } },
  },
});
const keysOf = (choices: ReturnType<typeof typeChoices>) => choices.map(({ items }) => items.map(({ label }) => label));

test("only what can be chosen is offered; what is chosen stays", () => {
  expect(keysOf(typeChoices(modules, []))).toEqual([["Leads"], ["History"]]);
  expect(keysOf(typeChoices(modules, [], ({ isFollowed }) => isFollowed))).toEqual([["Leads"]]);
  const kept = typeChoices(modules, ["core/revisions", "crm/gone"], ({ isFollowed }) => isFollowed);
  expect(keysOf(kept)).toEqual([["Leads"], ["History"], ["crm/gone"]]);
});
