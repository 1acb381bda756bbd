// Takes a resolved column; gives how its values are read and compared: its field type, and the SQL type of a value.
// A column that is not what its field type would make (an id that is a UUID, a part of an address) is read by its own kind.

import type { FieldTypeId } from "../../contract/field-types.ts";
import { type Fault, fault } from "../../contract/messages.ts";
import { oneLine } from "../fields/columns/plain-text.ts";
import type { AnyFieldType, Column, Field } from "../fields/field-type.ts";
import { fieldTypes } from "../fields/index.ts";
import type { ColumnRef, Scope } from "./column.ts";
import { expandPlaceholder } from "./relative-date.ts";

export interface ValueType {
  readonly type: AnyFieldType;
  /** The field as `type` reads it. */
  readonly field: Field;
  /** The stored columns behind it. */
  readonly columns: readonly Column[];
  /** Whether a value is held against the column itself or against the text that lists show. */
  readonly by: "column" | "text";
  /** Whether a sent value is read by the type, or is the text to look for. */
  readonly parsed: boolean;
  /** What a value is cast to. */
  readonly sqlType: string;
}

const known = new WeakMap<Field, Map<string, ValueType>>();

export function valueTypeOf(ref: ColumnRef): ValueType {
  const { field, part, type } = ref;
  const columns = (type.columns.get(field.name) ?? []).filter(({ name }) => part === undefined || name === part);
  const key = columns.map((column) => `${column.name} ${column.type}`).join();
  const ofField = known.get(field) ?? new Map<string, ValueType>();
  known.set(field, ofField);
  const found = ofField.get(key) ?? makeValueType(field, columns);
  ofField.set(key, found);
  return found;
}

function makeValueType(whole: Field, columns: readonly Column[]): ValueType {
  const [stored] = columns;
  if (!stored) throw new Error(`${whole.name} has no column`);
  const own = fieldTypes[whole.type];
  const declared = own.columns(whole);
  const alike = declared.length === columns.length && declared[0]?.type === stored.type;
  const { type, field } = alike ? { type: own, field: whole } : byColumn(whole, stored);
  const plain = columns.length === 1 && !stored.type.endsWith("[]");
  return {
    type,
    field,
    columns,
    by: plain ? "column" : "text",
    // Of several columns, and searched in like a text: people look for an address by its line, not by its parts.
    parsed: columns.length === 1 || !type.operators.includes("contains"),
    // As the type itself declares it: of a narrower column (revision) it takes values of any size. A numeric loses its
    // precision: a cast to it would round what is compared with.
    sqlType: plain ? (type.columns(field)[0]?.type ?? stored.type).replace(/^numeric\(.*/u, "numeric") : "text",
  };
}

const kinds: readonly (readonly [RegExp, FieldTypeId, (match: RegExpExecArray) => unknown])[] = [
  [/^text$/u, "short-text", () => ({ maxLength: 1000 })],
  [/^uuid$/u, "reference", () => ({ idKind: "uuid" })],
  [/^(?:bigint|integer|smallint)$/u, "integer", () => ({})],
  [/^numeric\((\d+),(\d+)\)$/u, "decimal", ([, p, s]) => ({ precision: Number(p), scale: Number(s) })],
];

function byColumn(whole: Field, column: Column): { readonly type: AnyFieldType; readonly field: Field } {
  for (const [pattern, id, settingsOf] of kinds) {
    const match = pattern.exec(column.type);
    if (!match) continue;
    return { type: fieldTypes[id], field: { ...whole, name: column.name, type: id, settings: settingsOf(match) } };
  }
  throw new Error(`no field type reads a column of ${column.type}`);
}

const numeric = /^(?:bigint|integer|smallint|numeric)/u;

export const isOrdered = ({ type, by }: ValueType): boolean => by === "column" && type.operators.includes("<");

export const isNumeric = (value: ValueType): boolean => isOrdered(value) && numeric.test(value.sqlType);

export type ReadValue = { readonly value: string | null } | { readonly faults: readonly Fault[] };

/** A sent text as the value to compare with: a placeholder is filled in, then the type reads it. Null is NULL. */
export function readValue(scope: Scope, text: string, { type, field, by, parsed, sqlType }: ValueType): ReadValue {
  const expanded = expandPlaceholder(text, scope, sqlType);
  if ("fault" in expanded) return { faults: [expanded.fault] };
  if (!parsed) return { value: oneLine(expanded.text) };
  const read = (type.parseFilterValue ?? type.parse)(expanded.text, field, scope.caller);
  if (!read.ok) return { faults: read.errors };
  if (by === "column") return { value: read.row[0] ?? null };
  const wire = type.present(read.row, field);
  return wire === null || typeof wire === "string" ? { value: wire } : { faults: [fault("not_comparable")] };
}
