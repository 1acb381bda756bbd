// What is kept with the job of an import comes back as it was.
import { expect, test } from "vitest";
import { specSchema } from "./spec.ts";

test("a correction is kept for every column, whatever it is called", () => {
  const { corrections } = specSchema.shape;
  const sent = '{"2":{"__proto__":"a","constructor":null}}';
  expect(JSON.stringify(corrections.parse(JSON.parse(sent)))).toBe(sent);
  expect(corrections.safeParse({ 2: { a: 1 } }).success).toBe(false);
});
