import { expect, test } from "vitest";
import { sourceOf } from "../lib/json/json-source.ts";
import { parseJson } from "../request/json/json.ts";
import { isTree } from "../request/tree.ts";
import { keepValues, keptValues } from "./kept-values.ts";

const sent = '{"name":"Plain","notes":null,"flags":["a","b"],"prices":{"net":1.10,"by":[12345678901234567890]}}';

test("what a job keeps is read again as it was sent, numbers to the last digit", () => {
  const { value } = parseJson(sent);
  if (!isTree(value)) throw new Error("an object");
  const kept = keepValues(value);
  expect(kept).toContain('"prices":{"net":1.10,"by":[12345678901234567890]}');
  const read = keptValues(kept);
  expect(read).toEqual(value);
  expect(sourceOf(read.prices as object)).toBe('{"net":1.10,"by":[12345678901234567890]}');
  expect(keptValues(keepValues({ name: "Typed in a form", notes: null }))).toEqual({
    name: "Typed in a form",
    notes: null,
  });
});
