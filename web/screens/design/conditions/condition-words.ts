// A condition as a sentence reads it: fields and options by what people call them, values as they are shown elsewhere.
import type { TFunction } from "i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { Formats } from "../../../../contract/formats.ts";
import { fieldText } from "../../../fields/field-value.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { type ConditionRow, readRows } from "./condition-rows.ts";

type Called = Pick<SchemaField, "name" | "label" | "type" | "options" | "settings" | "scale">;

/** Undefined where it can't be told: it is nested, about a field that the reader doesn't see, or names a record. */
export function conditionWords(
  text: string,
  fields: readonly Called[],
  t: TFunction,
  formats: Formats,
): string | undefined {
  const read = readRows(text);
  if (read === undefined || read.rows.length === 0) return undefined;
  const parts = read.rows.map((row) => wordsOf(row, fields, t, formats));
  if (parts.some((part) => part === undefined)) return undefined;
  return parts.join(t(`comparisons.joined.${read.join}`));
}

function wordsOf(
  { field, operator, values }: ConditionRow,
  fields: readonly Called[],
  t: TFunction,
  formats: Formats,
): string | undefined {
  const found = fields.find(({ name }) => name === field);
  if (found === undefined) return undefined;
  // A reference is compared by id, which nobody knows.
  if (values.length > 0 && fieldTypes[found.type].isReference) return undefined;
  const words = { yes: t("values.yes"), no: t("values.no") };
  const called = values.map(
    (value) =>
      found.options?.find((option) => option.value === value)?.label ?? fieldText(found, { value }, formats, words),
  );
  return [found.label, t(`comparisons.operators.${operator}`), ...(called.length > 0 ? [called.join(", ")] : [])].join(
    " ",
  );
}
