import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { writeAll } from "../../contract/texts/write.ts";
import { compileRecordType } from "./compile.ts";
import type { AssociationDefinition, FieldDefinition, RecordTypeDefinition } from "./record-type.ts";
import { buildSnapshot, requireType, type Snapshot } from "./snapshot.ts";
import { fingerprintOf, shapeTable } from "./table-shape.ts";

const base: RecordTypeDefinition = {
  module: "lab",
  controller: "things",
  label: "Thing",
  plural: "Things",
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }],
  access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
};
const parts: RecordTypeDefinition = {
  ...base,
  controller: "parts",
  fields: [
    { name: "name", type: "short-text" },
    { name: "thing_id", type: "reference", settings: { to: "lab/things" } },
    { name: "tool_id", type: "reference", settings: { to: "lab/tools" } },
  ],
};
const tools: RecordTypeDefinition = { ...base, controller: "tools", idKind: "uuid" };
const others = new Map([
  ["lab/parts", parts],
  ["lab/tools", tools],
]);

function errorsOf(definition: RecordTypeDefinition): readonly string[] {
  try {
    compileRecordType(definition, (key) => others.get(key), "run-time");
  } catch (error) {
    if (error instanceof Failure && error.code === "definition_refused")
      return writeAll(error.detail.errors ?? [], "en");
    throw error;
  }
  return [];
}
const withFields = (...fields: FieldDefinition[]): RecordTypeDefinition => ({
  ...base,
  fields: [...base.fields, ...fields],
});
const withAssociation = (association: AssociationDefinition): RecordTypeDefinition => ({
  ...base,
  associations: [association],
});

test("a definition that is right compiles into a type with its system fields first", () => {
  const type = compileRecordType(base, () => undefined, "run-time");
  expect(type).toMatchObject({ key: "lab/things", table: "lab__things", alias: "things", scope: "organization" });
  expect(type.fields.map((field) => field.name)).toEqual([
    "id",
    "organization_id",
    "created",
    "created_by",
    "modified",
    "modified_by",
    "owned_by",
    "primary_acl_group",
    "revision",
    "current_stage",
    "stage_since",
    "workflow_version",
    "deleted",
    "name",
  ]);
  expect(Object.isFrozen(type)).toBe(true);
});

