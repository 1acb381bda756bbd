import fc from "fast-check";
import { expect, test } from "vitest";
import { clipboardText, readText } from "../field-value.ts";
import { readDay } from "./read-day.ts";
import { readNumber } from "./read-number.ts";

const reader = { locale: "en-US", timeZone: "Asia/Tokyo", yes: "Yes", no: "No" };

test.each<[string, string, string | undefined]>([
  ["1234.5", "en-US", "1234.5"],
  ["1,234,567.50", "en-US", "1234567.50"],
  ["1,234", "en-US", "1234"],
  ["1,23", "en-US", "1.23"],
  ["€ 1.234,50", "de", "1234.50"],
  ["1.234", "de", "1234"],
  ["1.23", "de", "1.23"],
  ["1 234,5 EUR", "fr", "1234.5"],
  ["(1,234.00)", "en-US", "-1234.00"],
  ["−12 %", "en-US", "-12"],
  ["١٬٢٣٤٫٥", "ar", "1234.5"],
  ["007", "en-US", "7"],
  [".5", "en-US", "0.5"],
  ["1,2,3", "en-US", undefined],
  ["12 apples", "en-US", undefined],
  ["", "en-US", undefined],
  ["-", "en-US", undefined],
])("reads the number %s of %s", (text, locale, number) => {
  expect(readNumber(text, locale)).toBe(number);
});

test("every number is read back as its language writes it", () => {
  const locales = fc.constantFrom("en-US", "de", "fr", "de-CH", "en-IN", "ar-EG", "es", "pl");
  fc.assert(
    fc.property(locales, fc.integer({ min: -99_999_999, max: 99_999_999 }), (locale, cents) => {
      const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(cents / 100);
      expect(Number(readNumber(written, locale))).toBe(cents / 100);
    }),
  );
});

test("every day is read back as its language writes it, and as ISO 8601", () => {
  const locales = fc.constantFrom("en-US", "en-GB", "de", "fr", "sv", "ja", "ar-EG", "es");
  const days = fc.date({ min: new Date("1970-01-01"), max: new Date("2068-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(locales, days, fc.constantFrom("short", "medium" as const), (locale, date, dateStyle) => {
      const iso = date.toISOString().slice(0, 10);
      const written = new Intl.DateTimeFormat(locale, {
        timeZone: "UTC",
        calendar: "gregory",
        ...(dateStyle === "medium" ? { dateStyle } : { year: "numeric", month: "2-digit", day: "2-digit" }),
      }).format(date);
      expect(readDay(written, locale)?.day).toBe(iso);
      expect(readDay(iso, locale)?.day).toBe(iso);
    }),
  );
});

test("days that are not in the calendar, and texts that are none, are refused", () => {
  for (const text of ["2026-02-30", "31/12/2026", "13/13/2026", "tomorrow", "2026", "15 Nov", "99:99"]) {
    expect(readDay(text, "en-US"), text).toBeUndefined();
  }
  expect(readDay("31/12/2026", "en-GB")?.day).toBe("2026-12-31");
});

test("times are read with halves of the day and zones", () => {
  expect(readDay("2026-11-15T13:45:10Z", "en-US")).toEqual({ day: "2026-11-15", minutes: 825, seconds: 10, offset: 0 });
  expect(readDay("Nov 15, 2026, 1:45 PM", "en-US")).toMatchObject({
    day: "2026-11-15",
    minutes: 825,
    offset: undefined,
  });
  expect(readDay("15.11.2026 00:05", "de")).toMatchObject({ day: "2026-11-15", minutes: 5 });
  expect(readText({ type: "date-time" }, "2026-11-15 13:45 +02:00", reader)).toEqual({ value: "2026-11-15 11:45:00" });
  // Without a zone, the reader's own: nine hours ahead in Tokyo.
  expect(readText({ type: "date-time" }, "2026-11-15 13:45", reader)).toEqual({ value: "2026-11-15 04:45:00" });
});

const options = [
  { value: "new", label: "New" },
  { value: "in_work", label: "In work, soon" },
  { value: "won", label: "Won" },
];

test("choices are read by label or value, several of them by any mark", () => {
  expect(readText({ type: "choice", options }, " in work, soon ", reader)).toEqual({ value: "in_work" });
  expect(readText({ type: "choice", options }, "won", reader)).toEqual({ value: "won" });
  expect(readText({ type: "choice", options }, "lost", reader)).toEqual({ why: "choice" });
  expect(readText({ type: "multiple-choice", options }, "New; Won", reader)).toEqual({ value: "new;won" });
  expect(readText({ type: "multiple-choice", options }, "new, won, new", reader)).toEqual({ value: "new;won" });
  expect(readText({ type: "multiple-choice", options }, "New; Lost", reader)).toEqual({ why: "choices" });
});

test("what is empty empties, and flags are never empty", () => {
  expect(readText({ type: "short-text" }, "  ", reader)).toEqual({ value: null });
  expect(readText({ type: "flag" }, "", reader)).toEqual({ value: "0" });
  expect(readText({ type: "flag" }, "TRUE", reader)).toEqual({ value: "1" });
  expect(readText({ type: "flag" }, "maybe", reader)).toEqual({ why: "yes_no" });
  expect(readText({ type: "integer" }, "1.5", reader)).toEqual({ why: "whole_number" });
  expect(readText({ type: "integer" }, "12.0", reader)).toEqual({ value: "12" });
  expect(readText({ type: "reference" }, "Ada Byron", reader)).toEqual({ name: "Ada Byron" });
});

test("stars are read as a number, out of as many as there are, and as they are drawn", () => {
  const field = { type: "rating", settings: { max: 5 } } as const;
  const read = (text: string) => readText(field, text, reader);
  for (const text of ["3", "3/5", " 3 / 5 ", "3.0", "٣", "★★★", "★★★☆☆"])
    expect([text, read(text)]).toEqual([text, { value: "3" }]);
  for (const text of ["3/10", "three", "☆☆"]) expect([text, read(text)]).toEqual([text, { why: "number" }]);
  expect(read("3.5")).toEqual({ why: "whole_number" });
  expect(read("")).toEqual({ value: null });
});

test("what is taken along is read back as it was", () => {
  const words = { yes: "Yes", no: "No", timeZone: reader.timeZone };
  const cells = [
    [{ type: "money" }, "1234.50"],
    [{ type: "date" }, "2026-11-15"],
    [{ type: "date-time" }, "2026-11-15 13:45:00"],
    [{ type: "flag" }, "1"],
    [{ type: "rating" }, "4"],
    [{ type: "choice", options }, "in_work"],
    [{ type: "multiple-choice", options }, "in_work;won"],
    [{ type: "long-text" }, "two\nlines"],
  ] as const;
  for (const [field, value] of cells) {
    expect(readText(field, clipboardText(field, { value }, words), reader)).toEqual({ value });
  }
});
