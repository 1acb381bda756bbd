// An exact amount of money. Its currency is the organization's, or that of the field which `currencyField` names.
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

const precision = 19;

const settings = z
  .strictObject({
    scale: z.int().min(0).max(4).default(2),
    currencyField: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/u, coded("bad_field_name"))
      .optional(),
    ...decimalLimits,
  })
  .refine(areNumbersInOrder, outOfOrder);

/** Separators only where thousands are: `1,23` is more likely a decimal comma, and is refused. */
const withoutGroups = (sent: string): string =>
  /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/u.test(sent) ? sent.replaceAll(",", "") : sent;

export const money: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "money",
  label: "Money",
  input: { template: "input", method: "money" },
  inputSettings: ({ settings }) => ({
    scale: settings.scale,
    currency_field: settings.currencyField ?? null,
    ...limitSettings(settings),
  }),
  rules: ({ settings }) => [decimalRule(precision, settings.scale), ...limitRules(settings)],
  write: (text, { settings: { scale } }, { formats, currency }) => formats.money(text, currency, scale),
  currencyField: ({ settings: { currencyField } }) => currencyField,
  findWord: byEqualValue,
  value: "number",
  hasOwnCurrency: (given) => settings.safeParse(given).data?.currencyField !== undefined,
  lookedUpAs: (given) => {
    const { scale = 2, currencyField } = settings.safeParse(given).data ?? {};
    // Its currency stands on the other record.
    return currencyField === undefined
      ? { type: "money", settings: { scale } }
      : { type: "decimal", settings: { precision, scale } };
  },
  result: ({ settings: { scale } }) => ({ digits: precision, places: scale }),
  dataType: "NEWDECIMAL",
  settings,
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [numericColumn(field.name, precision, field.settings.scale)],
  parse: (input, { settings }) => numberWithin(parseDecimal(input, precision, settings.scale, withoutGroups), settings),
  parseFilterValue: (input) => parseFilterDecimal(input, withoutGroups),
  examples: {
    settings: { currencyField: "currency_id" },
    good: [
      { sent: "1,234.50", wire: "1234.50" },
      { sent: "-12,345,678.9", wire: "-12345678.90" },
      { sent: 100, wire: "100.00" },
      { sent: "99999999999999999.99", wire: "99999999999999999.99" },
      { sent: "0.500", wire: "0.50" },
    ],
    bad: ["1,23", "1,2345", ",123", "12,34,567", "1234,567", "1.005", "$5", "100000000000000000", "1e3", [1], {}],
  },
};
