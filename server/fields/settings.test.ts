// The settings that each type refuses, and what its settings make of it. Whatever holds for all types alike is in
// conformance.test.ts.

import { describe, expect, test } from "vitest";
import type { FieldTypeId } from "../../contract/field-types.ts";
import { about, fault } from "../../contract/messages.ts";
import { rememberSource } from "../lib/json/json-source.ts";
import type { Field } from "./field-type.ts";
import { fieldType } from "./index.ts";

const option = (value: string, label = "Label") => ({ value, label });

const refused: readonly (readonly [FieldTypeId, unknown])[] = [
  ["short-text", { maxLength: 0 }],
  ["integer", { min: 2, max: 1 }],
  ["integer", { min: 1.5 }],
  ["integer", { max: "9223372036854775808" }],
  ["decimal", { precision: 39 }],
  ["decimal", { precision: 2, scale: 3 }],
  ["money", { scale: 5 }],
  ["money", { currencyField: "no field" }],
  ["choice", {}],
  ["choice", { options: [] }],
  ["choice", { options: [option("a"), option("a")] }],
  ["choice", { options: [option("a;b")] }],
  ["choice", { options: [option(" a")] }],
  ["choice", { options: [option("")] }],
  ["choice", { options: [option("null")] }],
  ["choice", { options: [option("a", "")] }],
  ["choice", { options: Array.from({ length: 501 }, (_, n) => option(String(n))) }],
  ["reference", {}],
  ["reference", { to: "leads" }],
  ["file", { accept: ["*"] }],
  ["auto-number", { prefix: " A" }],
  ["auto-number", { digits: 0 }],
];

test.each(refused)("%s refuses the settings %j", (id, settings) => {
  expect(fieldType(id).settings.safeParse(settings).success).toBe(false);
});

function fieldWith(type: FieldTypeId, settings: unknown): Field {
  return {
    name: "value",
    label: "Value",
    type,
    settings: fieldType(type).settings.parse(settings),
    required: false,
    unique: false,
    sortable: false,
    searchable: false,
    indexed: false,
    permission: 2,
    setByWorkflow: false,
    help: undefined,
    initial: undefined,
    starts: undefined,
    system: false,
  };
}

const read = (field: Field, sent: unknown) =>
  fieldType(field.type).parse(sent, field, { locale: "en-US", timeZone: "UTC" });

describe("a reference to a record with a UUID", () => {
  const field = fieldWith("reference", { to: "core/listviews", idKind: "uuid" });

  test("has a uuid column", () => {
    expect(fieldType("reference").columns(field)).toEqual([{ name: "value", type: "uuid" }]);
  });

  test("takes a UUID in lower case and nothing else", () => {
    expect(read(field, " 0198C5A0-7A3C-7CC2-8B1E-3F6D2C4E5A60 ")).toEqual({
      ok: true,
      row: ["0198c5a0-7a3c-7cc2-8b1e-3f6d2c4e5a60"],
    });
    for (const sent of ["7", "0198c5a07a3c7cc28b1e3f6d2c4e5a60", "{0198c5a0-7a3c-7cc2-8b1e-3f6d2c4e5a60}"]) {
      expect(read(field, sent).ok).toBe(false);
    }
  });
});

test("numbers without decimals are stored without a point", () => {
  const field = fieldWith("money", { scale: 0 });
  expect(fieldType("money").columns(field)).toEqual([{ name: "value", type: "numeric(19,0)" }]);
  expect(read(field, "1,500.00")).toEqual({ ok: true, row: ["1500"] });
  expect(read(field, "1.5")).toEqual({ ok: false, errors: [fault("no_decimals")] });
});

test("the sentence for a limit names the limit", () => {
  const field = fieldWith("integer", { min: 0, max: 100 });
  expect(read(field, "-1")).toEqual({ ok: false, errors: [fault("below_minimum", { min: "0" })] });
  expect(read(field, "101")).toEqual({ ok: false, errors: [fault("above_maximum", { max: "100" })] });
});

test("the sentences for an address name its parts", () => {
  expect(read(fieldWith("address", {}), { city: ["London"], state_id: "CA" })).toEqual({
    ok: false,
    errors: [
      fault("bad_part", { reason: about("city", fault("bad_text")) }),
      fault("bad_part", { reason: about("state_id", fault("bad_record_id")) }),
    ],
  });
});

test("an object of a JSON body is stored from the text it was read from", () => {
  const sent = { a: "1.10" };
  rememberSource(sent, '{"a":1.10}');
  expect(read(fieldWith("json", {}), sent)).toEqual({ ok: true, row: ['{"a": 1.10}'] });
});

test("numbers in JSON are the same however they are spelt, and differ in their last digit", () => {
  const { same } = fieldType("json");
  expect(same?.(['{"a": 1.10}'], ['{"a": 1.1}'])).toBe(true);
  expect(same?.(["[12345678901234567890]"], ["[12345678901234567891]"])).toBe(false);
  expect(same?.(['["1.0"]'], ['["1"]'])).toBe(false);
  expect(same?.([null], ["0"])).toBe(false);
});

test("texts are tidied where that can make them fit, and refused as they are where it takes megabytes", () => {
  const [shortText, phone] = [fieldWith("short-text", {}), fieldWith("phone", {})];
  const apart = (blanks: number) => `a${" ".repeat(blanks)}b`;
  expect(read(shortText, apart(10_000))).toEqual({ ok: true, row: ["a b"] });
  // Four units each as they are sent, and one once they are composed.
  const composed = "\u1f82";
  expect(read(shortText, composed.normalize("NFD").repeat(255))).toEqual({ ok: true, row: [composed.repeat(255)] });
  const tooLong = fault("much_too_long", { max: 255, length: 20_002 });
  expect(read(shortText, apart(20_000))).toEqual({ ok: false, errors: [tooLong] });
  expect(read(phone, `030${" ".repeat(900)}1234`)).toEqual({ ok: true, row: ["030 1234"] });
  expect(read(phone, `030${" ".repeat(2_000)}1234`).ok).toBe(false);
});
