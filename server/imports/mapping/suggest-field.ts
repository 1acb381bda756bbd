// Takes a column that has no field; suggests one for it, by what its cells hold. Pure.

import { type FieldTypeId, fieldTypeIds } from "../../../contract/field-types.ts";
import { trimEndOf } from "../../../contract/trim.ts";
import { fieldTypes } from "../../fields/index.ts";
import { reservedNames } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { CellHabits } from "./cells.ts";
import { isoDate, plainNumber } from "./cells.ts";

export interface SuggestedField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeId;
  /** Its different values, where they are few enough to choose from. */
  readonly options: readonly string[];
}

const MOST_OPTIONS = 50;
const MOST_OPTION = 100;

/** The types that a field can have whose values come from one column: nothing but their options has to be known. */
export const newFieldTypes: readonly FieldTypeId[] = fieldTypeIds.filter((id) => {
  const { fileRule, running, references, picks, settings } = fieldTypes[id];
  const isPlain = fileRule === undefined && running === undefined && references === undefined;
  return isPlain && (picks === "one" || settings.safeParse({}).success);
});

/** What a new field of a type can't be called. */
export const takenNames = ({ field, fieldAliases, association, columns }: RecordType): Set<string> =>
  new Set([
    ...reservedNames,
    ...[field, fieldAliases, association].flatMap((names) => [...names.keys()]),
    ...[...columns.values()].flatMap((own) => own.map(({ name }) => name)),
  ]);

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
  const texts = cells.map((cell) => cell.trim());
  return { name, label: column.slice(0, 80), type: typeOf(texts, habits), options: optionsOf(texts) };
}

function optionsOf(cells: readonly string[]): readonly string[] {
  const different = [...new Set(cells)];
  const areFew = different.length <= MOST_OPTIONS && different.every((one) => one.length <= MOST_OPTION);
  return areFew ? different : [];
}

function typeOf(cells: readonly string[], { dateOrder, decimalSign }: CellHabits): FieldTypeId {
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
