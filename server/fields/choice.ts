// One of a fixed list of options, stored and sent as the option's value; a client may send its label too.

import type { z } from "zod";
import { type Fault, fault } from "../../contract/messages.ts";
import { type ChoiceOption, choiceSettings, findOption, offer, offered, translated } from "./columns/choice-options.ts";
import { memberOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { optionsWith } from "./columns/word-search.ts";
import { accept, type FieldType, parseScalar, refuse } from "./field-type.ts";

const expectationOf = (options: readonly ChoiceOption[]): Fault => fault("bad_choice", { options: offer(options) });

export const choice: FieldType<z.output<typeof choiceSettings>> = {
  ...singleColumn,
  id: "choice",
  label: "Choice",
  input: { template: "select", method: "select" },
  translate: translated,
  inputSettings: ({ settings: { options } }) => ({ options: offered(options) }),
  rules: ({ settings: { options } }) => [
    { rule: "in", params: options.map(({ value }) => value), message: expectationOf(options) },
  ],
  display: (wire, { settings: { options } }) => options.find(({ value }) => value === wire)?.label ?? null,
  ranked: ({ settings: { options } }) => options.map(({ value }) => value),
  options: ({ settings: { options } }) => options.map(({ value }) => value),
  picks: "one",
  findWord(word, { settings: { options } }) {
    const values = optionsWith(word, options);
    return values.length === 0 ? undefined : { by: "value", any: [{ operator: "in", values }] };
  },
  value: "text",
  dataType: "VAR_STRING",
  settings: choiceSettings,
  sortable: true,
  searchable: true,
  operators: memberOperators,
  columns: (field) => [{ name: field.name, type: "text" }],
  parse(input, { settings: { options } }) {
    const expectation = expectationOf(options);
    return parseScalar(input, expectation, (sent) => {
      const found = findOption(options, sent);
      return found ? accept(found.value) : refuse(expectation);
    });
  },
  examples: {
    settings: {
      options: [
        { value: "new", label: "New", color: "#1c7ed6" },
        { value: "won", label: "Closed, won", color: "green" },
        { value: "lost", label: "Closed" },
        { value: "late", label: "Closed" },
        { value: "1", label: "First" },
      ],
    },
    good: [
      { sent: "new", wire: "new" },
      { sent: " closed, WON ", wire: "won" },
      { sent: "lost", wire: "lost" },
      { sent: 1, wire: "1" },
    ],
    bad: ["Closed", "WON", "new;won", "other", ["new"], { value: "new" }],
  },
};
