// A form while it is being designed: tabs of sections of elements. A form without tabs is one tab without a name. Every
// function gives the whole form anew. Pure.
import {
  elementName,
  type FormDefinition,
  type FormElementDefinition,
  type FormSectionDefinition,
  type FormTabDefinition,
} from "../../../../contract/form-definition.ts";
import { movedWithin, type Place } from "../../../parts/controls/drag-place.ts";

/** What stands on no form. */
export const UNUSED = "unused";

export type Tabs = readonly FormTabDefinition[];

/** Undefined where the text is no form. */
export function readForm(text: string): FormDefinition | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { tabs, sections } = parsed as FormDefinition;
    return Array.isArray(tabs) || Array.isArray(sections) ? (parsed as FormDefinition) : undefined;
  } catch {
    return undefined;
  }
}

export const tabsOf = (form: FormDefinition): Tabs => form.tabs ?? [{ tab: "", sections: form.sections ?? [] }];

/** Without a name it is none, unless it says who may see it. */
const isNoTab = ({ tab, sections: _, ...rights }: FormTabDefinition): boolean =>
  tab === "" && Object.values(rights).every((right) => right === undefined);

export function withTabs({ tabs: _, sections: __, ...rest }: FormDefinition, tabs: Tabs): FormDefinition {
  const [only, ...more] = tabs;
  return only && more.length === 0 && isNoTab(only) ? { ...rest, sections: only.sections } : { ...rest, tabs };
}

export const writeForm = (form: FormDefinition): string => JSON.stringify(form, null, 2);

const listOf = (tab: number, section: number): string => `${tab}.${section}`;
const placeOf = (list: string): readonly [number, number] => {
  const [tab = "0", section = "0"] = list.split(".");
  return [Number(tab), Number(section)];
};
export const elementList = listOf;

const eachSection = (
  form: FormDefinition,
  change: (section: FormSectionDefinition, tab: number, index: number) => FormSectionDefinition,
): FormDefinition =>
  withTabs(
    form,
    tabsOf(form).map((tab, at) => ({
      ...tab,
      sections: tab.sections.map((section, index) => change(section, at, index)),
    })),
  );

export const elementsOf = (form: FormDefinition): readonly FormElementDefinition[] =>
  tabsOf(form).flatMap((tab) => tab.sections.flatMap((section) => section.elements));

export const elementAt = (form: FormDefinition, { list, index }: Place): FormElementDefinition | undefined => {
  const [tab, section] = placeOf(list);
  return tabsOf(form)[tab]?.sections[section]?.elements[index];
};

export function placeOfElement(form: FormDefinition, name: string): Place | undefined {
  for (const [tab, { sections }] of tabsOf(form).entries()) {
    for (const [section, { elements }] of sections.entries()) {
      const index = elements.findIndex((element) => elementName(element) === name);
      if (index >= 0) return { list: listOf(tab, section), index };
    }
  }
  return undefined;
}

/** Puts an element into a gap, wherever it stood before. */
export function putElement(form: FormDefinition, element: FormElementDefinition, to: Place): FormDefinition {
  const name = elementName(element);
  const from = placeOfElement(form, name);
  const gap = from && from.list === to.list && from.index < to.index ? to.index - 1 : to.index;
  const [tab, section] = placeOf(to.list);
  const without = withoutElement(form, name);
  return eachSection(without, (one, at, index) =>
    at === tab && index === section ? { ...one, elements: one.elements.toSpliced(gap, 0, element) } : one,
  );
}

export const withoutElement = (form: FormDefinition, name: string): FormDefinition =>
  eachSection(form, (section) => ({
    ...section,
    elements: section.elements.filter((element) => elementName(element) !== name),
  }));

export const changeElement = (
  form: FormDefinition,
  name: string,
  change: (element: FormElementDefinition) => FormElementDefinition,
): FormDefinition =>
  eachSection(form, (section) => ({
    ...section,
    elements: section.elements.map((element) => (elementName(element) === name ? tidy(change(element)) : element)),
  }));

/** The service takes no keys without a value. */
export function tidy<Part extends object>(part: Part): Part {
  // The same keys but for those that hold nothing.
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}

export const changeSection = (
  form: FormDefinition,
  tab: number,
  section: number,
  change: (section: FormSectionDefinition) => FormSectionDefinition,
): FormDefinition => eachSection(form, (one, at, index) => (at === tab && index === section ? tidy(change(one)) : one));

