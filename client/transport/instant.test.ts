import { expect, test } from "vitest";
import { readInstant, writeInstant } from "./instant.ts";

test("reads wire text as UTC whatever the zone of the reader", () => {
  expect(readInstant("2026-03-01 12:30:00")?.toISOString()).toBe("2026-03-01T12:30:00.000Z");
  expect(readInstant("2026-03-01T12:30:00+02:00")?.toISOString()).toBe("2026-03-01T10:30:00.000Z");
});

test("has no instant for null, nothing, and nonsense", () => {
  for (const text of [null, undefined, "", "tomorrow"]) expect(readInstant(text)).toBeUndefined();
});

test("writes what it reads", () => {
  const date = new Date("2026-12-31T23:59:59Z");
  expect(readInstant(writeInstant(date))).toEqual(date);
});
