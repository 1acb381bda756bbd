import { expect, test } from "vitest";
import { timeOfDay } from "./time-of-day.ts";

test("greets by the hour, and those who work at night in the evening", () => {
  expect([4, 11, 12, 17, 18, 23, 0, 3].map(timeOfDay)).toEqual([
    "morning",
    "morning",
    "afternoon",
    "afternoon",
    "evening",
    "evening",
    "evening",
    "evening",
  ]);
});
