// A record as its column texts, seen field by field: the only way in which saving looks into a row. Pure.
import type { Field, RowValue } from "../../fields/field-type.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { WireRecord } from "./read-record.ts";
import type { ColumnValues } from "./row-values.ts";

export const fieldRow = (type: RecordType, field: Field, row: ColumnValues): readonly RowValue[] =>
  (type.columns.get(field.name) ?? []).map((column) => row[column.name] ?? null);

export function putField(type: RecordType, field: Field, values: readonly RowValue[], row: ColumnValues): void {
  (type.columns.get(field.name) ?? []).forEach((column, index) => {
    row[column.name] = values[index] ?? null;
  });
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
  const isSame = (type.columns.get(field.name) ?? []).every(
    ({ name }) => (before[name] ?? null) === (after[name] ?? null),
  );
  return !isSame && !sameField(field, fieldRow(type, field, before), fieldRow(type, field, after));
}

/** The fields whose values differ. */
export const changedFields = (type: RecordType, before: ColumnValues, after: ColumnValues): readonly Field[] =>
  type.fields.filter((field) => isChanged(type, field, before, after));

/** The names of a type's columns, system ones included, in the order of its fields. */
export const columnNames = (type: RecordType): readonly string[] =>
  type.fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));

/** Column texts by name, as a statement gave them in the order of the columns. */
export const rowOf = (columns: readonly string[], texts: readonly (string | null)[]): ColumnValues =>
  Object.fromEntries(columns.map((column, index) => [column, texts[index] ?? null]));
