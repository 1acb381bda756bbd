// A cell on the clipboard: its text for everybody, and for ourselves the value that it was, so that a record is found again
// by its id and an amount is not read anew.

import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { ListRow } from "../../../../client/lists/lists.ts";
import type { FieldTypeId } from "../../../../contract/field-types.ts";
import { clipboardText } from "../../../fields/field-value.ts";
import type { ValueWords } from "../../../fields/showing/shown-value.ts";
import type { Column } from "../columns/columns.ts";
import type { Block } from "./cell-block.ts";

export interface CarriedCell {
  readonly text: string;
  readonly was?: {
    readonly type: FieldTypeId;
    /** The record type that a reference points to. */
    readonly to: string | null;
    readonly value: string | null;
    readonly name: string | null;
  };
}

/** What no other program reads. */
export const OWN_KIND = "application/x-dossier-cells";

export function carry(column: Column, row: ListRow, words: ValueWords & { readonly timeZone: string }): CarriedCell {
  const shown = column.shown(row);
  const text = shown === undefined ? "" : clipboardText(column.field, shown, words);
  if (column.own === undefined) return { text };
  const { type, to = null } = column.own;
  return { text, was: { type, to, value: shown?.value ?? null, name: shown?.text ?? null } };
}

/** The value itself, where the field is one that can have it. */
export function valueFor(
  field: SchemaField,
  { was }: CarriedCell,
): { value: string | null; text: string | null } | undefined {
  if (was === undefined || was.type !== field.type || was.to !== (field.to ?? null)) return undefined;
  const isKnown = field.options == null || (was.value ?? "").split(";").every((one) => knows(field, one));
  return isKnown ? { value: was.value, text: was.name } : undefined;
}

const knows = ({ options }: SchemaField, value: string): boolean =>
  value === "" || (options?.some((option) => option.value === value) ?? false);

/** Undefined for what is not ours; the clipboard may hold anything. */
export function readOwn(text: string): Block<CarriedCell> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed) || parsed.length === 0) return undefined;
    const isCell = (cell: unknown): cell is CarriedCell =>
      typeof cell === "object" && cell !== null && "text" in cell && typeof cell.text === "string";
    return parsed.every((line) => Array.isArray(line) && line.every(isCell)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
