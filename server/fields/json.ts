// Any JSON value of modest size, sent as JSON text or as the value itself, given as the text that jsonb prints.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { sourceOf } from "../lib/json/json-source.ts";
import { jsonbText, sameJson } from "./columns/jsonb-text.ts";
import { presenceOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { accept, type FieldType, isEmpty, nothing, refuse } from "./field-type.ts";

const settings = z.strictObject({
  /** What kind of document it holds: people design it instead of writing JSON. */
  document: z.enum(["form", "workflow", "policy", "where"]).optional(),
});

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** As it was sent, where that is known. Undefined for what JSON cannot say: functions, symbols, cycles, big integers. */
function jsonSource(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  try {
    return (typeof input === "object" && input !== null ? sourceOf(input) : undefined) ?? JSON.stringify(input);
  } catch {
    return undefined;
  }
}

export const json: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "json",
  label: "JSON",
  input: { template: "textarea", method: "json" },
  inputSettings: ({ settings: { document } }) => (document === undefined ? {} : { document }),
  rules: () => [{ rule: "json", params: [], message: fault("bad_json") }],
  isLong: true,
  dataType: "BLOB",
  settings,
  sortable: false,
  searchable: false,
  operators: presenceOperators,
  columns: (field) => [{ name: field.name, type: "jsonb" }],
  parse(input) {
    if (isEmpty(input)) return nothing();
    const text = jsonSource(input);
    if (text === undefined) return refuse(fault("bad_json"));
    if (isEmpty(text)) return nothing();
    const jsonb = jsonbText(text);
    return "text" in jsonb ? accept(jsonb.text) : refuse(jsonb.fault);
  },
  same: ([a = null], [b = null]) => a === b || (a !== null && b !== null && sameJson(a, b)),
  examples: {
    settings: {},
    good: [
      {
        sent: '{"bb":1.50e1,"a":[1E-3,-0.0,12345678901234567890.10],"c":{}}',
        wire: '{"a": [0.001, 0.0, 12345678901234567890.10], "c": {}, "bb": 15.0}',
      },
      { sent: '{"a":1,"a":2,"10":3,"9":4,"__proto__":5}', wire: '{"9": 4, "a": 2, "10": 3, "__proto__": 5}' },
      { sent: { tags: ["x", null, true], n: 1.5 }, wire: '{"n": 1.5, "tags": ["x", null, true]}' },
      {
        sent: '["\\u00e9\\/\\u001f\\n\\"\\\\", "1e5", "\\ud83d\\ude00"]',
        wire: '["\u00e9/\\u001f\\n\\"\\\\", "1e5", "\ud83d\ude00"]',
      },
      { sent: " 42 ", wire: "42" },
      { sent: '"text"', wire: '"text"' },
      { sent: false, wire: "false" },
      { sent: nested(20), wire: nested(20) },
    ],
    bad: [
      "{",
      "{'a':1}",
      "text",
      "NaN",
      "01",
      '"\\u0000"',
      '{"\\u0000":1}',
      '"\\ud83d"',
      "1e100000",
      `[${nested(20)}]`,
      `"${"x".repeat(65_536)}"`,
    ],
  },
};
