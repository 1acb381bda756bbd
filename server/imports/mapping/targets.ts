// Where a column can go: a field of the record, a part of a field, or a field of a child. Pure.
import { type Message, say } from "../../../contract/messages.ts";
import { permission } from "../../../contract/permissions.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { type Field, isFilledIn } from "../../fields/field-type.ts";
import { childTypeOf, isOwned, type OwnedAssociation, tiesOf } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { shown } from "../../request/tree.ts";

export interface Target {
  /** As it is kept in a mapping: `email`, `billing_address.city`, `addresses.1.city`. */
  readonly path: string;
  readonly type: RecordType;
  readonly field: Field;
  readonly part: string | undefined;
  /** Undefined for the record itself. `position`: which child, from 1; undefined: one for each row. */
  readonly child: { readonly association: OwnedAssociation; readonly position: number | undefined } | undefined;
}

/** Fields that tell which record is meant, and are never written. */
const identifying = new Set(["id", "business_key"]);
const MOST_CHILDREN = 100;

export const partsOf = (field: Field): readonly string[] => {
  const parts = typeOf(field).inputSettings?.(field).parts;
  return Array.isArray(parts) ? parts.map(String) : [];
};

/** Can a value of this field be read from one cell? */
const isReadable = (field: Field): boolean =>
  typeOf(field).fileRule === undefined && typeOf(field).running === undefined;

/** Undefined where the caller cannot write there, or there is no such place. */
export function targetOf(snapshot: Snapshot, type: RecordType, caller: Caller, path: string): Target | undefined {
  const names = path.split(".", 5);
  const bare = type.names.includes(names[0] ?? "") && names.length > 1 ? names.slice(1) : names;
  const [first = "", ...rest] = bare;
  const association = type.association.get(first);
  if (association && isOwned(association) && rest.length > 0) {
    const numbered = /^[1-9]\d{0,2}$/u.test(rest[0] ?? "");
    const position = numbered ? Number(rest[0]) : undefined;
    if ((position ?? 1) > MOST_CHILDREN) return undefined;
    const child = childTypeOf(snapshot, association);
    const place = fieldOf(child, caller, numbered ? rest.slice(1) : rest);
    const ties = new Set(tiesOf(association));
    const prefix = numbered ? [association.name, rest[0] ?? ""] : [association.name];
    return place && !ties.has(place.field.name)
      ? { path: pathTo(prefix, place), type: child, ...place, child: { association, position } }
      : undefined;
  }
  const place = fieldOf(type, caller, bare);
  return place && { path: pathTo([], place), type, ...place, child: undefined };
}

/** By the name of the field, whichever of its names was written: what goes to the same place is written in the same way. */
const pathTo = (prefix: readonly string[], { field, part }: Pick<Target, "field" | "part">): string =>
  [...prefix, field.name, ...(part === undefined ? [] : [part])].join(".");

function fieldOf(
  type: RecordType,
  caller: Caller,
  names: readonly string[],
): Pick<Target, "field" | "part"> | undefined {
  const [first = "", part, ...more] = names;
  const { editable, visible } = fieldMask(type, caller);
  const name = type.fieldAliases.get(first) ?? first;
  const field = type.field.get(name);
  if (!field || more.length > 0 || !visible.has(name)) return undefined;
  if (identifying.has(name)) return part === undefined ? { field, part } : undefined;
  if (isFilledIn(field) || !editable.has(name) || !isReadable(field)) return undefined;
  if (part !== undefined && !partsOf(field).includes(part)) return undefined;
  return { field, part };
}

/** Which field a path speaks of, whether or not there is one of this name. */
function namedField(snapshot: Snapshot, type: RecordType, path: string) {
  const names = path.split(".", 5);
  const [first = "", ...rest] = type.names.includes(names[0] ?? "") && names.length > 1 ? names.slice(1) : names;
  const association = type.association.get(first);
  const isChild = association !== undefined && isOwned(association) && rest.length > 0;
  const holder = isChild ? childTypeOf(snapshot, association) : type;
  const said = isChild ? (rest.find((name) => !/^\d/u.test(name)) ?? "") : first;
  return { holder, name: holder.fieldAliases.get(said) ?? said };
}

