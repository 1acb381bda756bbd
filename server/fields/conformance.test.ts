// What every registered field type must keep to, checked by its own examples, by random values, and on a real PostgreSQL.

import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FieldTypeId, fieldTypeIds } from "../../contract/field-types.ts";
import { about, type Fault } from "../../contract/messages.ts";
import { languages, write } from "../../contract/texts/write.ts";
import { testDatabase } from "../../test/database.ts";
import { type AnyFieldType, type Field, operators, type ParseContext, type RowValue } from "./field-type.ts";
import { fieldType, fieldTypes } from "./index.ts";

/** About the field, in every language, with nothing left to fill in. */
const SENTENCE = /^Label[ :](?:[^{}]*[^.{}\s])\nLabel[ :](?:[^{}]*[^.{}\s])$/su;
const inWords = (wrong: Fault): string =>
  languages.map((language) => write(about("Label", wrong), language)).join("\n");

const context: ParseContext = { locale: "en-US", timeZone: "America/New_York" };

/** Named after a reserved word, so that a forgotten quote shows. */
function exampleField(type: AnyFieldType): Field {
  return {
    name: "order",
    label: "Order",
    type: type.id,
    settings: type.settings.parse(type.examples.settings),
    required: false,
    unique: false,
    sortable: type.sortable,
    searchable: type.searchable,
    indexed: false,
    permission: 2,
    setByWorkflow: false,
    help: undefined,
    initial: undefined,
    starts: undefined,
    system: false,
  };
}

function accepted(type: AnyFieldType, field: Field, sent: unknown): readonly RowValue[] {
  const parsed = type.parse(sent, field, context);
  if (!parsed.ok) throw new Error(`${type.id} refuses ${fc.stringify(sent)}: ${parsed.errors.join("; ")}`);
  return parsed.row;
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength });
const decimals = (whole: number, scale: number) =>
  fc.tuple(fc.constantFrom("", "-", "+"), digits(1, whole), digits(0, scale)).map(([s, w, f]) => `${s}${w}.${f}`);
const bigint = (min: bigint) => fc.bigInt({ min, max: 2n ** 63n - 1n }).map(String);
const instants = fc
  .date({ min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-30T23:59:59.999Z"), noInvalidDate: true })
  .map((instant) => instant.toISOString());
const offsets = fc.constantFrom("Z", "+00", "+05:30", "-0800", "+14:00", "-12:00");
/** Any script and white space, short enough for every part of every example. */
const wording = fc
  .string({ unit: "grapheme", maxLength: 8 })
  .filter((text) => !/\p{Cc}/u.test(text) && [...text.normalize("NFC")].length < 20);
const jsonNumbers = fc
  .tuple(fc.integer(), digits(1, 25), fc.integer({ min: -60, max: 60 }))
  .map(([whole, fraction, exponent]) => `${whole}.${fraction}e${exponent}`);
const jsonTexts = fc.oneof(
  fc.json(),
  fc.json({ stringUnit: "grapheme" }),
  fc.array(jsonNumbers).map((numbers) => `[${numbers}]`),
  fc.dictionary(fc.string({ unit: "grapheme" }), jsonNumbers).map((members) => {
    const written = Object.entries(members).map(([key, number]) => `${JSON.stringify(key)} :${number}`);
    return `{${written.join(",")}}`;
  }),
);

/** Values that must be accepted and come back as the very texts that were stored. */
const valid: { readonly [id in FieldTypeId]?: fc.Arbitrary<unknown> } = {
  "short-text": wording,
  "long-text": fc.tuple(wording, fc.constantFrom("\n", "\r\n", "\t", " "), wording).map((parts) => parts.join("")),
  integer: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 1_000_000n }).map(String), fc.integer({ max: 1_000_000 })),
  decimal: decimals(20, 4),
  money: fc.oneof(
    decimals(17, 2),
    fc.integer().map((whole) => whole.toLocaleString("en-US")),
  ),
  percent: decimals(7, 2).map((text) => `${text} %`),
  flag: fc.oneof(fc.boolean(), fc.constantFrom("TRUE", "False", "on", "OFF", "yes", "No", 0, 1)),
  date: fc.oneof(
    instants,
    instants.map((text) => text.slice(0, 10)),
  ),
  "date-time": fc.oneof(
    instants,
    fc.tuple(instants, offsets).map(([text, offset]) => text.slice(0, -1) + offset),
    instants.map((text) => text.replace(/^(\d+)-(\d+)-(\d+)T([\d:]+).*$/u, "$2/$3/$1 $4")),
  ),
  "multiple-choice": fc.array(
    fc.constantFrom("red", "Dark blue", "dark blue", 'a "quoted", {braced} \\ one', "Null", "han"),
  ),
  reference: bigint(1n),
  image: bigint(1n),
  file: bigint(1n),
  address: fc.record(
    {
      address_line_1: wording,
      address_line_2: wording,
      city: wording,
      zip: wording,
      state_id: bigint(1n),
      country_id: bigint(1n),
    },
    { requiredKeys: [] },
  ),
  json: jsonTexts,
  "geo-point": fc.oneof(
    fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    fc.tuple(decimals(1, 9), decimals(2, 9)).map(String),
  ),
};

