import { expect, test } from "vitest";
import type { FormDefinition } from "../../../../contract/form-definition.ts";
import { type Message, say } from "../../../../contract/messages.ts";
import { type Language, languages, write } from "../../../../contract/texts/write.ts";
import {
  changeSection,
  changeTab,
  elementsOf,
  faultsOf,
  othersOf,
  putElement,
  withOthers,
  withoutSection,
  withoutTab,
  withSection,
  withTab,
} from "./form-draft.ts";

const form: FormDefinition = {
  sections: [
    { section: "One", elements: [{ field: "a" }, { field: "b" }, { grid: "rows" }] },
    { section: "Two", elements: [{ field: "c" }] },
  ],
};
const names = (of: FormDefinition) =>
  (of.sections ?? []).map(({ elements }) => elements.map((one) => Object.values(one)[0]));

test("elements move into a gap of their own list and of another, and new ones come in", () => {
  expect(names(putElement(form, { field: "a" }, { list: "0.0", index: 2 }))).toEqual([["b", "a", "rows"], ["c"]]);
  expect(names(putElement(form, { field: "b" }, { list: "0.1", index: 0 }))).toEqual([
    ["a", "rows"],
    ["b", "c"],
  ]);
  expect(names(putElement(form, { field: "d" }, { list: "0.1", index: 1 }))).toEqual([
    ["a", "b", "rows"],
    ["c", "d"],
  ]);
});

test("a first tab takes what was there, and gives it back when the tabs go", () => {
  const tabbed = withSection(withTab(form, "More", "General"), 1, "Three");
  expect(tabbed.sections).toBeUndefined();
  expect(tabbed.tabs?.map(({ tab, sections }) => [tab, sections.length])).toEqual([
    ["General", 2],
    ["More", 1],
  ]);
  const back = withoutTab(tabbed, 1);
  expect(back.tabs).toBeUndefined();
  expect(back.sections?.map(({ section }) => section)).toEqual(["One", "Two", "Three"]);
  expect(elementsOf(back)).toHaveLength(4);
});

test("who may see a tab is kept when it is the last one, and while its title is typed anew", () => {
  const tabbed = changeTab(withTab(form, "More", "General"), 0, (tab) => ({ ...tab, roles: { sales_rep: 1 } }));
  const last = withoutTab(tabbed, 1);
  expect(last.tabs).toMatchObject([{ tab: "General", roles: { sales_rep: 1 } }]);
  const untitled = changeTab(last, 0, (tab) => ({ ...tab, tab: "" }));
  const titled = changeTab(untitled, 0, (tab) => ({ ...tab, tab: "Main" }));
  expect(titled.tabs).toMatchObject([{ tab: "Main", roles: { sales_rep: 1 } }]);
  expect(withoutTab(last, 0)).toEqual({ sections: last.tabs?.[0]?.sections });
  // Without rights there is nothing to keep.
  expect(changeTab(last, 0, ({ sections }) => ({ tab: "", sections })).tabs).toBeUndefined();
});

test("one section shows all other fields, until it is removed", () => {
  expect(othersOf(form)).toBeUndefined();
  const all = withOthers(withTab(form, "More", "General"), 1, "Rest");
  expect(othersOf(all)).toEqual({ section: "Rest", columns: 2, others: true, elements: [] });
  expect(othersOf(changeSection(all, 1, 0, (section) => ({ ...section, others: undefined })))).toBeUndefined();
  expect(othersOf(withoutSection(all, 1, 0))).toBeUndefined();
});

/** As the service says it. */
const faultAt = (path: string, reason: Message, language: Language): string =>
  write(say("design_fault", { path, reason }), language);

test.each(languages)("faults stand at the element or section that they name, in %s", (language) => {
  const [odd, empty] = [say("no_default"), say("must_not_be_empty")];
  const faults = faultsOf(
    [
      faultAt("b", odd, language),
      faultAt("sections.1.section", empty, language),
      write(say("whole_design_fault", { reason: say("must_be_json") }), language),
    ],
    form,
  );
  expect(Object.fromEntries(faults)).toEqual({
    b: write(odd, language),
    "section 0.1": write(empty, language),
    "": expect.stringContaining("JSON"),
  });
});
