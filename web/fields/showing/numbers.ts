// What the types of plain numbers have in common. Spread into the field type.
import type { Formats } from "../../../contract/formats.ts";
import type { FieldType, Figure, Showing } from "../field-type.ts";
import { readNumber } from "../reading/read-number.ts";
import type { Reader, Reading } from "../reading/reading.ts";
import type { ShownField, ShownValue } from "./shown-value.ts";

/** Two places stand in every row, like prices; of more, those that say something. */
const placesShown = (scale: number): number => (scale <= 2 ? scale : 0);

const figures: readonly Figure[] = ["sum", "avg", "min", "max"];

export const numbers = {
  isNumeric: true,
  figures,
  text: ({ value }: ShownValue, { scale }: ShownField, { formats }: Showing): string =>
    formats.number(value, placesShown(scale ?? 0)),
  total: (text: string, _field: ShownField, formats: Formats): string => formats.number(text),
  read(text: string, _field: unknown, { locale }: Pick<Reader, "locale">): Reading {
    const number = readNumber(text, locale);
    return number === undefined ? { why: "number" } : { value: number };
  },
} satisfies Partial<FieldType>;
