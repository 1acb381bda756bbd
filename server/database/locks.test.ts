// Each advisory lock has a number of its own.
import { expect, test } from "vitest";
import * as locks from "./locks.ts";
import { SCHEMA_LOCK } from "./migrate.ts";

test("no two locks have the same number", () => {
  const numbers = [SCHEMA_LOCK, ...Object.values(locks).filter((one) => typeof one === "number")];
  expect(numbers.length).toBeGreaterThan(6);
  expect(new Set(numbers).size).toBe(numbers.length);
});
