import fc from "fast-check";
import { expect, test } from "vitest";
import { changeOf, comparedSpans, ownSpan, plusDays } from "./spans.ts";

const spelled = (text: string, today: string) => {
  const spans = comparedSpans(text, today);
  return spans && [spans.whole, spans.now, spans.before].map(({ from, to }) => `${from}..${to}`);
};

test("a running period is compared with the same days of the one before", () => {
  expect(spelled("month", "2026-11-16")).toEqual([
    "2026-11-01..2026-11-30",
    "2026-11-01..2026-11-16",
    "2026-10-01..2026-10-16",
  ]);
  // A shorter month has come to its end.
  expect(spelled("month", "2026-03-31")?.[2]).toBe("2026-02-01..2026-02-28");
  expect(spelled("quarter", "2026-11-16")?.slice(1)).toEqual(["2026-10-01..2026-11-16", "2026-07-01..2026-08-16"]);
  expect(spelled("year", "2024-02-29")?.slice(1)).toEqual(["2024-01-01..2024-02-29", "2023-01-01..2023-02-28"]);
});

test("what is over is compared with all of what came before it", () => {
  expect(spelled("last_month", "2026-01-05")?.slice(1)).toEqual(["2025-12-01..2025-12-31", "2025-11-01..2025-11-30"]);
  expect(spelled("2026-03-01..2026-03-10", "2026-11-16")?.slice(1)).toEqual([
    "2026-03-01..2026-03-10",
    "2026-02-19..2026-02-28",
  ]);
});

test("a text that names no span is none", () => {
  for (const text of ["", "decade", "2026-02-30..2026-03-01", "2026-03-02..2026-03-01", "2026-03-01", "a..b"]) {
    expect(comparedSpans(text, "2026-11-16")).toBeUndefined();
  }
});

test("the range before one's own is as long, and ends the day before", () => {
  const day = fc.integer({ min: -20_000, max: 20_000 }).map((days) => plusDays("2026-01-01", days));
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 800 }), (from, length) => {
      const to = plusDays(from, length);
      const spans = comparedSpans(`${from}..${to}`, "2026-01-01");
      expect(ownSpan(`${from}..${to}`)).toEqual({ from, to });
      expect(spans?.before).toEqual({ from: plusDays(from, -length - 1), to: plusDays(from, -1) });
    }),
  );
});

test("a change is a share of what was before, and says so where there was nothing", () => {
  expect(changeOf("112", "100")).toEqual({ direction: "up", percent: 12 });
  expect(changeOf("50", "100")).toEqual({ direction: "down", percent: -50 });
  expect(changeOf("5", "5")).toEqual({ direction: "same", percent: 0 });
  expect(changeOf("5", "0")).toEqual({ direction: "up", percent: undefined });
  expect(changeOf("-5", "-10")?.percent).toBe(50);
  expect(changeOf(null, "5")).toBeUndefined();
});
