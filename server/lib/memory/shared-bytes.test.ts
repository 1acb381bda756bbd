import { expect, test } from "vitest";
import { sharedBytes } from "./shared-bytes.ts";

test("a text is in memory once, as its own bytes", () => {
  const bytes = sharedBytes(',"Größe":');
  expect(bytes.toString()).toBe(',"Größe":');
  expect(sharedBytes([',"Grö', 'ße":'].join(""))).toBe(bytes);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  const long = "x".repeat(1_000);
  expect(sharedBytes(long)).not.toBe(sharedBytes(long));
  expect(sharedBytes(long).buffer.byteLength).toBe(1_000);
});
