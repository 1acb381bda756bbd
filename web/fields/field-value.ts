// A value of the wire as people read, copy and write it, by the type of its field.
import type { ReactNode } from "react";
import type { ListHeader } from "../../client/lists/lists.ts";
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { Formats } from "../../contract/formats.ts";
import { fieldTypes } from "./index.ts";
import type { Reader, ReadField, Reading } from "./reading/reading.ts";
import type { ShownField, ShownValue, ValueWords } from "./showing/shown-value.ts";

/** A plain text, for charts, titles and labels. */
export const fieldText = (field: ShownField, shown: ShownValue, formats: Formats, words: ValueWords): string =>
  fieldTypes[field.type].text?.(shown, field, { formats, words }) ?? shown.text ?? shown.value;

/** Plain elements: a table shows hundreds of them. */
export function fieldValue(
  field: ShownField,
  shown: ShownValue,
  formats: Formats,
  words: ValueWords,
  tabIndex?: number,
): ReactNode {
  const { show } = fieldTypes[field.type];
  return show ? show(shown, field, { formats, words, tabIndex }) : fieldText(field, shown, formats, words);
}

/** The type that a column of a list is shown by: a period ("2026-11") is a text already, sums of amounts are amounts. */
export const shownType = ({ period, currency, type }: Pick<ListHeader, "period" | "currency" | "type">): FieldTypeId =>
  period !== undefined ? "short-text" : currency !== undefined ? "money" : type;

/** To take along, into a spreadsheet or back into a list. */
export const clipboardText = (
  field: ShownField,
  shown: ShownValue,
  words: ValueWords & { readonly timeZone: string },
): string => fieldTypes[field.type].copy?.(shown, field, words) ?? shown.text ?? shown.value;

/** The wire value of a text from outside. */
export function readText(field: ReadField, written: string, reader: Reader): Reading {
  const { read, untouched = null } = fieldTypes[field.type];
  const text = written.trim();
  return text === "" ? { value: untouched } : read(text, field, reader);
}
