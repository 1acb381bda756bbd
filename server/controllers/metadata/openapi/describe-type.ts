// Takes a record type; gives the schemas of its records as they are sent and given, with the fields that the caller may see.
import { z } from "zod";
import type { Caller } from "../../../access/caller.ts";
import { fieldMask } from "../../../access/field-mask.ts";
import type { Field, WireValue } from "../../../fields/field-type.ts";
import { targetOf, typeOf } from "../../../metadata/compile.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { flag, list, object, reference, type Schema, text } from "./json-schema.ts";

/** What the schemas of a type are called: `crm.leads`. */
export const schemaName = ({ module, controller }: RecordType, of: "record" | "input" | "row"): string =>
  `${module}.${controller}.${of}`;

/** `known`: gives the type of a key, where the caller may see it. */
export function describeType(
  type: RecordType,
  caller: Caller,
  known: (key: string) => RecordType | undefined,
): Readonly<Record<string, Schema>> {
  const { visible, editable } = fieldMask(type, caller);
  const seen = type.fields.filter(({ name }) => visible.has(name));
  const written = type.fields.filter(({ name, system }) => !system && editable.has(name));
  const children = (of: "record" | "input") =>
    type.associations.flatMap((association): [string, Schema][] => {
      if (!("type" in association) || !("owned" in association) || !association.owned) return [];
      const child = known(association.type);
      return child ? [[association.name, list(reference(schemaName(child, of)), association.label)]] : [];
    });
  return {
    [schemaName(type, "record")]: object(
      Object.fromEntries([...seen.flatMap(recordProperties), ...children("record")]),
      ["id"],
      `${type.label}, as view gives it`,
    ),
    [schemaName(type, "input")]: object(
      Object.fromEntries([
        ["id", text("Of the record to edit")],
        ["revision", text("The one that was read: where it is no longer the stored one, nothing is written (409)")],
        ...written.map((field): [string, Schema] => [field.name, { ...sent(field), ...pointing(field) }]),
        ...children("input"),
      ]),
      [],
      `${type.label}, as add and edit take it. What is left out stays as it is`,
    ),
    [schemaName(type, "row")]: object(
      Object.fromEntries([
        ...seen.map((field): [string, Schema] => [`${type.alias}.${field.name}`, shown(field)]),
        ["record_display_name", text()],
        ...["is_edit", "is_delete", "is_comment"].map((name): [string, Schema] => [name, { type: "boolean" }]),
      ]),
      [],
      `A row of a list of ${type.plural}: the columns of its list view, or of the fields asked for`,
    ),
  };
}

const describe = (field: Field): string =>
  [field.label, ...(field.help === undefined ? [] : [field.help]), typeOf(field).label].join(". ");

/** A reference also brings what people read. */
function recordProperties(field: Field): [string, Schema][] {
  if (field.name === "id") return [["id", text("Of the record")]];
  const own: [string, Schema] = [field.name, { ...given(field), ...pointing(field) }];
  if (targetOf(field) === undefined) return [own];
  return [own, [`__${field.name}`, { type: ["string", "null"], description: `Name of ${field.label}` }]];
}

/** The shape of its values is that of its examples. */
const exampleOf = (field: Field): WireValue => typeOf(field).examples.good[0]?.wire ?? null;

/** Of a reference: the key of the record type that it points to. */
const pointing = (field: Field): Schema => {
  const target = targetOf(field);
  return target === undefined ? {} : { "x-references": target };
};

const optionsSchema = z.array(z.object({ value: z.string() }));

/** What can be chosen, where that is a fixed list. */
function options(field: Field): readonly string[] | undefined {
  if (typeOf(field).picks === undefined) return undefined;
  const { data } = optionsSchema.safeParse(typeOf(field).inputSettings?.(field).options);
  return data?.map(({ value }) => value);
}

function given(field: Field): Schema {
  const description = describe(field);
  const example = exampleOf(field);
  if (example !== null && typeof example !== "string") {
    const parts = Object.keys(example).map((part): [string, Schema] => [part, { type: ["string", "null"] }]);
    return { type: ["object", "null"], properties: Object.fromEntries(parts), description };
  }
  if (typeOf(field).isYesNo) return { anyOf: [flag(), { type: "null" }], description };
  const values = typeOf(field).picks === "one" ? options(field) : undefined;
  return { type: ["string", "null"], ...(values ? { enum: [...values, null] } : {}), description };
}

/** In lists a value is always one text. */
const shown = (field: Field): Schema => ({ type: ["string", "null"], description: describe(field) });

function sent(field: Field): Schema {
  const description = describe(field);
  const example = exampleOf(field);
  if (typeOf(field).fileRule) {
    return {
      type: ["string", "null"],
      "x-file": true,
      description: `${description}. Send the file itself as multipart/form-data`,
    };
  }
  if (example !== null && typeof example !== "string") {
    const parts = Object.keys(example).map((part): [string, Schema] => [part, { type: ["string", "null"] }]);
    return { type: ["object", "null"], properties: Object.fromEntries(parts), description };
  }
  const scalar: Schema = { type: ["string", "number", "boolean", "null"], description };
  const values = options(field);
  if (typeOf(field).picks === "several") {
    return { anyOf: [list(values ? { enum: values } : text()), { type: ["string", "null"] }], description };
  }
  return values ? { enum: [...values, null], description } : scalar;
}
