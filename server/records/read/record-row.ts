// A record as its column texts, seen field by field: the only way in which saving looks into a row. Pure.
import type { Field, RowValue } from "../../fields/field-type.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { WireRecord } from "./read-record.ts";
import type { ColumnValues } from "./row-values.ts";

export const fieldRow = (type: RecordType, field: Field, row: ColumnValues): readonly RowValue[] =>
  (type.columns.get(field.name) ?? []).map((column) => row[column.name] ?? null);

export function putField(type: RecordType, field: Field, values: readonly RowValue[], row: ColumnValues): void {
  let index = 0;
  for (const column of type.columns.get(field.name) ?? []) {
    row[column.name] = values[index] ?? null;
    index += 1;
  }
}

export function sameField(field: Field, a: readonly RowValue[], b: readonly RowValue[]): boolean {
  return typeOf(field).same?.(a, b) ?? a.every((value, index) => value === b[index]);
}

export const isUnset = (values: readonly RowValue[]): boolean => values.every((value) => value === null);

export const wireField = (type: RecordType, field: Field, row: ColumnValues) =>
  typeOf(field).present(fieldRow(type, field, row), field);

export const wireRow = (type: RecordType, row: ColumnValues): WireRecord =>
  Object.fromEntries(type.fields.map((field) => [field.name, wireField(type, field, row)]));

/** Whether its value differs. Texts that are the same are the same value, whatever else the type says. */
export function isChanged(type: RecordType, field: Field, before: ColumnValues, after: ColumnValues): boolean {
  for (const { name } of type.columns.get(field.name) ?? []) {
    if ((before[name] ?? null) === (after[name] ?? null)) continue;
    return !sameField(field, fieldRow(type, field, before), fieldRow(type, field, after));
  }
  return false;
}

/** The fields whose values differ. */
export function changedFields(type: RecordType, before: ColumnValues, after: ColumnValues): readonly Field[] {
  const changed: Field[] = [];
  for (const field of type.fields) if (isChanged(type, field, before, after)) changed.push(field);
  return changed;
}

/** Whether none of a field's columns holds anything. */
export function isEmptyField(type: RecordType, field: Field, row: ColumnValues): boolean {
  for (const { name } of type.columns.get(field.name) ?? []) if ((row[name] ?? null) !== null) return false;
  return true;
}

/** The names of a type's columns, system ones included, in the order of its fields. */
export const columnNames = (type: RecordType): readonly string[] =>
  type.fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));

/** Column texts by name, as a statement gave them in the order of the columns. */
export const rowOf = (columns: readonly string[], texts: readonly (string | null)[]): ColumnValues =>
  Object.fromEntries(columns.map((column, index) => [column, texts[index] ?? null]));

/**
 * The same for many rows of the same columns. Rows are copies of one pattern: an object that grows key by key becomes a table of its
 * own, which takes several times as long to write, to copy and to collect.
 */
export function rowsOf(columns: readonly string[], all: readonly (readonly (string | null)[])[]): ColumnValues[] {
  const pattern = rowOf(columns, []);
  return all.map((texts) => {
    const row = { ...pattern };
    for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ""] = texts[index] ?? null;
    return row;
  });
}
