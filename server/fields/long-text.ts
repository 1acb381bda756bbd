// Text of many lines. White space within it is kept, line ends become LF. Searched in, never sorted by.
import { z } from "zod";
import { wordingOperators } from "./columns/operator-sets.ts";
import { lengthRule, manyLines, parseText } from "./columns/plain-text.ts";
import { singleColumn } from "./columns/single-column.ts";
import { inWords } from "./columns/word-search.ts";
import type { FieldType } from "./field-type.ts";

const LONGEST = 1_000_000;

const settings = z.strictObject({
  maxLength: z.int().min(1).max(LONGEST).default(20_000),
  /** Kept as the text that was typed, whatever it is. */
  format: z.enum(["plain", "markdown"]).default("plain"),
});

export const longText: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "long-text",
  label: "Long text",
  input: { template: "textarea", method: "textarea" },
  inputSettings: ({ settings: { maxLength } }) => ({ max_length: maxLength }),
  clientSettings: ({ settings: { format } }) => (format === "markdown" ? { format } : undefined),
  rules: ({ settings: { maxLength } }) => [lengthRule(maxLength)],
  findWord: inWords,
  isLong: true,
  dataType: "BLOB",
  settings,
  sortable: false,
  searchable: true,
  operators: wordingOperators,
  columns: (field) => [{ name: field.name, type: "text" }],
  parse: (input, field) => parseText(input, manyLines, field.settings.maxLength),
  parseFilterValue: (input) => parseText(input, manyLines, LONGEST),
  examples: {
    settings: { maxLength: 40 },
    good: [
      { sent: "first\r\nsecond\rthird\n", wire: "first\nsecond\nthird" },
      { sent: "a  b\n\n\tindented", wire: "a  b\n\n\tindented" },
      { sent: "{not: 'sql'}; --\\", wire: "{not: 'sql'}; --\\" },
      { sent: 7, wire: "7" },
    ],
    bad: ["x".repeat(41), "a\u0000b", "bell\u0007", "half a pair: \udc00", ["a"], { a: 1 }],
  },
};
