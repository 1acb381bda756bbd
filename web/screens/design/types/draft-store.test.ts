import { expect, test } from "vitest";
import { DraftStore } from "./draft-store.ts";
import { definitionOf, draftOf, newDraft, type TypeDraft, withLabel } from "./type-draft.ts";

function opened(key: string, stored: TypeDraft, revision?: string, kept = new Map<string, string>()) {
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
  return { kept, store: new DraftStore({ storage, keyOf: (name) => name, key, stored, revision, onChange: () => {} }) };
}

const house = withLabel({ ...newDraft("Name"), module: "sales" }, "House", true);
const homes = { ...house, plural: "Homes" };

test("what is changed after a new type was saved is kept for its page, and the next new type starts empty", () => {
  const empty = newDraft("Name");
  const { store, kept } = opened("new", empty);
  store.change(house);
  expect([...kept.keys()]).toEqual(["new"]);
  store.release(house, "sales/houses");
  expect(store.isDirty).toBe(false);
  expect(kept.size).toBe(0);
  store.change(homes);
  expect([...kept.keys()]).toEqual(["sales/houses"]);
  store.settle();
  expect(store.kept.base).toBe(house);
  // Whoever discards that is left with what was saved.
  store.clear();
  expect([store.kept.draft.plural, kept.size]).toEqual(["Houses", 0]);
  store.change(homes);
  const page = opened("sales/houses", draftOf(definitionOf(house)), "1", kept).store;
  expect(page.kept).toMatchObject({ draft: { plural: "Homes" }, revision: "1" });
  expect(opened("new", empty, undefined, kept).store.isOld).toBe(false);
});

test("what was changed while a save was under way is kept too", () => {
  const { store, kept } = opened("new", newDraft("Name"));
  store.change(homes);
  store.release(house, "sales/houses");
  expect([...kept.keys()]).toEqual(["sales/houses"]);
  expect(store.isDirty).toBe(true);
});

test("a save that changes nothing leaves what is stored, unless something was changed meanwhile", () => {
  const stored = draftOf(definitionOf(house));
  const { store, kept } = opened("sales/houses", stored, "1");
  const spaced = { ...stored, label: "House " };
  store.change(spaced);
  store.release(spaced, "sales/houses");
  store.settle();
  expect([store.isDirty, store.kept.draft.label, kept.size]).toEqual([false, "House", 0]);
  store.change(spaced);
  store.release(spaced, "sales/houses");
  store.change({ ...spaced, plural: "Homes" });
  store.settle();
  expect([store.isDirty, store.kept.draft.plural, store.kept.base]).toEqual([true, "Homes", stored]);
  expect(kept.size).toBe(1);
});

test("a new type whose name was stored without its spaces is not somebody else's when its page opens", () => {
  const spaced = { ...house, label: "House " };
  const { store, kept } = opened("new", newDraft("Name"));
  store.change(spaced);
  store.release(spaced, "sales/houses");
  store.change({ ...spaced, plural: "Homes" });
  const stored = draftOf(definitionOf(house));
  const page = opened("sales/houses", stored, "1", kept).store;
  expect(page.kept).toMatchObject({ draft: { plural: "Homes" }, revision: "1", base: stored });
});
