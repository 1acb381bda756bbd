import { describe, expect, test } from "vitest";
import type { FieldDefinition } from "../../../../../contract/record-type.ts";
import { changeField, definitionOf, draftOf, type TypeDraft, withField, withoutField } from "../type-draft.ts";
import { differences, merged, overlaps } from "./merge-drafts.ts";

const base = draftOf({
  ...{ module: "lab", controller: "things", label: "Thing", plural: "Things", displayField: "name" },
  access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  fields: [
    { name: "name", type: "short-text", label: "Name" },
    { name: "size", type: "integer", label: "Size", settings: { min: 1 } },
    { name: "note", type: "long-text", label: "Note" },
  ],
});
const saved = (draft: TypeDraft): TypeDraft => draftOf(definitionOf(draft));
const added = (draft: TypeDraft, label: string): TypeDraft => {
  const next = withField(draft, "flag");
  return changeField(next.draft, next.id, { label });
};
const fieldsOf = (draft: TypeDraft): readonly FieldDefinition[] => definitionOf(draft).fields;

describe("two who design the same record type", () => {
  test("have both their changes where they do not meet", () => {
    const theirs = saved(added({ ...changeField(base, "size", { label: "Volume" }), icon: "tool" }, "Theirs"));
    const mine = added(changeField(withoutField(base, "note"), "size", { settings: { min: 1, max: 9 } }), "Mine");
    expect(differences(base, theirs)).toEqual([
      { place: "size", label: "Volume", isField: true, differs: "changed", parts: ["label"] },
      { place: "theirs", label: "Theirs", isField: true, differs: "added", parts: [] },
      { place: "icon", label: "icon", isField: false, differs: "changed", parts: [] },
    ]);
    expect(overlaps(base, theirs, mine)).toEqual(new Set());
    const both = merged(base, theirs, mine, false);
    expect(both.icon).toBe("tool");
    expect(fieldsOf(both)).toEqual([
      { name: "name", type: "short-text", label: "Name" },
      { name: "size", type: "integer", label: "Volume", settings: { min: 1, max: 9 } },
      { name: "theirs", type: "flag", label: "Theirs" },
      { name: "mine", type: "flag", label: "Mine" },
    ]);
    expect(merged(base, base, mine, false)).toEqual(mine);
  });

  test("are told where they meet, and one chooses whose counts", () => {
    const theirs = saved(
      added(withoutField({ ...changeField(base, "size", { label: "A" }), plural: "B" }, "note"), "New"),
    );
    const mine = added(
      { ...changeField(changeField(base, "size", { label: "C", help: "D" }), "note", { help: "E" }), plural: "F" },
      "New",
    );
    expect([...overlaps(base, theirs, mine)].sort()).toEqual(
      ["new", "note", "plural", "size", mine.fields.at(-1)?.id].sort(),
    );
    expect(merged(base, theirs, mine, false)).toEqual(theirs);
    const over = merged(base, theirs, mine, true);
    expect(over.plural).toBe("F");
    expect(fieldsOf(over)).toEqual([
      { name: "name", type: "short-text", label: "Name" },
      { name: "size", type: "integer", label: "C", settings: { min: 1 }, help: "D" },
      { name: "note", type: "long-text", label: "Note", help: "E" },
      { name: "new", type: "flag", label: "New" },
    ]);
    expect(over.fields.filter(({ isStored }) => isStored).map(({ id }) => id)).toEqual(["name", "size"]);
  });

  test("keep the order that one of them has made", () => {
    const mine = { ...base, fields: base.fields.toReversed() };
    const theirs = saved(added(base, "New"));
    expect(fieldsOf(merged(base, theirs, mine, false)).map(({ name }) => name)).toEqual([
      "note",
      "size",
      "name",
      "new",
    ]);
  });

  test("do not both give a name to a field: one chooses whose has it", () => {
    const theirs = saved(added(base, "Volume"));
    const mine = changeField(base, "size", { name: "volume", help: "In liters" });
    expect(overlaps(base, theirs, mine)).toEqual(new Set(["size", "volume"]));
    expect(merged(base, theirs, mine, false)).toEqual(theirs);
    // Their field is stored under it, so mine keeps its name, and the rest of what I changed.
    expect(fieldsOf(merged(base, theirs, mine, true)).map(({ name, help }) => [name, help])).toEqual([
      ["name", undefined],
      ["size", "In liters"],
      ["note", undefined],
      ["volume", undefined],
    ]);
    // A name that mine has freed is nobody else's.
    const swapped = changeField(changeField(base, "note", { name: "remark" }), "size", { name: "note" });
    expect(overlaps(base, saved(added(base, "New")), swapped)).toEqual(new Set());
  });

  test("go on with a field that the other has saved under another name", () => {
    const theirs = saved(changeField(base, "size", { name: "volume" }));
    const mine = changeField(base, "size", { help: "In liters" });
    expect(differences(base, theirs).map(({ place, differs, parts }) => [place, differs, parts])).toEqual([
      ["size", "changed", ["name", "aliases"]],
    ]);
    expect(overlaps(base, theirs, mine)).toEqual(new Set());
    const both = merged(base, theirs, mine, false);
    expect(both.fields[1]).toMatchObject({ id: "volume", name: "volume", aliases: ["size"], help: "In liters" });
    const renamed = changeField(base, "size", { name: "bulk" });
    expect(overlaps(base, theirs, renamed)).toEqual(new Set(["size"]));
    expect(fieldsOf(merged(base, theirs, renamed, true))[1]).toMatchObject({
      name: "bulk",
      aliases: ["volume", "size"],
    });
  });

  test("are told of what the designer shows, not of a label that nobody wrote", () => {
    const unnamed = draftOf({ ...definitionOf(base), fields: [{ name: "size", type: "integer" }] });
    const theirs = saved(changeField(unnamed, "size", { label: "Volume" }));
    expect(differences(unnamed, theirs).map(({ parts }) => parts)).toEqual([["label"]]);
  });
});

test("keys in another order are no change", () => {
  const choice = (option: object) =>
    draftOf({ ...definitionOf(base), fields: [{ name: "name", type: "choice", settings: { options: [option] } }] });
  expect(differences(choice({ value: "a", label: "A" }), choice({ label: "A", value: "a" }))).toEqual([]);
});
