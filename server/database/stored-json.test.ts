import { expect, test } from "vitest";
import { z } from "zod";
import { storedJson } from "./stored-json.ts";

const shape = z.array(z.string());

test("stored JSON is read by its shape", () => {
  expect(storedJson(shape, '["a"]', "a.b")).toEqual(["a"]);
});

test.each(["null", "{}", "[1]", "[", null])("%j is refused, naming the place alone", (text) => {
  expect(() => storedJson(shape, text, "core__jobs.input")).toThrow(
    /^core__jobs\.input holds JSON of a shape that this version does not know$/,
  );
});
