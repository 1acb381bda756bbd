import fc from "fast-check";
import { expect, test } from "vitest";
import { clockAt, instantIn } from "./zones.ts";

test.each([
  ["2026-03-29T00:00", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30T00:00", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-01-01T00:00", "Pacific/Auckland", "2025-12-31T11:00:00.000Z"],
  ["2026-01-01T00:00", "America/St_Johns", "2026-01-01T03:30:00.000Z"],
  // Half past two does not exist on the day the clocks go forward, and exists twice on the day they go back.
  ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["2026-05-01T12:00", "Nowhere/Such", "2026-05-01T12:00:00.000Z"],
])("a clock shows %s in %s at %s", (local, zone, instant) => {
  expect(instantIn(local, zone)?.toISOString()).toBe(instant);
});

test("what is no time has no instant", () => {
  for (const text of ["", "tomorrow", "2026-02-32T10:00"]) expect(instantIn(text, "UTC")).toBeUndefined();
});

test("what a clock shows leads back to a moment at which it shows that", () => {
  const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe");
  const dates = fc.date({ min: new Date("1990-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(dates, zones, (date, zone) => {
      const shown = clockAt(date, zone);
      const back = instantIn(shown, zone);
      expect(back && clockAt(back, zone)).toBe(shown);
    }),
  );
});
