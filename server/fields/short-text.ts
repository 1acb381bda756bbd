// One line of text. Sorted as people sort: by the Unicode root collation, not by code points.
import { z } from "zod";
import { localeCode } from "../lib/locale-code.ts";
import { lengthRule, oneLine, parseText, peoplesCollation } from "./columns/plain-text.ts";
import { singleColumn } from "./columns/single-column.ts";
import { patternRules, patternSettings, withPattern } from "./columns/text-pattern.ts";
import { inWords } from "./columns/word-search.ts";
import { type FieldType, operators } from "./field-type.ts";

const LONGEST = 1000;

const settings = z.strictObject({
  maxLength: z.int().min(1).max(LONGEST).default(255),
  /** It names something that people choose rather than write. */
  names: z.enum(["record-type", "record-types", "locale"]).optional(),
  ...patternSettings,
});

const spellingOf = (names: z.output<typeof settings>["names"]) =>
  names === "locale" ? (text: string) => localeCode(oneLine(text)) : oneLine;

export const shortText: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "short-text",
  label: "Short text",
  input: { template: "input", method: "text" },
  inputSettings: ({ settings: { maxLength, names } }) => ({
    max_length: maxLength,
    ...(names === undefined ? {} : { names }),
  }),
  clientSettings: ({ settings: { names } }) => (names === undefined ? undefined : { names }),
  rules: ({ settings }) => [lengthRule(settings.maxLength), ...patternRules(settings)],
  findWord: inWords,
  isName: true,
  value: "text",
  result: ({ settings: { maxLength } }) => ({ longest: maxLength }),
  dataType: "VAR_STRING",
  settings,
  likeness: (value) => `lower(${value})`,
  sortable: true,
  searchable: true,
  operators,
  columns: (field) => [{ name: field.name, type: "text", collation: peoplesCollation }],
  parse: (input, { settings }) =>
    withPattern(parseText(input, spellingOf(settings.names), settings.maxLength), settings),
  parseFilterValue: (input, { settings: { names } }) => parseText(input, spellingOf(names), LONGEST),
  examples: {
    settings: { maxLength: 20 },
    good: [
      { sent: "Ada Lovelace", wire: "Ada Lovelace" },
      { sent: "  Ada \t Lovelace ", wire: "Ada Lovelace" },
      { sent: 42, wire: "42" },
      { sent: "O'Brien; --", wire: "O'Brien; --" },
      { sent: "e\u0301\u00fc\u6f22\ud83d\ude00", wire: "\u00e9\u00fc\u6f22\ud83d\ude00" },
      { sent: "\ud83d\ude00".repeat(20), wire: "\ud83d\ude00".repeat(20) },
    ],
    bad: ["x".repeat(21), { a: 1 }, ["a"], "a\u0000b", "a\u0085b", "half a pair: \ud83d"],
  },
};
