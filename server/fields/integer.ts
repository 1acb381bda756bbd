// A whole number of up to 63 bits, optionally within limits. Never passes through a float.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { wireRule } from "../../contract/rules.ts";
import { coded } from "../lib/issue-message.ts";
import { exactInteger } from "./columns/exact-decimal.ts";
import { orderOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { byEqualValue } from "./columns/word-search.ts";
import { accept, type FieldType, type Parsed, parseScalar, refuse } from "./field-type.ts";

const expectation = fault("bad_whole_number");

/** A number, or its text where a JSON number would not be exact. */
const limit = z.union([z.int(), z.string()], coded("must_be_whole_number")).transform((value, issues) => {
  const text = exactInteger(String(value));
  if (text !== undefined) return text;
  issues.addIssue({ code: "custom", message: coded("must_be_whole_number") });
  return z.NEVER;
});

const settings = z
  .strictObject({ min: limit.optional(), max: limit.optional() })
  .refine(({ min, max }) => min === undefined || max === undefined || BigInt(min) <= BigInt(max), {
    message: coded("min_above_max"),
  });

const parseWithin = (input: unknown, { min, max }: z.output<typeof settings>): Parsed =>
  parseScalar(input, expectation, (sent) => {
    const text = exactInteger(sent);
    if (text === undefined) return refuse(/^[+-]?\d+$/u.test(sent) ? fault("number_too_large") : expectation);
    if (min !== undefined && BigInt(text) < BigInt(min)) return refuse(fault("below_minimum", { min }));
    if (max !== undefined && BigInt(text) > BigInt(max)) return refuse(fault("above_maximum", { max }));
    return accept(text);
  });

export const integer: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "integer",
  label: "Whole number",
  input: { template: "input", method: "number" },
  inputSettings: ({ settings: { min, max } }) => ({
    min: min === undefined ? null : String(min),
    max: max === undefined ? null : String(max),
    scale: 0,
  }),
  rules: ({ settings: { min, max } }) => [
    { rule: wireRule.integer, params: [], message: expectation },
    ...(min === undefined ? [] : [{ rule: "min", params: [min], message: fault("below_minimum", { min }) }]),
    ...(max === undefined ? [] : [{ rule: "max", params: [max], message: fault("above_maximum", { max }) }]),
  ],
  write: (text, _field, { formats }) => formats.number(text),
  findWord: byEqualValue,
  value: "number",
  result: () => ({ digits: 18, places: 0 }),
  dataType: "LONGLONG",
  settings,
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [{ name: field.name, type: "bigint" }],
  parse: (input, { settings }) => parseWithin(input, settings),
  parseFilterValue: (input) => parseWithin(input, {}),
  examples: {
    settings: { min: "-9223372036854775808", max: 1_000_000 },
    good: [
      { sent: "007", wire: "7" },
      { sent: "-0", wire: "0" },
      { sent: "+12", wire: "12" },
      { sent: -42, wire: "-42" },
      { sent: " 1000000 ", wire: "1000000" },
      { sent: "-9223372036854775808", wire: "-9223372036854775808" },
    ],
    bad: ["1.0", 1.5, "1e3", 1e21, "9223372036854775808", 1_000_001, "12a", "0x10", "1,000", [1], { a: 1 }],
  },
};
