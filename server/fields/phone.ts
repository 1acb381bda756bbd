// A telephone number as people write it, with an optional extension. Kept as written but for its white space.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { wireRule } from "../../contract/rules.ts";
import { wordingOperators } from "./columns/operator-sets.ts";
import { oneLine } from "./columns/plain-text.ts";
import { singleColumn } from "./columns/single-column.ts";
import { inWords } from "./columns/word-search.ts";
import { accept, type FieldType, parseScalar, refuse } from "./field-type.ts";

const settings = z.strictObject({});

const expectation = fault("bad_phone");
const longest = 60;
/** With room for blanks; tidying megabytes takes seconds. */
const MOST_SENT = 1_000;
const pattern = /^(?<number>\(?\+?[0-9(][0-9()./ -]*)(?:(?:x|ext\.?) ?[0-9]{1,8})?$/iu;

export const phone: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "phone",
  label: "Telephone number",
  input: { template: "input", method: "tel" },
  rules: () => [{ rule: wireRule.phone, params: [], message: expectation }],
  findWord: inWords,
  value: "text",
  dataType: "VAR_STRING",
  settings,
  // By its digits, without an extension; 00 is what + is dialled as.
  likeness: (value) =>
    `nullif(regexp_replace(regexp_replace(lower(${value}), '(x|ext).*$|[^0-9]', '', 'g'), '^00', ''), '')`,
  sortable: true,
  searchable: true,
  operators: wordingOperators,
  columns: (field) => [{ name: field.name, type: "text" }],
  parse: (input) =>
    parseScalar(input, expectation, (sent) => {
      const text = sent.length > MOST_SENT ? sent : oneLine(sent);
      const number = text.length > longest ? undefined : pattern.exec(text)?.groups?.number;
      const digits = number?.replace(/\D/gu, "").length ?? 0;
      return digits < 3 || digits > 20 ? refuse(expectation) : accept(text);
    }),
  examples: {
    settings: {},
    good: [
      { sent: "+1 (555)  123-4567", wire: "+1 (555) 123-4567" },
      { sent: " 030/12 34 56 ", wire: "030/12 34 56" },
      { sent: "555.123.4567 ext. 89", wire: "555.123.4567 ext. 89" },
      { sent: "(+49) 30 1234 x5", wire: "(+49) 30 1234 x5" },
      { sent: 5551234, wire: "5551234" },
      { sent: "112", wire: "112" },
    ],
    bad: [
      "12",
      "1".repeat(21),
      "555-CALL-NOW",
      "+",
      "++1 555 1234",
      "1+555 1234",
      "555 1234 ext",
      "ext 12",
      [5551234],
      {},
    ],
  },
};