describe("every mistake is named by where it is", () => {
  const mistakes: readonly { what: string; definition: RecordTypeDefinition; errors: readonly string[] }[] = [
    {
      what: "a table name that PostgreSQL would cut",
      definition: { ...base, module: "m".repeat(30), controller: "c".repeat(30) },
      errors: ["module and controller together are longer than 58 characters"],
    },
    {
      what: "a field named like a system field",
      definition: withFields({ name: "created", type: "date" }),
      errors: ["fields.created: this name is taken"],
    },
    {
      what: "two fields of one name",
      definition: withFields({ name: "name", type: "long-text" }),
      errors: ["fields.name: this name is taken"],
    },
    ...["acl_id", "action", "is_edit", "record_display_name", "search_text", "constructor", "prototype"].map(
      (name) => ({
        what: `a field with the service's own name ${name}`,
        definition: withFields({ name, type: "short-text" as const }),
        errors: [`fields.${name}: this name is taken`],
      }),
    ),
    {
      what: "a reference to a type that does not exist",
      definition: withFields({ name: "other_id", type: "reference", settings: { to: "lab/nowhere" } }),
      errors: ["fields.other_id.settings.to: refers to lab/nowhere, which is not a record type"],
    },
    {
      what: "a reference that does not say where to",
      definition: withFields({ name: "other_id", type: "reference" }),
      errors: ["fields.other_id.settings.to: must be chosen"],
    },
    {
      what: "settings that the field type does not have",
      definition: withFields({ name: "size", type: "integer", settings: { colour: "red" } }),
      errors: [expect.stringMatching(/^fields\.size\.settings: .*colour/)],
    },
    {
      what: "a choice without options",
      definition: withFields({ name: "kind", type: "choice", settings: { options: [] } }),
      errors: [expect.stringMatching(/^fields\.kind\.settings\.options: /)],
    },
    {
      what: "an initial value that the field refuses",
      definition: withFields({ name: "size", type: "integer", initial: "many" }),
      errors: [expect.stringMatching(/^fields\.size\.initial: /)],
    },
    {
      what: "sorting by what cannot be sorted",
      definition: withFields({ name: "blob", type: "json", sortable: true }),
      errors: [expect.stringMatching(/^fields\.blob: JSON fields can't be sorted$/)],
    },
    {
      what: "searching what cannot be searched",
      definition: withFields({ name: "tool_id", type: "reference", settings: { to: "lab/tools" }, searchable: true }),
      errors: [expect.stringMatching(/^fields\.tool_id: Reference fields can't be searched$/)],
    },
    {
      what: "a display field that is not there",
      definition: { ...base, displayField: "title" },
      errors: ["displayField: there is no field title"],
    },
    {
      what: "uniqueness of a field that is not there",
      definition: { ...base, unique: [["name", "colour"]] },
      errors: ["unique/indexes: there is no field colour"],
    },
    {
      what: "an index on a field that is not there",
      definition: { ...base, indexes: [["colour"]] },
      errors: ["unique/indexes: there is no field colour"],
    },
    {
      what: "children that do not point back",
      definition: withAssociation({ kind: "has-many", name: "parts", type: "lab/parts", via: "tool_id" }),
      errors: ["associations.parts: lab/parts has no reference tool_id to lab/things"],
    },
    {
      what: "a joining type that does not point back",
      definition: withAssociation({
        kind: "has-many-through",
        name: "tools",
        type: "lab/tools",
        through: "lab/parts",
        via: "name",
        to: "tool_id",
      }),
      errors: ["associations.tools: lab/parts has no reference name to lab/things"],
    },
    {
      what: "a joining type that does not point on",
      definition: withAssociation({
        kind: "has-many-through",
        name: "tools",
        type: "lab/tools",
        through: "lab/parts",
        via: "thing_id",
        to: "thing_id",
      }),
      errors: ["associations.tools: lab/parts has no reference thing_id to lab/tools"],
    },
    {
      what: "children of any type that are not that",
      definition: withAssociation({ kind: "has-many-polymorphic", name: "parts", type: "lab/parts" }),
      errors: ["associations.parts: lab/parts does not belong to records of any type"],
    },
    {
      what: "belonging to any record without the fields for it",
      definition: withAssociation({ kind: "belongs-to-any", name: "related" }),
      errors: ["associations.related: the fields related_type and related_id are missing"],
    },
    {
      what: "an association with the name of another",
      definition: withAssociation({ kind: "has-many", name: "owned_by", type: "lab/parts", via: "thing_id" }),
      errors: ["associations.owned_by: this name is taken"],
    },
  ];

  test.each(mistakes)("$what", ({ definition, errors }) => {
    expect(errorsOf(definition)).toEqual(errors);
  });

  test("all at once", () => {
    const definition = { ...withFields({ name: "created", type: "date" }), displayField: "title", indexes: [["x"]] };
    expect(errorsOf(definition)).toHaveLength(3);
  });
});

test("no column is called like a system column; another name of a field may be, as in designs that are stored already", () => {
  expect(errorsOf(withFields({ name: "xmin", type: "integer" }))).toEqual(["fields.xmin: this name is taken"]);
  expect(errorsOf(withFields({ name: "row_number", type: "integer", aliases: ["tableoid"] }))).toEqual([]);
});

test("a reference takes over the kind of id of what it refers to", () => {
  const type = compileRecordType(
    withFields({ name: "tool_id", type: "reference", settings: { to: "lab/tools" } }),
    (key) => others.get(key),
    "run-time",
  );
  expect(type.columns.get("tool_id")).toEqual([{ name: "tool_id", type: "uuid" }]);
  expect(type.association.get("tool")).toMatchObject({ kind: "belongs-to", type: "lab/tools", via: "tool_id" });
});

describe("a snapshot", () => {
  test("does not let a run-time type take the place of a built-in one", () => {
    expect(() => buildSnapshot([base], [base], "1")).toThrow("lab/things is built in");
  });

  test("does not let two types stand in one table", () => {
    const one = { ...base, module: "lab__old", controller: "things" };
    const two = { ...base, module: "lab", controller: "old__things" };
    expect(() => buildSnapshot([one], [two], "1")).toThrow(/lab__old__things/);
  });

  test("tells whether the module or the controller is unknown", () => {
    const snapshot = buildSnapshot([base], [], "1");
    expect(requireType(snapshot, "lab/things").key).toBe("lab/things");
    expect(() => requireType(snapshot, "lab/nothing")).toThrow("Record type lab/nothing not found");
    expect(() => requireType(snapshot, "nowhere/things")).toThrow("Module nowhere not found");
  });
});

describe("types that are compiled again", () => {
  const user = withFields({ name: "tool_id", type: "reference", settings: { to: "lab/tools" } });
  const columnsIn = (...definitions: RecordTypeDefinition[]) =>
    requireType(buildSnapshot(definitions, [], "1"), "lab/things").columns.get("tool_id");

  test("follow the definitions that they refer to", () => {
    expect(columnsIn(user, tools)).toEqual([{ name: "tool_id", type: "uuid" }]);
    expect(columnsIn(user, { ...tools, idKind: "integer" })).toEqual([{ name: "tool_id", type: "bigint" }]);
    expect(() => columnsIn(user)).toThrow("lab/tools");
    expect(columnsIn(user, tools)).toEqual([{ name: "tool_id", type: "uuid" }]);
  });

  test("follow what is confidential beside them, and which indexes there are", () => {
    const note: RecordTypeDefinition = {
      ...withFields({ name: "related_type", type: "short-text" }, { name: "related_id", type: "short-text" }),
      associations: [{ kind: "belongs-to-any", name: "related" }],
    };
    const about = (...definitions: RecordTypeDefinition[]) =>
      requireType(buildSnapshot(definitions, [], "1"), "lab/things").about?.confidential;
    expect(about(note, tools)).toEqual(new Set());
    expect(about(note, { ...tools, confidential: true })).toEqual(new Set(["lab/tools"]));
    expect(about(note, tools)).toEqual(new Set());
    const added = new Map([["lab/things", new Map([["related_id", true]])]]);
    const indexed = (indexes: typeof added) =>
      requireType(buildSnapshot([note], [], "1", indexes), "lab/things").field.get("related_id")?.indexed;
    expect([indexed(new Map()), indexed(added), indexed(new Map())]).toEqual([false, true, false]);
  });

  test("have the table that they had, unless it follows from a type that changed", () => {
    const [one, two] = ["1", "2"].map((version) => buildSnapshot([base, parts, tools], [], version)) as [
      Snapshot,
      Snapshot,
    ];
    const tableIn = (snapshot: Snapshot) => shapeTable(requireType(snapshot, "lab/things"), snapshot);
    expect(tableIn(two)).toBe(tableIn(one));
    // The parts look for duplicates by a value of their thing.
    const looking = { ...requireType(two, "lab/parts"), duplicates: [["thing.name"]] };
    const changed = { ...two, types: new Map([...two.types, ["lab/parts", looking]]) };
    const isCompared = (snapshot: Snapshot) => tableIn(snapshot).indexes.some(({ name }) => name.endsWith("likeness"));
    expect([isCompared(two), isCompared(changed), isCompared(one)]).toEqual([false, true, false]);
    expect(fingerprintOf(tableIn(changed))).not.toBe(fingerprintOf(tableIn(one)));
  });

  test("are of one snapshot each", () => {
    const [one, two] = [buildSnapshot([base], [], "1"), buildSnapshot([base], [], "2")];
    expect(requireType(one, "lab/things")).toEqual(requireType(two, "lab/things"));
    expect(requireType(one, "lab/things")).not.toBe(requireType(two, "lab/things"));
  });
});
