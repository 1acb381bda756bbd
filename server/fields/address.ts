// A postal address: an object of parts in a record, one line of text in a list. State and country are ids. A sent
// address is the whole address: a part that is not sent is emptied.

import { z } from "zod";
import { about, type Fault, fault } from "../../contract/messages.ts";
import { wordingOperators } from "./columns/operator-sets.ts";
import { oneLine, parseText, peoplesCollation } from "./columns/plain-text.ts";
import { sentParts } from "./columns/sent-parts.ts";
import { inWords } from "./columns/word-search.ts";
import {
  accept,
  type Column,
  type FieldType,
  isEmpty,
  nothing,
  type Parsed,
  type RowValue,
  refuse,
} from "./field-type.ts";
import { idColumnType, parseRecordId } from "./record-id.ts";

const settings = z.strictObject({});

interface Part {
  readonly name: string;
  /** What its column's name adds to the field's. */
  readonly suffix: string;
  readonly column: Omit<Column, "name">;
  readonly parse: (input: unknown) => Parsed;
  /** The record type whose record it names. */
  readonly references?: string;
}

const line = (name: string, suffix: string, maxLength: number): Part => ({
  name,
  suffix,
  // One collation for all: the parts are joined, searched and compared as one text.
  column: { type: "text", collation: peoplesCollation },
  parse: (input) => parseText(input, oneLine, maxLength),
});

const id = (name: string, references: string): Part => ({
  name,
  suffix: `_${name}`,
  column: { type: idColumnType.integer },
  parse: (input) => parseRecordId(input),
  references,
});

const parts: readonly Part[] = [
  line("address_line_1", "", 255),
  line("address_line_2", "_line_2", 255),
  line("city", "_city", 100),
  id("state_id", "masters/states"),
  line("zip", "_zip", 20),
  id("country_id", "masters/countries"),
];
const names = parts.map(({ name }) => name);

const ofPart = (part: string, reason: Fault): Fault => fault("bad_part", { reason: about(part, reason) });

export const address: FieldType<z.output<typeof settings>> = {
  id: "address",
  label: "Address",
  input: { template: "address", method: "address" },
  inputSettings: () => ({ parts: names }),
  references: (row) =>
    parts.flatMap(({ name, references }, index) => {
      const id = row[index];
      return references === undefined || id == null ? [] : [{ type: references, id, part: name }];
    }),
  findWord: inWords,
  isLong: true,
  dataType: "VAR_STRING",
  settings,
  sortable: false,
  searchable: true,
  operators: wordingOperators,
  columns: (field) => parts.map(({ suffix, column }) => ({ name: field.name + suffix, ...column })),
  parse(input) {
    if (isEmpty(input)) return nothing(parts.length);
    const sent = sentParts(input, names, fault("bad_address", { parts: names }));
    if ("fault" in sent) return refuse(sent.fault);
    const row: RowValue[] = [];
    const errors: Fault[] = [];
    for (const { name, parse } of parts) {
      const parsed = parse(sent.parts[name]);
      if (parsed.ok) row.push(...parsed.row);
      else errors.push(...parsed.errors.map((error) => ofPart(name, error)));
    }
    return errors.length > 0 ? refuse(...errors) : accept(...row);
  },
  select(field, at) {
    const [city, zip] = [at(`${field.name}_city`), at(`${field.name}_zip`)];
    const place = `coalesce(${zip} || ' ' || ${city}, ${zip}, ${city})`;
    const texts = [at(field.name), at(`${field.name}_line_2`), place];
    // Spelt with operators because concat_ws() is not immutable and could not be indexed.
    return `nullif(substr(${texts.map((text) => `coalesce(', ' || ${text}, '')`).join(" || ")}, 3), '')`;
  },
  present: (row) =>
    row.every((value) => value === null)
      ? null
      : Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])),
  examples: {
    settings: {},
    good: [
      {
        sent: { address_line_1: " 12 Baker  Street ", city: "London", state_id: 7, country_id: "44", zip: "NW1 6XE" },
        wire: {
          address_line_1: "12 Baker Street",
          address_line_2: null,
          city: "London",
          state_id: "7",
          country_id: "44",
          zip: "NW1 6XE",
        },
        text: "12 Baker Street, NW1 6XE London",
      },
      {
        sent: { address_line_2: "c/o O'Brien", zip: 10115 },
        wire: {
          address_line_1: null,
          address_line_2: "c/o O'Brien",
          city: null,
          state_id: null,
          country_id: null,
          zip: "10115",
        },
        text: "c/o O'Brien, 10115",
      },
      { sent: {}, wire: null },
      { sent: { address_line_1: "", city: "null" }, wire: null },
    ],
    bad: [
      "12 Baker Street",
      ["London"],
      { street: "Baker Street" },
      { city: ["London"] },
      { state_id: "CA" },
      { zip: "1".repeat(21) },
    ],
  },
};
