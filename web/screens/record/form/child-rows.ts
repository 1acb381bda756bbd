// The rows of a has-many grid while they are edited: new ones carry a key of their own, removed ones stay until the save.
import type { FormElement, WireChild, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { permission } from "../../../../contract/permissions.ts";
import { isEmptyValue } from "../../../fields/inputs/check-value.ts";
import { fieldName } from "./form-rules.ts";

/** Stands in a row that is not stored yet; never sent. */
export const NEW_KEY = "new_key";

const noRows: readonly WireChild[] = [];

export const rowsOf = (record: WireRecord, association: string): readonly WireChild[] => {
  const rows = record[association];
  return Array.isArray(rows) ? rows : noRows;
};

/** What a row is known by, stored or not. */
export const rowKey = (row: WireChild): string => String(row.id ?? row[NEW_KEY] ?? "");

export const isRemoved = (row: WireChild): boolean => row.deleted === "1";

export function emptyRow(columns: readonly FormElement[]): WireChild {
  const key = `new-${Math.random().toString(36).slice(2, 9)}`;
  return {
    [NEW_KEY]: key,
    // What a save would take over is not there: it is neither typed nor emptied.
    ...Object.fromEntries(
      columns.flatMap((column) => (column.starts_from ? [] : [[fieldName(column), column.default ?? null]])),
    ),
  };
}

export function withCell(row: WireChild, field: string, value: WireValue, text?: string | null): WireChild {
  return { ...row, [field]: value, ...(text === undefined ? {} : { [`__${field}`]: text }) };
}

/** One that is stored is marked; one that is not is gone. */
export const withoutRow = (rows: readonly WireChild[], key: string): readonly WireChild[] =>
  rows.flatMap((row) => {
    if (rowKey(row) !== key) return [row];
    return row.id === undefined || row.id === null ? [] : [{ ...row, deleted: "1" }];
  });

export const withRowBack = (rows: readonly WireChild[], key: string): readonly WireChild[] =>
  rows.map((row) => (rowKey(row) === key ? { ...row, deleted: "0" } : row));

export interface SentRow {
  readonly key: string;
  readonly values: WireChild;
}

/** What a save sends of a grid: the rows that differ from what is stored, in an order that its errors count by. */
export function sentRows(
  grid: FormElement,
  rows: readonly WireChild[],
  stored: readonly WireChild[],
): readonly SentRow[] {
  const columns = (grid.children ?? []).filter((column) => column.permission === permission.EDIT);
  const names = columns.map(fieldName);
  const starting = new Set(columns.filter(({ starts_from }) => starts_from).map(fieldName));
  const defaults = new Map(columns.map((column) => [fieldName(column), column.default ?? null]));
  return rows.flatMap((row): readonly SentRow[] => {
    const key = rowKey(row);
    const before = stored.find((one) => one.id === row.id && row.id !== undefined);
    if (before && isRemoved(row)) return [{ key, values: { id: row.id ?? null, deleted: "1" } }];
    const touched = names.filter((name) =>
      before
        ? JSON.stringify(row[name] ?? null) !== JSON.stringify(before[name] ?? null)
        : !isEmptyValue(row[name] ?? null) || (starting.has(name) && row[name] === null),
    );
    // A new row in which nothing was entered is no row.
    const isBlank = !before && touched.every((name) => row[name] === defaults.get(name));
    if (touched.length === 0 || isBlank) return [];
    const values = Object.fromEntries(touched.map((name) => [name, row[name] ?? null]));
    return [{ key, values: before ? { id: row.id ?? null, ...values } : values }];
  });
}
