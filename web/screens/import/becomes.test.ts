import { expect, test } from "vitest";
import type { SchemaField } from "../../../client/design/record-types.ts";
import { formatsOf } from "../../../contract/formats.ts";
import { becomes } from "./becomes.ts";

const formats = formatsOf({ locale: "en-US", timeZone: "UTC" });
const reader = { locale: "en-US", timeZone: "UTC", yes: "Yes", no: "No" };
const options = [{ value: "hot", label: "Hot" }];
const field = (type: SchemaField["type"]) => ({ type, options, scale: 2 }) as unknown as SchemaField;

test.each([
  ["date", "03/04/2026", "dmy", ".", "Apr 3, 2026"],
  ["date", "03/04/2026", "mdy", ".", "Mar 4, 2026"],
  ["date", "2026-04-03", "mdy", ".", "Apr 3, 2026"],
  ["date", "26/04/03", "ymd", ".", "Apr 3, 2026"],
  ["date", "3.4.68", "dmy", ".", "Apr 3, 2068"],
  ["date", "3.4.69", "dmy", ".", "Apr 3, 1969"],
  ["decimal", "1.234,50", "dmy", ",", "1,234.50"],
  ["decimal", "1,234.50", "dmy", ".", "1,234.50"],
  ["choice", "HOT", "dmy", ".", "Hot"],
  ["short-text", "as it is", "dmy", ".", "as it is"],
  ["date", "", "dmy", ".", ""],
] as const)("%s %j, written %s and with %j, becomes %j", (type, cell, order, sign, text) => {
  const dialect = { date_order: order, decimal_sign: sign, format: "csv" } as const;
  expect(becomes(cell, field(type), dialect, formats, reader)).toEqual({ text, isInvalid: false });
});

test.each([
  ["date", "31/31/2026"],
  ["decimal", "many"],
  ["choice", "lukewarm"],
] as const)("%s %j is marked and stays as it is", (type, cell) => {
  const dialect = { date_order: "dmy", decimal_sign: ".", format: "csv" } as const;
  expect(becomes(cell, field(type), dialect, formats, reader)).toEqual({ text: cell, isInvalid: true });
});

test("a number of JSON has a point, whatever the decimal sign of texts", () => {
  const shown = (format: "csv" | "json", cell: string) =>
    becomes(cell, field("decimal"), { date_order: "dmy", decimal_sign: ",", format }, formats, reader).text;
  expect([shown("json", "1.125"), shown("json", "1.234,5"), shown("csv", "1.125")]).toEqual([
    shown("csv", "1,125"),
    shown("csv", "1234,5"),
    shown("csv", "1125"),
  ]);
});
