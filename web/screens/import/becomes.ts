// A cell of the file as it will be shown once it is a record: days and numbers read the way the file writes them. What is not
// understood is marked, and stays as it is: the check says what is wrong with it.
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { Dialect } from "../../../client/records/imports.ts";
import type { Formats } from "../../../contract/formats.ts";
import { fieldText, readText } from "../../fields/field-value.ts";
import { fieldTypes } from "../../fields/index.ts";
import type { Reader } from "../../fields/reading/reading.ts";

export interface Becomes {
  readonly text: string;
  readonly isInvalid: boolean;
}

/** A language that writes days and numbers like the file. */
const dayLocales = { dmy: "en-GB", mdy: "en-US", ymd: "sv-SE" } as const;
const numberLocales = { ".": "en-US", ",": "de-DE" } as const;

export function becomes(
  cell: string,
  field: SchemaField | undefined,
  dialect: Pick<Dialect, "date_order" | "decimal_sign" | "format">,
  formats: Formats,
  reader: Reader,
): Becomes {
  if (field === undefined || cell.trim() === "") return { text: cell, isInvalid: false };
  const isDay = fieldTypes[field.type].days !== undefined;
  const isJson = dialect.format === "json" || dialect.format === "jsonl";
  const sign = isJson && /^-?\d+\.\d+$/u.test(cell.trim()) ? "." : dialect.decimal_sign;
  const locale = isDay ? dayLocales[dialect.date_order] : numberLocales[sign];
  const reading = readText(field, cell, { ...reader, locale });
  if ("why" in reading) return { text: cell, isInvalid: reading.why !== "on_page" };
  if ("name" in reading || reading.value === null) return { text: cell, isInvalid: false };
  return { text: fieldText(field, { value: reading.value, text: reading.text }, formats, reader), isInvalid: false };
}
