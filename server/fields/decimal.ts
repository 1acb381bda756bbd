// An exact decimal number of fixed precision and scale. Decimals past the scale are refused, never rounded.
import { z } from "zod";
import { coded } from "../lib/issue-message.ts";
import {
  areNumbersInOrder,
  decimalLimits,
  limitRules,
  limitSettings,
  numberWithin,
  outOfOrder,
} from "./columns/limits.ts";
import { decimalRule, numericColumn, parseDecimal, parseFilterDecimal } from "./columns/numeric-column.ts";
import { orderOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { byEqualValue } from "./columns/word-search.ts";
import type { FieldType } from "./field-type.ts";

const settings = z
  .strictObject({
    precision: z.int().min(1).max(38).default(18),
    scale: z.int().min(0).max(38).default(4),
    ...decimalLimits,
  })
  .refine(areNumbersInOrder, outOfOrder)
  .refine(({ precision, scale }) => scale <= precision, coded("scale_above_precision"));

export const decimal: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "decimal",
  label: "Decimal number",
  input: { template: "input", method: "number" },
  inputSettings: ({ settings }) => ({ scale: settings.scale, ...limitSettings(settings) }),
  rules: ({ settings }) => [decimalRule(settings.precision, settings.scale), ...limitRules(settings)],
  write: (text, _field, { formats }) => formats.number(text),
  findWord: byEqualValue,
  value: "number",
  result: ({ settings: { precision, scale } }) => ({ digits: precision, places: scale }),
  dataType: "NEWDECIMAL",
  settings,
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [numericColumn(field.name, field.settings.precision, field.settings.scale)],
  parse: (input, { settings }) => numberWithin(parseDecimal(input, settings.precision, settings.scale), settings),
  parseFilterValue: (input) => parseFilterDecimal(input),
  examples: {
    settings: { precision: 24, scale: 4 },
    good: [
      { sent: "1.5", wire: "1.5000" },
      { sent: "-.50000000", wire: "-0.5000" },
      { sent: "-0.0", wire: "0.0000" },
      { sent: "+007.", wire: "7.0000" },
      { sent: 0.1, wire: "0.1000" },
      { sent: "12345678901234567890.1234", wire: "12345678901234567890.1234" },
    ],
    bad: ["1.23456", "1e3", 1e-7, "1,234.50", "123456789012345678901", ".", "-", "NaN", "Infinity", "abc", [1], {}],
  },
};