const utf16 = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

/** Values of every shape, with an eye to those that this type nearly accepts. */
function anything(type: AnyFieldType): fc.Arbitrary<unknown> {
  const sent = [...type.examples.good.map((good) => good.sent), ...type.examples.bad];
  const texts = sent.filter((value) => typeof value === "string");
  const altered = fc
    .tuple(fc.constantFrom("", ...texts), fc.nat(40), fc.oneof(utf16, fc.string({ maxLength: 3 })))
    .map(([text, at, extra]) => text.slice(0, at) + extra + text.slice(at + extra.length));
  return fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true, withNullPrototype: true }),
    fc.string({ unit: "binary" }),
    utf16,
    altered,
    fc.emailAddress(),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.dictionary(fc.constantFrom("lat", "lon", "city", "zip", "state_id", "address_line_1"), altered),
  );
}

const quoted = (name: string): string => pg.escapeIdentifier(name);

/** A table with the columns of one field, in a database that gives every value as PostgreSQL spells it. */
function storage(type: AnyFieldType, field: Field, client: () => pg.Client) {
  const table = quoted(`field_${type.id}`);
  const columns = type.columns(field);
  const expression = type.select(field, quoted);
  return {
    table,
    columns,
    expression,
    async create() {
      const definitions = columns.map(
        ({ name, type: sql, collation }) => `${quoted(name)} ${sql}${collation ? ` collate ${quoted(collation)}` : ""}`,
      );
      await client().query(`create temporary table ${table} (n integer primary key, ${definitions.join(", ")})`);
    },
    /** What comes back for each row: its columns, then the list's value. */
    async roundTrip(rows: readonly (readonly RowValue[])[]) {
      await client().query(`truncate ${table}`);
      const parameters = columns.map((_, index) => `$${index + 2}`);
      for (const [n, row] of rows.entries()) {
        await client().query(`insert into ${table} values ($1, ${parameters.join(", ")})`, [n, ...row]);
      }
      const { rows: stored } = await client().query<RowValue[]>({
        text: `select ${columns.map(({ name }) => quoted(name)).join(", ")}, ${expression} from ${table} order by n`,
        rowMode: "array",
      });
      return stored.map((values) => ({ row: values.slice(0, -1), text: values.at(-1) ?? null }));
    },
  };
}

test("the registry lists every type of the contract under its own id", () => {
  expect(Object.keys(fieldTypes)).toEqual([...fieldTypeIds]);
  for (const id of fieldTypeIds) expect(fieldType(id).id).toBe(id);
});

let database: Awaited<ReturnType<typeof testDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ ...database.connection, types: { getTypeParser: () => (text: unknown) => text } });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.close();
});

