// What an input shows for a day or a moment is how the profile writes it, and typing it back gives the same.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatsOf } from "../../../contract/formats.ts";
import { writtenDay, writtenMoment } from "./written-date.ts";

const day = (locale: string) => writtenDay(formatsOf({ locale, timeZone: "UTC" }), locale);
const moment = (locale: string, hours: string, timeZone: string) =>
  writtenMoment(formatsOf({ locale, hours, timeZone }), locale, timeZone);

test.each([
  ["en-US", "Mar 4, 2026"],
  ["en-GB", "4 Mar 2026"],
  ["de-DE", "04.03.2026"],
])("a day in %s is %s", (locale, shown) => {
  expect(day(locale).write("2026-03-04")).toBe(shown);
  expect(day(locale).read(shown)).toBe("2026-03-04");
});

test.each([
  ["en-US", "12", "America/Lima", /^Mar 4, 2026, 6:05\sPM$/u],
  ["de-DE", "24", "Europe/Berlin", /^05\.03\.2026, 00:05$/u],
  ["ar", "12", "UTC", /11:05\s?م/u],
])("a moment in %s with %s hours in %s", (locale, hours, zone, shown) => {
  const written = moment(locale, hours, zone);
  expect(written.write("2026-03-04 23:05:00")).toMatch(shown);
  expect(written.read(written.write("2026-03-04 23:05:00"))).toBe("2026-03-04 23:05:00");
});

test("what is typed by digits is read in the order of the language", () => {
  expect(day("en-US").read("3/4/2026")).toBe("2026-03-04");
  expect(day("en-GB").read("3/4/2026")).toBe("2026-04-03");
  expect(day("ar").read("٤/٣/٢٠٢٦")).toBe("2026-03-04");
  expect(day("de-DE").read("2026-03-04")).toBe("2026-03-04");
});

test("what cannot be read stays as it was typed", () => {
  expect(day("en-US").read("soon")).toBeUndefined();
  expect([day("en-US").write("soon"), day("en-US").isSound("soon")]).toEqual(["soon", false]);
  expect(moment("en-US", "24", "UTC").write("soon")).toBe("soon");
});

test("what the calendar or the clock does not have stays as it was typed", () => {
  const [days, moments] = [day("en-US"), moment("en-US", "24", "UTC")];
  for (const text of ["2026-02-30", "2026-13-01", "2026-00-10"]) {
    expect([days.isSound(text), days.write(text), days.dayOf(text)]).toEqual([false, text, null]);
    const late = `${text} 10:00:00`;
    expect([moments.isSound(late), moments.write(late), moments.dayOf(late)]).toEqual([false, late, null]);
  }
  expect([days.isSound("2024-02-29"), moments.isSound("2024-02-29 23:59:59")]).toEqual([true, true]);
  expect(moments.isSound("2024-02-29 24:00:00")).toBe(false);
});

test("a day from the calendar keeps the time of day, where the reader is", () => {
  const written = moment("de-DE", "24", "Europe/Berlin");
  expect(written.withDay("2026-03-04 23:05:00", "2026-07-01")).toBe("2026-06-30 22:05:00");
  expect(written.withDay("", "2026-07-01")).toBe("2026-06-30 22:00:00");
  expect(written.dayOf("2026-03-04 23:05:00")).toBe("2026-03-05");
});

describe("whatever the language, the clock and the zone", () => {
  const locales = fc.constantFrom(
    "en-US",
    "en-GB",
    "de-DE",
    "fr-FR",
    "ar",
    "ar-EG",
    "ja-JP",
    "fa-IR",
    "th-TH",
    "hi-IN",
  );
  const dates = fc.date({ min: new Date("1970-01-02"), max: new Date("2068-12-30"), noInvalidDate: true });

  test("what is shown reads back as the same", () => {
    fc.assert(
      fc.property(locales, dates, fc.constantFrom("12", "24"), (locale, date, hours) => {
        const iso = date.toISOString();
        const written = day(locale);
        expect(written.read(written.write(iso.slice(0, 10)))).toBe(iso.slice(0, 10));
        const value = `${iso.slice(0, 16).replace("T", " ")}:00`;
        const exact = moment(locale, hours, "UTC");
        expect(exact.read(exact.write(value))).toBe(value);
      }),
    );
  });
});
