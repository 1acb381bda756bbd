import { describe, expect, test } from "vitest";
import { builtInTypes } from "../modules/index.ts";
import { keyOf } from "./compile.ts";
import { fitting } from "./designs.ts";
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

  test("loses only the parts that a later version has no use for, and the type goes on", () => {
    const own = made(shipped, {
      ...wanted,
      fields: [
        ...wanted.fields,
        { name: "x_region", type: "short-text", aliases: ["x_area"] },
        { name: "x_other", type: "reference", settings: { to: "lab/others" } },
        { name: "x_kind", type: "choice", initial: "a", settings: { options: [{ value: "a", label: "A" }] } },
      ],
      associations: [{ kind: "has-many", name: "x_parts", type: "lab/others", via: "thing_id" }],
    });
    const stale = {
      ...own,
      fields: own.fields.map((one) => (one.name === "x_region" ? { ...one, aliases: ["kind"] } : one)),
      changed: { ...own.changed, kind: { initial: "gone" } },
    };
    const { extensions } = fitting({ types: [], extensions: new Map([["lab/things", stale]]) }, [shipped]);
    const type = buildSnapshot([extend(shipped, extensions.get("lab/things") ?? own)], [], "test").types.get(
      "lab/things",
    );
    expect(type?.fields.filter(({ name }) => name.startsWith("x_")).map(({ name }) => name)).toEqual([
      "x_size",
      "x_region",
      "x_kind",
    ]);
    expect(type?.field.get("kind")?.initial).toBe("a");
    expect(type?.fieldAliases.size).toBe(0);
    expect(() =>
      fitting({ types: [{ ...shipped, displayField: "no" }], extensions: new Map([["lab/x", own]]) }, []),
    ).toThrow();
  });

  test("is refused where it would keep records from being added, or could collide later", () => {
    const refused = (fields: readonly unknown[]): readonly string[] => {
      const faults = extensionOf(shipped, { ...shipped, fields });
      return "length" in faults ? faults.map(({ at }) => at) : [];
    };
    const [first, second, third] = shipped.fields;
    expect(refused([first, second, { ...third, required: true, permission: 1 }])).toContain("fields.note.required");
    expect(refused([...shipped.fields, { name: "x_a", type: "integer", aliases: ["a"] }])).toEqual([
      "fields.x_a.aliases",
    ]);
    expect(refused([first, { ...second, settings: { options: [null] } }, third])).toContain(
      "fields.kind.settings.options",
    );
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(extensionOf(shipped, { ...shipped, access: deep })).toMatchObject([{ at: "access" }]);
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
