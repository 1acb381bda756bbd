// A condition as a sentence reads it: fields and options by what people call them.
import type { TFunction } from "i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { type ConditionRow, readRows } from "./condition-rows.ts";

type Called = Pick<SchemaField, "name" | "label" | "options">;

/** Undefined where it can't be told: it is nested, or about a field that the reader doesn't see. */
export function conditionWords(text: string, fields: readonly Called[], t: TFunction): string | undefined {
  const read = readRows(text);
  if (read === undefined || read.rows.length === 0) return undefined;
  const parts = read.rows.map((row) => wordsOf(row, fields, t));
  if (parts.some((part) => part === undefined)) return undefined;
  return parts.join(t(`comparisons.joined.${read.join}`));
}

function wordsOf(
  { field, operator, values }: ConditionRow,
  fields: readonly Called[],
  t: TFunction,
): string | undefined {
  const found = fields.find(({ name }) => name === field);
  if (found === undefined) return undefined;
  const called = values.map((value) => found.options?.find((option) => option.value === value)?.label ?? value);
  return [found.label, t(`comparisons.operators.${operator}`), ...(called.length > 0 ? [called.join(", ")] : [])].join(
    " ",
  );
}
