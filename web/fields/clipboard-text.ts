// A value of the wire as a text to take along, into a spreadsheet or back into a list: choices and records by what they are
// called, numbers and dates as any program reads them.
import { readInstant } from "../../client/transport/instant.ts";
import { clockAt } from "../../contract/zones.ts";
import type { ShownField, ShownValue, ValueWords } from "./shown-value.ts";

export function clipboardText(
  field: ShownField,
  { value, text }: ShownValue,
  words: ValueWords & { readonly timeZone: string },
): string {
  const labelOf = (one: string): string => field.options?.find((option) => option.value === one)?.label ?? one;
  switch (field.type) {
    case "flag":
      return value === "1" ? words.yes : words.no;
    case "choice":
      return text ?? labelOf(value);
    case "multiple-choice":
      return value.split(";").map(labelOf).join("; ");
    case "date-time": {
      const date = readInstant(value);
      return date ? clockAt(date, words.timeZone).slice(0, 16).replace("T", " ") : value;
    }
    default:
      return text ?? value;
  }
}
