// A day of the calendar, without time or zone: of a sent instant it keeps the day as written.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { readMoment } from "./columns/calendar.ts";
import { areTextsInOrder, dateWithin, dayLimits, limitRules, limitSettings, outOfOrder } from "./columns/limits.ts";
import { orderOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import { byEqualValue } from "./columns/word-search.ts";
import { accept, type FieldType, type Parsed, parseScalar, refuse } from "./field-type.ts";

/** `due`: the day that something has to be done by. */
const settings = z.strictObject({ due: z.boolean().optional(), ...dayLimits }).refine(areTextsInOrder, outOfOrder);

const expectation = fault("bad_date");

const parseDay = (input: unknown): Parsed =>
  parseScalar(input, expectation, (sent) => {
    const moment = readMoment(sent);
    return moment ? accept(moment.day) : refuse(expectation);
  });

export const date: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "date",
  label: "Date",
  input: { template: "date", method: "date" },
  inputSettings: ({ settings }) => limitSettings(settings),
  rules: ({ settings }) => [{ rule: "date", params: [], message: expectation }, ...limitRules(settings, "_date")],
  write: (text, _field, { formats }) => formats.date(text),
  findWord: byEqualValue,
  value: "date",
  result: () => ({}),
  dataType: "DATE",
  settings,
  clientSettings: ({ settings: { due } }) => (due ? { due: 1 } : undefined),
  sortable: true,
  searchable: false,
  operators: orderOperators,
  columns: (field) => [{ name: field.name, type: "date" }],
  parse: (input, { settings }) => dateWithin(parseDay(input), settings),
  parseFilterValue: parseDay,
  examples: {
    settings: {},
    good: [
      { sent: "2026-02-28", wire: "2026-02-28" },
      { sent: "2024-02-29T23:30:00-05:00", wire: "2024-02-29" },
      { sent: "02/03/2026", wire: "2026-02-03" },
      { sent: "7/4/1976", wire: "1976-07-04" },
      { sent: "0001-01-01", wire: "0001-01-01" },
      { sent: "9999-12-31", wire: "9999-12-31" },
    ],
    bad: [
      "2026-02-30",
      "2025-02-29",
      "2026-13-01",
      "0000-01-01",
      "10000-01-01",
      "13/01/2026",
      "20260228",
      20260228,
      "today",
      "infinity",
      [],
      {},
    ],
  },
};
