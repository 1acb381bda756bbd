// A value of the wire as a plain text that people read, by the type of its field: for pictures, titles and labels.
import type { Formats } from "../../contract/formats.ts";
import { moneyParts } from "./money-text.ts";
import type { ShownField, ShownValue, ValueWords } from "./shown-value.ts";

export function fieldText(
  field: ShownField,
  { value, text, currency, byCurrency }: ShownValue,
  formats: Formats,
  words: ValueWords,
): string {
  switch (field.type) {
    case "integer":
    case "decimal":
      return formats.number(value, field.scale ?? 0);
    case "money":
      return byCurrency ? moneyParts(byCurrency, formats) : formats.money(value, currency, field.scale ?? 2);
    case "percent":
      return formats.percent(value);
    case "date":
      return formats.date(value);
    case "date-time":
      return formats.dateTime(value);
    case "flag":
      return value === "1" ? words.yes : words.no;
    case "choice":
      return field.options?.find((option) => option.value === value)?.label ?? text ?? value;
    default:
      return text ?? value;
  }
}
