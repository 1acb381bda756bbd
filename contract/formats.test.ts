// Times by the clock that a profile names.
import { expect, test, vi } from "vitest";
import { formatsOf } from "./formats.ts";

const evening = "2026-03-04 18:05:00";
const date = new Date("2026-03-04T18:05:00Z");

test("a profile's clock rules every time that is written, whatever the language does by itself", () => {
  for (const locale of ["en-US", "en-GB"]) {
    const [by12, by24] = [formatsOf({ locale, hours: "12" }), formatsOf({ locale, hours: "24" })];
    for (const written of [by12.dateTime(evening), by12.exact(date), by12.time(date)])
      expect(written).toMatch(/[ap]m/iu);
    for (const written of [by24.dateTime(evening), by24.exact(date), by24.time(date)]) {
      expect(written).not.toMatch(/[ap]m\b/iu);
    }
  }
});

test("without one the language decides", () => {
  expect(formatsOf({ locale: "en-US" }).time(date)).toMatch(/[ap]m/iu);
  expect(formatsOf({ locale: "en-GB", hours: null }).time(date)).not.toMatch(/[ap]m/iu);
});

test("a profile's time zone rules every instant, and no date", () => {
  const [tokyo, lima] = ["Asia/Tokyo", "America/Lima"].map((timeZone) =>
    formatsOf({ locale: "en-GB", hours: "24", timeZone }),
  );
  expect(tokyo?.dateTime(evening)).toBe("5 Mar 2026, 03:05");
  expect(lima?.dateTime(evening)).toBe("4 Mar 2026, 13:05");
  expect([tokyo?.day(date), lima?.day(date)]).toEqual(["5 Mar 2026", "4 Mar 2026"]);
  expect([tokyo?.longDay(date), lima?.longDay(date)]).toEqual(["Thursday 5 March", "Wednesday 4 March"]);
  expect([tokyo?.date("2026-03-04"), lima?.date("2026-03-04")]).toEqual(["4 Mar 2026", "4 Mar 2026"]);
  expect([tokyo?.weekday("2026-03-04"), lima?.weekday("2026-03-04")]).toEqual(["Wed", "Wed"]);
});

test("a locale may be written either way; one that is none, and a zone that is none, do not fail", () => {
  expect(formatsOf({ locale: "de_DE" }).number("1234.5")).toBe("1.234,5");
  expect(formatsOf({ locale: "not a locale" }).count(7)).toBe("7");
  expect(formatsOf({ locale: "en-GB", hours: "24", timeZone: "Nowhere/Such" }).time(date)).toBe("18:05");
});

test("formatters are made once for everybody with the same preferences", () => {
  const preferences = { locale: "fr-FR", hours: "24", timeZone: "Europe/Paris" };
  const first = formatsOf(preferences);
  const made = vi.spyOn(Intl, "DateTimeFormat");
  expect(formatsOf({ ...preferences })).toBe(first);
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});

test("a percentage is written as its language does", () => {
  expect(formatsOf({ locale: "en-US" }).percent("12.50")).toBe("12.5%");
  expect(formatsOf({ locale: "de-DE" }).percent("-3")).toBe("-3\u00a0%");
  expect(formatsOf({ locale: "en-US" }).percent("many")).toBe("many");
});

test("words are those of the language around them; digits stay as the profile writes them", () => {
  const german = formatsOf({ locale: "de-DE", words: "en-DE", hours: "24", timeZone: "UTC" });
  expect([german.date("2026-03-04"), german.number("1234.5"), german.money("1234.5", "EUR")]).toEqual([
    "04.03.2026",
    "1.234,5",
    "1.234,50\u00a0€",
  ]);
  expect([german.longDay(date), german.measure(20, "hour"), german.weekday("2026-03-04")]).toEqual([
    "Wednesday, 4 March",
    "20 hours",
    "Wed",
  ]);
  expect(german.compact(4_800_000, "EUR")).toBe("€4.8M");
  // Where a day is written with the name of its month, that is a word too.
  const french = formatsOf({ locale: "fr-FR", words: "en-FR", hours: "24", timeZone: "UTC" });
  expect([french.date("2026-03-04"), french.dateTime(evening)]).toEqual(["4 Mar 2026", "4 Mar 2026, 18:05"]);
});
