// The navigation while it is being arranged: what moves where, what is added, and what may go. Pure.
import type { ArrangedEntry, ArrangedModule } from "../../../../client/design/navigation.ts";
import { isAddress } from "../../../../contract/navigation/address.ts";
import { movedWithin, type Place } from "../../../parts/controls/drag-place.ts";
import { nameOf } from "../types/type-draft.ts";

export type NavigationDraft = readonly ArrangedModule[];

/** The list that modules themselves stand in; entries stand in the list of their module. */
export const MODULES = "";

/** Whose settings are open: a module, by its name, or an entry, by its place. */
export type Chosen = string | Place | undefined;

/** What is dropped at a gap of a list; an entry also of another module. */
export function moved(draft: NavigationDraft, from: Place, to: Place): NavigationDraft {
  if (from.list === MODULES) return to.list === MODULES ? movedWithin(draft, from.index, to.index) : draft;
  if (to.list === MODULES) return draft;
  const entry = draft.find(({ name }) => name === from.list)?.entries[from.index];
  if (entry === undefined) return draft;
  return draft.map((module) => {
    if (from.list === to.list) {
      return module.name === to.list
        ? { ...module, entries: movedWithin(module.entries, from.index, to.index) }
        : module;
    }
    if (module.name === from.list) return { ...module, entries: module.entries.toSpliced(from.index, 1) };
    if (module.name !== to.list) return module;
    const key = freeName(
      entry.key,
      module.entries.map((one) => one.key),
    );
    return { ...module, entries: module.entries.toSpliced(to.index, 0, { ...entry, key }) };
  });
}

/** The gap one step up or down; past the ends of its module, an entry goes on into the next one. None at the very ends. */
export function stepGap(draft: NavigationDraft, from: Place, by: -1 | 1): Place | undefined {
  const at = draft.findIndex(({ name }) => name === from.list);
  const count = from.list === MODULES ? draft.length : (draft[at]?.entries.length ?? 0);
  const index = from.index + by;
  if (index >= 0 && index < count) return { list: from.list, index: by === 1 ? index + 1 : index };
  const next = from.list === MODULES ? undefined : draft[at + by];
  return next && { list: next.name, index: by === 1 ? 0 : next.entries.length };
}

/** Where what stands at a place stands once something went from its place to a gap. */
export function placeAfter(place: Place, from: Place, gap: Place): Place {
  const landed = gap.list === from.list && gap.index > from.index ? gap.index - 1 : gap.index;
  if (place.list === from.list && place.index === from.index) return { list: gap.list, index: landed };
  const left = place.list === from.list && place.index > from.index ? place.index - 1 : place.index;
  return { list: place.list, index: place.list === gap.list && left >= landed ? left + 1 : left };
}

export const withModule = (draft: NavigationDraft, name: string, changes: Partial<ArrangedModule>): NavigationDraft =>
  draft.map((module) => (module.name === name ? { ...module, ...changes } : module));

export const withEntry = (
  draft: NavigationDraft,
  { list, index }: Place,
  changes: Partial<ArrangedEntry>,
): NavigationDraft =>
  draft.map((module) =>
    module.name === list
      ? { ...module, entries: module.entries.map((entry, at) => (at === index ? { ...entry, ...changes } : entry)) }
      : module,
  );

export const withoutEntry = (draft: NavigationDraft, { list, index }: Place): NavigationDraft =>
  draft.map((module) => (module.name === list ? { ...module, entries: module.entries.toSpliced(index, 1) } : module));

const shown = { icon: null, is_active: true, hidden_for: [] } as const;

/** A link stands at the end of its module. */
export const withLink = (draft: NavigationDraft, list: string, label: string): NavigationDraft =>
  draft.map((module) => {
    if (module.name !== list) return module;
    const key = freeName(
      "link",
      module.entries.map((one) => one.key),
    );
    const link = {
      ...shown,
      id: null,
      key,
      label,
      url: "",
      icon: "link",
      controller: null,
      plural: null,
      is_setup: false,
    };
    return { ...module, entries: [...module.entries, link] };
  });

export const withNewModule = (draft: NavigationDraft, label: string): NavigationDraft => {
  const name = freeName(
    "module",
    draft.map((module) => module.name),
  );
  return [...draft, { ...shown, name, label, icon: "folder", is_own: true, entries: [] }];
};

/** What is new is known by what it is called: `module` here would be another module elsewhere. */
export function withKeys(draft: NavigationDraft, stored: NavigationDraft): NavigationDraft {
  const known = new Set(stored.map(({ name }) => name));
  const names = [...known];
  return draft.map((module) => {
    const name = known.has(module.name) ? module.name : freeName(nameOf(module.label) || unnamed("module"), names);
    names.push(name);
    const keys = module.entries.flatMap(({ id, key }) => (id === null ? [] : [key]));
    const entries = module.entries.map((entry) => {
      if (entry.id !== null || entry.controller !== null) return entry;
      const key = freeName(nameOf(entry.label) || unnamed("link"), keys);
      keys.push(key);
      return { ...entry, key };
    });
    return { ...module, name, entries };
  });
}

/** For a label without a letter that a key can have. */
const unnamed = (kind: string): string => `${kind}_${Math.random().toString(36).slice(2, 10)}`;

const LONGEST_NAME = 40;

function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const name = `${wanted.slice(0, LONGEST_NAME - 4)}_${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Whether everything has what it needs. */
export const isComplete = (draft: NavigationDraft): boolean =>
  draft.every(
    ({ label, entries }) =>
      label.trim() !== "" && entries.every((entry) => entry.label.trim() !== "" && isAddress(entry.url.trim())),
  );
