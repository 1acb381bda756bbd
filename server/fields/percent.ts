// A percentage, as people write it: 12.5 means 12.5 %. The sign may be sent and is not stored.
import { z } from "zod";
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

const precision = 9;

const settings = z
  .strictObject({ scale: z.int().min(0).max(4).default(2), ...decimalLimits })
  .refine(areNumbersInOrder, outOfOrder);

const withoutSign = (sent: string): string => (sent.endsWith("%") ? sent.slice(0, -1).trimEnd() : sent);

export const percent: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "percent",
  label: "Percent",
  input: { template: "input", method: "percent" },
  inputSettings: ({ settings }) => ({ scale: settings.scale, ...limitSettings(settings) }),
  rules: ({ settings }) => [decimalRule(precision, settings.scale), ...limitRules(settings)],
  write: (text, _field, { formats }) => formats.percent(text),
  findWord: byEqualValue,
  value: "number",
  result: ({ settings: { scale } }) => ({ digits: precision, places: scale }),
  dataType: "NEWDECIMAL",
  settings,
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [numericColumn(field.name, precision, field.settings.scale)],
  parse: (input, { settings }) => numberWithin(parseDecimal(input, precision, settings.scale, withoutSign), settings),
  parseFilterValue: (input) => parseFilterDecimal(input, withoutSign),
  examples: {
    settings: {},
    good: [
      { sent: "12.5%", wire: "12.50" },
      { sent: "100 %", wire: "100.00" },
      { sent: 33.33, wire: "33.33" },
      { sent: "-7", wire: "-7.00" },
    ],
    bad: ["%", "12.5%%", "%12", "33.333", "12345678", "1e1", "twelve", [1], {}],
  },
};