const changeTabSections = (
  form: FormDefinition,
  tab: number,
  change: (sections: readonly FormSectionDefinition[]) => readonly FormSectionDefinition[],
): FormDefinition =>
  withTabs(
    form,
    tabsOf(form).map((one, at) => (at === tab ? { ...one, sections: change(one.sections) } : one)),
  );

export const withSection = (form: FormDefinition, tab: number, title: string): FormDefinition =>
  changeTabSections(form, tab, (sections) => [...sections, { section: title, columns: 2, elements: [] }]);

/** The section that shows all that no section names. */
export const othersOf = (form: FormDefinition): FormSectionDefinition | undefined =>
  tabsOf(form)
    .flatMap((tab) => tab.sections)
    .find(({ others }) => others);

export const withOthers = (form: FormDefinition, tab: number, title: string): FormDefinition =>
  changeTabSections(form, tab, (sections) => [...sections, { section: title, columns: 2, others: true, elements: [] }]);

export const withoutSection = (form: FormDefinition, tab: number, section: number): FormDefinition =>
  changeTabSections(form, tab, (sections) => sections.filter((_, index) => index !== section));

export const moveSection = (form: FormDefinition, tab: number, from: number, gap: number): FormDefinition =>
  changeTabSections(form, tab, (sections) => movedWithin(sections, from, gap));

/** To the end of another tab. */
export function sectionToTab(form: FormDefinition, tab: number, section: number, to: number): FormDefinition {
  const moved = tabsOf(form)[tab]?.sections[section];
  if (!moved || tab === to) return form;
  return changeTabSections(withoutSection(form, tab, section), to, (sections) => [...sections, moved]);
}

/** The first tab of a form that had none takes what is there. */
export function withTab(form: FormDefinition, title: string, first: string): FormDefinition {
  const tabs = tabsOf(form).map((tab) => (tab.tab === "" ? { ...tab, tab: first } : tab));
  return withTabs(form, [...tabs, { tab: title, sections: [] }]);
}

export const changeTab = (
  form: FormDefinition,
  tab: number,
  change: (tab: FormTabDefinition) => FormTabDefinition,
): FormDefinition =>
  withTabs(
    form,
    tabsOf(form).map((one, at) => (at === tab ? tidy(change(one)) : one)),
  );

/** What stood on it goes to the tab before. One that is left alone is a tab no more, unless it says who may see it. */
export function withoutTab(form: FormDefinition, tab: number): FormDefinition {
  const tabs = tabsOf(form);
  const gone = tabs[tab];
  const others = tabs.filter((_, index) => index !== tab);
  if (!gone) return form;
  if (others.length === 0) return withTabs(form, [{ tab: "", sections: gone.sections }]);
  const newOwner = Math.max(0, tab - 1);
  const merged = others.map((one, index) =>
    index === newOwner ? { ...one, sections: [...one.sections, ...gone.sections] } : one,
  );
  const [only, ...more] = merged;
  return withTabs(form, only && more.length === 0 && isNoTab({ ...only, tab: "" }) ? [{ ...only, tab: "" }] : merged);
}

export const moveTab = (form: FormDefinition, from: number, gap: number): FormDefinition =>
  withTabs(form, movedWithin(tabsOf(form), from, gap));

/** What was refused, by the name of its element or `section <tab>.<index>`; the rest under the empty name. */
export function faultsOf(errors: readonly string[], form: FormDefinition): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const names = new Set(elementsOf(form).map(elementName));
  for (const error of errors) {
    const [, place = "", words = error] = /^(?:Definition )?([^:]*): (.*)$/su.exec(error) ?? [];
    const path = /^(?:tabs\.(\d+)\.)?sections\.(\d+)(?:\.elements\.(\d+))?/u.exec(place);
    const [, tab = "0", section, index] = path ?? [];
    const element =
      section === undefined || index === undefined
        ? undefined
        : elementAt(form, { list: listOf(Number(tab), Number(section)), index: Number(index) });
    const key = names.has(place)
      ? place
      : element
        ? elementName(element)
        : section !== undefined
          ? `section ${listOf(Number(tab), Number(section))}`
          : "";
    found.set(key, [found.get(key), words].filter(Boolean).join("; "));
  }
  return found;
}
