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
  expect(placeOf("2026-03-09", false)).toEqual({ day: "2026-03-09" });
  expect(placeOf(null, false)).toBeUndefined();
  expect(onDay("2026-03-09", "2026-03-12", false)).toBe("2026-03-12");
  expect(boundsOf("2026-03-01", "2026-03-31", false)).toEqual(["2026-03-01", "2026-03-31"]);
});

test("an instant that moves to another day keeps its time there", () => {
  const before = "2026-03-09 14:30:00";
  const after = onDay(before, "2026-03-12", true);
  expect(placeOf(after, true)?.day).toBe("2026-03-12");
  expect(placeOf(after, true)?.date?.getHours()).toBe(placeOf(before, true)?.date?.getHours());
});

test("a birthday comes every year, that of 29 February too", () => {
  expect(inYearOf("1980-03-09", daysOf("2026-03-01", "month"))).toBe("2026-03-09");
  expect(inYearOf("1980-02-29", daysOf("2026-02-01", "month"))).toBe("2026-02-28");
  expect(inYearOf("1980-02-29", daysOf("2028-02-01", "month"))).toBe("2028-02-29");
  expect(inYearOf("1980-07-01", daysOf("2026-03-01", "month"))).toBeUndefined();
});