describe.each(fieldTypeIds.map((id) => ({ id, type: fieldType(id) })))("$id", ({ type }) => {
  const field = exampleField(type);
  const { good, bad, settings } = type.examples;

  test("takes the settings of its examples and refuses unknown ones", () => {
    expect(type.settings.safeParse({ ...settings, no_such_setting: 1 }).success).toBe(false);
    expect(type.settings.parse(field.settings)).toEqual(field.settings);
  });

  test("names a label, a data type and operators, each operator once", () => {
    expect(type.label).toMatch(/^\p{Lu}/u);
    expect(["VAR_STRING", "BLOB", "LONGLONG", "NEWDECIMAL", "TINY", "DATE", "DATETIME"]).toContain(type.dataType);
    expect(operators).toEqual(expect.arrayContaining([...type.operators]));
    expect(type.operators).toEqual([...new Set(type.operators)]);
    expect(type.operators).toEqual(expect.arrayContaining(["is null", "is not null"]));
  });

  test("tells a form how to show it and what a client can check, in words that follow a label", () => {
    expect(type.input.template).toMatch(/^[a-z]+$/u);
    expect(type.input.method).toMatch(/^[a-z_]+$/u);
    expect(JSON.parse(JSON.stringify(type.inputSettings?.(field) ?? {}))).toEqual(type.inputSettings?.(field) ?? {});
    for (const { rule, message } of type.rules?.(field) ?? []) {
      expect(rule).toMatch(/^(?:[a-z_]+|\\kernel\\validation::[a-zA-Z]+)$/u);
      expect(inWords(message)).toMatch(SENTENCE);
    }
  });

  test("names records and display texts for good values only", () => {
    for (const { sent, wire } of good) {
      for (const named of type.references?.(accepted(type, field, sent), field) ?? []) {
        expect(named.type).toMatch(/^[a-z_]+\/[a-z_]+$/u);
        expect(named.id).not.toBe("");
      }
      expect(typeof (type.display?.(wire, field) ?? "")).toBe("string");
    }
    expect(type.references?.(accepted(type, field, null), field) ?? []).toEqual([]);
    expect(type.display?.(null, field) ?? null).toBeNull();
  });

  test("has columns of which the first carries the field's name and all begin with it", () => {
    const names = type.columns(field).map(({ name }) => name);
    expect(names[0]).toBe(field.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name.startsWith(field.name)).toBe(true);
  });

  test.each(good)("presents $sent as $wire, and takes that back unchanged", ({ sent, wire }) => {
    const row = accepted(type, field, sent);
    expect(row).toHaveLength(type.columns(field).length);
    expect(type.present(row, field)).toEqual(wire);
    expect(accepted(type, field, wire)).toEqual(row);
    expect(type.same?.(row, row) ?? true).toBe(true);
  });

  test.each(["", "null", null, undefined, " \t\n", " null "])("takes %j for NULL", (sent) => {
    const row = accepted(type, field, sent);
    expect(row).toEqual(type.columns(field).map(() => null));
    expect(type.present(row, field)).toBeNull();
  });

  test.each(bad.map((sent) => ({ sent })))("refuses $sent in words that follow a label", ({ sent }) => {
    const parsed = type.parse(sent, field, context);
    if (parsed.ok) throw new Error(`accepted as ${JSON.stringify(parsed.row)}`);
    expect(parsed.errors.length).toBeGreaterThan(0);
    for (const error of parsed.errors) expect(inWords(error)).toMatch(SENTENCE);
  });

  test("reads anything without throwing, and its own wire without changing it", () => {
    fc.assert(
      fc.property(anything(type), (sent) => {
        const parsed = type.parse(sent, field, context);
        if (!parsed.ok) return;
        expect(parsed.row).toHaveLength(type.columns(field).length);
        expect(accepted(type, field, type.present(parsed.row, field))).toEqual(parsed.row);
      }),
      { numRuns: 500 },
    );
  });

  describe("on PostgreSQL", () => {
    const stored = storage(type, field, () => client);

    beforeAll(() => stored.create());

    test("has columns whose types and collations are spelt as PostgreSQL spells them", async () => {
      const { rows } = await client.query({
        text: `select attname, format_type(atttypid, atttypmod), nullif(collname, 'default')
               from pg_attribute left join pg_collation on pg_collation.oid = attcollation
               where attrelid = $1::regclass and attnum > 1 order by attnum`,
        values: [stored.table],
        rowMode: "array",
      });
      expect(rows).toEqual(stored.columns.map(({ name, type: sql, collation = null }) => [name, sql, collation]));
    });

    test("gives every good example back as it was stored, and lists its wire value", async () => {
      const rows = good.map(({ sent }) => accepted(type, field, sent));
      const back = await stored.roundTrip(rows);
      expect(back).toEqual(good.map(({ wire, text = wire }, n) => ({ row: rows[n], text })));
    });

    test("lists NULL for an unset value", async () => {
      expect(await stored.roundTrip([accepted(type, field, null)])).toMatchObject([{ text: null }]);
    });

    test("stores whatever it accepts, and gives it back as it was stored", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anything(type), { minLength: 10, maxLength: 40 }), async (values) => {
          const rows = values.flatMap((sent) => {
            const parsed = type.parse(sent, field, context);
            return parsed.ok ? [parsed.row] : [];
          });
          expect((await stored.roundTrip(rows)).map(({ row }) => row)).toEqual(rows);
        }),
        { numRuns: 20 },
      );
    });

    const values = valid[type.id];
    if (values) {
      test("accepts random valid values and gives them back as they were stored", async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 25 }), async (sent) => {
            const rows = sent.map((value) => accepted(type, field, value));
            const back = await stored.roundTrip(rows);
            expect(back.map(({ row }) => row)).toEqual(rows);
            for (const { row, text } of back) {
              const wire = type.present(row, field);
              if (wire === null || typeof wire === "string") expect(text).toBe(wire);
            }
          }),
          { numRuns: 25 },
        );
      });
    }

    test("can be sorted by, searched in and indexed where it says so", async () => {
      const { table, expression } = stored;
      if (type.sortable) await client.query(`select n from ${table} order by ${expression}, n`);
      if (type.operators.includes("contains")) {
        await client.query(`select n from ${table} where ${expression} ilike $1`, ["%a%"]);
      }
      if (type.searchable) await client.query(`create index on ${table} ((lower(${expression})))`);
    });
  });
});
