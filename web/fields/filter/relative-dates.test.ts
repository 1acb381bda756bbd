import { expect, test } from "vitest";
import { readDay, readSpan, type Span, spanNames, writeDay, writeSpan } from "./relative-dates.ts";

const all: readonly Span[] = [
  ...spanNames.map((name) => ({ name })),
  { name: "last", count: 30, unit: "d" },
  { name: "last", count: 2, unit: "w" },
  { name: "next", count: 1, unit: "M" },
  { name: "next", count: 7, unit: "d" },
];

test.each([true, false])("a span is read as it was written (instants: %s)", (isInstant) => {
  for (const span of all) expect(readSpan(writeSpan(span, isInstant), isInstant)).toEqual(span);
});

test("ends are within: a day by a day, an instant by a second", () => {
  expect(writeSpan({ name: "today" }, false)).toEqual(["{{TODAY}}", "{{TODAY}}"]);
  expect(writeSpan({ name: "today" }, true)).toEqual(["{{TODAY}}", "{{TODAY}}+1d-1s"]);
  expect(writeSpan({ name: "last_month" }, false)).toEqual(["{{THIS_MONTH}}-1M", "{{THIS_MONTH}}-1d"]);
  expect(writeSpan({ name: "last", count: 30, unit: "d" }, false)).toEqual(["{{TODAY}}-30d", "{{TODAY}}"]);
  expect(readSpan(["2026-01-01", "2026-02-01"], false)).toBeUndefined();
});

test("a day is told from an exact date", () => {
  for (const day of [
    { count: 0, unit: "d" },
    { count: -3, unit: "w" },
    { count: 2, unit: "M" },
  ] as const) {
    expect(readDay(writeDay(day))).toEqual(day);
  }
  expect(readDay("2026-01-01")).toBeUndefined();
});
