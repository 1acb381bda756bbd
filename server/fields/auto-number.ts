// A running number such as INV-000042 or INV-2026-0042, made when the record is inserted. For fields that the service keeps (a
// Field's `system`): a sent value is read like any short text, for filters, and never written.
import { z } from "zod";
import { codedWith } from "../lib/issue-message.ts";
import { oneLine, parseText, textFault } from "./columns/plain-text.ts";
import { singleColumn } from "./columns/single-column.ts";
import { inWords } from "./columns/word-search.ts";
import { type FieldType, operators } from "./field-type.ts";

const plain = z.strictObject({
  prefix: z
    .string()
    .refine(
      (prefix) => oneLine(`${prefix}0`) === `${prefix}0` && textFault(prefix, 20) === undefined,
      codedWith("bad_prefix", { max: 20 }),
    )
    .default(""),
  digits: z.int().min(1).max(18).default(6),
  reset: z.enum(["never", "year", "month"]).default("never"),
});

/** Numbers that begin anew must say when, or they would repeat. */
const saysWhen = ({ prefix, reset }: z.output<typeof plain>): boolean =>
  reset === "never" || (/\{YYYY\}|\{YY\}/.test(prefix) && (reset === "year" || prefix.includes("{MM}")));

const settings = plain.refine(saysWhen, codedWith("prefix_without_period", {}));

const written = (prefix: string, day: string): string =>
  prefix.replaceAll("{YYYY}", day.slice(0, 4)).replaceAll("{YY}", day.slice(2, 4)).replaceAll("{MM}", day.slice(5, 7));

export const autoNumber: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "auto-number",
  label: "Automatic number",
  input: { template: "input", method: "text" },
  findWord: inWords,
  running: (number, { settings: { prefix, digits } }, day) =>
    `${written(prefix, day)}${number.toString().padStart(digits, "0")}`,
  period: ({ settings: { reset } }, day) => (reset === "never" ? "" : day.slice(0, reset === "year" ? 4 : 7)),
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
