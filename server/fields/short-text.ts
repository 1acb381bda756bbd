// One line of text. Sorted as people sort: by the Unicode root collation, not by code points.
import { z } from "zod";
import { accept, type FieldType, isEmpty, nothing, refuse, scalarText } from "./field-type.ts";

const settings = z.strictObject({ maxLength: z.int().min(1).max(1000).default(255) });

export const shortText: FieldType<z.output<typeof settings>> = {
  id: "short-text",
  label: "Short text",
  dataType: "VAR_STRING",
  settings,
  sortable: true,
  searchable: true,
  operators: [
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "not in",
    "between",
    "contains",
    "starts with",
    "ends with",
    "is null",
    "is not null",
  ],
  columns: (field) => [{ name: field.name, type: "text", collation: "und-x-icu" }],
  parse(input, field) {
    if (isEmpty(input)) return nothing();
    const text = scalarText(input);
    if (text === undefined) return refuse("must be a text");
    const line = text.normalize("NFC").replace(/\s+/gu, " ").trim();
    if (line === "") return nothing();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL cannot store NUL, people cannot see the others.
    if (/[\u0000-\u001f\u007f]/u.test(line)) return refuse("must not contain control characters");
    if (line.length > field.settings.maxLength) {
      return refuse(`must have at most ${field.settings.maxLength} characters, not ${line.length}`);
    }
    return accept(line);
  },
  select: (field, at) => at(field.name),
  present: ([value]) => value ?? null,
  examples: {
    settings: { maxLength: 20 },
    good: [
      { sent: "Ada Lovelace", wire: "Ada Lovelace" },
      { sent: "  Ada \t Lovelace ", wire: "Ada Lovelace" },
      { sent: 42, wire: "42" },
      { sent: "O'Brien; --", wire: "O'Brien; --" },
      { sent: "\u00e9\u00fc\u6f22\ud83d\ude00", wire: "\u00e9\u00fc\u6f22\ud83d\ude00" },
    ],
    bad: ["x".repeat(21), { a: 1 }, ["a"], "a\u0000b"],
  },
};
