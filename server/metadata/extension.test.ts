import { describe, expect, test } from "vitest";
import { builtInTypes } from "../modules/index.ts";
import { keyOf } from "./compile.ts";
import { type Extension, extend, extensionOf, isExtensible, readExtension, withLabels } from "./extension.ts";
import type { RecordTypeDefinition } from "./record-type.ts";
import { buildSnapshot } from "./snapshot.ts";

const shipped: RecordTypeDefinition = {
  module: "lab",
  controller: "things",
  label: "Thing",
  plural: "Things",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true },
    { name: "kind", type: "choice", initial: "a", settings: { options: [{ value: "a", label: "A" }] } },
    { name: "note", type: "long-text", help: "Anything" },
  ],
  duplicates: [["name"]],
  access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
};

const [name, , note] = shipped.fields;
const wanted: RecordTypeDefinition = {
  ...shipped,
  label: "Item",
  fields: [
    { ...name, name: "name", type: "short-text", label: "Title" },
    {
      name: "kind",
      type: "choice",
      settings: {
        options: [
          { value: "b", label: "B" },
          { value: "a", label: "Alpha" },
        ],
      },
    },
    { ...note, name: "note", type: "long-text", permission: 1, help: "" },
    { name: "x_size", label: "Size", type: "integer" },
  ],
  unique: [["x_size", "name"]],
  duplicates: [],
};

const made = (from: RecordTypeDefinition, sent: unknown): Extension => {
  const extension = extensionOf(from, sent);
  if ("length" in extension) throw new Error(JSON.stringify(extension));
  return extension;
};

describe("an extension", () => {
  test("is what was added and changed, and makes the type what was sent", () => {
    const extension = made(shipped, wanted);
    expect(extend(shipped, extension)).toEqual(wanted);
    expect(readExtension(JSON.parse(JSON.stringify(extension)))).toEqual(extension);
    expect(Object.keys(extension.changed)).toEqual(["name", "kind", "note"]);
  });

  test("of a design that changes nothing is empty", () => {
    const nothing = { extends: "lab/things", fields: [], changed: {}, associations: [], unique: [] };
    expect(extensionOf(shipped, JSON.parse(JSON.stringify(shipped)))).toEqual(nothing);
    expect(extensionOf(shipped, withLabels(shipped))).toEqual(nothing);
    expect(extend(shipped, nothing)).toEqual(shipped);
  });

  test("stays with the next version of the type, which brings fields and options of its own", () => {
    const next: RecordTypeDefinition = {
      ...shipped,
      fields: [
        { name: "name", type: "short-text", required: true },
        { name: "size", type: "integer" },
        {
          name: "kind",
          type: "choice",
          settings: {
            options: [
              { value: "a", label: "A" },
              { value: "c", label: "C" },
            ],
          },
        },
      ],
    };
    const type = extend(next, { ...made(shipped, wanted), duplicates: [["note"], ["name"]] });
    expect(type.fields.map((field) => field.name)).toEqual(["name", "size", "kind", "x_size"]);
    expect(type.fields[2]?.settings?.options).toMatchObject([{ value: "b" }, { value: "a" }, { value: "c" }]);
    expect(type.duplicates).toEqual([["name"]]);
    expect(buildSnapshot([type], [], "test").types.get("lab/things")?.label).toBe("Item");
  });

  test.each(builtInTypes.filter(isExtensible).map((type) => [keyOf(type), type] as const))(
    "of %s with one more field compiles with everything else",
    (_, type) => {
      const fields = [...type.fields, { name: "x_more", type: "integer" }];
      const all = builtInTypes.map((one) => (one === type ? extend(one, made(one, { ...one, fields })) : one));
      expect(buildSnapshot(all, [], "test").types.get(keyOf(type))?.field.get("x_more")?.label).toBe("More");
    },
  );
});
