import { expect, test } from "vitest";
import type { RecordTypeDefinition } from "../../../../contract/record-type.ts";
import {
  changeField,
  definitionOf,
  draftOf,
  errorsUnder,
  newDraft,
  retype,
  takeUp,
  withField,
  withLabel,
  withoutField,
} from "./type-draft.ts";
import { partOf } from "./type-parts.ts";

test("plural and name follow the label until they are written by hand", () => {
  const typed = withLabel(newDraft("Name"), "Property", true);
  expect(typed).toMatchObject({ plural: "Properties", controller: "properties" });
  const own = withLabel({ ...typed, plural: "Real estate" }, "House", true);
  expect(own).toMatchObject({ label: "House", plural: "Real estate" });
  expect(withLabel(typed, "House", false)).toMatchObject({ plural: "Houses", controller: "properties" });
});

test("a field takes its name from its label, unlike any other's, and keeps it once it is stored", () => {
  const { draft, id } = withField(newDraft("Name"), "integer");
  const named = changeField(draft, id, { label: "Name" });
  expect(named.fields.at(-1)?.name).toBe("name_2");
  const stored = { ...named, fields: named.fields.map((field) => ({ ...field, isStored: true })) };
  expect(changeField(stored, id, { label: "Size" }).fields.at(-1)).toMatchObject({ name: "name_2", label: "Size" });
});

test("another type keeps only the settings that it has, and what is not said is not sent", () => {
  const { draft, id } = withField(newDraft("Name"), "money");
  const set = changeField(draft, id, {
    label: "Price",
    settings: { scale: 2, currencyField: "currency_id" },
    initial: "1",
  });
  expect(definitionOf(retype(set, id, "percent")).fields.at(-1)).toEqual({
    name: "price",
    label: "Price",
    type: "percent",
    settings: { scale: 2 },
  });
});

test("a field without a label has one made of its name, which is saved only with another name", () => {
  const stored = {
    ...definitionOf(newDraft("Name")),
    fields: [{ name: "serial_number", type: "short-text" as const }],
  };
  const draft = draftOf(stored);
  expect(draft.fields[0]?.label).toBe("Serial number");
  expect(definitionOf(draft)).toEqual(stored);
  expect(definitionOf(changeField(draft, "serial_number", { name: "serial" })).fields).toEqual([
    expect.objectContaining({ name: "serial", label: "Serial number" }),
  ]);
});

test("combinations that must be unique are saved once they have fields", () => {
  const draft = { ...newDraft("Name"), unique: [["name", "code"], []] };
  expect(definitionOf(draft).unique).toEqual([["name", "code"]]);
  expect(partOf("unique.0")).toBe("rules");
  expect(partOf("unique/indexes")).toBe("rules");
});

test("records are called by another field when theirs goes", () => {
  const { draft, id } = withField(newDraft("Name"), "short-text");
  const named = changeField(draft, id, { label: "Title" });
  expect(withoutField(named, named.fields[0]?.id ?? "").displayField).toBe("title");
});

test("faults stand at their fields, named by number or by name", () => {
  const { draft, id } = withField(newDraft("Name"), "choice");
  const named = changeField(draft, id, { label: "Kind" });
  const errors = errorsUnder(
    {
      "record_types.fields.1.label": ["is empty"],
      "record_types.fields.kind.settings.options": ["missing"],
      "record_types.module": ["x"],
    },
    named,
  );
  expect(Object.fromEntries(errors)).toEqual({
    [`field.${id}.label`]: "is empty",
    [`field.${id}.settings.options`]: "missing",
    module: "x",
  });
});

test("a type that refers to itself calls its renamed fields by their new names there too", () => {
  const key = "lab/parts";
  const refers = { name: "parent_id", label: "Parent", type: "reference", settings: { to: key } } as const;
  const other = { name: "maker_id", label: "Maker", type: "reference", settings: { to: "lab/makers" } } as const;
  const lookup = (through: readonly string[]) => ({ kind: "lookup", through, field: "size" }) as const;
  const draft = draftOf({
    ...{ module: "lab", controller: "parts", label: "Part", plural: "Parts", displayField: "name" },
    access: { read: [], edit: [], delete: [], comment: [] },
    associations: [{ kind: "has-many", name: "children", type: key, via: "parent_id" }],
    fields: [
      { name: "name", label: "Name", type: "short-text" },
      { name: "size", label: "Size", type: "integer" },
      { ...refers, where: 'size > record.size and name <> "size"' },
      { ...other, where: "size > record.size" },
      { name: "a", label: "A", type: "integer", computed: lookup(["parent_id", "parent_id"]) },
      { name: "b", label: "B", type: "integer", computed: lookup(["parent_id", "maker_id", "parent_id"]) },
      {
        ...{ name: "c", label: "C", type: "integer" },
        computed: { kind: "roll-up", type: key, via: "parent_id", function: "sum", field: "size", where: "size > 1" },
      },
    ],
  });
  const renamed = definitionOf(
    changeField(changeField(draft, "size", { name: "volume" }), "parent_id", { name: "whole" }),
  );
  expect(renamed.associations).toEqual([{ kind: "has-many", name: "children", type: key, via: "whole" }]);
  expect(renamed.fields.map(({ where, computed }) => where ?? computed)).toEqual([
    undefined,
    undefined,
    'volume > record.volume and name <> "size"',
    "size > record.volume",
    { kind: "lookup", through: ["whole", "whole"], field: "volume" },
    { kind: "lookup", through: ["whole", "maker_id", "parent_id"], field: "size" },
    { kind: "roll-up", type: key, via: "whole", function: "sum", field: "volume", where: "volume > 1" },
  ]);
});

/** As it comes back from the database: the same, with the keys of its objects in another order. */
const reordered = (definition: RecordTypeDefinition): RecordTypeDefinition =>
  JSON.parse(JSON.stringify(definition), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  );

test("what is changed while a save is under way goes on from what was saved, and nobody else is blamed for it", () => {
  const saved = withLabel(newDraft("Name"), "House", true);
  const { draft: later, id } = withField(saved, "integer");
  const mine = changeField(later, id, { label: "Rooms" });
  const stored = draftOf(reordered(definitionOf(saved)));
  const found = takeUp({ draft: mine, revision: "1", base: saved }, stored, "2");
  expect(found).toMatchObject({ revision: "2", base: stored });
  expect(found?.draft.fields).toMatchObject([
    { id: "name", name: "name", isStored: true },
    { id, name: "rooms", isStored: false },
  ]);
  // Somebody else's save in between is told; what was saved as it is is no draft any more.
  const theirs = { ...stored, plural: "Homes" };
  expect(takeUp({ draft: mine, revision: "1", base: saved }, theirs, "2")?.revision).toBe("1");
  expect(takeUp({ draft: saved, revision: "1", base: saved }, stored, "2")).toBeUndefined();
  // The service stores texts without the spaces around them.
  const spaced = { ...saved, plural: `${saved.plural} ` };
  expect(takeUp({ draft: spaced, revision: "1", base: saved }, stored, "2")).toBeUndefined();
});
