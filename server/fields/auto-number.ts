// A running number such as INV-000042, made when the record is inserted. For fields that the service keeps (a
// Field's `system`): a sent value is read like any short text, for filters, and never written.
import { z } from "zod";
import { codedWith } from "../lib/issue-message.ts";
import { oneLine, parseText, textFault } from "./columns/plain-text.ts";
import { singleColumn } from "./columns/single-column.ts";
import { inWords } from "./columns/word-search.ts";
import { type FieldType, operators } from "./field-type.ts";

const settings = z.strictObject({
  prefix: z
    .string()
    .refine(
      (prefix) => oneLine(`${prefix}0`) === `${prefix}0` && textFault(prefix, 20) === undefined,
      codedWith("bad_prefix", { max: 20 }),
    )
    .default(""),
  digits: z.int().min(1).max(18).default(6),
});

export const autoNumber: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "auto-number",
  label: "Automatic number",
  input: { template: "input", method: "text" },
  findWord: inWords,
  running: (number, { settings: { prefix, digits } }) => `${prefix}${number.toString().padStart(digits, "0")}`,
  value: "text",
  lookedUpAs: () => ({ type: "short-text", settings: {} }),
  dataType: "VAR_STRING",
  settings,
  sortable: true,
  searchable: true,
  operators,
  columns: (field) => [{ name: field.name, type: "text" }],
  parse: (input) => parseText(input, oneLine, 64),
  examples: {
    settings: { prefix: "INV-", digits: 6 },
    good: [
      { sent: "INV-000042", wire: "INV-000042" },
      { sent: 42, wire: "42" },
    ],
    bad: ["x".repeat(65), "INV\u0000", ["INV-000042"], {}],
  },
};