/** Whether the caller may know what a path speaks of; `gone`: there is no such field. */
export function sightOf(
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  path: string,
): "seen" | "hidden" | "gone" {
  const { holder, name } = namedField(snapshot, type, path);
  if (!holder.field.has(name)) return "gone";
  return fieldMask(holder, caller).visible.has(name) ? "seen" : "hidden";
}

/** Why no column goes there, as far as the caller may know of it. */
export function whyNoTarget(snapshot: Snapshot, type: RecordType, caller: Caller, path: string): Message {
  const { holder, name } = namedField(snapshot, type, path);
  const { visible, editable } = fieldMask(holder, caller);
  const field = visible.has(name) ? holder.field.get(name) : undefined;
  if (!field) return say("import_field_gone", { field: shown(path) });
  const { label } = field;
  if (isFilledIn(field) || typeOf(field).running !== undefined) return say("import_field_filled_in", { field: label });
  // Nobody writes what is read-only by itself, such as a full name: no permission would help.
  if (!editable.has(name))
    return say(field.permission === permission.EDIT ? "import_field_read_only" : "read_only", { field: label });
  if (typeOf(field).fileRule !== undefined) return say("import_field_of_files", { field: label });
  return say("import_field_gone", { field: shown(path) });
}

/** Every place of a record that a column can go to, children by their first. */
export function targetsOf(snapshot: Snapshot, type: RecordType, caller: Caller): readonly Target[] {
  const of = (holder: RecordType, prefix: string): Target[] =>
    holder.fields.flatMap((field) => {
      const parts = partsOf(field);
      const names = parts.length > 0 ? parts.map((part) => `${field.name}.${part}`) : [field.name];
      return names.flatMap((name) => targetOf(snapshot, type, caller, `${prefix}${name}`) ?? []);
    });
  const children = type.associations.flatMap((association) =>
    isOwned(association) && snapshot.types.has(association.type)
      ? of(childTypeOf(snapshot, association), `${association.name}.1.`)
      : [],
  );
  return [...of(type, ""), ...children];
}

/** The same place by the former names of its field. */
export const aliasPaths = ({ path, type, field, part }: Target): readonly string[] => {
  const prefix = path.slice(0, path.length - pathTo([], { field, part }).length);
  return [...type.fieldAliases].flatMap(([alias, name]) =>
    name === field.name ? [`${prefix}${alias}${part === undefined ? "" : `.${part}`}`] : [],
  );
};

export const labelOf = ({ field, part, child }: Target): string => {
  const own = part === undefined ? field.label : `${field.label} (${part})`;
  return child ? `${child.association.label} ${child.position ?? ""}: ${own}`.replace(" :", ":") : own;
};

/** Where the faults of a save are told: `leads.addresses.0.city`. `row`: the position of its row within a grouped record. */
export function faultKey(alias: string, { field, child }: Target, row: number): string {
  if (!child) return `${alias}.${field.name}`;
  return `${alias}.${child.association.name}.${(child.position ?? row + 1) - 1}.${field.name}`;
}

/** The record type that values of a field name; undefined: they name none. */
export const referenceOf = (
  snapshot: Snapshot,
  { field, part }: Pick<Target, "field" | "part">,
): RecordType | undefined => {
  const key = part === undefined ? typeOf(field).target?.(field.settings) : partReference(field, part);
  return key === undefined ? undefined : snapshot.types.get(key);
};

const partReference = (field: Field, part: string): string | undefined => {
  const row = (typeOf(field).columns(field) ?? []).map(() => "1");
  return typeOf(field)
    .references?.(row, field)
    .find((named) => named.part === part)?.type;
};
