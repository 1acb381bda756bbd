// A number of stars, from one to as many as the field has; nothing chosen is no rating, not zero stars.

import { z } from "zod";
import { type Fault, fault } from "../../contract/messages.ts";
import { wireRule } from "../../contract/rules.ts";
import { exactInteger } from "./columns/exact-decimal.ts";
import { orderOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { byEqualValue } from "./columns/word-search.ts";
import { accept, type FieldType, type Parsed, parseScalar, refuse } from "./field-type.ts";

const settings = z.strictObject({
  max: z.int().min(3).max(10).default(5),
});

const withinStars = (max: number): Fault => fault("outside_range", { min: 1, max });

function parseStars(input: unknown, least: number, most: number, expectation: Fault): Parsed {
  return parseScalar(input, expectation, (sent) => {
    const stars = exactInteger(sent);
    return stars === undefined || Number(stars) < least || Number(stars) > most ? refuse(expectation) : accept(stars);
  });
}

/** What a smallint holds: a value to compare with may be more than any field has. */
const LARGEST = 32_767;

export const rating: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "rating",
  label: "Rating",
  input: { template: "input", method: "rating" },
  clientSettings: ({ settings: { max } }) => ({ max }),
  rules: ({ settings: { max } }) => [
    { rule: wireRule.integer, params: [], message: withinStars(max) },
    { rule: "min", params: [1], message: withinStars(max) },
    { rule: "max", params: [max], message: withinStars(max) },
  ],
  write: (text, { settings: { max } }, { formats }) => `${formats.number(text)}/${formats.number(String(max))}`,
  total: "average",
  findWord: byEqualValue,
  value: "number",
  dataType: "LONGLONG",
  settings,
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [{ name: field.name, type: "smallint" }],
  parse: (input, { settings: { max } }) => parseStars(input, 1, max, withinStars(max)),
  parseFilterValue: (input) => parseStars(input, -LARGEST, LARGEST, fault("bad_whole_number")),
  examples: {
    settings: { max: 5 },
    good: [
      { sent: "3", wire: "3" },
      { sent: 5, wire: "5" },
      { sent: " 01 ", wire: "1" },
      { sent: "+4", wire: "4" },
    ],
    bad: ["0", 6, "-1", "2.5", 2.5, "3/5", "three", "99999999999999999999", [3], { stars: 3 }],
  },
};
