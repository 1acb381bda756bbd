// Any of a fixed list of options, sent as their values joined by semicolons in the list's order. None is NULL.

import type { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { arrayLiteral, readArrayLiteral } from "./columns/array-literal.ts";
import { choiceSettings, findOption, offer, offered, translated } from "./columns/choice-options.ts";
import { wordingOperators } from "./columns/operator-sets.ts";
import { optionsWith } from "./columns/word-search.ts";
import { accept, type FieldType, isEmpty, nothing, refuse, scalarText } from "./field-type.ts";

/** Twice as many as there can be options: each may be sent again, and not for ever. */
const MOST_SENT = 1_000;

export const multipleChoice: FieldType<z.output<typeof choiceSettings>> = {
  id: "multiple-choice",
  label: "Multiple choice",
  input: { template: "select", method: "multiple" },
  translate: translated,
  inputSettings: ({ settings: { options } }) => ({ options: offered(options), separator: ";" }),
  rules: ({ settings: { options } }) => [
    {
      rule: "some",
      params: options.map(({ value }) => value),
      message: fault("bad_choices", { options: offer(options) }),
    },
  ],
  display: (wire, { settings: { options } }) =>
    typeof wire === "string"
      ? wire
          .split(";")
          .map((one) => options.find(({ value }) => value === one)?.label ?? one)
          .join(", ")
      : null,
  options: ({ settings: { options } }) => options.map(({ value }) => value),
  picks: "several",
  findWord(word, { settings: { options } }) {
    const values = optionsWith(word, options);
    if (values.length === 0) return undefined;
    return { by: "value", any: values.map((value) => ({ operator: "contains", values: [value] })) };
  },
  dataType: "VAR_STRING",
  settings: choiceSettings,
  sortable: false,
  // array_to_string() is not immutable, so that no search index could be built on it.
  searchable: false,
  operators: wordingOperators,
  columns: (field) => [{ name: field.name, type: "text[]" }],
  parse(input, { settings: { options } }) {
    if (isEmpty(input)) return nothing();
    const sent: readonly unknown[] = Array.isArray(input)
      ? input
      : (scalarText(input)?.split(";", MOST_SENT + 1) ?? [input]);
    if (sent.length > MOST_SENT) return refuse(fault("bad_choices", { options: offer(options) }));
    const chosen = new Set(
      sent.filter((one) => !isEmpty(one)).map((one) => findOption(options, scalarText(one) ?? "")),
    );
    if (chosen.has(undefined)) return refuse(fault("bad_choices", { options: offer(options) }));
    const values = options.filter((option) => chosen.has(option)).map(({ value }) => value);
    return values.length === 0 ? nothing() : accept(arrayLiteral(values));
  },
  select: (field, at) => `array_to_string(${at(field.name)}, ';')`,
  present: ([literal]) => (literal == null ? null : readArrayLiteral(literal).join(";")),
  examples: {
    settings: {
      options: [
        { value: "red", label: "Red" },
        { value: "dark blue", label: "Dark blue" },
        { value: 'a "quoted", {braced} \\ one', label: "Odd" },
        { value: "Null", label: "Nothing at all" },
        { value: "\u6f22", label: "Han" },
      ],
    },
    good: [
      { sent: "dark blue;red;red", wire: "red;dark blue" },
      { sent: ["HAN", "red", "", null], wire: "red;\u6f22" },
      { sent: 'Null;a "quoted", {braced} \\ one', wire: 'a "quoted", {braced} \\ one;Null' },
      { sent: [], wire: null },
      { sent: ";", wire: null },
    ],
    bad: ["green", "red;".repeat(1_001), "red;green", ["red", ["dark blue"]], { red: 1 }, "Red, dark blue"],
  },
};
