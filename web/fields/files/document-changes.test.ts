import { expect, test } from "vitest";
import { documentChanges, type WordFor } from "./document-changes.ts";

const labels: Readonly<Record<string, string>> = { price: "Price", size: "Size", edit: "Can edit" };
const wordFor: WordFor = (kind, name) => (kind === "unnamed" ? "Untitled" : (labels[name] ?? name));
const changes = (before: unknown, after: unknown) =>
  documentChanges(JSON.stringify(before), JSON.stringify(after), wordFor);
const none = { added: [], removed: [], changed: [], moved: [], isOther: false };

const section = (heading: string, ...fields: readonly (string | object)[]) => ({
  section: heading,
  elements: fields.map((field) => (typeof field === "string" ? { field } : field)),
});
const form = (...sections: readonly object[]) => ({ sections });

test("parts of a form and of a workflow are told by what people call them", () => {
  const all = section("All", "name", "size");
  expect(changes(form(all), form(all))).toEqual(none);
  expect(changes(form(all), form(all, section("Costs", "price")))).toEqual({ ...none, added: ["Costs", "Price"] });
  const labeled = form(section("All", "name", { field: "size", label: "Extent" }));
  expect(changes(form(all), labeled)).toEqual({ ...none, changed: ["Extent"] });
  const flow = (stages: readonly object[]) => ({ stages, transitions: [] });
  const [open, shut] = [
    { key: "open", name: "Open" },
    { key: "shut", name: "Shut" },
  ];
  expect(changes(flow([open, shut]), flow([{ ...open, name: "Begun" }]))).toEqual({
    ...none,
    removed: ["Shut"],
    changed: ["Begun"],
  });
});

test("what is in another order or another section was moved", () => {
  const before = form(section("All", "name", "size", "price"), section("More", "note"));
  const reordered = form(section("All", "price", "name", "size"), section("More", "note"));
  expect(changes(before, reordered)).toEqual({ ...none, moved: ["Price"] });
  const elsewhere = form(section("All", "name", "size"), section("More", "note", "price"));
  expect(changes(before, elsewhere)).toEqual({ ...none, moved: ["Price"] });
  const turned = form(section("More", "note"), section("All", "name", "size", "price"));
  expect(changes(before, turned).moved).toHaveLength(1);
  // One that is added or removed moves no other.
  const shorter = form(section("All", "new", "name", "price"), section("More", "note"));
  expect(changes(before, shorter)).toEqual({ ...none, added: ["new"], removed: ["Size"] });
});

test("a section with another heading is changed; nothing in it was moved", () => {
  const before = form(section("All", "name", "size"), section("More", "price"));
  const after = form(section("All", "name", "size"), section("Costs", "price"));
  expect(changes(before, after)).toEqual({ ...none, changed: ["Costs"] });
  const tabs = (name: string, ...sections: readonly object[]) => ({ tabs: [{ tab: name, sections }] });
  expect(changes(tabs("One", section("", "name")), tabs("Two", section("New", "name")))).toEqual({
    ...none,
    changed: ["Two", "New"],
  });
});

test("sections without a heading have parts as others do", () => {
  expect(changes(form(section("", "size")), form(section("", "size", "price")))).toEqual({ ...none, added: ["Price"] });
  expect(changes(form(), form(section("")))).toEqual({ ...none, added: ["Untitled"] });
});

test("the last of its kind is removed, and nothing is added", () => {
  const flow = (...transitions: readonly object[]) => ({ stages: [{ key: "open", name: "Open" }], transitions });
  const go = { name: "go", label: "Go", from: "open", to: "open" };
  expect(changes(flow(go), flow())).toEqual({ ...none, removed: ["Go"] });
  expect(changes(flow(), flow(go))).toEqual({ ...none, added: ["Go"] });
});

test("the order of names in an object says nothing", () => {
  const at = (element: object) => form(section("All", element));
  expect(changes(at({ field: "size", label: "L" }), at({ label: "L", field: "size" }))).toEqual(none);
  expect(changes({ read: [], edit: [] }, { edit: [], read: [] })).toEqual(none);
});

test("rights of a policy are told; what nothing of this tells is another change", () => {
  const policy = { read: ["owner"], edit: [] };
  expect(changes(policy, { ...policy, edit: ["organization"] })).toEqual({ ...none, changed: ["Can edit"] });
  expect(documentChanges("{", "", wordFor)).toEqual({ ...none, isOther: true });
  expect(documentChanges("{", "{", wordFor)).toEqual(none);
  expect(changes({ stages: [1] }, { stages: [2] })).toEqual({ ...none, isOther: true });
});
