// An instant, stored and sent in UTC to the second: what is sent without an offset is UTC already, fractions of a
// second are dropped.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { readMoment } from "./columns/calendar.ts";
import { areTextsInOrder, dateWithin, instantLimits, limitRules, limitSettings, outOfOrder } from "./columns/limits.ts";
import { orderOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { hasDigit } from "./columns/word-search.ts";
import { accept, type FieldType, type Parsed, parseScalar, refuse } from "./field-type.ts";

/** `due`: the day that something has to be done by. */
const settings = z.strictObject({ due: z.boolean().optional(), ...instantLimits }).refine(areTextsInOrder, outOfOrder);

const expectation = fault("bad_date_time");

const parseInstant = (input: unknown): Parsed =>
  parseScalar(input, expectation, (sent) => {
    const utc = readMoment(sent)?.utc;
    return utc === undefined ? refuse(expectation) : accept(utc);
  });

/** A time of day. */
const isTime = (word: string): boolean => /^\d{1,2}:\d{2}(?::\d{2})?$/u.test(word);

export const dateTime: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "date-time",
  label: "Date and time",
  input: { template: "date", method: "datetime" },
  inputSettings: ({ settings }) => limitSettings(settings),
  rules: ({ settings }) => [{ rule: "datetime", params: [], message: expectation }, ...limitRules(settings, "_date")],
  write: (text, _field, { formats }) => formats.dateTime(text),
  findWord(word) {
    if (!hasDigit(word)) return undefined;
    if (isTime(word)) return { by: "text" };
    return { by: "value", any: [{ operator: "between", values: [word, `${word} 23:59:59`] }] };
  },
  value: "instant",
  result: () => ({}),
  dataType: "DATETIME",
  settings,
  clientSettings: ({ settings: { due } }) => (due ? { due: 1 } : undefined),
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [{ name: field.name, type: "timestamp(0) without time zone" }],
  parse: (input, { settings }) => dateWithin(parseInstant(input), settings),
  parseFilterValue: parseInstant,
  examples: {
    settings: {},
    good: [
      { sent: "2026-02-28 14:30:05", wire: "2026-02-28 14:30:05" },
      { sent: "2026-02-28T14:30:05.999Z", wire: "2026-02-28 14:30:05" },
      { sent: "2026-01-01T00:30+02:00", wire: "2025-12-31 22:30:00" },
      { sent: "2023-12-31 23:59:59 -0530", wire: "2024-01-01 05:29:59" },
      { sent: "02/28/2026", wire: "2026-02-28 00:00:00" },
      { sent: "2/8/2026 09:15", wire: "2026-02-08 09:15:00" },
      { sent: "02/28/2026 23:59:59", wire: "2026-02-28 23:59:59" },
      { sent: "0001-01-01 00:00:00", wire: "0001-01-01 00:00:00" },
    ],
    bad: [
      "2026-02-30 10:00:00",
      "2026-02-28 24:00:00",
      "2026-02-28 10:60",
      "2026-02-28T10",
      "2026-02-28T10:00+15:00",
      "0001-01-01T00:00:00+01:00",
      "9999-12-31T23:59:59-01:00",
      "2026-02-28 10:00 CET",
      "now",
      1767225600,
      [],
      {},
    ],
  },
};
