// Yes or no, stored and sent as 1 or 0; unset is neither.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { memberOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { accept, type FieldType, parseScalar, refuse } from "./field-type.ts";

const settings = z.strictObject({});

const spellings = new Map([
  ["1", "1"],
  ["true", "1"],
  ["on", "1"],
  ["yes", "1"],
  ["0", "0"],
  ["false", "0"],
  ["off", "0"],
  ["no", "0"],
]);

const expectation = fault("bad_flag");

export const flag: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "flag",
  label: "Yes or no",
  input: { template: "checkbox", method: "checkbox" },
  rules: () => [{ rule: "flag", params: [], message: expectation }],
  display: (wire) => (wire === "1" ? "Yes" : wire === "0" ? "No" : null),
  write: (text, _field, { yes, no }) => (text === "1" ? yes : no),
  isYesNo: true,
  value: "truth",
  result: () => ({}),
  dataType: "TINY",
  settings,
  sortable: true,
  searchable: false,
  operators: memberOperators,
  columns: (field) => [{ name: field.name, type: "smallint" }],
  parse: (input) =>
    parseScalar(input, expectation, (sent) => {
      const value = spellings.get(sent.toLowerCase());
      return value === undefined ? refuse(expectation) : accept(value);
    }),
  examples: {
    settings: {},
    good: [
      { sent: "1", wire: "1" },
      { sent: 0, wire: "0" },
      { sent: true, wire: "1" },
      { sent: false, wire: "0" },
      { sent: "ON", wire: "1" },
      { sent: "off", wire: "0" },
      { sent: "Yes", wire: "1" },
      { sent: "no", wire: "0" },
    ],
    bad: ["2", -1, "y", "maybe", [true], {}],
  },
};
