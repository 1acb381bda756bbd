// Takes a column that has no field; suggests one for it, by what its cells hold. Pure.

import { trimEndOf } from "../../../contract/trim.ts";
import type { CellHabits } from "./cells.ts";
import { isoDate, plainNumber } from "./cells.ts";

export interface SuggestedField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
}

/** `prefix`: what names of added fields begin with. */
export function suggestField(
  column: string,
  cells: readonly string[],
  habits: CellHabits,
  prefix: string,
  taken: ReadonlySet<string>,
): SuggestedField {
  const plain = column
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "_")
    .replace(/^_/u, "")
    .slice(0, 30);
  const base = trimEndOf(`${prefix}${plain}`, "_");
  const start = /^[a-z]/u.test(base) ? base : trimEndOf(`field_${base}`, "_");
  let name = start;
  for (let number = 2; taken.has(name); number += 1) name = `${start}_${number}`;
  return {
    name,
    label: column.slice(0, 80),
    type: typeOf(
      cells.map((cell) => cell.trim()),
      habits,
    ),
  };
}

function typeOf(cells: readonly string[], { dateOrder, decimalSign }: CellHabits): string {
  const all = (holds: (cell: string) => boolean): boolean =>
    cells.length > 0 && cells.every((cell) => cell.length <= 300 && holds(cell));
  const number = (cell: string): string => plainNumber(cell, decimalSign);
  if (all((cell) => /^(?:yes|no|true|false)$/iu.test(cell))) return "flag";
  // A number that begins with 0 is a code.
  if (all((cell) => /^-?(?:0|[1-9]\d{0,17})$/u.test(number(cell)))) return "integer";
  if (all((cell) => /^-?(?:0|[1-9]\d{0,13})(?:\.\d{1,4})?$/u.test(number(cell)))) return "decimal";
  if (all((cell) => /^\d{4}-\d\d-\d\d$/u.test(isoDate(cell, dateOrder)))) return "date";
  if (all((cell) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u.test(isoDate(cell, dateOrder)))) return "date-time";
  if (all((cell) => /^[^\s@]+@[^\s@]+$/u.test(cell))) return "email";
  if (all((cell) => /^https?:\/\//iu.test(cell))) return "url";
  if (cells.some((cell) => cell.length > 255 || cell.includes("\n"))) return "long-text";
  return "short-text";
}
