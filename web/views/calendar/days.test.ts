import { expect, test } from "vitest";
import { addMonths, boundsOf, daysOf, inYearOf, onDay, placeOf } from "./days.ts";

test("a month shows whole weeks from Monday to Sunday", () => {
  const days = daysOf("2026-11-15", "month");
  expect([days[0], days.at(-1), days.length]).toEqual(["2026-10-26", "2026-12-06", 42]);
  // A February that fills its weeks.
  expect(daysOf("2027-02-10", "month")).toHaveLength(28);
  expect(daysOf("2026-11-15", "week")).toEqual(
    [9, 10, 11, 12, 13, 14, 15].map((day) => `2026-11-${String(day).padStart(2, "0")}`),
  );
});

test("months follow on each other, whatever the day", () => {
  expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
  expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
});

test("a date is the same day everywhere, and stays without a time", () => {
  expect(placeOf("2026-03-09", false, "UTC")).toEqual({ day: "2026-03-09" });
  expect(placeOf(null, false, "UTC")).toBeUndefined();
  expect(onDay("2026-03-09", "2026-03-12", false, "UTC")).toBe("2026-03-12");
  expect(boundsOf("2026-03-01", "2026-03-31", false, "UTC")).toEqual(["2026-03-01", "2026-03-31"]);
});

test("an instant that moves to another day keeps its time there", () => {
  // Ten past eleven in the evening of the ninth in Tokyo; the clocks of Berlin go forward in between.
  expect(placeOf("2026-03-09 14:10:00", true, "Asia/Tokyo")?.day).toBe("2026-03-09");
  expect(placeOf("2026-03-09 15:10:00", true, "Asia/Tokyo")?.day).toBe("2026-03-10");
  expect(onDay("2026-03-09 14:10:00", "2026-03-12", true, "Asia/Tokyo")).toBe("2026-03-12 14:10:00");
  expect(onDay("2026-03-28 08:00:00", "2026-03-30", true, "Europe/Berlin")).toBe("2026-03-30 07:00:00");
  expect(onDay(null, "2026-03-12", true, "Asia/Tokyo")).toBe("2026-03-12 00:00:00");
  expect(boundsOf("2026-03-01", "2026-03-31", true, "Europe/Berlin")).toEqual([
    "2026-02-28 23:00:00",
    "2026-03-31 21:59:59",
  ]);
});

test("a birthday comes every year, that of 29 February too", () => {
  expect(inYearOf("1980-03-09", daysOf("2026-03-01", "month"))).toBe("2026-03-09");
  expect(inYearOf("1980-02-29", daysOf("2026-02-01", "month"))).toBe("2026-02-28");
  expect(inYearOf("1980-02-29", daysOf("2028-02-01", "month"))).toBe("2028-02-29");
  expect(inYearOf("1980-07-01", daysOf("2026-03-01", "month"))).toBeUndefined();
});
