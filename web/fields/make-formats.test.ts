// Times by the clock that a profile names.
import { expect, test } from "vitest";
import { formatsOf } from "./make-formats.ts";

const evening = "2026-03-04 18:05:00";
const date = new Date("2026-03-04T18:05:00Z");

test("a profile's clock rules every time that is written, whatever the language does by itself", () => {
  for (const language of ["en-US", "en-GB"]) {
    const [by12, by24] = [formatsOf(language, "12"), formatsOf(language, "24")];
    for (const written of [by12.dateTime(evening), by12.exact(date), by12.time(date)])
      expect(written).toMatch(/[ap]m/iu);
    for (const written of [by24.dateTime(evening), by24.exact(date), by24.time(date)]) {
      expect(written).not.toMatch(/[ap]m\b/iu);
    }
  }
});

test("without one the language decides", () => {
  expect(formatsOf("en-US").time(date)).toMatch(/[ap]m/iu);
  expect(formatsOf("en-GB", null).time(date)).not.toMatch(/[ap]m/iu);
});
