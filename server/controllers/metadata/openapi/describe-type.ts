// Takes a record type; gives the schemas of its records as they are sent and given, with the fields that the caller may see.
import type { Caller } from "../../../access/caller.ts";
import { fieldMask, fieldPermission } from "../../../access/field-mask.ts";
import type { Field, WireValue } from "../../../fields/field-type.ts";
import { targetOf, typeOf } from "../../../metadata/compile.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { flag, list, object, type Schema, text } from "./json-schema.ts";

/** What the schemas of a type are called: `crm.leads`. */
export const schemaName = ({ module, controller }: RecordType, of: "record" | "input" | "row"): string =>
  `${module}.${controller}.${of}`;

export function describeType(type: RecordType, caller: Caller): Readonly<Record<string, Schema>> {
  const { visible } = fieldMask(type, caller);
  const seen = type.fields.filter(({ name }) => visible.has(name));
  const written = seen.filter((field) => !field.system && fieldPermission(type, field.name, caller, "edit") === 2);
  return {
    [schemaName(type, "record")]: object(
      Object.fromEntries(seen.flatMap(recordProperties)),
      ["id"],
      `${type.label}, as view gives it`,
    ),
    [schemaName(type, "input")]: object(
      Object.fromEntries([["id", text("Of the record to edit")], ...written.map((field) => [field.name, sent(field)])]),
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
  const own: [string, Schema] = [field.name, given(field)];
  if (targetOf(field) === undefined || field.name === "id") return [own];
  return [own, [`__${field.name}`, { type: ["string", "null"], description: `Name of ${field.label}` }]];
}

/** The shape of its values is that of its examples. */
const exampleOf = (field: Field): WireValue => typeOf(field).examples.good[0]?.wire ?? null;

const options = (field: Field): readonly string[] | undefined =>
  typeOf(field).picks === "one" ? typeOf(field).ranked?.(field) : undefined;

function given(field: Field): Schema {
  const description = describe(field);
  const example = exampleOf(field);
  if (example !== null && typeof example !== "string") {
    const parts = Object.keys(example).map((part): [string, Schema] => [part, { type: ["string", "null"] }]);
    return { type: ["object", "null"], properties: Object.fromEntries(parts), description };
  }
  if (typeOf(field).isYesNo) return { anyOf: [flag(), { type: "null" }], description };
  const values = options(field);
  return { type: ["string", "null"], ...(values ? { enum: [...values, null] } : {}), description };
}

/** In lists a value is always one text. */
const shown = (field: Field): Schema => ({ type: ["string", "null"], description: describe(field) });

function sent(field: Field): Schema {
  const description = describe(field);
  const example = exampleOf(field);
  if (typeOf(field).fileRule) {
    return { type: ["string", "null"], description: `${description}. Send the file itself as multipart/form-data` };
  }
  if (example !== null && typeof example !== "string") {
    const parts = Object.keys(example).map((part): [string, Schema] => [part, { type: ["string", "null"] }]);
    return { type: ["object", "null"], properties: Object.fromEntries(parts), description };
  }
  const scalar: Schema = { type: ["string", "number", "boolean", "null"], description };
  if (typeOf(field).picks !== "several") return scalar;
  return { anyOf: [list(text()), { type: ["string", "null"] }], description };
}
